// One round: what it says, how far each of its tables is, and what its organiser does with it.

import { back, goTo, stateTag, tell, why } from "/assets/console-round-parts.js";
import {
  beginsText,
  clockText,
  nameBeside,
  nameOf,
  progress,
  publicText,
  resultText,
  standing,
  stateOf,
} from "/assets/console-round-standing.js";
import { get, post } from "/assets/console-talk.js";
import { button, choice, confirmed, el, facts, refill, tag } from "/assets/elements.js";
import { known, language, say } from "/assets/words.js";

const STATES = {
  planned: ["◌", ""],
  waiting: ["◷", "accent"],
  playing: ["▶", "good"],
  over: ["■", ""],
  bye: ["–", ""],
};
const TROUBLE = ["setting_up", "mismatch", "resyncing", "failed", "lost"];
const RESULTS = [
  ["2-0", "white"],
  ["1-1", "draw"],
  ["0-2", "black"],
  ["none", "none"],
];

export class RoundTables {
  constructor(place, { hall }, id) {
    this.place = place;
    this.hall = hall;
    this.id = id;
    this.answers = {}; // what each table's board said last
    this.entered = {}; // results of the archive, by game
    this.saved = new Set(); // tables whose result was entered here: their choice is closed
    this.busy = false; // one question at a time: whoever presses twice is answered once
    this.asked = false;
    this.update();
  }

  update() {
    const round = this.hall.rounds.get(this.id);
    if (!round) {
      refill(this.place, this.id, () => [
        el("p.nothing", {}, say("rounds.gone", { round: this.id })),
        el("p", {}, back()),
      ]);
      return;
    }
    this.#askArchive(round);
    const tables = round.pairings.map((pairing) => [pairing, standing(this.hall, pairing, this.entered[pairing.game])]);
    const seen = tables.map(([, { state, result, plies, alerts, held, board }]) => [
      ...[state, result, plies, alerts, held, board?.board],
      ...[board && this.hall.up(board), board?.state?.state],
    ]);
    refill(this.place, [round, seen, this.answers, this.busy], () => this.#build(round, tables));
  }

  leave() {}

  /** The games of a round that is over are asleep: their results are in the archive. */
  async #askArchive(round) {
    if (this.asked || round.state !== "over") return;
    this.asked = true;
    const { ok, body } = await get(`round/${this.id}/results.json`);
    if (!ok) return;
    this.entered = body.results;
    this.update();
  }

  #build(round, tables) {
    const { done, games } = progress(this.hall, round);
    return [
      back(),
      el(
        "header.line.round-head",
        {},
        el("h2", {}, [say("rounds.title", { round: round.round }), nameBeside(round)].filter(Boolean).join(": ")),
        stateTag(this.#state(round)),
        round.publication?.hold && tag("⊘", say("round.held"), "warn"),
        el("span.soft", {}, say("rounds.progress", { done, games })),
      ),
      facts(
        [say("rounds.begins"), beginsText(round.begins)],
        [say("rounds.regulation"), round.regulation_title ?? round.regulation ?? say("rounds.regulation.own")],
        [say("rounds.clock"), clockText(round.clock)],
        [say("rounds.public"), publicText(round.publication)],
        [say("rounds.featured"), (round.publication?.featured ?? []).join(", ")],
        [
          say("rounds.lots"),
          round.lots && say("rounds.lots.said", { seed: round.lots.seed, by: round.lots.by ?? "?" }),
        ],
        [say("rounds.by"), round.by],
      ),
      this.#actions(round, tables),
      el(
        "ol.plain.round-tables",
        {},
        tables.map(([pairing, at]) => el("li", {}, this.#table(round, pairing, at))),
      ),
    ];
  }

  #actions(round, tables) {
    const planned = tables.some(([, { state }]) => state === "planned");
    const now = this.#state(round);
    const waiting = planned || now === "planned" || tables.some(([, { state }]) => state === "waiting");
    const act = (id, word, does, kind = "", shown = true) =>
      shown && button(say(word), () => this.busy || does(), { id, "aria-disabled": this.busy ? "true" : null }, kind);
    const over = round.state === "over";
    return [
      el(
        "div.row.round-actions",
        { role: "group", "aria-label": say("rounds.title", { round: round.round }) },
        act("round-set-up", "rounds.set_up", () => this.#do("set-up"), "", !over && planned),
        act(
          "round-begin",
          "rounds.begin",
          () => this.#begin(tables),
          now === "planned" ? "primary" : "",
          !over && waiting,
        ),
        !over && el("a.button", { href: `#/rounds/${round.round}/edit`, id: "round-edit" }, say("rounds.edit")),
        act("round-hold", round.publication?.hold ? "rounds.release" : "rounds.hold", () => this.#hold(round)),
        act("round-end", "rounds.end", () => this.#end(), now === "over" ? "primary" : "", !over && now !== "planned"),
        act("round-remove", "rounds.remove", () => this.#remove(), "danger"),
      ),
      !over && planned && el("p.small.soft", {}, say("rounds.set_up.why")),
    ];
  }

  #state(round) {
    return stateOf(this.hall, round, this.entered);
  }

  #table(round, pairing, at) {
    const [sign, colour] = STATES[at.state];
    return el(
      "div.round-table",
      { id: `table-${pairing.table}` },
      el("strong.table", {}, el("span.visually-hidden", {}, say("table", { table: "" })), pairing.table),
      el(
        "div.players",
        {},
        ["white", "black"].map((side) => this.#player(pairing, side)),
      ),
      el("div.line.state", {}, tag(sign, say(`round.table.${at.state}`), colour), this.#about(round, pairing, at)),
      el("div.result", {}, this.#result(pairing, at)),
    );
  }

  #player(pairing, side) {
    const player = pairing[side];
    const more = player && [player.club, player.federation, player.rating].filter(Boolean).join(" · ");
    return el(
      "span.player",
      {},
      player && el(`span.disc.${side}`, { role: "img", "aria-label": say(`side.${side}`) }),
      el("span.name", {}, player ? nameOf(player) : say("round.bye")),
      more && el("span.small.soft", {}, more),
    );
  }

  #about(round, pairing, at) {
    if (at.state === "bye") return null;
    const own = round.publication?.boards?.[pairing.table];
    const held = at.held || own?.hold;
    const open = at.state === "waiting" || at.state === "playing";
    const shows = at.board?.game === pairing.game ? at.board?.state?.state : null;
    const answer = this.answers[pairing.table];
    const board = at.board?.board ?? pairing.board;
    const away = board && at.state !== "over" && !(at.board && this.hall.up(at.board));
    return [
      board ? el("span.small.soft", {}, board) : el("span.small.soft", {}, say("rounds.no_board")),
      away && tag("✕", say("round.away"), "bad"),
      !away && open && TROUBLE.includes(shows) && tag("▲", say(`round.shows.${shows}`), "warn"),
      at.plies > 0 &&
        el("span.small.soft", {}, say(at.plies === 1 ? "rounds.plies.one" : "rounds.plies", { count: at.plies })),
      pairing.regulation && el("span.small.soft", {}, pairing.regulation_title ?? pairing.regulation),
      pairing.clock && el("span.small.soft", {}, clockText(pairing.clock)),
      !held && own?.delay !== undefined && el("span.small.soft", {}, publicText(own)),
      at.alerts > 0 && el("a.small", { href: "#/alerts" }, say("round.alerts", { alerts: at.alerts })),
      held && tag("⊘", say("round.held"), "warn"),
      answer && !answer.done && el("span.small.refused", { role: "alert" }, refusal(answer)),
    ];
  }

  #result(pairing, at) {
    const sheet =
      at.state !== "bye" &&
      el(
        "a.small",
        {
          href: `/console/sheet/${pairing.game}?lang=${language}`,
          target: "_blank",
          rel: "noopener",
          "aria-label": say("rounds.sheet.of", { table: pairing.table }),
        },
        say("rounds.sheet"),
      );
    const shown = at.result !== null && el("strong.score", {}, resultText(at.result));
    if (at.state === "bye" || at.game || pairing.board) return [shown, sheet];
    const id = `result-${pairing.table}`;
    const options = [["", say("rounds.result.open")], ...RESULTS.map(([score, name]) => [score, said(score, name)])];
    return [
      el(
        "details.enter",
        { id: `enter-${pairing.table}`, open: at.result === null && !this.saved.has(pairing.table) },
        el(
          "summary",
          {},
          shown || say("rounds.enter"),
          el("span.visually-hidden", {}, say("rounds.enter.of", { table: pairing.table })),
        ),
        el(
          "div.row.fields",
          {},
          choice(id, say("rounds.enter.of", { table: pairing.table }), options, pairing.result ?? ""),
          button(
            say("rounds.save"),
            () => this.busy || this.#enter(pairing, document.getElementById(id).value || null),
            { id: `save-${pairing.table}`, "aria-disabled": this.busy ? "true" : null },
            "primary",
          ),
        ),
      ),
      sheet,
    ];
  }

  async #ask(path, body = {}) {
    this.busy = true;
    this.update();
    const answer = await post(`${path}?lang=${language}`, body);
    this.busy = false;
    return answer;
  }

  async #do(what) {
    const { ok, body } = await this.#ask(`round/${this.id}/${what}`);
    if (ok) {
      this.answers = body.answers;
      tell(body.done, say(body.done ? "rounds.done" : "rounds.some_refused"));
    } else tell(false, say("rounds.failed", { reason: why(body) }));
    this.update();
  }

  async #begin(tables) {
    const late = tables.filter(([pairing, at]) => at.board && at.state !== "over" && !this.#isReady(pairing, at));
    const names = late.map(([pairing]) => pairing.table).join(", ");
    const question = [say("rounds.begin.ask"), names && say("rounds.begin.not_ready", { tables: names })];
    const words = { yes: say("rounds.begin"), no: say("cancel") };
    if (await confirmed(question.filter(Boolean).join(" "), words)) this.#do("begin");
  }

  #isReady(pairing, at) {
    if (at.board.link?.link === "none") return true;
    if (at.state === "playing") return true;
    return this.hall.up(at.board) && at.board.game === pairing.game && at.board.state?.state === "ready";
  }

  async #hold(round) {
    const publication = { ...round.publication, hold: !round.publication?.hold };
    const { ok, body } = await this.#ask("round", { ...round, publication });
    tell(ok, ok ? say("rounds.done") : say("rounds.failed", { reason: why(body) }));
    this.update();
  }

  async #enter(pairing, result) {
    this.saved.add(pairing.table);
    document.getElementById(`enter-${pairing.table}`).open = false;
    const { ok, body } = await this.#ask(`round/${this.id}/result`, { table: pairing.table, result });
    tell(ok, ok ? say("rounds.done") : say("rounds.failed", { reason: why(body) }));
    this.update();
  }

  async #end() {
    const { ok, body } = await this.#ask(`round/${this.id}/end`);
    this.update();
    if (ok) tell(true, say("rounds.done"));
    else if (body.reason !== "not_over") tell(false, say("rounds.failed", { reason: why(body) }));
    else if (await confirmed(why(body), { yes: say("rounds.end.anyway"), no: say("cancel"), danger: true })) {
      const again = await this.#ask(`round/${this.id}/end`, { anyway: true });
      tell(again.ok, again.ok ? say("rounds.done") : say("rounds.failed", { reason: why(again.body) }));
      this.update();
    }
  }

  async #remove() {
    const question = say("rounds.remove.ask", { round: this.id });
    if (!(await confirmed(question, { yes: say("rounds.remove"), no: say("cancel"), danger: true }))) return;
    const { ok, body } = await this.#ask(`round/${this.id}/remove`);
    if (ok) goTo(null);
    else tell(false, say("rounds.failed", { reason: why(body) }));
    this.update();
  }
}

const said = (score, name) =>
  score === name ? say(`rounds.result.${name}`) : `${score} · ${say(`rounds.result.${name}`)}`;

function refusal({ reason, detail }) {
  const text = known(`round.answer.${reason}`) ? say(`round.answer.${reason}`) : (detail ?? reason);
  return detail && text !== detail ? `${text} (${detail})` : text;
}

// A running game is put right on a board: the ply that remains is clicked, then the moves are, source and target each.
// It is a draft, which costs nothing and says nothing to anybody, until it is applied. What was played since it was begun
// is taken back only where the person says so: the server is told what was seen, and does nothing to a game that has gone
// on since.

import { lastMove, picture, shows } from "/assets/console-boards.js";
import { busy, hush, tell } from "/assets/console-decision.js";
import { coded, listed, versus } from "/assets/console-phrases.js";
import { correct, legal } from "/assets/console-talk.js";
import { button, confirmed, el, refill } from "/assets/elements.js";
import { say } from "/assets/words.js";

export class Correction {
  #game;
  #end;
  #keep;
  #moves = []; // what was entered: the legal moves as the server tells them
  #source = null;
  #several = []; // moves from and to the same squares, one of which is to be chosen
  #offered = { turn: null, moves: [] };
  #asked = "";
  #busy = false;
  #seen; // the plies that there were when the person looked last
  #picture;
  #parts;
  #note = el("textarea", { id: "correction-note", rows: "2", maxlength: "2000" });

  constructor(place, console_, game, end) {
    this.console = console_;
    this.#game = game;
    this.#end = end;
    this.#keep = game.plies.length;
    this.#seen = game.plies;
    this.#picture = picture(game, { interactive: "", label: say("correct.board"), announce: "" });
    this.#picture.addEventListener("square", ({ detail }) => this.#clicked(detail.square));
    this.#parts = { plies: el("div"), draft: el("div"), ways: el("div"), warning: el("div") };
    place.replaceChildren(
      el("h2", { id: "correction-title", tabindex: "-1" }, say("correct.title")),
      el("p.small.soft", {}, versus(game)),
      this.#parts.warning,
      el(
        "div.game",
        {},
        el("div.left", {}, el("div.board", {}, this.#picture), this.#parts.ways),
        el(
          "div.right",
          {},
          this.#parts.plies,
          this.#parts.draft,
          el("div.field", {}, el("label", { for: "correction-note" }, say("note")), this.#note),
          el(
            "div.row.bar",
            {},
            button(say("cancel"), end, { id: "correction-cancel" }),
            button(say("correct.apply"), () => this.#apply(), { id: "correction-apply" }, "primary"),
          ),
        ),
      ),
    );
    document.getElementById("correction-title").focus({ preventScroll: true });
    this.#show();
  }

  /** The game as it is now: where it has gone on, the draft says so; where what remains has changed, it begins anew. */
  update(game) {
    if (!game?.plies) return;
    if (this.#busy) {
      this.#game = game; // what it does itself is no news
      return;
    }
    const kept = (one) => JSON.stringify(one.plies.slice(0, this.#keep).map((ply) => ply.fen));
    const changed = kept(game) !== kept(this.#game) || game.plies.length < this.#keep;
    const before = this.#game.plies.length;
    this.#game = game;
    if (changed) {
      this.#keep = Math.min(this.#keep, game.plies.length);
      this.#seen = game.plies;
      this.#forget();
    }
    if (changed) this.#warn(say("correct.changed"));
    else if (game.plies.length !== before) this.#warn(this.#wentOn());
    this.#show();
  }

  /** What was played since the person looked last, as text. */
  #played() {
    const { plies } = this.#game;
    const news = plies.findIndex((ply, index) => ply.fen !== this.#seen[index]?.fen);
    return news < 0 ? "" : listed(plies.slice(news).map((ply, index) => `${news + index + 1}. ${ply.move}`));
  }

  #wentOn() {
    const played = this.#played();
    return played ? say("correct.went_on", { played }) : say("correct.otherwise");
  }

  #warn(text, kind = "warn", role = "status") {
    this.#parts.warning.replaceChildren(el(`p.notice.${kind}`, { role }, text));
  }

  /** What is asked before it is applied; null where all that is taken back was seen, and something is put in its place. */
  #question() {
    const gone = this.#game.plies.length - this.#keep;
    const played = this.#played();
    if (gone > 0 && played) return say("correct.ask", { played, count: gone });
    return gone > 0 && this.#moves.length === 0 ? say("do.rewind.ask", { count: gone }) : null;
  }

  get #fen() {
    const last = this.#moves.at(-1);
    const ply = this.#game.plies[this.#keep - 1];
    return last ? last.fen : ply ? (ply.set_up ?? ply.fen) : this.#game.start;
  }

  #forget() {
    this.#moves = [];
    this.#source = null;
    this.#several = [];
  }

  async #show() {
    const { plies } = this.#game;
    const fen = this.#fen;
    this.#draw();
    refill(this.#parts.plies, [plies.map((ply) => ply.move), this.#keep, this.#busy], () => [
      el("h3", {}, say("correct.remain")),
      el(
        "div.plies",
        { role: "group", "aria-label": say("correct.remain") },
        button(
          say("correct.start"),
          () => this.#remain(0),
          { id: "keep-0", "aria-pressed": String(this.#keep === 0), disabled: this.#busy },
          "plain",
        ),
        plies.map((ply, index) =>
          button(
            `${index + 1}. ${ply.move}`,
            () => this.#remain(index + 1),
            {
              id: `keep-${index + 1}`,
              "aria-pressed": String(this.#keep === index + 1),
              disabled: this.#busy,
              ...(index >= this.#keep && { class: "plain gone" }),
            },
            "plain",
          ),
        ),
      ),
      el("p.small.soft", {}, say("correct.gone", { count: plies.length - this.#keep })),
    ]);
    refill(
      this.#parts.draft,
      [this.#moves.map((move) => move.move), this.#keep, this.#offered.turn, this.#busy],
      () => [
        el("h3", {}, say("correct.entered")),
        this.#moves.length > 0 &&
          el(
            "ol.draft",
            { start: String(this.#keep + 1) },
            this.#moves.map((move) => el("li", {}, move.move)),
          ),
        el(
          "p.small.soft",
          {},
          this.#offered.turn ? say("correct.next", { side: say(`side.${this.#offered.turn}`) }) : say("correct.wait"),
        ),
        this.#moves.length > 0 &&
          button(say("correct.undo"), () => this.#undo(), { id: "correction-undo", disabled: this.#busy }),
      ],
    );
    refill(this.#parts.ways, [this.#several, fen], () =>
      this.#several.length === 0
        ? null
        : el(
            "div.notice.accent",
            { role: "group", "aria-label": say("correct.which") },
            el("p", {}, say("correct.which")),
            el(
              "div.row",
              {},
              this.#several.map((move, index) =>
                button(move.path?.join(" × ") || move.move, () => this.#enter(move), { id: `way-${index}` }),
              ),
            ),
          ),
    );
    if (this.#asked === fen) return;
    this.#asked = fen;
    const answer = await legal(this.#game.regulation.name, fen);
    if (this.#fen !== fen) return;
    if (answer === null) this.#asked = "";
    this.#offered = answer ?? { turn: null, moves: [] };
    this.#show();
  }

  #draw() {
    const moves = this.#asked === this.#fen ? this.#offered.moves : [];
    const targets = new Set(
      moves
        .filter((move) => this.#source === null || move.from === this.#source)
        .map((move) => (this.#source === null ? move.from : move.to)),
    );
    const last = this.#moves.at(-1) ?? this.#game.plies[this.#keep - 1];
    shows(this.#picture, {
      position: this.#fen,
      ...lastMove(last),
      source: this.#source ?? "",
      targets: [...targets].join(" "),
    });
  }

  #remain(plies) {
    this.#keep = plies;
    this.#forget();
    this.#show();
  }

  #undo() {
    this.#moves.pop();
    this.#source = null;
    this.#several = [];
    this.#show();
  }

  #clicked(square) {
    if (this.#busy || this.#asked !== this.#fen) return;
    const { moves } = this.#offered;
    const found = this.#source === null ? [] : moves.filter((move) => move.from === this.#source && move.to === square);
    this.#several = [];
    if (found.length === 1) {
      this.#enter(found[0]);
      return;
    }
    if (found.length > 1) this.#several = found;
    else if (square === this.#source) this.#source = null;
    else this.#source = moves.some((move) => move.from === square) ? square : null;
    this.#show();
  }

  #enter(move) {
    this.#moves.push(move);
    this.#source = null;
    this.#several = [];
    this.#show();
  }

  async #apply() {
    if (this.#busy) return;
    const { game, plies, revision } = this.#game;
    const question = this.#question();
    if (question !== null) {
      if (!(await confirmed(question, { yes: say("correct.apply"), no: say("cancel") }))) return;
      if (!this.#parts.warning.isConnected) return;
    }
    this.#seen = plies; // what the question was about
    this.#working(true);
    hush();
    const note = this.#note.value.trim();
    const moves = this.#moves.map((move) => move.move);
    const seen = { plies: plies.length, revision };
    const answer = await correct({ game, keep: this.#keep, moves, ...seen, ...(note && { note }) });
    this.#working(false);
    if (answer.outcome === "done") {
      tell(answer, say("do.correct"));
      this.#end();
      return;
    }
    if (answer.reason === "gone_on") {
      this.#warn(this.#wentOn(), "warn", "alert");
      return;
    }
    const said = { reason: coded("refused", answer.reason ?? "failed"), done: answer.done ?? 0 };
    this.#warn(say("correct.refused", said), "bad", "alert");
    this.#seen = this.#game.plies;
    this.#keep = Math.min(this.#keep, this.#seen.length);
    this.#show();
  }

  #working(working) {
    this.#busy = working;
    busy(document.getElementById("correction-apply"), working);
    this.#show();
  }
}

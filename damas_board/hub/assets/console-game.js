// One game, or one board without a game: what stands, what was played, and everything that may be done about it.

import { severity } from "/assets/console-alerts.js";
import { boardTools } from "/assets/console-board.js";
import { lastMove, marks, picture, shows } from "/assets/console-boards.js";
import { Correction } from "/assets/console-correction.js";
import { decision } from "/assets/console-decision.js";
import { boardsOf, placeOf, tick } from "/assets/console-hall.js";
import {
  clockText,
  coded,
  guidance,
  keptBack,
  kindOf,
  playerOf,
  secondsOf,
  stateOf,
  suspectsOf,
  tableOf,
  timeOf,
} from "/assets/console-phrases.js";
import { claimsOf, claimText, resultForm } from "/assets/console-result.js";
import { left } from "/assets/console-state.js";
import { bring, button, choice, el, field, refill, tag } from "/assets/elements.js";
import { language, say } from "/assets/words.js";

const TOOLS = ["result", "clock", "count", "board"];

const lawText = (law) => coded("draw", law);

/** The view of `{game}` or `{board}`. */
export class GameView {
  #game;
  #board;
  #parts = {};
  #picture = null;
  #shape = "";
  #chosen = null; // the ply that is looked at; null: what stands now
  #sensors = true;
  #correction = null;

  constructor(place, console_, { game = null, board = null }) {
    this.console = console_;
    this.#game = game;
    this.#board = board;
    const part = (name, tag = "div", attributes = {}) => (this.#parts[name] = el(tag, attributes));
    place.replaceChildren(
      part("head"),
      part("correction", "section", { hidden: true, "aria-labelledby": "correction-title" }),
      el(
        "div.game",
        {},
        el("div.left", {}, part("black"), part("stands", "div.board"), part("white"), part("guide"), part("look")),
        el(
          "div.right",
          {},
          part("moves", "section"),
          part("counters", "section"),
          part("alerts", "section"),
          part("act"),
          TOOLS.map((name) =>
            part(name, "details.card", { id: `${name}-details`, on: { toggle: () => this.update() } }),
          ),
        ),
      ),
    );
    if (game !== null) console_.hall.fetch(game);
  }

  /** What is looked at: a game wherever it goes, or whatever game a board has. */
  get #now() {
    const { hall } = this.console;
    const known = this.#game === null ? (hall.boards.get(this.#board) ?? null) : null;
    const game = hall.game(this.#game ?? known?.game ?? "");
    return { hall, game, board: known ?? (game && hall.boardOf(game)) };
  }

  update() {
    const { hall, game, board } = this.#now;
    refill(this.#parts.head, this.#headWhat(), () => this.#head());
    if (game === null && board === null) return;
    if (this.#correction !== null) {
      this.#correction.update(game);
      return;
    }
    this.#showPlayers(game);
    this.#showBoard(game, board);
    const plies = game?.plies ?? [];
    if (this.#chosen !== null && this.#chosen > plies.length) this.#chosen = null;
    refill(this.#parts.look, [this.#chosen, plies.length, game?.revision, this.#sensors, Boolean(board?.see)], () =>
      this.#look(game, board),
    );
    refill(this.#parts.guide, [board?.state, board && stateOf(hall, board)], () => this.#guide(hall, board));
    this.#showMoves(game);
    refill(this.#parts.counters, [game?.counters, claimsOf(game), game?.over], () => game && counters(game));
    refill(this.#parts.alerts, [game?.alerts], () => game && alerts(game));
    refill(
      this.#parts.act,
      [game?.game, game?.over, game && keptBack(hall, game), game?.waits_for, hall.me.may],
      () => game && this.#act(game),
    );
    for (const name of TOOLS) this.#tools(name, game, board);
  }

  /** What moves by itself: clocks. */
  tick() {
    for (const side of ["black", "white"])
      for (const clock of this.#parts[side].querySelectorAll("[data-clock]")) tick(this.console.hall, clock);
    for (const entry of this.#parts.clock.querySelectorAll("[data-side]"))
      if (!("entered" in entry.dataset) && entry !== document.activeElement) entry.value = this.#timeOf(entry);
  }

  #timeOf(entry) {
    const { hall, game } = this.#now;
    return game?.clock ? clockText(left(hall, game, entry.dataset.side)) : "";
  }

  leave() {}

  #headWhat() {
    const { hall, game, board } = this.#now;
    return [
      this.#game,
      this.#board,
      hall.asks(this.#game),
      game?.over,
      game && keptBack(hall, game),
      game?.regulation,
      board?.board,
      boardsOf(hall).map((one) => [one.board, one.table, one.game]),
    ];
  }

  #head() {
    const { hall, game, board } = this.#now;
    const places = boardsOf(hall).map((one) => [placeOf(one), tableOf(one)]);
    const here = game
      ? `#/game/${game.game}`
      : this.#board === null
        ? `#/game/${this.#game}`
        : `#/board/${this.#board}`;
    if (!places.some(([place]) => place === here)) places.push([here, game ? tableOf(game) : say("game.gone")]);
    return [
      el("h2.visually-hidden", {}, say("tab.game")),
      el(
        "div.row.pick",
        {},
        choice("which", say("game.which"), places, here, {
          on: { change: (event) => (location.hash = event.target.value) },
        }),
        board &&
          !(game?.over && stateOf(hall, board).code === "in_play") &&
          tag(stateOf(hall, board).sign, say(`state.${stateOf(hall, board).code}`), stateOf(hall, board).colour),
        game && keptBack(hall, game) && tag("⊘", say("hall.held"), "warn"),
        game?.over && tag("■", say("hall.over", { result: game.over.result }), ""),
      ),
      game === null && board === null && el("p.nothing", {}, say(hall.asks(this.#game) ? "loading" : "game.unknown")),
      game &&
        el(
          "p.small.soft",
          {},
          [game.regulation?.title, game.round && say("round", { round: game.round }), game.game]
            .filter(Boolean)
            .join(" · "),
        ),
    ];
  }

  #showPlayers(game) {
    for (const side of ["black", "white"])
      refill(
        this.#parts[side],
        [game?.players, game?.turn, game?.over, game?.clock?.stale, Boolean(game?.clock)],
        () =>
          game === null
            ? null
            : el(
                "p.player",
                {},
                el(`span.disc.${side}`, { role: "img", "aria-label": say(`side.${side}`) }),
                el("strong.name", {}, playerOf(game, side)),
                !game.over && game.turn === side && tag("◀", say("to_move"), "accent"),
                game.clock?.stale && tag("✕", say("hall.clock_stale"), "warn"),
                game.clock && el("span.clock", { "data-clock": side, "data-game": game.game }),
              ),
      );
    this.tick();
  }

  #showBoard(game, board) {
    const shape = game?.board ?? board?.shape;
    const key = JSON.stringify(shape ?? null);
    if (this.#picture === null || this.#shape !== key) {
      this.#shape = key;
      this.#picture = picture({ board: shape }, { label: say("game.board"), announce: "" });
      this.#parts.stands.replaceChildren(this.#picture);
    }
    const now = this.#chosen === null;
    const ply = game ? game.plies[(this.#chosen ?? game.plies.length) - 1] : null;
    const open =
      now && game
        ? game.alerts.filter((alert) => alert.severity !== "note").flatMap((alert) => alert.squares ?? [])
        : [];
    shows(this.#picture, {
      position: game ? (now ? game.fen : ply ? (ply.set_up ?? ply.fen) : game.start) : (board?.position ?? null),
      ...lastMove(ply),
      alerts: open.join(" "),
      see: now && this.#sensors && board ? (board.see?.see ?? null) : null,
      put: now ? marks(board?.state?.put) : "",
      clear: now ? (board?.state?.clear ?? []).join(" ") : "",
    });
  }

  #look(game, board) {
    const plies = game?.plies.length ?? 0;
    const at = this.#chosen ?? plies;
    const never = (no) => (no ? "true" : null); // a button that is disabled would lose the focus
    const to = (ply) => () => {
      this.#chosen = ply >= plies ? null : Math.max(0, ply);
      this.update();
    };
    return [
      game &&
        el(
          "div.row.look",
          { role: "group", "aria-label": say("game.look") },
          button("|◀", to(0), {
            id: "look-first",
            "aria-label": say("game.look.first"),
            "aria-disabled": never(at === 0),
          }),
          button("◀", to(at - 1), {
            id: "look-back",
            "aria-label": say("game.look.back"),
            "aria-disabled": never(at === 0),
          }),
          el("span.clock", {}, say("game.look.at", { ply: at, plies })),
          button("▶", to(at + 1), {
            id: "look-on",
            "aria-label": say("game.look.on"),
            "aria-disabled": never(at === plies),
          }),
          button(say("game.look.now"), to(plies), { id: "look-now", "aria-disabled": never(this.#chosen === null) }),
        ),
      this.#chosen !== null && el("p.notice.accent", {}, say("game.look.past", { ply: this.#chosen })),
      this.#chosen !== null &&
        decision(
          say("do.rewind.to", { ply: this.#chosen }),
          this.console.may("rewind"),
          { game: game.game, do: "rewind", ply: this.#chosen, plies, revision: game.revision },
          {
            id: "rewind",
            ask: say("do.rewind.ask", { count: plies - this.#chosen }),
            after: to(plies),
          },
        ),
      board?.see &&
        el(
          "label.check",
          {},
          el("input", {
            type: "checkbox",
            id: "sensors",
            checked: this.#sensors,
            on: {
              change: (event) => {
                this.#sensors = event.target.checked;
                this.update();
              },
            },
          }),
          say("game.sensors"),
        ),
    ];
  }

  #guide(hall, board) {
    if (!board) return el("p.notice", {}, say("game.no_board"));
    const todo = guidance(board.state);
    const state = stateOf(hall, board);
    const why = board.state?.reason ?? board.link?.reason;
    return [
      todo.length > 0 &&
        el(
          "div.notice.accent",
          {},
          el("h3", {}, say("game.guide")),
          el(
            "ul",
            {},
            todo.map((text) => el("li", {}, text)),
          ),
        ),
      todo.length === 0 &&
        ["mismatch", "lost", "failed"].includes(state.code) &&
        el(
          "p.notice.bad",
          {},
          [say(`state.${state.code}.what`), why && coded("board_reason", why)].filter(Boolean).join(" "),
        ),
    ];
  }

  /** The list of moves follows the newest one, unless the person has gone back in it. */
  #showMoves(game) {
    const place = this.#parts.moves;
    const before = place.querySelector(".moves");
    const top = before?.scrollTop;
    const followed = before === null || top + before.clientHeight >= before.scrollHeight - 8;
    if (!refill(place, [game?.plies, this.#chosen, game?.over, game?.first], () => game && this.#moves(game))) return;
    const list = place.querySelector(".moves");
    if (list === null) return;
    list.scrollTop = followed && this.#chosen === null ? list.scrollHeight : (top ?? 0);
    const looked = this.#chosen ? document.getElementById(`ply-${this.#chosen}`) : null;
    if (looked) bring(looked, list);
  }

  #moves(game) {
    const rows = [];
    game.plies.forEach((ply, index) => {
      const last = rows.at(-1);
      const column = ply.side === game.first ? 0 : 1;
      if (!last || last[1] || (column === 0 && last[0])) rows.push([null, null]);
      rows.at(-1)[column] = [ply, index + 1];
    });
    const cell = (found) =>
      el(
        "td",
        {},
        found &&
          button(
            moveText(found[0]),
            () => {
              this.#chosen = found[1] === game.plies.length ? null : found[1];
              this.update();
            },
            {
              id: `ply-${found[1]}`,
              "aria-label": plyLabel(found[0], found[1]),
              "aria-pressed": String(found[1] === (this.#chosen ?? game.plies.length)),
              ...(found[0].at && { title: timeOf(found[0].at) }),
            },
            "plain",
          ),
      );
    return [
      el("h3", {}, say("game.moves")),
      game.plies.length === 0
        ? el("p.soft", {}, say("game.no_moves"))
        : el(
            "div.moves",
            { tabindex: "0", role: "region", "aria-label": say("game.moves") },
            el(
              "table",
              {},
              el(
                "thead.visually-hidden",
                {},
                el(
                  "tr",
                  {},
                  el("td"),
                  sides(game).map((side) => el("th", { scope: "col" }, say(`side.${side}`))),
                ),
              ),
              el(
                "tbody",
                {},
                rows.map((row, index) => el("tr", {}, el("th", { scope: "row" }, `${index + 1}.`), row.map(cell))),
              ),
            ),
          ),
    ];
  }

  #act(game) {
    const { hall, may } = this.console;
    const about = (do_) => ({ game: game.game, do: do_ });
    const { over } = game;
    const kept = keptBack(hall, game);
    return el(
      "section.card",
      { "aria-labelledby": "act-title" },
      el("h3", { id: "act-title" }, say("game.act")),
      el(
        "div.actions",
        {},
        game.waits_for &&
          decision(say("do.start"), may("start"), about("start"), {
            id: "start",
            kind: "primary",
            ask: say("do.start.ask"),
          }),
        !over &&
          button(
            say("do.correct"),
            () => this.#correct(this.#now.game),
            { id: "correct", disabled: !may("rewind") || !may("move") },
            "primary",
          ),
        !over && decision(say("do.adjust"), may("adjust"), about("adjust"), { id: "adjust" }),
        over &&
          decision(say("do.reopen"), may("reopen"), about("reopen"), {
            id: "reopen",
            kind: "danger",
            ask: say("do.reopen.ask"),
          }),
        kept === "game" &&
          decision(say("do.release"), may("release"), about("release"), { id: "release", ask: say("do.release.ask") }),
        kept === null && decision(say("do.hold"), may("hold"), about("hold"), { id: "hold" }),
        el(
          "a.button",
          {
            href: `/console/sheet/${encodeURIComponent(game.game)}?lang=${language}`,
            target: "_blank",
            rel: "noopener",
          },
          say("game.sheet"),
        ),
      ),
      kept === "round" && el("p.small.soft", { id: "kept-by-round" }, say("game.held.round")),
    );
  }

  /** What is done more rarely: shut until it is asked for, and what is entered there stays while the game goes on. */
  #tools(name, game, board) {
    const { hall, may } = this.console;
    const place = this.#parts[name];
    const running = Boolean(game) && !game.over;
    place.hidden = !{
      result: running,
      clock: running,
      count: running && (game.countable ?? []).length > 0,
      board: running || board,
    }[name];
    const what = {
      result: () => [game.game, claimsOf(game)],
      clock: () => game.game,
      count: () => [game.game, game.countable],
      board: () => [
        game?.game,
        running,
        board?.board,
        board?.link,
        board && suspectsOf(hall, board),
        boardsOf(hall).map((one) => [one.board, one.game]),
      ],
    };
    const tools = {
      result: () => resultForm(game, may),
      clock: () => clockTools(hall, game, may),
      count: () => countTools(game, may),
      board: () => boardTools(this.console, game, board),
    };
    refill(place, [place.open && !place.hidden ? what[name]() : null, hall.me.may], () => [
      el("summary", {}, say(`${name}.title`)),
      place.open && !place.hidden && tools[name](),
    ]);
  }

  #correct(game) {
    const place = this.#parts.correction;
    const others = [this.#parts.stands.closest(".game"), this.#parts.head];
    const end = () => {
      this.#correction = null;
      place.hidden = true;
      place.replaceChildren();
      for (const other of others) other.hidden = false;
      this.#chosen = null;
      this.update();
      document.getElementById("correct")?.focus();
    };
    for (const other of others) other.hidden = true;
    place.hidden = false;
    this.#correction = new Correction(place, this.console, game, end);
  }
}

const sides = (game) => (game.first === "black" ? ["black", "white"] : ["white", "black"]);

const moveText = (ply) =>
  el(
    "span",
    {},
    ply.move,
    ply.irregular && el("span.mark", { "aria-hidden": "true" }, " ◆"),
    (ply.inferred || ply.entered) && el("span.mark", { "aria-hidden": "true" }, ply.inferred ? " ~" : " ✎"),
  );

function plyLabel(ply, number) {
  const remarks = ["irregular", "inferred", "entered"].filter((key) => ply[key]).map((key) => say(`ply.${key}`));
  return [say("ply", { number, move: ply.move }), ...remarks].join(", ");
}

function counters(game) {
  if (game.over) return null;
  const running = (game.counters ?? []).filter((one) => 2 * one.count >= one.limit);
  const others = claimsOf(game).filter((claim) => !running.some((one) => one.law === claim.rule));
  if (running.length + others.length === 0) return null;
  return [
    el("h3", {}, say("game.counters")),
    el("p.small.soft", {}, game.regulation?.title),
    el(
      "ul.plain.counters",
      {},
      running.map((one) => {
        const due = one.count >= one.limit;
        const how = say(one.holds ? "claim.holds" : "claim.may");
        return el(
          "li",
          {},
          el("span", {}, lawText(one.law), one.side ? ` (${say(`side.${one.side}`)})` : ""),
          el("span.clock", {}, say("counter.of", { count: one.count, limit: one.limit })),
          el("progress", {
            max: String(one.limit),
            value: String(Math.min(one.count, one.limit)),
            "aria-label": lawText(one.law),
          }),
          el(
            "span.small.soft",
            {},
            due ? one.article : `${one.article}; ${say(one.holds ? "counter.holds" : "counter.may", one)}`,
          ),
          due && tag("½", how, "accent"),
        );
      }),
    ),
    others.map((claim) =>
      el("p", {}, tag("½", say(claim.holds ? "claim.holds" : "claim.may"), "accent"), " ", claimText(claim)),
    ),
  ];
}

function alerts(game) {
  if (game.alerts.length === 0) return null;
  return [
    el("h3", {}, say("tab.alerts")),
    el(
      "ul.plain",
      {},
      game.alerts.map((alert) =>
        el(
          "li",
          {},
          el(
            "a.small-alert",
            { href: `#/alerts/${encodeURIComponent(alert.id)}` },
            severity(alert),
            el("span.soft.small", {}, ` ${(alert.squares ?? []).join(" ")}`),
            el("span.what", {}, kindOf(alert)),
          ),
        ),
      ),
    ),
  ];
}

function clockTools(hall, game, may) {
  const now = (side) => {
    const known = hall.summary(game.game) ?? game;
    return known.clock ? left(hall, known, side) : null;
  };
  /** What a person has entered, else what the clock has now: it has gone on since the section was opened. */
  const entered = (side) => {
    const entry = document.getElementById(`clock-${side}`);
    if ("entered" in entry.dataset) return secondsOf(entry.value);
    const seconds = now(side);
    return seconds === null ? null : Math.round(seconds * 10) / 10;
  };
  const both = (act) => {
    for (const side of ["white", "black"]) act(document.getElementById(`clock-${side}`), side);
  };
  const check = (event) => event.target.setAttribute("aria-invalid", String(secondsOf(event.target.value) === null));
  return [
    el(
      "div.row",
      {},
      decision(say("do.pause"), may("pause"), { game: game.game, do: "pause" }, { id: "pause" }),
      decision(say("do.resume"), may("resume"), { game: game.game, do: "resume" }, { id: "resume" }),
    ),
    el(
      "div.row.fields",
      {},
      ["white", "black"].map((side) =>
        field(`clock-${side}`, say(`side.${side}`), {
          value: game.clock ? clockText(now(side)) : "",
          "data-side": side,
          inputmode: "text",
          size: "8",
          placeholder: "0:05:00",
          "data-keep": true,
          on: { input: check },
        }),
      ),
      decision(
        say("do.set_clock"),
        may("set_clock"),
        () => {
          const [white, black] = [entered("white"), entered("black")];
          both((entry, side) => entry.setAttribute("aria-invalid", String(entered(side) === null)));
          return white === null || black === null ? null : { game: game.game, do: "set_clock", white, black };
        },
        { id: "set-clock", after: () => both((entry) => delete entry?.dataset.entered) },
      ),
    ),
    el("p.small.soft", {}, say("clock.hint")),
    game.clock && el("p.small.soft", {}, say("clock.live")),
  ];
}

function countTools(game, may) {
  const law = choice(
    "count-law",
    say("count.law"),
    game.countable.map((one) => [one, lawText(one)]),
    game.countable[0],
  );
  const from = field("count-from", say("count.from"), {
    type: "number",
    min: "0",
    max: String(game.plies.length),
    value: String(game.plies.length),
  });
  const value = (id) => document.getElementById(id)?.value;
  return el(
    "div.row.fields",
    {},
    law,
    from,
    decision(
      say("do.count"),
      may("count"),
      () => ({ game: game.game, do: "count", law: value("count-law"), from_ply: Number(value("count-from")) }),
      { id: "count" },
    ),
  );
}

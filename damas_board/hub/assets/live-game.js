// One game, large: its board, players and clocks, and its moves to go back and forth in.
//
// `ply` is what is looked at: null is the present and goes along with it; a number stays where it is, whatever comes.

import { el, refill, tag } from "./elements.js";
import { Moves } from "./live-moves.js";
import { at, playerLines, setText, show } from "./live-parts.js";
import { Share } from "./live-share.js";
import {
  clocksAt,
  gameTitle,
  marks,
  moment,
  nameOf,
  outcome,
  roundName,
  score,
  span,
  tableName,
  timeControl,
  variantName,
} from "./live-text.js";
import { language, say } from "./words.js";

/** Who is to move in a position. */
const turnOf = (fen) => (fen.startsWith("B") ? "black" : "white");

export class GameView {
  #game = null;
  #round = null;
  #announced = null;

  /** `chosen(ply)` is called when somebody goes to another ply. */
  constructor({ games, link, chosen }) {
    this.games = games;
    this.link = link;
    this.chosen = chosen;
    this.ply = null;
    this.turned = false;
    this.moves = new Moves((ply) => this.goTo(ply));
    this.board = el("draughts-board");
    this.title = el("h1", { tabindex: "-1" });
    this.where = el("p.where.soft");
    this.result = el("p.verdict", { hidden: true });
    this.tags = el("p.tags");
    this.said = el("p.visually-hidden", { role: "status" });
    this.looking = el("p.looking", { hidden: true });
    this.about = el("dl.about");
    this.files = el("p.links");
    this.share = new Share();
    this.near = el("nav.near", { "data-say-label": "nav.games" });
    this.far = el("div.side.far");
    this.close = el("div.side.close");
    this.buttons = this.#buttons();
    this.element = el(
      "article.game",
      {},
      el("div.table-top", {}, this.far, el("div.board", {}, this.board), this.close, this.buttons),
      el(
        "div.panel",
        {},
        el("header", {}, this.where, this.title, this.result, this.tags),
        this.looking,
        this.moves.element,
        this.about,
        this.files,
        this.share.element,
        this.near,
      ),
      this.said,
    );
    this.#seat();
  }

  #buttons() {
    const make = (sign, key, act) => el("button", { type: "button", on: { click: act }, "data-key": key }, sign);
    this.back = [make("«", "go.start", () => this.goTo(0)), make("‹", "go.back", () => this.step(-1))];
    this.forth = [make("›", "go.forward", () => this.step(1)), make("»", "go.end", () => this.goTo(null))];
    this.turn = make("⇅", "go.turn", () => this.turnBoard());
    return el("div.controls", { role: "group" }, ...this.back, ...this.forth, this.turn);
  }

  #seat() {
    this.lines = playerLines(this.turned ? "black" : "white", { about: true });
    this.far.replaceChildren(this.lines[0].element);
    this.close.replaceChildren(this.lines[1].element);
    this.board.setAttribute("orientation", this.turned ? "black" : "white");
  }

  /** Pieces of one game do not slide to their squares in another. */
  #newBoard() {
    const board = el("draughts-board", { orientation: this.turned ? "black" : "white" });
    this.board.replaceWith(board);
    this.board = board;
  }

  turnBoard() {
    this.turned = !this.turned;
    this.#seat();
    this.update(this.#game, this.#round);
  }

  get count() {
    return this.#game === null ? 0 : this.#game.count;
  }

  get whole() {
    return this.#game !== null && this.games.whole(this.#game.game);
  }

  step(by) {
    this.goTo((this.ply ?? this.count) + by);
  }

  /** To the position after `ply` plies; null, or the last one: to the present. */
  goTo(ply) {
    if (!this.whole) return;
    this.ply = ply === null || ply >= this.count ? null : Math.max(0, ply);
    this.chosen(this.ply);
    this.update(this.#game, this.#round);
  }

  /**
   * A key that was pressed on `target`, outside of fields and boards; true where it led to another ply. Those that scroll
   * a page do so everywhere but at the moves.
   */
  key(name, target) {
    const here = this.ply ?? this.count;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2, Home: -here, End: this.count - here };
    const across = name === "ArrowLeft" || name === "ArrowRight";
    if (!(name in steps) || !(across || this.moves.element.contains(target) || this.buttons.contains(target)))
      return false;
    this.step(steps[name]);
    return (this.ply ?? this.count) !== here;
  }

  /** `around`: the games before and after it, `{label, href}` or undefined each. */
  update(game, round, around = this.around) {
    this.around = around;
    const another = this.#game?.game !== game.game;
    this.#game = game;
    this.#round = round;
    if (another) {
      this.#newBoard();
      this.#announced = null;
    }
    const whole = this.whole;
    if (whole && this.ply !== null && this.ply > game.count) this.ply = null;
    const count = whole ? this.ply : null;
    setText(this.title, gameTitle(game));
    setText(this.where, [round && roundName(round), tableName(game.table)].filter(Boolean).join(" · "));
    show(this.board, game, count);
    for (const line of this.lines) line.update(game, ...(count === null ? [] : [turnOf(at(game, count).fen)]));
    this.board.setAttribute("label", say("board.of", { players: gameTitle(game) }));
    this.result.hidden = !game.over;
    refill(this.result, [language, game.over], () =>
      game.over ? [el("strong", {}, score(game.over.result)), ` ${outcome(game.over)}`] : [],
    );
    const found = this.#marks(game, count);
    refill(this.tags, found, () => found.map(([sign, text, kind]) => tag(sign ?? el(`span.disc.${kind}`), text, kind)));
    this.looking.hidden = count === null;
    const ago = say("looking", { ply: count, count: game.count });
    refill(this.looking, [language, ago], () => [
      tag("↶", ago, "accent"),
      el("button.plain", { type: "button", id: "present", on: { click: () => this.goTo(null) } }, say("go.present")),
    ]);
    this.moves.update(game, whole, count);
    this.#explain(game);
    this.#walk();
    this.#announce(game);
    this.#enable();
    this.tick();
  }

  tick() {
    const game = this.#game;
    if (game === null) return;
    const looked = this.whole && this.ply !== null ? (at(game, this.ply).ply?.clock ?? null) : null;
    const past = looked && { white: looked[0], black: looked[1], running: null };
    const shown = this.ply !== null && this.whole ? past && { clock: past, heard: 0 } : game;
    const clocks = shown ? clocksAt(shown, this.games.certainUntil(game)) : null;
    for (const line of this.lines) line.tick(clocks, shown === game && game.clock?.stale);
  }

  /** What is said of the position that is shown: `[sign, text, kind of tag]`; the sign of who is to move is a disc. */
  #marks(game, count) {
    const { ply } = at(game, count);
    const found = ply === null ? [] : marks(ply).map(([sign, key, kind]) => [sign, say(key), kind]);
    if (ply?.set_up) found.push(["✎", say("mark.set_up"), "accent"]);
    if (count !== null || game.over) return found;
    if (game.silent) found.push(["⚠", say("silent.since", { time: moment(game.silent) }), "warn"]);
    if (game.clock?.stale) found.push(["⚠", say("clock.stale"), "warn"]);
    const turn = say("on_move", { name: nameOf(game.players?.[game.turn], game.turn) });
    return [[null, turn, game.turn], ...found];
  }

  #explain(game) {
    const { delay } = game;
    const said = [
      ["about.regulation", game.regulation.title || game.regulation.name],
      ["about.variant", variantName(game.regulation.variant)],
      ["about.clock", timeControl(game.time_control)],
      ["about.opening", game.opening],
      ["about.delay", delay === undefined || delay === null ? "" : delay > 0 ? span(delay) : say("delay.none")],
    ];
    const shown = said.filter(([, text]) => text);
    refill(this.about, [language, shown], () =>
      shown.map(([key, text]) => el("div", {}, el("dt", {}, say(key)), el("dd", {}, text))),
    );
    const id = encodeURIComponent(game.game);
    this.share.update(game);
    refill(this.files, [language, id], () => [el("a", { href: `/games/${id}.pdn`, download: true }, say("file.pdn"))]);
  }

  #walk() {
    const { before, after } = this.around ?? {};
    const to = (one, rel, ...content) => el("a.button", { href: one.href, "data-go": true, rel }, ...content);
    this.near.setAttribute("aria-label", say("nav.games"));
    refill(this.near, [before, after], () => [
      before ? to(before, "prev", el("span", { "aria-hidden": "true" }, "←"), before.label) : el("span"),
      after && to(after, "next", after.label, el("span", { "aria-hidden": "true" }, "→")),
    ]);
  }

  /** Tells a screen reader what is new: not what was there when it came to this game. */
  #announce(game) {
    const text = game.over ? outcome(game.over) : game.last ? spoken(game.last) : "";
    if (this.#announced !== null && text !== this.#announced) setText(this.said, text);
    this.#announced = text;
  }

  #enable() {
    const here = this.ply ?? this.count;
    const allow = (button, may) => button.setAttribute("aria-disabled", String(!may));
    for (const button of this.back) allow(button, this.whole && here > 0);
    for (const button of this.forth) allow(button, this.whole && this.ply !== null);
    for (const button of [...this.back, ...this.forth, this.turn]) {
      button.setAttribute("aria-label", say(button.dataset.key));
      button.title = say(button.dataset.key);
    }
    this.buttons.setAttribute("aria-label", say("go.all"));
  }
}

function spoken(ply) {
  const words = marks(ply).map(([, key]) => say(key));
  return say("said.move", { side: say(`side.${ply.side}`), move: ply.move, marks: words.join(", ") });
}

// All boards at once, each a link to its game, in the order that the round has them.
//
// On a screen that is wide enough the boards are made as large as lets all of them be seen without scrolling: for every
// number of columns it is computed how large a board can be, with its lines of text growing along, and the best is
// taken. Where they would be too small to read, or on a phone, they have a size and the page scrolls.

import { el, refill, tag } from "./elements.js";
import { playerLines, setText, show } from "./live-parts.js";
import { clocksAt, gameTitle, marks, moment, named, outcome, score, tableName } from "./live-text.js";
import { language, say } from "./words.js";

const GAP = 12;
const LINES = 6.4; // of a card beside its board, in units of its type
const TYPE = 0.066; // of the board's side
const [SMALLEST_TYPE, LARGEST_TYPE] = [12, 26];
const WIDEST = 1.35; // a card, for long names, in units of the board's side
const NEARLY = 0.95; // so much smaller a board may be where names get more room for it
const SMALLEST_BOARD = 140;
const SCROLLED_BOARD = 230;
const PHONE = matchMedia("(max-width: 40rem)");

export class Wall {
  #cards = new Map();

  constructor({ games, link }) {
    this.games = games;
    this.link = link;
    this.element = el("ul.wall");
    this.seats = [];
  }

  /** `seats`: what stands at each table, `{key, table, label, pairing, game, round}` in order. */
  update(seats) {
    this.seats = seats;
    const cards = seats.map((seat) => {
      const former = this.#cards.get(seat.key);
      const card = former?.fits(seat) ? former : seat.game ? new GameCard(this.link) : new PairingCard(this.link);
      this.#cards.set(seat.key, card);
      card.update(seat);
      return card.element;
    });
    const keys = new Set(seats.map((seat) => seat.key));
    for (const key of this.#cards.keys()) if (!keys.has(key)) this.#cards.delete(key);
    this.#place(cards);
    this.fit();
    this.tick();
  }

  /** Puts the cards in order; the others leave, and those that stand where they should are not touched. */
  #place(cards) {
    const active = document.activeElement;
    for (const former of [...this.element.children]) if (!cards.includes(former)) former.remove();
    cards.forEach((card, index) => {
      const there = this.element.children[index] ?? null;
      if (card !== there) this.element.insertBefore(card, there);
    });
    if (this.element.contains(active)) active.focus({ preventScroll: true }); // a card that is moved loses it
  }

  tick() {
    for (const card of this.#cards.values()) card.tick?.(this.games);
  }

  /** Sizes the boards for the room that there is. */
  fit() {
    const box = this.element;
    if (!box.isConnected || this.seats.length === 0) return;
    if (PHONE.matches) {
      box.classList.remove("fitted");
      return;
    }
    const width = box.clientWidth;
    const height = box.parentElement.clientHeight;
    const best = bestFit(this.seats.length, width, height);
    const fitted = best.board >= SMALLEST_BOARD;
    const board = Math.floor(fitted ? best.board : SCROLLED_BOARD);
    const columns = fitted ? best.columns : Math.max(1, Math.floor((width + GAP) / (board + 24 + GAP)));
    const room = Math.floor((width - GAP * (columns - 1)) / columns);
    box.classList.add("fitted");
    box.style.setProperty("--columns", String(columns));
    box.style.setProperty("--side", `${board}px`);
    box.style.setProperty("--card", `${Math.min(room, Math.floor(board * WIDEST))}px`);
    box.style.setProperty("--type", `${typeFor(board)}px`);
  }
}

const typeFor = (board) => Math.min(LARGEST_TYPE, Math.max(SMALLEST_TYPE, board * TYPE));

/** The largest board; of two that are nearly as large, the one with fewer columns and so more room for names. */
function bestFit(count, width, height) {
  const fits = [];
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const across = (width - GAP * (columns - 1)) / columns - 2;
    const down = (height - GAP * (rows - 1)) / rows - 2;
    fits.push({ board: Math.min(boardFor(down), across - typeFor(across)), columns });
  }
  const largest = Math.max(...fits.map((fit) => fit.board));
  return fits.find((fit) => fit.board >= largest * NEARLY);
}

/** The board whose lines of text and itself are as high as `height`. */
function boardFor(height) {
  const grown = height / (1 + LINES * TYPE);
  if (grown * TYPE > LARGEST_TYPE) return height - LINES * LARGEST_TYPE;
  if (grown * TYPE < SMALLEST_TYPE) return height - LINES * SMALLEST_TYPE;
  return grown;
}

/** A table whose game can be followed. */
class GameCard {
  constructor(link) {
    this.link = link;
    this.table = el("span.table");
    this.state = el("span.state");
    this.board = el("draughts-board", { picture: true, coordinates: "none" });
    this.lines = playerLines("white");
    const [far, near] = this.lines;
    this.star = el("span.star", { role: "img" }, "★");
    this.head = el("div.head", {}, this.star, this.table, this.state);
    this.anchor = el("a.card", { "data-go": true }, this.head, far.element, this.board, near.element);
    this.element = el("li", {}, this.anchor);
  }

  fits(seat) {
    return seat.game !== undefined;
  }

  update({ game, label, featured }) {
    this.game = game;
    this.anchor.href = this.link(`/g/${game.game}`);
    setText(this.table, label);
    this.star.hidden = !featured;
    this.star.setAttribute("aria-label", say("featured"));
    for (const line of this.lines) line.update(game);
    show(this.board, game);
    this.board.setAttribute("label", say("board.of", { players: gameTitle(game) }));
    this.anchor.classList.toggle("over", game.over !== null && game.over !== undefined);
    refill(this.state, [language, game.over, Boolean(game.silent), game.last], () => stateOf(game));
  }

  tick(games) {
    const clocks = clocksAt(this.game, games.certainUntil(this.game));
    for (const line of this.lines) line.tick(clocks, this.game.clock?.stale);
  }
}

/** What a card says about how the game stands. */
function stateOf(game) {
  if (game.over)
    return [el("span.result", {}, score(game.over.result)), el("span.visually-hidden", {}, outcome(game.over))];
  if (game.silent) return [tag("⚠", say("silent"), "warn")];
  if (game.last === null || game.last === undefined) return [];
  const signs = marks(game.last).map(([sign, key, kind]) => tag(sign, say(key), kind));
  return [...signs, el("span.last", {}, game.last.move)];
}

/** A table where there is no game to follow: not begun, a bye, or played where nothing sees it. */
class PairingCard {
  constructor(link) {
    this.link = link;
    this.table = el("span.table");
    this.lines = playerLines("white");
    this.note = el("p.note");
    const [far, near] = this.lines;
    const face = el("div.face", {}, this.note);
    const head = el("div.head", {}, this.table);
    this.anchor = el("a.card.empty", { "data-go": true }, head, far.element, face, near.element);
    this.element = el("li", {}, this.anchor);
  }

  fits(seat) {
    return seat.game === undefined;
  }

  update({ pairing, label, round }) {
    this.anchor.href = this.link(`/t/${encodeURIComponent(pairing.table)}`);
    setText(this.table, label);
    for (const line of this.lines) {
      line.update({ players: { white: pairing.white, black: pairing.black } });
      line.clock.hidden = true;
    }
    setText(this.note, noteOf(pairing, round));
  }
}

export function noteOf(pairing, round) {
  if (pairing.black === undefined || pairing.black === null) return say("bye");
  if (pairing.result) return score(pairing.result);
  if (round.state === "planned" && round.begins) return say("begins", { time: moment(round.begins) });
  return say(round.state === "over" ? "not_followed" : "not_begun");
}

/** The tables of a round in an order that does not change: featured ones first, if so wanted, then as they are paired. */
export function seatsOf(round, games, { first = true } = {}) {
  const featured = (first && round.publication?.featured) || [];
  const rank = (pairing) => {
    const place = featured.map(String).indexOf(String(pairing.table));
    return place < 0 ? featured.length : place;
  };
  return round.pairings
    .map((pairing, index) => ({ pairing, index }))
    .sort((one, two) => rank(one.pairing) - rank(two.pairing) || one.index - two.index)
    .map(({ pairing }) => ({
      key: `${round.round} ${pairing.game ?? pairing.table}`,
      label: tableName(pairing.table),
      table: pairing.table,
      featured: rank(pairing) < featured.length,
      game: named(games.get(pairing.game), pairing),
      pairing,
      round,
    }));
}

// Parts that all pages with a board share: a player's line with its clock, and a board that shows a game at a ply.

import { el } from "./elements.js";
import { aboutPlayer, clockText, nameOf, other, SIDES, score } from "./live-text.js";
import { say } from "./words.js";

/** The line of one side: its colour, name, what else is known, its clock. */
export class PlayerLine {
  constructor(side, { about = false } = {}) {
    this.side = side;
    this.name = el("span.name");
    this.about = about ? el("span.about") : null;
    this.points = el("span.points");
    this.clock = el("span.clock");
    this.disc = el(`span.disc.${side}`, { role: "img" });
    this.element = el("div.player", {}, this.disc, el("span.who", {}, this.name, this.about), this.points, this.clock);
  }

  /** `turn`: who is to move as the board is shown; null: nobody. */
  update(game, turn = game.over ? null : game.turn) {
    const player = game.players?.[this.side];
    const name = nameOf(player, this.side);
    setText(this.name, name);
    this.name.title = name;
    this.disc.setAttribute("aria-label", say(`side.${this.side}`));
    if (this.about) setText(this.about, aboutPlayer(player));
    setText(this.points, game.over ? pointsOf(game.over, this.side) : "");
    this.element.classList.toggle("on-move", turn === this.side);
    this.element.classList.toggle("won", game.over?.winner === this.side);
  }

  /** `clocks` as clocksAt tells them; null: this game has none. */
  tick(clocks, stale = false) {
    this.clock.hidden = clocks === null;
    if (clocks === null) return;
    setText(this.clock, clockText(clocks[this.side]));
    this.clock.classList.toggle("running", clocks.running === this.side);
    this.clock.classList.toggle("stale", stale || (clocks.ran === this.side && clocks.running === null));
  }
}

/** Both lines of a board as White or Black sees it: the far one first. */
export function playerLines(orientation, options) {
  const near = orientation === "black" ? "black" : "white";
  return [other(near), near].map((side) => new PlayerLine(side, options));
}

/** `2` of `2-0`: what one side has of a result. */
function pointsOf(over, side) {
  const parts = (over.result ?? "").split("-");
  return parts.length === 2 ? score(parts[SIDES.indexOf(side)]) : "";
}

/** Where the game stands after `count` plies; after all of them where `count` is null. */
export function at(game, count) {
  if (count === null) return { fen: game.fen, ply: game.last ?? null };
  if (count === 0) return { fen: game.start, ply: null };
  const ply = game.plies[count - 1];
  // what stands behind a ply that no rule explains may not be known: then it is what was last known
  const known = game.plies.slice(0, count).findLast((one) => one.fen);
  return { fen: known?.fen ?? game.start, ply };
}

/** Puts a game on a <draughts-board>, as it stands after `count` plies. */
export function show(board, game, count = null) {
  const { fen, ply } = at(game, count);
  const known = Boolean(ply?.from && ply.to);
  const capture = ply?.captured?.length > 0;
  for (const name of ["size", "corner", "numbering"]) set(board, name, game.board?.[name]);
  set(board, "position", game.board ? fen : null); // of rules that are not known here, not even the squares are
  set(board, "last-move", known ? `${ply.from} ${ply.to}` : null);
  set(board, "path", known && capture ? route(ply).join(" ") : null);
  set(board, "captured", capture ? ply.captured.join(" ") : null);
}

/** The squares of a capture with its first and last. */
function route({ from, to, path = [] }) {
  const inner = path.filter((square, index) => !(index === 0 && square === from));
  return [from, ...inner, ...(inner.at(-1) === to ? [] : [to])];
}

function set(element, name, value) {
  const now = value === null || value === undefined ? null : String(value);
  if (element.getAttribute(name) === now) return;
  if (now === null) element.removeAttribute(name);
  else element.setAttribute(name, now);
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

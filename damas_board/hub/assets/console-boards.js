// Pictures of positions: `<draughts-board>` with what the arbiter has to see on it.

import "/assets/draughts-board.js";
import { el } from "/assets/elements.js";
import { language } from "/assets/words.js";

/** The element for a game's board; `more` are attributes of it (see draughts-board.js). */
export function picture(game, more = {}) {
  const { size = 8, corner = "left", numbering = "algebraic" } = game.board_shape ?? game.board ?? {};
  return el("draughts-board", { size, corner, numbering, lang: language, coordinates: "edge", ...more });
}

/** Sets or takes away attributes: those of null are taken away. */
export function shows(board, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === "") board.removeAttribute(name);
    else if (board.getAttribute(name) !== String(value)) board.setAttribute(name, value);
  }
}

/** What a ply has for the board that it leads to. */
export const lastMove = (ply) =>
  ply
    ? {
        "last-move": `${ply.from} ${ply.to}`,
        path: ply.captured?.length ? (ply.path ?? []).join(" ") : "",
        captured: (ply.captured ?? []).join(" "),
      }
    : { "last-move": "", path: "", captured: "" };

export const marks = (put) =>
  Object.entries(put ?? {})
    .map(([square, mark]) => `${square}:${mark}`)
    .join(" ");

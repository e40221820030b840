// The moves of a game as a list to walk in: a line for each pair, and a button for each ply, one of which is shown.

import { el } from "./elements.js";
import { setText } from "./live-parts.js";
import { marks } from "./live-text.js";
import { say } from "./words.js";

export class Moves {
  #rows = [];
  #current = null;

  /** `go(ply)` is called with the number of plies after which to look. */
  constructor(go) {
    this.go = go;
    this.heading = el("h2");
    this.list = el("ol");
    this.note = el("p.soft");
    this.legend = el("p.legend.small.soft", { hidden: true });
    this.element = el("section.moves", {}, this.heading, this.list, this.note, this.legend);
    this.list.addEventListener("click", (event) => {
      const chosen = event.target.closest("button[data-ply]");
      if (chosen !== null) this.go(Number(chosen.dataset.ply));
    });
  }

  /** `count`: how many plies are looked at; null: all, as they come. */
  update(game, whole, count) {
    setText(this.heading, say("moves"));
    this.list.setAttribute("aria-label", say("moves"));
    this.note.hidden = whole && game.count > 0;
    setText(this.note, say(whole ? "moves.none" : "moves.loading"));
    this.legend.hidden = !(whole && game.plies.some((ply) => ply.inferred));
    setText(this.legend, `≈ ${say("mark.inferred")}: ${say("legend.inferred")}`);
    if (!whole) return;
    const focused = this.list.contains(document.activeElement);
    const rows = paired(game.plies, game.first);
    const lines = rows.map((row, index) => this.#line(row, index));
    lines.forEach((line, index) => {
      const former = this.list.children[index];
      if (former === undefined) this.list.append(line);
      else if (former !== line) former.replaceWith(line);
    });
    while (this.list.children.length > lines.length) this.list.lastChild.remove();
    this.#rows.length = lines.length;
    this.#mark(count ?? game.count, focused);
  }

  /** The line of a row; the one that is there already where nothing in it has changed. */
  #line(row, index) {
    const told = JSON.stringify([row, say("mark.inferred")]);
    if (this.#rows[index]?.told !== told) this.#rows[index] = { told, line: drawn(row, index) };
    return this.#rows[index].line;
  }

  /** Marks the ply that is shown; the focus goes along if it was in the list. */
  #mark(ply, focused) {
    if (this.#current !== null) {
      this.#current.removeAttribute("aria-current");
      this.#current.tabIndex = -1;
    }
    this.#current = this.list.querySelector(`button[data-ply="${ply}"]`);
    const entry = this.#current ?? this.list.querySelector("button");
    if (entry === null) return;
    entry.tabIndex = 0;
    this.#current?.setAttribute("aria-current", "true");
    if (focused) entry.focus({ preventScroll: true });
    this.#reveal(entry);
  }

  /** Scrolls the list, and never the page. */
  #reveal(button) {
    const [box, line] = [this.list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (line.top < box.top) this.list.scrollTop -= box.top - line.top + line.height;
    else if (line.bottom > box.bottom) this.list.scrollTop += line.bottom - box.bottom + line.height;
  }
}

/** The plies in lines of two; a side that moves twice in a row, or does not begin, leaves a gap. */
function paired(plies, first) {
  const rows = [];
  for (const ply of plies) {
    const row = rows.at(-1);
    if (row === undefined || ply.side === first || row[1] !== null) rows.push([null, null]);
    rows.at(-1)[ply.side === first ? 0 : 1] = ply;
  }
  return rows;
}

function drawn(row, index) {
  const line = el("li", {}, el("span.number", { "aria-hidden": "true" }, `${index + 1}.`));
  for (const ply of row) line.append(ply === null ? el("span.gap", {}, "…") : buttonOf(ply, index));
  for (const ply of row) if (ply?.set_up) line.append(el("span.set-up", {}, `✎ ${say("mark.set_up")}`));
  return line;
}

function buttonOf(ply, index) {
  const signs = marks(ply).map(([sign, key, kind]) =>
    el(`span.mark.${kind}`, { title: key === "mark.inferred" && say("legend.inferred") }, `${sign} ${say(key)}`),
  );
  const spoken = say("move.of", { number: index + 1, side: say(`side.${ply.side}`) });
  return el(
    "button",
    { type: "button", tabindex: "-1", "data-ply": ply.ply },
    el("span.visually-hidden", {}, `${spoken} `),
    el("span.move", {}, ply.move),
    signs.length > 0 && " ",
    signs,
  );
}

// What others need to show a table: a line of HTML for their page, and the address of the overlay for their video.

import { button, el, refill } from "./elements.js";
import { tableName } from "./live-text.js";
import { language, say } from "./words.js";

const ADDED = [
  ["?delay=30", "share.delay"],
  ["?board=0", "share.board"],
  ["?times=1", "share.times"],
];
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A panel that is closed until somebody wants it. */
export class Share {
  constructor() {
    this.element = el("details.share", { id: "share" });
  }

  /** Of the table, whatever is played at it; of the game alone where it has none. */
  update({ game, table }) {
    const id = encodeURIComponent(table ?? game);
    const place = table ? `t/${id}` : `g/${id}`;
    refill(this.element, [language, place], () => {
      const title = (table ? tableName(table) : game).replace(/[&<>"]/g, (sign) => ESCAPED[sign]);
      const size = 'width="480" height="640" loading="lazy"';
      const frame = `<iframe src="${location.origin}/embed/${place}" title="${title}" ${size}></iframe>`;
      return [
        el("summary", {}, say("share.title")),
        table && el("p.soft.small", {}, say("share.follows", { table })),
        copied("share-frame", say("share.frame"), frame, 3),
        copied("share-overlay", say("share.overlay"), `${location.origin}/overlay/${place}`, 1),
        el("p.small", {}, say("share.added")),
        el(
          "dl.added.small",
          {},
          ADDED.map(([text, key]) => el("div", {}, el("dt.mono", {}, text), el("dd", {}, say(key)))),
        ),
      ];
    });
  }
}

/** A text to take away, with a button for it. */
function copied(id, label, text, rows) {
  const field = el("textarea.mono", { id, rows, readonly: true, spellcheck: "false", value: text });
  const said = el("span.small.soft", { role: "status" });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = say("share.copied");
    } catch {
      said.textContent = say("share.marked"); // without TLS a page may not: it is marked, to be copied by hand
    }
  };
  const act = button(say("share.copy"), copy, { "aria-describedby": `${id}-label` });
  field.addEventListener("focus", () => field.select());
  return el("div.field", {}, el("label", { for: id, id: `${id}-label` }, label), field, el("p.row", {}, act, said));
}

// A round as it will be published, with what is to be said of it, before anybody else sees it.

import { beginsText, clockText, nameBeside, nameOf, publicText, resultText } from "/assets/console-round-standing.js";
import { button, el, facts, tag } from "/assets/elements.js";
import { say } from "/assets/words.js";

/** True where the person publishes it. `remarks` as remarksOn makes them, `title` of its regulation. */
export function preview(round, { remarks, title, regulations }) {
  return new Promise((answer) => {
    const { publication } = round;
    const drawn = round.pairings.some(({ opening, fen }) => opening || fen);
    const ended = round.pairings.some(({ result }) => result);
    const dialog = el(
      "dialog.sheet.round-preview",
      { "aria-labelledby": "preview-title" },
      el("h2", { id: "preview-title" }, say("rounds.preview", { round: round.round })),
      nameBeside(round) && el("p", {}, nameBeside(round)),
      remarks.length
        ? el(
            "ul.plain.remarks",
            { id: "remarks" },
            remarks.map(({ weight, key, values }) =>
              el(`li.${weight}`, {}, sign(weight), say(`rounds.remark.${key}`, values)),
            ),
          )
        : el("p.good", { id: "remarks" }, say("rounds.preview.good")),
      facts(
        [say("rounds.begins"), beginsText(round.begins)],
        [say("rounds.regulation"), title ?? say("rounds.regulation.own")],
        [say("rounds.clock"), clockText(round.clock)],
        [say("rounds.public"), publicText(publication)],
        [say("rounds.featured"), (publication.featured ?? []).join(", ")],
        [
          say("rounds.lots"),
          round.lots && say("rounds.lots.said", { seed: round.lots.seed, by: round.lots.by ?? "?" }),
        ],
      ),
      el(
        "div.scrolling",
        { tabindex: "0", role: "region", "aria-labelledby": "preview-title" },
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ["table", "white", "black", "board"].map((one) => el("th", { scope: "col" }, say(`round.column.${one}`))),
              drawn && el("th", { scope: "col" }, say("sheet.opening")),
              ended && el("th", { scope: "col" }, say("round.column.result")),
            ),
          ),
          el(
            "tbody",
            {},
            round.pairings.map((pairing) =>
              row(pairing, { drawn, ended, own: publication.boards?.[pairing.table], regulations }),
            ),
          ),
        ),
      ),
      el(
        "div.row.end",
        {},
        button(say("rounds.back"), () => dialog.close("no"), { id: "preview-back" }),
        button(say("rounds.publish"), () => dialog.close("yes"), { id: "preview-publish" }, "primary"),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const sign = (weight) => (weight === "warn" ? tag("▲", "", "warn") : tag("●", "", ""));

function row(pairing, { drawn, ended, own, regulations }) {
  const { table, white, black, board, opening, fen, regulation, clock, result } = pairing;
  const shown = own && (own.hold !== undefined || own.delay !== undefined) && publicText(own);
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      table,
      own?.hold ? [" ", tag("⊘", say("rounds.form.own_hold.yes"), "warn")] : shown && beneath(shown),
    ),
    el("td", {}, player(white)),
    el("td", {}, black ? player(black) : el("span.soft", {}, say("round.bye"))),
    el(
      "td",
      {},
      board ?? "–",
      regulation && beneath(regulations[regulation]?.title ?? regulation),
      clock && beneath(clockText(clock)),
    ),
    drawn && el("td", {}, opening ?? fen ?? ""),
    ended && el("td", {}, resultText(result)),
  );
}

function player(one) {
  const shown = one.public ?? (one.minor ? null : one.name);
  const differs = shown !== one.name;
  return [
    nameOf(one),
    one.club && beneath(one.club),
    differs && beneath(shown === null ? say("rounds.preview.unnamed") : say("rounds.preview.public", { name: shown })),
  ];
}

const beneath = (text) => el("span.small.soft.beneath", {}, text);

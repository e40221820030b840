// Rounds at the console: their list, one of them with its tables, and the form in which one is written down.
//
// The address says which: #/rounds, #/rounds/{id}, #/rounds/{id}/edit; `+` in the place of an id is a new one.

import { RoundForm } from "/assets/console-round-form.js";
import { NEW, stateTag } from "/assets/console-round-parts.js";
import { beginsText, nameBeside, progress, sorted, stateOf } from "/assets/console-round-standing.js";
import { RoundTables } from "/assets/console-round-tables.js";
import { el, refill, tag } from "/assets/elements.js";
import { say } from "/assets/words.js";

/** What the address asks for, in `container`; `context` is the console's: `hall`, and what it may. */
export function openRound(container, context) {
  const [, , encoded = "", what = ""] = location.hash.split("/");
  const id = decodeURIComponent(encoded);
  const place = el("div.rounds-view");
  container.append(place);
  if (id === NEW || what === "edit") return new RoundForm(place, context, id === NEW ? null : id);
  return id ? new RoundTables(place, context, id) : new RoundList(place, context);
}

class RoundList {
  constructor(place, { hall }) {
    this.place = place;
    this.hall = hall;
    this.update();
  }

  update() {
    const rounds = sorted(this.hall);
    refill(this.place, [rounds, rounds.map((one) => [progress(this.hall, one), stateOf(this.hall, one)])], () => [
      el("h2", {}, say("tab.rounds")),
      rounds.length
        ? el(
            "ul.plain.round-list",
            {},
            rounds.map((one) => el("li", {}, this.#entry(one))),
          )
        : el("p.nothing", {}, say("rounds.none")),
      el("p", {}, el("a.button.primary", { href: `#/rounds/${NEW}`, id: "round-new" }, say("rounds.new"))),
    ]);
  }

  leave() {}

  #entry(round) {
    const { done, games } = progress(this.hall, round);
    return el(
      "a.round-entry",
      { href: `#/rounds/${round.round}`, id: `round-${round.round}` },
      el(
        "span.line",
        {},
        el("strong", {}, say("rounds.title", { round: round.round })),
        stateTag(stateOf(this.hall, round)),
        round.publication?.hold && tag("⊘", say("round.held"), "warn"),
        !round.publication?.hold && heldTables(round),
      ),
      nameBeside(round) && el("span", {}, nameBeside(round)),
      el(
        "span.small.soft",
        {},
        [beginsText(round.begins), round.regulation_title ?? round.regulation, say("rounds.progress", { done, games })]
          .filter(Boolean)
          .join(" · "),
      ),
    );
  }
}

/** Which tables alone are kept from the public. */
function heldTables({ publication, pairings }) {
  const held = pairings.filter(({ table }) => publication?.boards?.[table]?.hold).map(({ table }) => table);
  return held.length > 0 && tag("⊘", say("rounds.held_tables", { tables: held.join(", ") }), "warn");
}

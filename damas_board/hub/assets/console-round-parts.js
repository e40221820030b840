// What the views of rounds have in common: where they lead, and how an answer is told.

import { el, tag } from "/assets/elements.js";
import { known, say } from "/assets/words.js";

/** In the place of a round's id: one that is not written down yet. No id has that sign. */
export const NEW = "+";

const STATES = { planned: ["◷", "accent"], started: ["▶", "good"], over: ["■", ""] };

export const stateTag = (state) =>
  tag(STATES[state]?.[0] ?? "?", say(`round.state.${state}`), STATES[state]?.[1] ?? "");

/** Goes to a round, or with null to their list. */
export function goTo(id) {
  location.hash = id === null ? "#/rounds" : `#/rounds/${id}`;
}

export const back = (id = null) =>
  el(
    "a.button.plain.back",
    { href: id === null ? "#/rounds" : `#/rounds/${id}`, id: "rounds-back" },
    el("span", { "aria-hidden": "true" }, "‹"),
    id === null ? say("rounds.all") : say("rounds.title", { round: id }),
  );

/** What became of a wish, where the console says such things. */
export function tell(good, text) {
  const place = document.getElementById("answers");
  place.className = good ? "done" : "refused";
  place.textContent = text;
  clearTimeout(tell.later);
  tell.later = setTimeout(() => place.replaceChildren(), good ? 5000 : 12000);
}

/** Why something was refused, in words. */
export const why = (body) =>
  body.text ?? (known(`refused.${body.reason}`) ? say(`refused.${body.reason}`) : String(body.reason));

// A button that gives a command: it asks first where that cannot be undone easily, waits for the answer, and says it.

import { answered } from "/assets/console-phrases.js";
import { command } from "/assets/console-talk.js";
import { button, confirmed } from "/assets/elements.js";
import { say } from "/assets/words.js";

let shownFor = 0;

/** Says in the page what was answered; it stays for a while, and longer where it is a refusal. */
export function tell(answer, what = "") {
  const place = document.getElementById("answers");
  const done = answer.outcome === "done";
  place.className = done ? "done" : "refused";
  place.textContent = [what, answered(answer)].filter(Boolean).join(": ");
  clearTimeout(shownFor);
  shownFor = setTimeout(() => (place.textContent = ""), done ? 6000 : 20000);
}

/** What was answered before is no answer to what is asked now. */
export function hush() {
  document.getElementById("answers").textContent = "";
}

/** A button that works keeps the focus: one that is disabled would lose it. */
export function busy(made, working) {
  for (const name of ["aria-busy", "aria-disabled"])
    if (working) made.setAttribute(name, "true");
    else made.removeAttribute(name);
}

/** Gives a command and tells its answer; true where it was done. */
export async function give(body, what) {
  hush();
  const answer = await command(body);
  tell(answer, what);
  return answer.outcome === "done";
}

/**
 * A button for a command; `may` says whether this person has it. `body()` says what is to be done, null where something
 * is missing; `ask` is the question that is asked before, or makes it of what is to be done; `after` what follows when it
 * was done. While the answer is awaited the button keeps the focus, and does nothing.
 */
export function decision(text, may, body, { id, kind = "", ask = null, after = null, hint = "" } = {}) {
  const made = button(
    text,
    async () => {
      if (made.hasAttribute("aria-busy")) return;
      const wanted = typeof body === "function" ? body() : body;
      if (wanted === null) return;
      const question = typeof ask === "function" ? ask(wanted) : ask;
      if (question && !(await confirmed(question, { yes: text, no: say("cancel"), danger: kind === "danger" }))) return;
      busy(made, true);
      const done = await give(wanted, text);
      busy(made, false);
      if (done) after?.();
    },
    { id, disabled: !may, ...(hint && { "aria-describedby": hint }), ...(!may && { title: say("not_yours") }) },
    kind,
  );
  return made;
}

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

/** Gives a command and tells its answer; true where it was done. */
export async function give(body, what) {
  hush();
  const answer = await command(body);
  tell(answer, what);
  return answer.outcome === "done";
}

/**
 * A button for a command; `may` says whether this person has it. `body()` says what is to be done, null where something
 * is missing; `ask` is the question that is asked before; `after` what follows when it was done.
 */
export function decision(text, may, body, { id, kind = "", ask = null, after = null, hint = "" } = {}) {
  const made = button(
    text,
    async () => {
      const wanted = typeof body === "function" ? body() : body;
      if (wanted === null) return;
      if (ask && !(await confirmed(ask, { yes: text, no: say("cancel"), danger: kind === "danger" }))) return;
      made.disabled = true;
      made.setAttribute("aria-busy", "true");
      const done = await give(wanted, text);
      made.removeAttribute("aria-busy");
      made.disabled = false;
      if (done) after?.();
    },
    { id, disabled: !may, ...(hint && { "aria-describedby": hint }), ...(!may && { title: say("not_yours") }) },
    kind,
  );
  return made;
}

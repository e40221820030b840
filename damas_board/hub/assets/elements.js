// Elements and their content. What a person entered goes in as text, never as markup.

/** `el("button.primary", {type: "button", on: {click}}, "text", child)`: attributes of null, undefined or false are left out. */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (key in PROPERTIES) made[key] = value;
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const PROPERTIES = { value: true, checked: true, disabled: true, hidden: true };

export const button = (text, act, attributes = {}, kind = "") =>
  el(`button${kind && `.${kind}`}`, { type: "button", ...attributes, on: { click: act } }, text);

/** A word with a sign; `kind`: good, warn, bad, accent or nothing. The sign is for the eye, the word says it. */
export const tag = (sign, text, kind = "") =>
  el(`span.tag${kind && `.${kind}`}`, {}, el("span", { "aria-hidden": "true" }, sign), text);

const shown = new WeakMap();

/**
 * Fills `place` anew where `what` has changed. The focus stays on the element of the same id, or goes to what now heads
 * its place where that is gone; what was opened stays open, and what a person has entered stays in controls that have
 * `data-keep`. True where it was filled.
 */
export function refill(place, what, build) {
  const now = JSON.stringify(what);
  if (shown.get(place) === now) return false;
  shown.set(place, now);
  const active = document.activeElement;
  const within = place.contains(active) && active !== place;
  const opened = [...place.querySelectorAll("details[open][id]")].map((one) => one.id);
  const kept = [...place.querySelectorAll("[data-keep][data-entered]")].map((one) => [one.id, one.value]);
  place.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  for (const one of opened) document.getElementById(one)?.setAttribute("open", "");
  for (const [one, value] of kept) restore(document.getElementById(one), value);
  if (within) focusAgain(active.id, place);
  return true;
}

/** Moves the focus to the element of that id, else to the nearest heading: whoever uses the keyboard goes on from there. */
function focusAgain(id, place = document.getElementById("main")) {
  const again = id ? document.getElementById(id) : null;
  if (again !== null && takesFocus(again)) return;
  for (let around = place; around && around !== document.body; around = around.parentElement) {
    const heading = around.querySelector("h2, h3, h4");
    if (heading === null) continue;
    heading.tabIndex = -1;
    if (takesFocus(heading)) return;
  }
  document.getElementById("main")?.focus({ preventScroll: true });
}

function takesFocus(element) {
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

function restore(control, value) {
  if (control === null) return;
  control.value = value;
  for (const event of ["input", "change"]) control.dispatchEvent(new Event(event, { bubbles: true }));
}

addEventListener("input", ({ target }) => {
  if ("keep" in target.dataset) target.dataset.entered = "";
});

/** Scrolls a list so far that its `line` is to be seen; nothing else on the page moves. */
export function bring(line, list) {
  const [at, seen] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
  if (at.top < seen.top || at.bottom > seen.bottom)
    list.scrollTop += at.top - seen.top - (list.clientHeight - at.height) / 2;
}

/** A list of terms and what is said of each; pairs without a text are left out. */
export const facts = (...pairs) =>
  el(
    "dl.facts",
    {},
    pairs
      .filter(([, said]) => said !== null && said !== undefined && said !== "" && said.length !== 0)
      .map(([term, said]) => el("div", {}, el("dt", {}, term), el("dd", {}, said))),
  );

/** A choice of one: `[[value, text], ...]`. */
export const choice = (id, label, values, chosen, attributes = {}) =>
  el(
    "div.field",
    {},
    el("label", { for: id }, label),
    el(
      "select",
      { id, ...attributes },
      values.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) }, text)),
    ),
  );

export const field = (id, label, attributes = {}) =>
  el("div.field", {}, el("label", { for: id }, label), el("input", { id, autocomplete: "off", ...attributes }));

/** Asks in a dialog; true where the person says so. */
export function confirmed(question, { yes, no, danger = false }) {
  const before = document.activeElement;
  return new Promise((answer) => {
    const dialog = el(
      "dialog.sheet",
      { "aria-labelledby": "question" },
      el("p", { id: "question" }, question),
      el(
        "div.row.end",
        {},
        button(no, () => dialog.close("no")),
        button(yes, () => dialog.close("yes"), { id: "sure" }, danger ? "danger" : "primary"),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (!before.isConnected) focusAgain(before.id); // its place was filled anew meanwhile
      answer(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// The words of a page in its reader's language: `await words("/words")`, then `say("key", {name: value})`.
//
// Which language: `?lang=` in the address, else what was chosen before, else the browser's. What is said is text, never
// markup: whoever puts it into a page uses textContent.

const LANGUAGES = ["en", "pt", "pt-BR"];
const KEPT = "damas-language";

let texts = {};
export let language = "en";

export function chosenLanguage() {
  const asked = new URLSearchParams(location.search).get("lang") ?? kept() ?? navigator.language ?? "en";
  const exact = LANGUAGES.find((one) => one.toLowerCase() === asked.toLowerCase());
  return exact ?? (asked.toLowerCase().startsWith("pt") ? "pt" : "en");
}

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // a page that may keep nothing asks the browser each time
  }
}

export function keepLanguage(chosen) {
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // as above
  }
}

/** Loads the words under `base` (`/words`, `/console/words`) and fills all elements that have `data-say`. */
export async function words(base) {
  language = chosenLanguage();
  document.documentElement.lang = language;
  const answer = await fetch(`${base}/${language}.json`);
  if (!answer.ok) throw new Error(`no words: ${answer.status}`);
  texts = await answer.json();
  fill(document);
}

export function fill(root) {
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of root.querySelectorAll("[data-say-label]"))
    element.setAttribute("aria-label", say(element.dataset.sayLabel));
}

/** The text of a key, the key itself where there is none. */
export function say(key, values = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export const known = (key) => key in texts;

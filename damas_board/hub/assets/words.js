// The words of a page in its reader's language: `await words("/words")`, then `say("key", {name: value})`.
//
// Which language: `?lang=` in the address, else what was chosen before, else the browser's. What is said is text, never
// markup: whoever puts it into a page uses textContent.

const LANGUAGES = ["en", "pt", "pt-BR"];
const KEPT = "damas-language";

const [FIRST_WAIT, LONGEST_WAIT, GIVE_UP] = [500, 5000, 10_000];

let texts = {};
let asked = 0;
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

/**
 * Loads the words under `base` (`/words`, `/console/words`) and fills all elements that have `data-say`. They are asked
 * for until they come: a page without them would say nothing. Of several languages the one chosen last is taken.
 */
export async function words(base) {
  const own = ++asked;
  const chosen = chosenLanguage();
  const found = await loaded(`${base}/${chosen}.json`, () => own === asked);
  if (found === null) return;
  language = chosen;
  texts = found;
  document.documentElement.lang = language;
  fill(document);
}

/** The JSON at an address, asked for until it comes, or nobody wants it any more: then null. */
export async function loaded(url, wanted = () => true) {
  for (let wait = FIRST_WAIT; wanted(); wait = Math.min(LONGEST_WAIT, 2 * wait)) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(GIVE_UP) });
      const found = answer.ok ? await answer.json() : null;
      if (found !== null && wanted()) return found;
    } catch {
      // the server may be back when it is asked again
    }
    await new Promise((waited) => setTimeout(waited, wait));
  }
  return null;
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

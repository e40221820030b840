// What the console asks its server for: each question answers with an object, or with why there is none.

const BASE = "/console/api";
export const loggedOut = new EventTarget();
/** Has the event `out` when the server does not know the login any more. */

async function asked(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`${BASE}/${path}`, { ...options, credentials: "same-origin", cache: "no-store" });
  } catch {
    return { status: 0, body: { reason: "no_connection" } };
  }
  const body = await answer.json().catch(() => ({ reason: "unreadable_answer" }));
  if (answer.status === 401 && path !== "login") loggedOut.dispatchEvent(new Event("out"));
  return { status: answer.status, ok: answer.ok, body };
}

export const get = (path) => asked(path);
export const post = (path, body = {}) =>
  asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** A command, answered: `{outcome: "done" | "refused", reason?, detail?}`. What got no answer is asked once more. */
export const command = (body) => done("command", body);

/** Takes plies of a game back and enters others; `done` in the answer counts what was entered. */
export const correct = (body) => done("correct", body);

async function done(path, body) {
  const once = { ...body, key: key() }; // asked again it is the same command, which is done once
  let told = await post(path, once);
  if (told.status === 0 || told.status === 504) told = await post(path, once);
  return told.ok ? told.body : { outcome: "refused", ...told.body };
}

const key = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-");

const known = new Map();

/** The legal moves of a position: `{turn, moves}`; null where the server does not say. */
export async function legal(regulation, fen) {
  const key = `${regulation} ${fen}`;
  if (!known.has(key)) {
    const { ok, body } = await post("legal", { regulation, fen });
    if (!ok) return null;
    if (known.size > 200) known.clear();
    known.set(key, body);
  }
  return known.get(key);
}

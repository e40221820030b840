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

/** A command, answered: `{outcome: "done" | "refused", reason?, detail?}`. */
export async function command(body) {
  const { ok, body: answer } = await post("command", body);
  return ok ? answer : { outcome: "refused", ...answer };
}

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

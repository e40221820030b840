// The worker that holds the one connection of all pages of this browser, and passes on to each what is told.
//
// A page says `{join: {url, names, whole, last}}`, `{hurry}`, `{leave}`; it is told `{here}`, `{told: {name, id, data}}`,
// `{broken}`. The first page is told what the server says, a `snapshot` or what is behind its `last`. For one that comes
// later the present is fetched from `whole`: it says the id of the newest event in it, and what came behind is passed on.

import { Source } from "./stream-source.js";

const FETCH_SECONDS = 10;

/** `{port, waits, has}`: whether it has not been told the present yet, and the newest event that was in it. */
const pages = new Set();
let source = null;
let newest = null;
let present = "";
/** The fetch of the present that is under way, and what was told since it was begun. */
let fetching = null;
let missed = [];

addEventListener("connect", ({ ports: [port] }) => {
  const page = { port, waits: true, has: null };
  port.onmessage = ({ data }) => {
    if (data.join) join(page, data.join);
    else if (data.hurry) source?.hurry();
    else if (data.leave) leave(page);
  };
  port.addEventListener("close", () => leave(page));
});

function join(page, { url, names, whole, last }) {
  pages.add(page);
  page.port.postMessage({ here: true });
  page.waits = last === null || (source !== null && last !== newest);
  if (source !== null) {
    if (page.waits) fetchPresent();
    return;
  }
  present = whole;
  newest = last;
  source = new Source(url, names, last);
  source.addEventListener("told", ({ detail }) => take(detail));
  source.addEventListener("broken", () => {
    for (const one of pages) one.port.postMessage({ broken: true });
  });
  source.start();
}

function leave(page) {
  page.port.close();
  if (!pages.delete(page) || pages.size > 0) return;
  source.stop();
  source = newest = fetching = null;
}

function take(told) {
  newest = told.id ?? newest;
  if (told.name === "snapshot") {
    fetching = null; // what it brings may be older
    for (const page of pages) Object.assign(page, { waits: false, has: null });
  } else if (fetching !== null) missed.push(told);
  for (const page of pages) if (!page.waits) tell(page, told);
  if ([...pages].some((page) => page.waits)) fetchPresent();
}

function tell(page, told) {
  if (told.id === null || isBehind(told.id, page.has)) page.port.postMessage({ told });
}

/** Whether an event is not yet in what a page has; one of another start of the server never is. */
function isBehind(id, had) {
  if (had === null) return true;
  const [boot, number] = parted(id);
  const [known, newestThere] = parted(had);
  return boot !== known || number > newestThere;
}

function parted(id) {
  const cut = id.lastIndexOf("-");
  return [id.slice(0, cut), Number(id.slice(cut + 1))];
}

/** For all pages that wait; where it fails, it is done again with the next that the server says. */
async function fetchPresent() {
  if (fetching !== null) return;
  const own = {};
  fetching = own;
  missed = [];
  const data = await textAt(present);
  if (fetching !== own) return;
  fetching = null;
  if (data === null) return;
  const { id } = JSON.parse(data);
  for (const page of pages)
    if (page.waits) {
      Object.assign(page, { waits: false, has: id });
      page.port.postMessage({ told: { name: "snapshot", id, data } });
      for (const told of missed) tell(page, told);
    }
}

async function textAt(url) {
  try {
    const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(FETCH_SECONDS * 1000) });
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

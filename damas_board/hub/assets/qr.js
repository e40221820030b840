// The sheet of QR codes: one for each table that the public knows of, or for those in `?tables=1-20,A`.

import { el } from "./elements.js";
import { tableName } from "./live-text.js";
import { loaded, say, words } from "./words.js";

const $ = (id) => document.getElementById(id);
const MOST = 500;

/** `1-3,A` as a list of tables. */
function listed(text) {
  const found = text.split(",").flatMap((part) => {
    const [, first, last] = /^\s*(\d+)-(\d+)\s*$/.exec(part) ?? [];
    if (first === undefined) return [part.trim()];
    const count = Math.max(0, Math.min(MOST, Number(last) - Number(first) + 1));
    return [...Array(count).keys()].map((index) => String(Number(first) + index));
  });
  return [...new Set(found.filter(Boolean))].slice(0, MOST);
}

async function known() {
  const { rounds, games } = await loaded("/live/snapshot.json");
  const paired = rounds.flatMap((round) => round.pairings.map((pairing) => pairing.table));
  const tables = new Set([...paired, ...games.map((game) => game.table)].filter(Boolean).map(String));
  return [...tables].sort(new Intl.Collator("en", { numeric: true }).compare);
}

await words("/words");
document.title = say("qr.title");
const asked = new URLSearchParams(location.search).get("tables");
const tables = asked === null ? await known() : listed(asked);
$("codes").append(
  ...tables.map((table) => {
    const path = encodeURIComponent(table);
    const code = el("img", { src: `/qr/${path}.svg`, alt: say("qr.of", { table }), width: 200, height: 200 });
    const address = `${location.host}/t/${path}`;
    return el("li.card", {}, code, el("h2", {}, tableName(table)), el("p.small.soft", {}, address));
  }),
);
$("none").hidden = tables.length > 0;
$("here").hidden = !/^(localhost|127\.|\[?::1)/.test(location.hostname);
$("print").addEventListener("click", () => print());

// What the hub cannot do at the moment, of its own health, in words.

import { el } from "/assets/elements.js";
import { say } from "/assets/words.js";

const some = (key, games) => (games?.length ? [[key, { games: games.join(", ") }]] : []);

const each = (key, name, reasons) => Object.entries(reasons ?? {}).map(([id, detail]) => [key, { [name]: id, detail }]);

/** The hub's troubles: what to say of each, and with what. */
export function hubTroubles({ hub }) {
  if (!hub) return [];
  return [
    ...(hub.connected === false ? [["hub.away", {}]] : []),
    ...(hub.public_waits ? [["hub.public_waits", {}]] : []),
    ...(hub.archive_trouble ? [["hub.archive", { detail: hub.archive_trouble }]] : []),
    ...(hub.denied?.length ? [["hub.denied", { places: hub.denied.join(", ") }]] : []),
    ...each("hub.round_refused", "round", hub.rounds_refused),
    ...each("hub.broken", "game", hub.games_broken),
    ...some("hub.elsewhere", hub.games_elsewhere),
    ...some("hub.missing", hub.missing),
  ];
}

/** Troubles as notices. */
export const hubNotices = (troubles) =>
  troubles.map(([key, values]) =>
    el("p.notice.bad", { role: "alert" }, el("span", { "aria-hidden": "true" }, "▲ "), say(key, values)),
  );

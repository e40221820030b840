// One game out of the meeting's, by its address (`/embed/g/{game}`, `/overlay/t/{table}`): for pages with one board.

import { Games } from "./live-games.js";
import { gameAt, pathParts } from "./live-place.js";
import { say } from "./words.js";

export const parameters = new URLSearchParams(location.search);

const [, kind, ...rest] = pathParts();
export const wanted = { kind, id: rest.join("/") };

/** What is said where there is no game. */
export const missing = () => (wanted.kind === "t" ? say("none.table", { table: wanted.id }) : say("none.game"));

/** Follows the one game of this page: `changed(game)` with each change, undefined where there is none (yet). */
export function follow(changed) {
  const games = new Games();
  let told = null;
  const now = ({ detail }) => {
    if (!games.told) return;
    const game = wanted.kind === "t" ? gameAt(games, wanted.id) : games.games.get(wanted.id);
    if (game === told && detail.games !== null) return; // it was another one's
    told = game;
    if (game !== undefined) games.want([game.game]);
    else if (wanted.kind === "g") games.want([wanted.id]);
    changed(game, games);
  };
  games.addEventListener("change", now);
  games.start();
  return games;
}

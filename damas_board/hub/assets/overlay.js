// The overlay for a video mixer. In the address:
//
//   ?delay=30   so many seconds later than the public page, to fit a picture that comes later; held back in this page
//   ?theme=     dark (default), light, green, contrast; any property of overlay.css can be set in the mixer
//   ?board=0    names and clocks only      ?clocks=0   no clocks
//   ?times=1    the newest moves with the time of day at which they were made; ?times=10: so many
//   ?turn=black Black below                ?lang=      en, pt, pt-BR

import { el } from "./elements.js";
import { follow, parameters } from "./live-one.js";
import { playerLines, setText, show } from "./live-parts.js";
import { pairingOf } from "./live-place.js";
import { clocksAt, gameTitle, marks, named, outcome, score, timeOfDay } from "./live-text.js";
import { Delay } from "./overlay-delay.js";
import { say, words } from "./words.js";

const $ = (id) => document.getElementById(id);
const side = parameters.get("turn") === "black" ? "black" : "white";
const delay = Number(parameters.get("delay")) || 0;
const MOVES = 6;
const asked = Number(parameters.get("times")) || 0;
const times = asked === 1 ? MOVES : Math.min(40, asked);
document.documentElement.dataset.theme = parameters.get("theme") ?? "dark";

await words("/words");
const lines = playerLines(side, { about: true });
$("far").append(lines[0].element);
$("near").append(lines[1].element);
$("board").hidden = parameters.get("board") === "0";
let board = null;
let shown;

function draw(game) {
  $("main").hidden = game === undefined;
  if (game?.game !== shown?.game) board = null;
  shown = game;
  if (game === undefined) return;
  if (board === null) {
    board = el("draughts-board", { orientation: side, picture: true });
    $("board").replaceChildren(board);
  }
  show(board, game);
  board.setAttribute("label", say("board.of", { players: gameTitle(game) }));
  setText($("title"), gameTitle(game));
  document.title = gameTitle(game);
  for (const line of lines) line.update(game);
  $("result").hidden = !game.over;
  if (game.over) setText($("result"), `${score(game.over.result)} ${outcome(game.over)}`);
  $("times").hidden = times === 0 || game.count === 0;
  if (times > 0) $("times").replaceChildren(...(game.plies ?? []).slice(-times).map(timed));
  tick();
}

function timed(ply) {
  const number = `${Math.ceil(ply.ply / 2)}.`;
  const signs = marks(ply)
    .map(([sign]) => sign)
    .join("");
  return el(
    "li",
    {},
    el("span", {}, number),
    el("span", {}, `${ply.move} ${signs}`.trim()),
    el("span", {}, ply.at === null ? "–" : timeOfDay(ply.at)),
  );
}

function tick() {
  if (shown === undefined) return;
  const until = games.certainUntil(shown) + delay * 1000;
  const clocks = parameters.get("clocks") === "0" ? null : clocksAt(shown, until);
  for (const line of lines) line.tick(clocks, shown.clock?.stale);
}

const held = new Delay(delay, draw);

const games = follow((game, all) => {
  if (game !== undefined && !all.whole(game.game)) return;
  const known = game && named(game, pairingOf(all, game.game)?.pairing);
  const late = (game?.delay ?? 0) * 1000;
  held.take(known && { ...known, told: performance.now() - known.heard }, (ts) => all.now - Date.parse(ts) - late);
});
setInterval(tick, 250);

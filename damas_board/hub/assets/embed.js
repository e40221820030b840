// One board with names and clocks, for a frame in another page: `?transparent=1`, `?theme=light|dark`, `?lang=`,
// `?turn=black` for Black below.

import { el } from "./elements.js";
import { follow, missing, parameters, wanted } from "./live-one.js";
import { playerLines, setText, show } from "./live-parts.js";
import { pairingOf } from "./live-place.js";
import { clocksAt, gameTitle, marks, named, outcome, score, tableName } from "./live-text.js";
import { say, words } from "./words.js";

const $ = (id) => document.getElementById(id);
const side = parameters.get("turn") === "black" ? "black" : "white";
if (parameters.get("transparent") === "1") document.documentElement.classList.add("transparent");

await words("/words");
const lines = playerLines(side);
$("far").append(lines[0].element);
$("near").append(lines[1].element);

let board = null;
let shown;
let quiet = 0;

function draw(game, games) {
  const another = game?.game !== shown?.game;
  shown = game && named(game, pairingOf(games, game.game)?.pairing);
  for (const id of ["far", "near", "board"]) $(id).hidden = game === undefined;
  if (game !== undefined) {
    if (another || board === null) {
      board = el("draughts-board", { orientation: side });
      $("board").replaceChildren(board);
    }
    show(board, shown);
    board.setAttribute("label", say("board.of", { players: gameTitle(shown) }));
    for (const line of lines) line.update(shown);
  }
  $("whole").href = wanted.kind === "t" ? `/t/${encodeURIComponent(wanted.id)}` : `/g/${encodeURIComponent(wanted.id)}`;
  setText($("whole"), say("embed.whole"));
  const title = shown ? gameTitle(shown) : missing();
  document.title = title;
  setText($("title"), shown ? title : tableName(wanted.kind === "t" && wanted.id) || say("page.title"));
  speak();
  tick();
}

/** One line: that data is missing, else the result, else the last move. */
function speak() {
  if (quiet > 0) return setText($("said"), `⚠ ${say("status.quiet", { seconds: quiet })}`);
  if (shown === undefined) return setText($("said"), missing());
  if (shown.over) return setText($("said"), `${score(shown.over.result)} ${outcome(shown.over)}`);
  const { last } = shown;
  const words = last ? marks(last).map(([sign, key]) => `${sign} ${say(key)}`) : [];
  setText($("said"), last ? [last.move, ...words].join(" ") : "");
}

function tick() {
  if (shown === undefined) return;
  const clocks = clocksAt(shown, games.certainUntil(shown));
  for (const line of lines) line.tick(clocks, shown.clock?.stale);
}

const games = follow(draw);
games.addEventListener("quiet", ({ detail }) => {
  quiet = detail;
  speak();
});
setInterval(tick, 250);

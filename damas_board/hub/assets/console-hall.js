// The hall plan: each table as a tile, with what its board, its game and its clock say.

import { feedTroubles } from "/assets/console-feeds.js";
import { hubNotices, hubTroubles } from "/assets/console-hub.js";
import {
  clockText,
  coded,
  guidance,
  keptBack,
  playerOf,
  SEVERITIES,
  stateOf,
  suspectsOf,
} from "/assets/console-phrases.js";
import { left } from "/assets/console-state.js";
import { button, el, refill, tag } from "/assets/elements.js";
import { say } from "/assets/words.js";

const chosen = { needing: false };

const order = new Intl.Collator(undefined, { numeric: true });

/** The boards by table. */
export const boardsOf = (hall) =>
  [...hall.boards.values()].sort((one, other) => order.compare(one.table ?? one.board, other.table ?? other.board));

/** The address of a board's view: of its game, where there is one. */
export const placeOf = (board) => (board.game ? `#/game/${board.game}` : `#/board/${board.board}`);

function needs(hall, board) {
  const game = hall.games.get(board.game);
  const { code } = stateOf(hall, board);
  return (
    ["lost", "failed", "mismatch", "resyncing"].includes(code) ||
    (game?.alerts ?? []).some((alert) => alert.severity !== "note") ||
    suspectsOf(hall, board).length > 0
  );
}

/** Shows the plan in `place` as `hall` is now. */
export function showHall(place, { hall, again }) {
  const all = boardsOf(hall);
  const needing = all.filter((board) => needs(hall, board));
  const boards = chosen.needing ? needing : all;
  const offline = [...hall.gateways.values()].filter((one) => one.state?.state === "offline").map((one) => one.gateway);
  const about = (board) => {
    const game = hall.games.get(board.game);
    const now = [board.table, board.game, board.state, board.health, stateOf(hall, board)];
    return game
      ? [...now, game.players, game.turn, game.count, game.alerts, keptBack(hall, game), game.over, game.waits_for]
      : now;
  };
  const troubles = hubTroubles(hall);
  refill(place, [boards.map(about), needing.length, chosen, offline, all.length, hall.hub?.feeds, troubles], () => [
    el("h2", {}, say("tab.hall")),
    hubNotices(troubles),
    offline.map((gateway) => el("p.notice.bad", { role: "alert" }, say("hall.offline", { gateway }))),
    el(
      "div.row.choices",
      { role: "group", "aria-label": say("hall.which") },
      button(
        say("hall.all", { count: all.length }),
        () => {
          chosen.needing = false;
          again();
        },
        { id: "hall-all", "aria-pressed": String(!chosen.needing) },
      ),
      button(
        say("hall.needing", { count: needing.length }),
        () => {
          chosen.needing = true;
          again();
        },
        { id: "hall-needing", "aria-pressed": String(chosen.needing) },
      ),
    ),
    boards.length
      ? el(
          "ul.plain.tiles",
          {},
          boards.map((board) => el("li", {}, tile(hall, board))),
        )
      : el("p.nothing", {}, say(all.length ? "hall.nothing_needed" : "hall.none")),
    feedTroubles(hall),
  ]);
  for (const clock of place.querySelectorAll("[data-clock]")) tick(hall, clock);
}

/** Sets a clock's text as it is now. */
export function tick(hall, clock) {
  const game = hall.summary(clock.dataset.game);
  if (game) clock.textContent = clockText(left(hall, game, clock.dataset.clock));
}

function tile(hall, board) {
  const game = hall.games.get(board.game);
  const own = stateOf(hall, board);
  const over = game?.over && own.code === "in_play"; // whatever still happens on the board, it is played no more
  const state = over ? { sign: "■", colour: "" } : own;
  const alerts = (game?.alerts ?? []).filter((alert) => alert.severity !== "note");
  const heaviest = alerts.some((alert) => alert.severity === "irregular") ? "irregular" : "warning";
  const suspects = suspectsOf(hall, board);
  const ghosts = board.health?.ghosts ?? [];
  const todo = guidance(board.state);
  return el(
    `a.tile.${state.colour || "calm"}`,
    { href: placeOf(board), id: `tile-${board.board}` },
    el(
      "span.line",
      {},
      el("strong.table", {}, board.table ?? board.board),
      over
        ? tag(state.sign, say("hall.over", { result: game.over.result }))
        : tag(state.sign, say(`state.${state.code}`), state.colour),
      board.table && board.table !== board.board && el("span.small.soft", {}, board.board),
    ),
    game &&
      ["white", "black"].map((side) =>
        el(
          "span.player",
          {},
          el(`span.disc.${side}`, { role: "img", "aria-label": say(`side.${side}`) }),
          el("span.name", {}, playerOf(game, side)),
          !game.over && game.turn === side && el("span.turn", { role: "img", "aria-label": say("to_move") }, "◀"),
          game.clock && el("span.clock", { "data-clock": side, "data-game": game.game }),
        ),
      ),
    !game && el("span.soft", {}, say("hall.no_game")),
    el(
      "span.line.wrap",
      {},
      alerts.length > 0 &&
        tag(SEVERITIES[heaviest].sign, say("hall.alerts", { count: alerts.length }), SEVERITIES[heaviest].tag),
      game?.waits_for && tag("◷", coded("waits", game.waits_for), "accent"),
      game?.over && !over && tag("■", say("hall.over", { result: game.over.result }), ""),
      game && keptBack(hall, game) && tag("⊘", say("hall.held"), "warn"),
      game?.clock?.stale && tag("✕", say("hall.clock_stale"), "warn"),
      game?.masked?.length > 0 && tag("▲", say("hall.masked", { squares: game.masked.join(" ") }), "warn"),
      suspects.length > 0 && tag("▲", say("hall.suspects", { squares: suspects.join(" ") }), "warn"),
      ghosts.length > 0 && tag("▲", say("hall.ghosts", { squares: ghosts.join(" ") }), "warn"),
      board.health?.journal && board.health.journal !== "ok" && tag("✕", say("hall.journal"), "bad"),
    ),
    todo.length > 0 &&
      el(
        "span.small",
        {},
        todo.slice(0, 3).join(" "),
        todo.length > 3 && ` ${say("hall.more", { count: todo.length - 3 })}`,
      ),
  );
}

// What may be done about a board: squares that are not to be trusted, how it lies, another board, another position.

import { picture, shows } from "/assets/console-boards.js";
import { decision } from "/assets/console-decision.js";
import { boardsOf } from "/assets/console-hall.js";
import { coded, suspectsOf, tableOf } from "/assets/console-phrases.js";
import { button, choice, el, facts, field } from "/assets/elements.js";
import { say } from "/assets/words.js";

const value = (id) => document.getElementById(id)?.value.trim() ?? "";
const TURNS = [0, 90, 180, 270];
const MARKS = ["w", "W", "b", "B", ""];

const percent = (number) => (Number.isFinite(number) ? `${number} %` : "");

/** The tools of a board, and of the game on it where there is one. */
export function boardTools({ hall, may }, game, board) {
  const running = game && !game.over;
  const suspects = board ? suspectsOf(hall, board) : [];
  const figures = ["inputs", "lost", "restarts"].filter((key) => board?.health?.[key]);
  return [
    board &&
      facts(
        [say("board.id"), board.board],
        [
          say("board.link"),
          coded("link", board.link?.link ?? "unknown") +
            (board.link?.reason ? ` (${coded("board_reason", board.link.reason)})` : ""),
        ],
        [say("board.gateway"), board.gateway],
        [say("board.suspects"), suspects.join(" ")],
        [say("board.masked"), (game?.masked ?? []).join(" ")],
        [say("board.ghosts"), (board.health?.ghosts ?? []).join(" ")],
        [say("board.firmware"), board.info?.firmware],
        [say("board.speaks"), board.info?.speaks],
        [say("board.battery"), percent(board.health?.battery_percent)],
        ...figures.map((key) => [say(`board.${key}`), String(board.health[key])]),
      ),
    running && [
      el("h4", {}, say("board.mask")),
      el(
        "div.row.fields",
        {},
        field("mask-square", say("board.square"), {
          value: game.masked?.[0] ?? suspects[0] ?? "",
          size: "5",
          autocapitalize: "none",
          "data-keep": true,
        }),
        decision(
          say("do.mask"),
          may("mask"),
          () => (value("mask-square") ? { game: game.game, do: "mask", square: value("mask-square") } : null),
          { id: "mask" },
        ),
        decision(
          say("do.unmask"),
          may("unmask"),
          () => (value("mask-square") ? { game: game.game, do: "unmask", square: value("mask-square") } : null),
          { id: "unmask" },
        ),
      ),
      el("p.small.soft", {}, say("board.mask.hint")),
      el("h4", {}, say("board.move_to")),
      moveTo(hall, may, game, board),
      el("h4", {}, say("board.orient")),
      el(
        "div.row.fields",
        {},
        choice(
          "turn",
          say("board.turn"),
          TURNS.map((turn) => [turn, say("degrees", { turn })]),
          board?.info?.turn ?? 0,
          { "data-keep": true },
        ),
        decision(
          say("do.orient"),
          may("orient"),
          () => ({ game: game.game, do: "orient", turn: Number(value("turn") || 0) }),
          { id: "orient", ask: say("do.orient.ask") },
        ),
      ),
      el("h4", {}, say("board.position")),
      positionTools(hall, may, game),
    ],
  ];
}

function moveTo(hall, may, game, board) {
  const others = boardsOf(hall).filter((one) => one.board !== board?.board);
  if (others.length === 0) return el("p.soft", {}, say("board.no_other"));
  return el(
    "div.row.fields",
    {},
    choice(
      "spare",
      say("board.to"),
      others.map((one) => [one.board, `${tableOf(one)} (${one.board})`]),
      others.find((one) => !one.game)?.board ?? others[0].board,
      { "data-keep": true },
    ),
    decision(
      say("do.move_to"),
      may("move_to"),
      () => ({ game: game.game, do: "move_to", board: value("spare") || others[0].board }),
      { id: "move-to", ask: say("do.move_to.ask") },
    ),
  );
}

/** Another position: on a board, or as a FEN; the one is written from the other. */
function positionTools(hall, may, game) {
  let mark = "w";
  let seen = game; // as it was when the position was begun to be written
  const board = picture(game, { interactive: "", label: say("board.position"), position: game.fen });
  const fen = el("input", {
    id: "fen",
    value: game.fen,
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "none",
    "data-keep": true,
  });
  const turn = choice(
    "fen-turn",
    say("board.to_move"),
    ["white", "black"].map((side) => [side, say(`side.${side}`)]),
    game.turn,
  );
  fen.addEventListener("input", () => shows(board, { position: fen.value }));
  const write = (pieces) => {
    fen.value = written(turn.querySelector("select").value, pieces);
    fen.dispatchEvent(new Event("input", { bubbles: true }));
  };
  turn.querySelector("select").addEventListener("change", () => write(piecesOf(fen.value)));
  board.addEventListener("square", ({ detail }) => {
    const pieces = piecesOf(fen.value);
    if (mark === "" || pieces.get(detail.square) === mark) pieces.delete(detail.square);
    else pieces.set(detail.square, mark);
    write(pieces);
  });
  const palette = el(
    "div.row",
    { role: "group", "aria-label": say("board.piece") },
    MARKS.map((one) =>
      button(
        coded("mark", one || "none"),
        (event) => {
          mark = one;
          for (const other of palette.children)
            other.setAttribute("aria-pressed", String(other === event.currentTarget));
        },
        { "aria-pressed": String(one === mark) },
      ),
    ),
  );
  return [
    el("div.board.small-board", {}, board),
    palette,
    el(
      "div.row.fields",
      {},
      turn,
      el("div.field.wide", {}, el("label", { for: "fen" }, "FEN"), fen),
      decision(
        say("do.set_position"),
        may("set_position"),
        () => ({
          game: game.game,
          do: "set_position",
          fen: fen.value.trim(),
          plies: seen.plies.length,
          revision: seen.revision,
        }),
        { id: "set-position", ask: say("do.set_position.ask") },
      ),
      button(
        say("board.reset"),
        () => {
          seen = hall.game(game.game) ?? game;
          fen.value = seen.fen;
          turn.querySelector("select").value = seen.turn;
          delete fen.dataset.entered;
          shows(board, { position: fen.value });
        },
        { id: "fen-reset" },
      ),
    ),
  ];
}

/** The pieces of a FEN by square, as marks; ranges of numbers are written out. */
function piecesOf(fen) {
  const pieces = new Map();
  for (const block of fen
    .replace(/\.\s*$/, "")
    .split(":")
    .slice(1)) {
    const side = block.trim()[0]?.toLowerCase();
    for (const item of block
      .trim()
      .slice(1)
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean)) {
      const king = item[0] === "K";
      const [first, last] = item.replace(/^K/, "").split("-");
      const names = last
        ? Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index))
        : [first];
      for (const name of names) pieces.set(name, king ? side.toUpperCase() : side);
    }
  }
  return pieces;
}

function written(turn, pieces) {
  const of = (side) =>
    [...pieces]
      .filter(([, mark]) => mark.toLowerCase() === side)
      .map(([square, mark]) => (mark === side ? square : `K${square}`))
      .join(",");
  return `${turn === "white" ? "W" : "B"}:W${of("w")}:B${of("b")}`;
}

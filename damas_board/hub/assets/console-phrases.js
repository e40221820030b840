// What the console says about the hall: codes, sides, squares and times in the words of the person who reads.

import { known, language, say } from "/assets/words.js";

/** The words of a code in its group, the code itself where there are none. */
export const coded = (group, code) =>
  known(`${group}.${code}`) ? say(`${group}.${code}`) : String(code).replaceAll("_", " ");

export const kindOf = (alert) => coded("kind", alert.kind);

export const SEVERITIES = {
  irregular: { sign: "◆", tag: "bad", weight: 2 },
  warning: { sign: "▲", tag: "warn", weight: 1 },
  note: { sign: "●", tag: "", weight: 0 },
};

export const tableOf = (place) =>
  place.table ? say("table", { table: place.table }) : say("board", { board: place.board ?? place.game });

/** A player's name as the arbiter knows it; the side where the game names none. */
export function playerOf(game, side) {
  const player = game.players?.[side];
  if (!player?.name) return say(`side.${side}`);
  return player.title ? `${player.title} ${player.name}` : player.name;
}

/** `Ana B. (White)` */
export const whose = (game, side) =>
  game.players?.[side]?.name
    ? say("whose", { player: playerOf(game, side), side: say(`side.${side}`) })
    : say(`side.${side}`);

export const versus = (game) => say("versus", { white: playerOf(game, "white"), black: playerOf(game, "black") });

export function timeOf(ts, seconds = true) {
  if (!ts) return "";
  const style = { hourCycle: "h23", hour: "2-digit", minute: "2-digit", ...(seconds && { second: "2-digit" }) };
  return new Intl.DateTimeFormat(language, style).format(new Date(ts));
}

export function clockText(seconds) {
  if (seconds === null) return "–";
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Seconds of a clock as a person writes them: `1:05:00`, `5:00`, `90`; null where it is none. */
export function secondsOf(text) {
  if (!/^\s*\d+(:[0-5]?\d){0,2}\s*$/.test(text)) return null;
  return text
    .trim()
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** `−3.2 s`: seconds before or after. */
export function offset(seconds) {
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const sign = seconds < -0.05 ? "−" : seconds > 0.05 ? "+" : "";
  return `${sign}${number.format(Math.abs(seconds))} s`;
}

export const listed = (texts) => new Intl.ListFormat(language, { type: "unit", style: "long" }).format(texts);

/** What was answered to a command or a question, in words. */
export function answered(answer) {
  if (answer.outcome === "done") return say(answer.reason === "repeated" ? "answer.repeated" : "answer.done");
  const reason = coded("refused", answer.reason ?? "failed");
  return say("answer.refused", {
    reason: answer.detail && !known(`refused.${answer.reason}`) ? answer.detail : reason,
  });
}

/** What to put and to clear, as sentences: `Put a white man on c3.` */
export function guidance(state) {
  const put = Object.entries(state?.put ?? {}).map(([square, mark]) =>
    say("put", { piece: coded("mark", mark), square }),
  );
  const clear = (state?.clear ?? []).map((square) => say("clear", { square }));
  return [...clear, ...put];
}

/** The squares of a board that are not relied on: what its gateway said last, and what was told about its game since. */
export function suspectsOf(hall, board) {
  const told = (hall.games.get(board.game)?.alerts ?? []).filter((alert) => alert.kind === "sensor_suspect");
  return [...new Set([...(board.health?.suspects ?? []), ...told.flatMap((alert) => alert.squares ?? [])])];
}

/** Why a game is kept from the public: `game` by a command, `round` by what its round says; null where it is not. */
export function keptBack(hall, game) {
  if (game.held) return "game";
  const { pairings = [], publication } = hall.rounds.get(game.round) ?? {};
  const table = pairings.find((one) => one.game === game.game)?.table ?? game.table;
  return (publication?.boards?.[table]?.hold ?? publication?.hold) ? "round" : null;
}

/** An article beside the regulation that has it: `002 art. 5` alone says nothing to who does not know the numbers. */
export function articleOf(game, article) {
  const title = game?.regulation?.title;
  return article && title ? say("article", { regulation: title, article }) : article;
}

const STATES = {
  ready: ["○", ""],
  setting_up: ["◌", "accent"],
  in_play: ["▶", "good"],
  mismatch: ["▲", "warn"],
  resyncing: ["⇄", "accent"],
  lost: ["✕", "bad"],
  failed: ["✕", "bad"],
  unknown: ["?", ""],
};

/** How a board fares: its code, sign and colour. What is not heard of is lost, whatever it said last. */
export function stateOf(hall, board) {
  const code = board.link?.link === "none" ? "entered" : !hall.up(board) ? "lost" : (board.state?.state ?? "unknown");
  const [sign, colour] = STATES[code] ?? ["✎", ""];
  return { code, sign, colour };
}

// How names, clocks, results and times are written for a reader.

import { known, language, say } from "./words.js";

export const SIDES = ["white", "black"];
export const other = (side) => (side === "white" ? "black" : "white");

/** A player's name with the title; the side's where the name is not public. */
export function nameOf(player, side) {
  if (!player?.name) return say(`side.${side}`);
  return player.title ? `${player.title} ${player.name}` : player.name;
}

/** What else is said of a player: club, federation, rating. */
export const aboutPlayer = (player) => [player?.club, player?.federation, player?.rating].filter(Boolean).join(" · ");

export const gameTitle = (game) => `${nameOf(game.players?.white, "white")} – ${nameOf(game.players?.black, "black")}`;

export const tableName = (table) => (table ? say("table", { table }) : "");

/** A round's own name; one that only says its number is said in the reader's language. */
export function roundName({ round, name }) {
  const [, number] = /^(?:round|ronda|rodada)\s+(.+)$/i.exec(name ?? "") ?? [];
  return name && number !== round ? name : say("round.named", { round });
}

/** `2-0` as it is printed. */
export const score = (result) =>
  !result || result === "*" ? "–" : result.replace(/1\/2|0\.5/g, "½").replace("-", "–");

/** The name of a variant; as it is where it is one of the house's. */
export const variantName = (variant) => (variant && known(`variant.${variant}`) ? say(`variant.${variant}`) : variant);

/** Of a game that is over: `White wins: no pieces left`. */
export function outcome(over) {
  const winner = say(`winner.${over.winner}`);
  const reason = `ending.${over.reason}`;
  return known(reason) ? say("outcome", { winner, reason: say(reason) }) : winner;
}

/** Seconds as a clock shows them. */
export function clockText(seconds) {
  if (seconds === null || seconds === undefined) return "–:––";
  const left = Math.max(0, Math.ceil(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}

/** A span of time in its two largest units: `12 s`, `5 min`, `1 h 30 min`. */
export function span(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const said = [];
  if (hours) said.push(`${hours} h`);
  if (minutes) said.push(`${minutes} min`);
  if (!hours && (rest || !minutes)) said.push(`${rest} s`);
  return said.join(" ");
}

/** A time control in words (`40/7200+30:3600` is 40 moves in 2 h and 30 s a move, then 1 h); as it is where it is none. */
export function timeControl(text) {
  if (!text || text === "-" || text === "?") return "";
  if (/^\*\d+$/.test(text)) return say("clock.sand", { time: span(Number(text.slice(1))) });
  const phases = text.split(":").map((phase) => /^(?:(\d+)\/)?(\d+)(?:\+(\d+))?$/.exec(phase));
  if (phases.includes(null)) return text;
  const said = phases.map(([, moves, seconds, bonus]) => {
    const time = moves ? say("clock.moves", { moves, time: span(Number(seconds)) }) : span(Number(seconds));
    return Number(bonus) ? say("clock.bonus", { time, bonus: span(Number(bonus)) }) : time;
  });
  return said.join(say("clock.then"));
}

/** A moment as a reader's clock shows it; with the day where that is not today's. */
export function moment(timestamp) {
  const at = new Date(timestamp);
  if (Number.isNaN(at.valueOf())) return "";
  const today = at.toDateString() === new Date().toDateString();
  const day = today ? {} : { weekday: "short", day: "numeric", month: "short" };
  return at.toLocaleString(language, { ...day, hour: "2-digit", minute: "2-digit" });
}

export function timeOfDay(timestamp) {
  const at = new Date(timestamp);
  const parts = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  return Number.isNaN(at.valueOf()) ? "" : at.toLocaleTimeString(language, parts);
}

/** What is not as usual about a ply: `[sign, word's key, kind of tag]`. */
export function marks(ply) {
  const found = [];
  if (ply.irregular) found.push(["!", "mark.irregular", "bad"]);
  if (ply.inferred) found.push(["≈", "mark.inferred", "warn"]);
  if (ply.entered) found.push(["✎", "mark.entered", "accent"]);
  return found;
}

/** Both clocks, in seconds, at `at` (performance.now()); those that run, run until `until`, and stand as they were then. */
export function clocksAt({ clock, over, heard }, until, at = performance.now()) {
  if (!clock) return null;
  const running = over || clock.stale ? null : (clock.running ?? null);
  const passed = Math.max(0, (clock.age ?? 0) + (Math.min(at, until) - heard) / 1000);
  const left = { white: clock.white, black: clock.black };
  if (running && left[running] !== null && left[running] !== undefined)
    left[running] = Math.max(0, left[running] - passed);
  return { ...left, running: at > until ? null : running, ran: running };
}

/** A game with what its pairing says of the players, where the game itself says nothing. */
export function named(game, pairing) {
  if (game === undefined) return undefined;
  const players = Object.fromEntries(SIDES.map((side) => [side, { ...pairing?.[side], ...game.players?.[side] }]));
  return { ...game, players };
}

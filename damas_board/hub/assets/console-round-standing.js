// How far rounds and their tables are, from what the hall tells, and what a round says in words.

import { language, say } from "/assets/words.js";

/** The reader's own way of the page's language: times of 24 hours in Great Britain. */
const locale = () => (navigator.language.startsWith(language) ? navigator.language : language);

const order = new Intl.Collator(undefined, { numeric: true });

export const sorted = (hall) => [...hall.rounds.values()].sort((one, other) => order.compare(one.round, other.round));

/** A table of a round at present: `{state, game?, board?, plies, result, alerts, held}`; `entered` is of the archive. */
export function standing(hall, pairing, entered = null) {
  const result = pairing.result ?? null;
  if (!pairing.black) return { state: "bye", board: null, result };
  const game = hall.games.get(pairing.game) ?? null;
  const board = boardOf(hall, pairing, game);
  const known = { game, board, plies: game?.count ?? 0, alerts: game?.alerts?.length ?? 0, held: game?.held ?? false };
  const over = game ? game.over : pairing.over; // a game that is over and on no board is not here any more
  if (over) return { ...known, state: "over", result: over.result ?? over.winner };
  if (result !== null) return { ...known, state: "over", result };
  if (game) return { ...known, state: game.waits_for ? "waiting" : "playing", result: null };
  if (entered) return { ...known, state: "over", result: entered };
  return { ...known, state: "planned", result: null };
}

function boardOf(hall, pairing, game) {
  const now = [...hall.boards.values()].find((board) => board.game === pairing.game);
  return now ?? hall.boards.get(game?.on ?? pairing.board) ?? null;
}

/** `{done, games}` of a round. */
export function progress(hall, round) {
  const games = (round.pairings ?? []).filter((pairing) => pairing.black);
  if (round.state === "over") return { done: games.length, games: games.length };
  return { done: games.filter((one) => standing(hall, one).state === "over").length, games: games.length };
}

/** How far a round is: what its organiser has said, or what its tables have come to without it. */
export function stateOf(hall, round, entered = {}) {
  if (round.state === "over") return "over";
  const games = (round.pairings ?? []).filter((pairing) => pairing.black);
  const states = new Set(games.map((one) => standing(hall, one, entered[one.game]).state));
  if (states.size === 1 && states.has("over")) return "over";
  return states.has("playing") || states.has("over") ? "started" : (round.state ?? "planned");
}

/** The name of a round, where it says more than its number does. */
export const nameBeside = ({ round, name }) =>
  /^(round|ronda|rodada)\s+(.*)$/i.exec(name ?? "")?.[2].trim() === round ? "" : (name ?? "");

export const nameOf = (player) => (player?.title ? `${player.title} ${player.name}` : (player?.name ?? ""));

/** When it begins, for whoever reads: in this place's time where the round says an offset. */
export function beginsText(begins) {
  if (!begins) return "";
  if (!begins.includes("T")) return begins;
  const style = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(locale(), style).format(new Date(begins));
}

/** A time control as people say it. */
export function clockText(text) {
  const plain = /^(\d+)(?:\+(\d+))?$/.exec(text ?? "");
  if (!plain) return text ?? say("rounds.clock.none");
  const minutes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(Number(plain[1]) / 60);
  return say(plain[2] ? "rounds.clock.said" : "rounds.clock.plain", { minutes, seconds: plain[2] });
}

export function publicText(publication) {
  if (publication?.hold) return say("rounds.public.held");
  if (publication?.delay === undefined || publication?.delay === null) return say("rounds.public.hub");
  if (publication.delay === 0) return say("rounds.public.now");
  const minutes = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(publication.delay / 60);
  return say("rounds.public.delay", { minutes });
}

const SCORES = { white: "2-0", draw: "1-1", black: "0-2", none: "–" };

/** A result as it is written; one that only names the winner as draughts writes it. */
export const resultText = (result) => (result === null || result === undefined ? "" : (SCORES[result] ?? result));

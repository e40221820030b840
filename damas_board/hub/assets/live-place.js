// What there is in the meeting, and where: its rounds, those that are played now, the game at a table.

import { say } from "./words.js";

const STAYS_MINUTES = 10;

/** What is played at a table, and how: its own, else its round's. */
const TERMS = {
  rules: ({ pairing, round }) => pairing.regulation_title ?? round.regulation_title,
  variant: ({ pairing, round }) => (pairing.regulation ? pairing.variant : round.variant),
  clock: ({ pairing, round }) => pairing.clock ?? round.clock,
};

/** A term of all these tables, as a list: one entry where they share it. */
export const termsOf = (name, seats) => [...new Set(seats.map(TERMS[name]).filter(Boolean))];

/** The parts of this page's address. */
export function pathParts() {
  try {
    return location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** The game at a table now: of a round that is played, else one that is not over, else the newest that was told. */
export function gameAt(games, table) {
  const here = [...games.games.values()].filter((game) => String(game.table) === table);
  const played = [...games.rounds.values()]
    .filter((round) => round.state === "started")
    .flatMap((round) => round.pairings.filter((pairing) => String(pairing.table) === table))
    .map((pairing) => games.games.get(pairing.game))
    .filter(Boolean);
  return played.at(-1) ?? here.findLast((game) => !game.over) ?? here.at(-1);
}

/** The pairing of a game, with its round; undefined where it is in none. */
export function pairingOf(games, game) {
  for (const round of games.rounds.values())
    for (const pairing of round.pairings) if (pairing.game === game) return { pairing, round };
  return undefined;
}

const naturally = new Intl.Collator("en", { numeric: true }).compare;

/** The games of no round, as if they were one; a table's newest game only. */
export function otherRound(games) {
  const paired = new Set([...games.rounds.values()].flatMap((round) => round.pairings.map((pairing) => pairing.game)));
  const free = [...games.games.values()].filter((game) => !paired.has(game.game) && !games.rounds.has(game.round));
  if (free.length === 0) return null;
  const newest = new Map(free.map((game) => [game.table ?? game.game, game]));
  const pairings = [...newest.values()]
    .sort((one, two) => naturally(one.table ?? one.game, two.table ?? two.game))
    .map((game) => ({
      table: game.table ?? game.game,
      game: game.game,
      white: game.players?.white,
      black: game.players?.black ?? {},
    }));
  const state = pairings.every(({ game }) => games.games.get(game).over) ? "over" : "started";
  return { round: null, name: say("round.other"), state, pairings };
}

export const roundsOf = (games) => [...games.rounds.values()].sort((one, two) => naturally(one.round, two.round));

/** What `/` shows: all that is played, else what comes next, and what was last. */
export function current(games) {
  const known = roundsOf(games);
  const other = otherRound(games);
  const played = [
    ...known.filter((round) => round.state === "started"),
    ...(other?.state === "started" ? [other] : []),
  ];
  if (played.length > 0) return played;
  const next = known.find((round) => round.state === "planned");
  const last = known.findLast((round) => round.state === "over") ?? other;
  if (last && hasJustEnded(games, last)) return [last];
  return [next, last].filter(Boolean);
}

/** Whether a round is over, and the last moves in it were made a moment ago: who looks on still sees its boards. */
export function hasJustEnded(games, round) {
  const since = games.now - STAYS_MINUTES * 60_000;
  return (
    round.state === "over" &&
    round.pairings.some((pairing) => Date.parse(games.games.get(pairing.game)?.last?.at ?? "") > since)
  );
}

// Where a game is in the meeting: at which table, in which round.

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

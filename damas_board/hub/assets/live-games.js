// The meeting as the live pages know it: rounds, and games as they were last told, from /live/events.
//
// A game is told whole once (`/live/games/{id}.json`), when somebody looks at its moves (`want`); after that each
// `game` event says which version it builds upon and how many plies stay, so that a revision leaves nothing behind.
// Whoever has another version, or a gap, asks for the game again.

import { QUIET_SECONDS, Stream } from "./stream.js";

const AGAIN_SECONDS = 1.5;
const GRACE_SECONDS = 10;
const SLEPT = 1000; // milliseconds; less is the way of clocks

export class Games extends EventTarget {
  /** Has the events `change` (detail: `{games: Set of ids | null for all}`) and `quiet` (detail: seconds). */
  meeting = "";
  connected = true;
  /** Whether the server has said anything yet. */
  told = false;
  rounds = new Map();
  games = new Map();
  #wanted = new Set();
  #asking = new Set();
  #missing = new Set();
  #life = 0;
  #boot = "";
  #skew = 0;
  /** By how much the server's time and this computer's were ahead of performance.now(), which may stand in a sleep. */
  #ahead = null;
  #cutOff = Number.POSITIVE_INFINITY;

  constructor() {
    super();
    this.stream = new Stream("/live/events", ["snapshot", "game", "round", "gone"], { whole: "/live/snapshot.json" });
    this.stream.addEventListener("snapshot", ({ detail }) => this.#snapshot(detail));
    this.stream.addEventListener("game", ({ detail }) => this.#game(detail));
    this.stream.addEventListener("round", ({ detail }) => this.#round(detail));
    this.stream.addEventListener("gone", ({ detail }) => this.#gone(detail));
    this.stream.addEventListener("alive", ({ detail }) => this.#alive(detail));
    this.stream.addEventListener("quiet", ({ detail }) => this.#relay("quiet", detail));
  }

  start() {
    this.stream.start();
  }

  /** The server's time, in milliseconds. */
  get now() {
    return Date.now() + this.#skew;
  }

  /** The last moment, on the scale of performance.now(), at which what was told of a game may still be taken as true. */
  certainUntil(game) {
    const silent = game.silent ? performance.now() + Date.parse(game.silent) - this.now : Number.POSITIVE_INFINITY;
    return Math.min(this.stream.certainUntil, this.#cutOff, silent);
  }

  /** These games, and no others, are kept with all their plies; one that was not told may have been over for long. */
  want(games) {
    this.#wanted = new Set(games);
    for (const game of games) this.#complete(game);
  }

  /** Whether all plies of a game are known. */
  whole(game) {
    const known = this.games.get(game);
    return known?.plies !== undefined && known.plies.length === known.count;
  }

  #snapshot(told) {
    this.#life += 1;
    this.#asking.clear();
    this.#missing.clear();
    this.meeting = told.meeting;
    this.#connect(told.connected);
    this.told = true;
    this.#tune(told.now);
    const former = this.games;
    const [boot] = told.id.split("-");
    const again = this.#boot !== boot; // the same server knows what is no more
    this.#boot = boot;
    this.rounds = this.#renewed(
      again ? this.rounds : new Map(),
      told.rounds.map((round) => [round.round, round]),
    );
    this.games = this.#renewed(
      again ? former : new Map(),
      told.games.map((summary) => {
        const had = former.get(summary.game);
        const same = had?.plies !== undefined && sameGame(had, summary);
        return [summary.game, { ...summary, heard: this.#saidAt(told.now), ...(same && { plies: had.plies }) }];
      }),
    );
    this.#relay("change", { games: null });
    // what was kept over a break is looked at again: another start of the server may know better
    for (const game of this.#wanted) this.#complete(game, true);
  }

  /** What is told now; what was there and is not told stays for a while: a server that has just begun hears it late. */
  #renewed(former, entries) {
    const now = new Map(entries);
    for (const [id, known] of former) if (!now.has(id)) now.set(id, known);
    const unheard = [...former].filter(([id]) => !entries.some(([told]) => told === id));
    if (unheard.length > 0)
      setTimeout(() => {
        for (const table of [this.games, this.rounds])
          for (const [id, known] of unheard) if (table.get(id) === known) table.delete(id);
        this.#relay("change", { games: null });
      }, GRACE_SECONDS * 1000);
    return now;
  }

  #game({ base, keep, plies, now, ...summary }) {
    const had = this.games.get(summary.game);
    const begun = had?.plies !== undefined && had.version === base ? had.plies : keep === 0 ? [] : undefined;
    const next = { ...summary, heard: this.#saidAt(now) };
    if (begun !== undefined) next.plies = [...begun.slice(0, keep), ...plies];
    if (next.plies?.length !== next.count) delete next.plies;
    this.games.set(summary.game, next);
    this.#relay("change", { games: new Set([summary.game]) });
    this.#complete(summary.game);
  }

  #round(told) {
    this.rounds.set(told.round, told);
    this.#relay("change", { games: null });
  }

  #gone(told) {
    if (told.game !== undefined) this.games.delete(told.game);
    if (told.round !== undefined) this.rounds.delete(told.round);
    this.#relay("change", { games: null });
  }

  #alive(told) {
    this.#tune(told.now);
    if (told.connected === this.connected) return;
    this.#connect(told.connected);
    this.#relay("change", { games: new Set() });
  }

  /** Whether the server hears the hall. If it did not when this page was opened, nobody knows since when. */
  #connect(connected) {
    if (connected) this.#cutOff = Number.POSITIVE_INFINITY;
    else if (!this.told) this.#cutOff = Number.NEGATIVE_INFINITY;
    else if (this.connected) this.#cutOff = performance.now() + QUIET_SECONDS * 1000;
    this.connected = connected;
  }

  #tune(now) {
    const theirs = Date.parse(now);
    if (!Number.isFinite(theirs)) return;
    this.#skew = theirs - Date.now();
    const ahead = { theirs: theirs - performance.now(), ours: Date.now() - performance.now() };
    if (this.#ahead !== null) this.#woken(Math.min(ahead.theirs - this.#ahead.theirs, ahead.ours - this.#ahead.ours));
    this.#ahead = ahead;
  }

  /** What was heard before this computer slept was heard by so much earlier. One clock alone may have been set. */
  #woken(slept) {
    if (slept < SLEPT) return;
    for (const game of this.games.values()) game.heard -= slept;
    this.#relay("change", { games: null });
  }

  /** When the server said it, on the scale of performance.now(): an event that was missed is told as it was then. */
  #saidAt(now) {
    return performance.now() - Math.max(0, this.now - Date.parse(now));
  }

  /** Asks for a game that is looked at and not known whole. */
  async #complete(game, again = false) {
    if (!this.#wanted.has(game) || this.#asking.has(game) || (this.whole(game) && !again)) return;
    if (this.#missing.has(game) && !this.games.has(game)) return;
    const life = this.#life;
    this.#asking.add(game);
    const told = await asked(`/live/games/${encodeURIComponent(game)}.json`);
    if (life !== this.#life) return;
    this.#asking.delete(game);
    if (told === undefined) {
      setTimeout(() => this.#complete(game, again), AGAIN_SECONDS * 1000);
      return;
    }
    const had = this.games.get(game);
    if (told === null || (had !== undefined && told.version < had.version)) {
      if (had !== undefined) setTimeout(() => this.#complete(game), AGAIN_SECONDS * 1000);
      else this.#missing.add(game);
      return;
    }
    this.games.set(game, { ...told, heard: this.#saidAt(told.now) });
    this.#relay("change", { games: new Set([game]) });
  }

  #relay(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

const sameGame = (one, other) => one.version === other.version && one.count === other.count && one.fen === other.fen;

/** The JSON at an address; null where there is none, undefined where the server did not answer. */
async function asked(path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    if (answer.ok) return await answer.json();
    return answer.status === 404 ? null : undefined;
  } catch {
    return undefined;
  }
}

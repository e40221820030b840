// The hall as the server tells it: a snapshot, then what changes; and how old what is known may be.
//
// Of a game the snapshot has all but its moves (`plies`). Whoever looks at one asks for it, and its events keep it whole:
// each says the version that it follows, `base`, how many plies stay, `keep`, and those behind them. A game whose moves
// do not follow is asked for again.

import { get } from "/assets/console-talk.js";
import { Stream } from "/assets/stream.js";

const TOLD = ["snapshot", "board", "game", "round", "gateway", "hub", "gone"];

const AGAIN_SECONDS = 3; // a game that could not be had is not asked for sooner
const MOST_FORMER = 30;

const now = () => performance.now() / 1000;
const stamped = (told) => ({ ...told, heard: now() });

/** Has the events `change` (something is otherwise), `alert` (detail: {alert, game}; a new one), `link`. */
export class Hall extends EventTarget {
  me = null;
  meeting = "";
  boards = new Map();
  games = new Map();
  rounds = new Map();
  gateways = new Map();
  hub = null;
  /** Whether the server hears the broker. */
  connected = true;
  /** Seconds since the server was heard, 0 while it is there; null before it ever was. */
  quiet = null;

  #stream = null;
  #known = null;
  #former = new Map(); // games that nobody looks at any more, as they were asked for
  #asking = new Set();
  #refused = new Map(); // when a game could not be had
  #sure = 0;

  open() {
    this.close();
    const stream = new Stream("/console/api/events", TOLD);
    this.#stream = stream;
    for (const name of TOLD) stream.addEventListener(name, ({ detail }) => this.#told(name, detail));
    stream.addEventListener("alive", ({ detail }) => this.#alive(detail));
    stream.addEventListener("quiet", ({ detail }) => this.#silent(detail));
    stream.addEventListener("broken", () => {
      this.#silent(Math.max(1, Math.round(stream.silence)));
      get("me"); // a login that is over is noticed there
    });
    stream.start();
  }

  close() {
    this.#stream?.stop();
    this.#stream = null;
  }

  /** Forgets what was told, before another person logs in. */
  forget() {
    this.close();
    for (const all of [this.boards, this.games, this.rounds, this.gateways, this.#former, this.#refused]) all.clear();
    this.me = this.hub = this.#known = this.quiet = null;
  }

  /** Whether what is shown may be old. */
  get stale() {
    return this.quiet !== 0 || !this.connected;
  }

  /** Until when, on the scale of `heard`, what was told is taken as true. */
  get certain() {
    if (!this.stale) return now();
    return this.connected && this.#stream ? Math.min(now(), this.#stream.certainUntil / 1000) : this.#sure;
  }

  get openAlerts() {
    return [...this.games.values()].flatMap((game) => game.alerts.map((alert) => ({ alert, game })));
  }

  /** A game by its id, also one that was asked for after it was over, perhaps without its moves; null: not known. */
  summary(id) {
    return this.games.get(id) ?? this.#former.get(id) ?? null;
  }

  /** The same with its moves; null where they are not known: those of a game in the hall are asked for. */
  game(id) {
    const game = this.summary(id);
    if (game?.plies) return game;
    if (game && now() - (this.#refused.get(id) ?? -AGAIN_SECONDS) >= AGAIN_SECONDS) this.fetch(id);
    return null;
  }

  /** Whether the answer to what was asked of a game is to come. */
  asks(id) {
    return this.#asking.has(id);
  }

  /** Asks for a game with its moves, also one that nobody looks at any more. */
  async fetch(id) {
    if (!id || this.#asking.has(id) || this.summary(id)?.plies) return;
    this.#asking.add(id);
    const { ok, body } = await get(`games/${encodeURIComponent(id)}.json`);
    this.#asking.delete(id);
    if (ok) this.#refused.delete(id);
    else this.#refused.set(id, now());
    const here = this.games.get(id);
    if (ok && here && body.version >= here.version) this.games.set(id, stamped(body));
    else if (ok && !here) this.keep(body);
    this.dispatchEvent(new Event("change"));
  }

  /** Keeps a game that has left the hall, for who looks at it. */
  keep(game) {
    this.#former.delete(game.game);
    this.#former.set(game.game, stamped(game));
    if (this.#former.size > MOST_FORMER) this.#former.delete(this.#former.keys().next().value);
  }

  /** Whether a game has begun: it is here, or it is over and gone. */
  begun(id) {
    const ended = (round) => (round.pairings ?? []).some((pairing) => pairing.game === id && pairing.over);
    return this.games.has(id) || [...this.rounds.values()].some(ended);
  }

  /** An alert by its id, open or settled; null where it is not known. */
  alert(id) {
    const game = this.game(gameOf(id));
    const alert = game && [...game.alerts, ...(game.settled ?? [])].find((one) => one.id === id);
    return alert ? { alert, game, open: game.alerts.includes(alert) } : null;
  }

  /** The board that a game is on; null where it has left it. */
  boardOf(game) {
    return [...this.boards.values()].find((board) => board.game === game.game) ?? null;
  }

  /** Whether a board is heard of: its gateway is there, and its cable. */
  up(board) {
    const gateway = this.gateways.get(board.gateway);
    return board.link?.link !== "down" && gateway?.state?.state !== "offline";
  }

  #told(name, told) {
    TAKE[name](this, told);
    this.#heard();
    this.#newAlerts();
    this.dispatchEvent(new Event("change"));
  }

  #alive(told) {
    const changed = told.connected !== this.connected;
    this.connected = told.connected;
    this.#heard();
    if (changed) this.dispatchEvent(new Event("link"));
  }

  #heard() {
    if (this.connected) this.#sure = now();
    this.#silent(0);
  }

  #silent(seconds) {
    const changed = this.quiet !== seconds;
    this.quiet = seconds;
    if (changed) this.dispatchEvent(new Event("link"));
  }

  #newAlerts() {
    const open = this.openAlerts;
    const before = this.#known;
    this.#known = new Set([...(before ?? []), ...open.map(({ alert }) => alert.id)]);
    if (before === null) return;
    for (const found of open)
      if (!before.has(found.alert.id)) this.dispatchEvent(new CustomEvent("alert", { detail: found }));
  }
}

/** The game that an alert is about. */
export const gameOf = (alert) => alert.replace(/-a\d+$/, "");

const TAKE = {
  snapshot(hall, told) {
    Object.assign(hall, { meeting: told.meeting, connected: told.connected, hub: told.hub });
    hall.me = { ...hall.me, ...told.me };
    const had = new Map(hall.games);
    for (const [all, list, key] of [
      [hall.boards, told.boards, "board"],
      [hall.games, told.games, "game"],
      [hall.rounds, told.rounds, "round"],
      [hall.gateways, told.gateways, "gateway"],
    ]) {
      all.clear();
      for (const one of list) all.set(one[key], stamped(one));
    }
    for (const [id, game] of hall.games)
      if (had.get(id)?.version === game.version) hall.games.set(id, { ...game, plies: had.get(id).plies });
  },
  board: (hall, told) => hall.boards.set(told.board, stamped(told)),
  game(hall, { base, keep, plies, ...told }) {
    const had = hall.games.get(told.game);
    if (had && told.version <= had.version) return; // it was asked for meanwhile
    const stay = had?.plies && had.version === base ? had.plies.slice(0, keep) : keep === 0 ? [] : null;
    hall.games.set(told.game, stamped({ ...told, ...(stay && { plies: [...stay, ...plies] }) }));
  },
  round: (hall, told) => hall.rounds.set(told.round, told),
  gateway: (hall, told) => hall.gateways.set(told.gateway, told),
  hub: (hall, told) => Object.assign(hall, { hub: told }),
  gone(hall, told) {
    const game = hall.games.get(told.game);
    if (game?.plies) hall.keep(game);
    for (const kind of ["game", "board", "round", "gateway"]) if (kind in told) hall[`${kind}s`].delete(told[kind]);
  },
};

/** What a side has left of its time, seconds; null without a clock. It stands still while nothing new is known. */
export function left(hall, game, side) {
  const clock = game.clock;
  if (!clock || clock[side] === null || clock[side] === undefined) return null;
  const runs = clock.running === side && !clock.stale && !game.over;
  return Math.max(0, clock[side] - (runs ? (clock.age ?? 0) + Math.max(0, hall.certain - game.heard) : 0));
}

// A game held back, so that it fits a picture that comes later: what was told is given out `delay` seconds after it was.
//
// What is there already when the page is opened is as young as it may be: its plies are given out by the times at which
// they were played, and those whose time nobody knows, its end and its clocks, a whole delay after the page was opened.
// All that comes later, the next game at its table too, or that there is none any more, waits for its turn.

const LATEST = 3600;

export class Delay {
  #queue = [];
  #timer = 0;
  #begun = false;

  /** `show(game)` is called with what is due; times are those of performance.now(). */
  constructor(seconds, show) {
    this.delay = Math.min(LATEST, Math.max(0, seconds)) * 1000;
    this.show = show;
  }

  /** The game as it is told now, undefined where there is none; `age(ts)`: milliseconds since that moment, as the public has it. */
  take(game, age) {
    if (this.delay === 0) return this.show(game);
    const now = performance.now();
    if (this.#begun || game === undefined) this.#queue.push({ due: now + this.delay, game });
    else this.#begin(game, age, now);
    this.#begun = true;
    this.#give();
  }

  #begin(game, age, now) {
    let due = now;
    const states = [{ due, game: upTo(game, 0) }];
    game.plies.forEach((ply, index) => {
      const wait = ply.at === null ? this.delay : Math.max(0, this.delay - age(ply.at));
      due = Math.max(due, now + Math.min(wait, this.delay));
      states.push({ due, game: upTo(game, index + 1) });
    });
    states.push({ due: now + this.delay, game });
    this.#queue = states;
  }

  #give() {
    clearTimeout(this.#timer);
    const now = performance.now();
    let due;
    while (this.#queue.length > 0 && this.#queue[0].due <= now) due = this.#queue.shift();
    // a clock runs on from when it is shown, as it ran from when it was told
    if (due !== undefined) this.show(due.game && { ...due.game, heard: due.due - (due.game.told ?? 0) });
    if (this.#queue.length > 0) this.#timer = setTimeout(() => this.#give(), Math.max(10, this.#queue[0].due - now));
  }
}

/** A game as it was after `count` plies, as far as that is known: its clocks stand. */
function upTo(game, count) {
  const plies = game.plies.slice(0, count);
  const last = plies.at(-1) ?? null;
  const known = plies.findLast((ply) => ply.fen);
  const [white, black] = last?.clock ?? [null, null];
  const turn = last === null ? game.first : last.side === "white" ? "black" : "white";
  const clock = last?.clock ? { white, black, running: null, stale: false, age: 0 } : null;
  return { ...game, plies, count, last, turn, clock, over: null, fen: known?.fen ?? game.start };
}

// One connection to a server's events, in a page or in a worker: when it breaks or is silent, it is asked again.
//
// A server that is there says `alive` every three seconds. After GIVE_UP_SECONDS of silence, or when the connection
// breaks, it is asked again, with growing waits, from the event behind the last one on: `?last=`. It answers with what
// was missed, or with a `snapshot` where it does not know that event any more.

const GIVE_UP_SECONDS = 10;
const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 5;

export class Source extends EventTarget {
  /** Has the events `told` (detail: `{name, id, data}`, the data as text, no id where it has none) and `broken`. */
  #url;
  #names;
  #connection = null;
  #last;
  #heard = 0;
  #wait = FIRST_WAIT;
  #again = 0;
  #watch = null;

  /** `last`: the id of the event to go on behind. */
  constructor(url, names, last = null) {
    super();
    this.#url = new URL(url, location.href);
    this.#names = [...names, "alive"];
    this.#last = last;
  }

  start() {
    this.stop();
    this.#watch = setInterval(() => this.#look(), 1000);
    this.#connect();
  }

  /** No connection any more; `start` goes on behind what was told last. */
  stop() {
    clearInterval(this.#watch);
    this.#watch = null;
    this.#close();
  }

  /** There may be a network again, or somebody who looks: no more waiting. */
  hurry() {
    if (this.#watch === null || this.#connection !== null) return;
    this.#wait = FIRST_WAIT;
    this.#connect();
  }

  #connect() {
    this.#close();
    this.#heard = performance.now();
    if (this.#last !== null) this.#url.searchParams.set("last", this.#last);
    const connection = new EventSource(this.#url);
    this.#connection = connection;
    for (const name of this.#names)
      connection.addEventListener(name, (event) => {
        if (connection === this.#connection) this.#take(name, event);
      });
    connection.addEventListener("error", () => {
      if (connection === this.#connection) this.#later();
    });
  }

  #take(name, { lastEventId, data }) {
    this.#heard = performance.now();
    this.#wait = FIRST_WAIT;
    // what has no id of its own comes with the one before it
    const id = lastEventId && lastEventId !== this.#last ? lastEventId : null;
    this.#last = id ?? this.#last;
    this.dispatchEvent(new CustomEvent("told", { detail: { name, id, data } }));
  }

  /** Waits, longer from time to time and never as long as all the others, and asks again. */
  #later() {
    this.#close();
    this.#again = setTimeout(() => this.#connect(), this.#wait * (750 + 500 * Math.random()));
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    this.dispatchEvent(new Event("broken"));
  }

  #look() {
    const silence = (performance.now() - this.#heard) / 1000;
    if (this.#connection !== null && silence >= GIVE_UP_SECONDS) this.#later();
  }

  #close() {
    clearTimeout(this.#again);
    this.#connection?.close();
    this.#connection = null;
  }
}

// What a server tells as it happens: server-sent events, taken up again where they broke off, and how long it is silent.
//
//   const stream = new Stream("/live/events", ["snapshot", "game", "round", "gone"]);
//   stream.addEventListener("game", ({ detail }) => ...);   detail: the event's JSON
//   stream.addEventListener("quiet", ({ detail }) => ...);  detail: whole seconds without a word, told every second;
//                                                           0 once, when it speaks again
//   stream.addEventListener("broken", ...);                 the connection is gone, or was refused; it is asked again
//   stream.start();
//
// A server that is there says `alive` every three seconds. After GIVE_UP_SECONDS of silence, or when the connection
// breaks, it is asked again, with growing waits, from the event behind the last one on: `?last=`. It answers with what
// was missed, or with a `snapshot` where it does not know that event any more: whoever listens takes that as the whole.

const QUIET_SECONDS = 6;
const GIVE_UP_SECONDS = 10;
const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 5;

export class Stream extends EventTarget {
  #url;
  #names;
  #source = null;
  #last = null;
  #heard = performance.now();
  #asked = 0;
  #wait = FIRST_WAIT;
  #again = 0;
  #watch = 0;
  #quiet = false;

  constructor(url, names) {
    super();
    this.#url = url;
    this.#names = names;
  }

  start() {
    this.#watch = setInterval(() => this.#look(), 1000);
    addEventListener("online", this.#now);
    document.addEventListener("visibilitychange", this.#now);
    addEventListener("pagehide", this.#leave);
    addEventListener("pageshow", this.#return);
    this.#connect();
  }

  stop() {
    this.#close();
    clearInterval(this.#watch);
    removeEventListener("online", this.#now);
    document.removeEventListener("visibilitychange", this.#now);
    removeEventListener("pagehide", this.#leave);
    removeEventListener("pageshow", this.#return);
  }

  /** Seconds since the server was heard. */
  get silence() {
    return (performance.now() - this.#heard) / 1000;
  }

  /** The last moment, on the scale of performance.now(), at which what was told may still be taken as true. */
  get certainUntil() {
    return this.#heard + QUIET_SECONDS * 1000;
  }

  #connect() {
    this.#close();
    this.#asked = performance.now();
    const url = new URL(this.#url, location.href);
    if (this.#last !== null) url.searchParams.set("last", this.#last);
    const source = new EventSource(url);
    this.#source = source;
    for (const name of [...this.#names, "alive"])
      source.addEventListener(name, (event) => {
        if (source === this.#source) this.#take(name, event);
      });
    source.addEventListener("error", () => {
      if (source === this.#source) this.#later();
    });
  }

  #take(name, event) {
    this.#heard = performance.now();
    this.#wait = FIRST_WAIT;
    if (event.lastEventId) this.#last = event.lastEventId;
    if (this.#quiet) this.#tell(0);
    this.dispatchEvent(new CustomEvent(name, { detail: JSON.parse(event.data) }));
  }

  /** Waits, longer from time to time and never as long as all the others, and asks again. */
  #later() {
    this.#close();
    this.#again = setTimeout(() => this.#connect(), this.#wait * (750 + 500 * Math.random()));
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    this.dispatchEvent(new Event("broken"));
  }

  #look() {
    const { silence } = this;
    if (silence >= QUIET_SECONDS) this.#tell(Math.floor(silence));
    const waited = (performance.now() - Math.max(this.#asked, this.#heard)) / 1000;
    if (this.#source !== null && waited >= GIVE_UP_SECONDS) this.#later();
  }

  #tell(seconds) {
    this.#quiet = seconds > 0;
    this.dispatchEvent(new CustomEvent("quiet", { detail: seconds }));
  }

  #close() {
    clearTimeout(this.#again);
    this.#source?.close();
    this.#source = null;
  }

  /** There may be a network again, or somebody who looks. */
  #now = () => {
    if (this.#source === null && document.visibilityState === "visible") {
      this.#wait = FIRST_WAIT;
      this.#connect();
    }
  };

  /** A page that the browser keeps for "back" holds no connection. */
  #leave = () => this.#close();

  #return = (event) => {
    if (event.persisted) this.#connect();
  };
}

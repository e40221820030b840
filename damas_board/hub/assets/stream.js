// What a server tells as it happens: server-sent events, taken up again where they broke off, and how long it is silent.
//
//   const stream = new Stream("/live/events", ["snapshot", "game", "round", "gone"]);
//   stream.addEventListener("game", ({ detail }) => ...);   detail: the event's JSON
//   stream.addEventListener("quiet", ({ detail }) => ...);  detail: whole seconds without a word, told every second;
//                                                           0 once, when it speaks again
//   stream.addEventListener("broken", ...);                 the connection is gone, or was refused; it is asked again
//   stream.start();
//
// With `{whole: "/live/snapshot.json"}` the connection is shared by all pages of this browser (stream-shared.js): for what
// everybody may have, never for what a login opens. A `snapshot` is the whole: whoever listens lets go of all before it.

import { SharedSource } from "./stream-shared.js";
import { Source } from "./stream-source.js";

export const QUIET_SECONDS = 6;

export class Stream extends EventTarget {
  #source;
  #heard = performance.now();
  #watch = 0;
  #quiet = false;

  constructor(url, names, { whole = null } = {}) {
    super();
    this.#source = whole === null ? new Source(url, names) : new SharedSource(url, names, whole);
    this.#source.addEventListener("told", ({ detail }) => this.#take(detail));
    this.#source.addEventListener("broken", () => this.dispatchEvent(new Event("broken")));
  }

  start() {
    this.#watch = setInterval(() => this.#look(), 1000);
    addEventListener("online", this.#now);
    document.addEventListener("visibilitychange", this.#now);
    addEventListener("pagehide", this.#leave);
    addEventListener("pageshow", this.#return);
    this.#source.start();
  }

  stop() {
    this.#source.stop();
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

  #take({ name, data }) {
    this.#heard = performance.now();
    if (this.#quiet) this.#tell(0);
    this.dispatchEvent(new CustomEvent(name, { detail: JSON.parse(data) }));
  }

  #look() {
    const { silence } = this;
    if (silence >= QUIET_SECONDS) this.#tell(Math.floor(silence));
  }

  #tell(seconds) {
    this.#quiet = seconds > 0;
    this.dispatchEvent(new CustomEvent("quiet", { detail: seconds }));
  }

  #now = () => {
    if (document.visibilityState === "visible") this.#source.hurry();
  };

  /** A page that the browser keeps for "back" holds no connection. */
  #leave = () => this.#source.stop();

  #return = (event) => {
    if (event.persisted) this.#source.start();
  };
}

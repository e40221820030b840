// A connection that all pages of this browser share: a browser opens no more than six to one server, and each page with
// one of its own would leave none to fetch anything with.
//
// A worker (stream-worker.js) holds it. Where there is none (an old browser, a frame that may keep nothing), or where it
// does not answer, a page has its own; until it does answer, where it only was slow.

import { Source } from "./stream-source.js";

const ANSWER_SECONDS = 12;
const LOST_SECONDS = 20; // in less, a worker that is there has said something, if only that it asks again

export class SharedSource extends EventTarget {
  /** As Source; `whole`: where the present is, as `snapshot` tells it, for a page that comes later. */
  #asked;
  #port = null;
  #own = null;
  #last = null;
  #heard = 0;
  #timers = [];

  constructor(url, names, whole) {
    super();
    this.#asked = { url, names, whole };
  }

  start() {
    this.stop();
    let worker;
    try {
      const script = new URL("./stream-worker.js", import.meta.url);
      worker = new SharedWorker(script, { type: "module", name: this.#asked.url });
    } catch {
      return this.#alone(); // there are no such workers, or not for this page
    }
    worker.addEventListener("error", () => {
      if (this.#port === worker.port) this.#alone();
    });
    this.#port = worker.port;
    this.#heard = performance.now();
    this.#timers = [setTimeout(() => this.#alone(), ANSWER_SECONDS * 1000), setInterval(() => this.#look(), 1000)];
    worker.port.onmessage = ({ data }) => {
      if (this.#port === worker.port) this.#take(data);
    };
    worker.port.postMessage({ join: { ...this.#asked, last: this.#last } });
  }

  stop() {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#own?.stop();
    this.#own = null;
    this.#port?.postMessage({ leave: true });
    this.#port?.close();
    this.#port = null;
  }

  hurry() {
    this.#own?.hurry();
    this.#port?.postMessage({ hurry: true });
  }

  #take({ here, broken, told }) {
    this.#heard = performance.now();
    if (here) {
      clearTimeout(this.#timers[0]);
      this.#own?.stop();
      this.#own = null;
    }
    if (broken) this.dispatchEvent(new Event("broken"));
    if (told) this.#tell(told);
  }

  /** A worker that has ended without a word is begun again. */
  #look() {
    if (this.#own === null && performance.now() - this.#heard > LOST_SECONDS * 1000) this.start();
  }

  #tell(told) {
    this.#last = told.id ?? this.#last;
    this.dispatchEvent(new CustomEvent("told", { detail: told }));
  }

  #alone() {
    this.#own?.stop();
    this.#own = new Source(this.#asked.url, this.#asked.names, this.#last);
    this.#own.addEventListener("told", ({ detail }) => this.#tell(detail));
    this.#own.addEventListener("broken", () => this.dispatchEvent(new Event("broken")));
    this.#own.start();
  }
}

// The evidence of an alert, played again: what the sensors said on a board, with its times, and the account beside it.

import { picture, shows } from "/assets/console-boards.js";
import { coded, offset } from "/assets/console-phrases.js";
import { get } from "/assets/console-talk.js";
import { bring, button, el } from "/assets/elements.js";
import { language, say } from "/assets/words.js";

const AFTER_SECONDS = 0.5;
const LONGEST_WAIT = 2; // in which nothing happens; what is longer is skipped

/** Fills `place` with the evidence of an alert; returns what stops it. */
export function showEvidence(place, game, alert) {
  let stopped = false;
  let film = null;
  place.replaceChildren(el("p.soft", {}, say("evidence.loading")));
  get(`evidence/${encodeURIComponent(alert.id)}?lang=${language}`).then(({ ok, body }) => {
    if (stopped) return;
    if (!ok) {
      place.replaceChildren(
        el("p", {}, say("evidence.none", { reason: coded("refused", body.reason ?? "failed") })),
        button(say("evidence.again"), () => (film = showEvidence(place, game, alert))),
      );
      return;
    }
    film = new Film(place, game, alert, body);
  });
  return () => {
    stopped = true;
    if (typeof film === "function") film();
    else film?.stop();
  };
}

class Film {
  #frames;
  #stood;
  #alert;
  #board;
  #slider;
  #time;
  #play;
  #trail;
  #lines;
  #times;
  #first;
  #last;
  #now;
  #timer = 0;

  constructor(place, game, alert, evidence) {
    this.#alert = alert;
    this.#frames = evidence.frames;
    this.#stood = evidence.positions;
    const times = [...this.#frames.map((frame) => frame.at), ...evidence.lines.map((line) => line.at), alert.at];
    this.#times = [...new Set(times)].sort((one, other) => one - other);
    this.#first = Math.min(...times);
    this.#last = Math.max(...times) + AFTER_SECONDS;
    this.#board = picture(
      { board: evidence.board ?? game.board },
      { alerts: (alert.squares ?? []).join(" "), label: say("evidence.board") },
    );
    this.#slider = el("input", {
      type: "range",
      id: "evidence-time",
      min: "0",
      max: String(Math.round((this.#last - this.#first) * 100) / 100),
      step: "0.05",
      "aria-label": say("evidence.time"),
      on: { input: () => this.#to(this.#first + Number(this.#slider.value), true) },
    });
    this.#time = el("output.clock", { for: "evidence-time", id: "evidence-at" });
    this.#play = button(
      say("evidence.play"),
      () => (this.#timer ? this.stop() : this.#start()),
      { id: "evidence-play" },
      "primary",
    );
    this.#lines = evidence.lines.map((line) => [line.at, this.#line(line)]);
    this.#trail = el(
      "ol.plain.trail",
      { "aria-label": say("evidence.trail") },
      this.#lines.map(([, line]) => el("li", {}, line)),
    );
    place.replaceChildren(
      el("div.board", {}, this.#board),
      el(
        "div.film",
        {},
        el(
          "div.row",
          {},
          button("|◀", () => this.#step(-1), { "aria-label": say("evidence.back"), id: "evidence-back" }),
          this.#play,
          button("▶|", () => this.#step(1), { "aria-label": say("evidence.on"), id: "evidence-on" }),
          this.#time,
        ),
        this.#slider,
      ),
      el("p.small.soft", {}, say("evidence.how")),
      this.#trail,
      el("p.ending", {}, evidence.ending),
      el(
        "details",
        { id: "evidence-more" },
        el("summary", {}, say("evidence.account")),
        el("p.account", {}, evidence.head.join("\n")),
        button(say("evidence.save"), () => save(`${alert.id}.jsonl`, evidence.recording), {}),
      ),
    );
    this.#to(this.#begins());
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#play.textContent = say("evidence.play");
  }

  /** Where the film begins: at the first change of the turn that the alert is about. */
  #begins() {
    const turn = this.#stood.at(-1)?.at ?? -Infinity;
    const from = Math.max(turn, Number.isFinite(turn) ? turn : (this.#alert.evidence?.from ?? this.#first));
    return this.#frames.find((frame) => frame.at > from + 1e-6)?.at ?? Math.max(this.#first, from);
  }

  #line(line) {
    return el(
      "button.line",
      { type: "button", on: { click: () => this.#to(line.at, true) } },
      el("span.clock", {}, offset(line.at - this.#alert.at)),
      el("span", {}, line.text),
    );
  }

  #start() {
    if (this.#now >= this.#last - 0.05) this.#to(this.#first);
    this.#play.textContent = say("evidence.pause");
    let shown = performance.now();
    const next = () => {
      this.#timer = setTimeout(next, 50);
      const passed = (performance.now() - shown) / 1000;
      shown += passed * 1000;
      const coming = this.#times.find((at) => at > this.#now + 1e-6) ?? this.#last;
      this.#to(Math.min(this.#last, Math.max(this.#now + passed, coming - LONGEST_WAIT)));
      if (this.#now >= this.#last) this.stop();
    };
    this.#timer = setTimeout(next, 50);
  }

  #step(by) {
    this.stop();
    const found =
      by > 0 ? this.#times.find((at) => at > this.#now + 1e-6) : this.#times.findLast((at) => at < this.#now - 1e-6);
    if (found !== undefined) this.#to(found);
  }

  #to(at, chosen = false) {
    if (chosen) this.stop();
    this.#now = at;
    const frame = this.#frames.findLast((one) => one.at <= at + 1e-6);
    const position = this.#stood.findLast((one) => one.at <= at + 1e-6) ?? this.#stood[0];
    shows(this.#board, { position: position.fen, see: frame?.see ?? null });
    const said = offset(at - this.#alert.at);
    this.#time.textContent = said;
    this.#slider.value = String(at - this.#first);
    this.#slider.setAttribute("aria-valuetext", said);
    const current = this.#lines.findLast(([when]) => when <= at + 0.051);
    for (const [, line] of this.#lines) {
      if (line === current?.[1]) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
    if (current) bring(current[1], this.#trail);
  }
}

function save(name, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/jsonl" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

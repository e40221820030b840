// The register of warnings: what was told about each player over the meeting, and what was decided.

import { severity } from "/assets/console-alerts.js";
import { articleOf, coded, tableOf, timeOf } from "/assets/console-phrases.js";
import { get } from "/assets/console-talk.js";
import { button, el, refill, tag } from "/assets/elements.js";
import { language, say } from "/assets/words.js";

/** The register, as the archive has it when it is asked; of notes only those that somebody decided about, or all. */
export class RegisterView {
  #place;
  #hall;
  #register = null;
  #reason = null;
  #notes = false;

  constructor(place, { hall }) {
    this.#place = place;
    this.#hall = hall;
    this.#load();
  }

  update() {
    refill(this.#place, [this.#register, this.#reason, this.#notes], () => [
      el("h2", {}, say("tab.register")),
      el("p.small.soft", {}, say("register.about")),
      el(
        "div.row.choices",
        {},
        button(say("register.notes"), () => this.#turn(), {
          id: "register-notes",
          "aria-pressed": String(this.#notes),
        }),
        button(say("register.again"), () => this.#load(), { id: "register-again" }),
      ),
      this.#reason !== null && el("p.notice.bad", { role: "alert" }, coded("refused", this.#reason)),
      this.#register === null && this.#reason === null && el("p.soft", {}, say("loading")),
      this.#register !== null && this.#blocks(),
    ]);
  }

  leave() {}

  async #load() {
    const { ok, body } = await get(`register.json?lang=${language}`);
    this.#register = ok ? body : null;
    this.#reason = ok ? null : (body.reason ?? "failed");
    this.update();
  }

  #turn() {
    this.#notes = !this.#notes;
    this.update();
  }

  #blocks() {
    const { players, decisions } = this.#register;
    const shown = (alert) => this.#notes || alert.severity !== "note" || alert.told.length > 0;
    const blocks = players.map((one) => [one, one.alerts.filter(shown)]).filter(([, alerts]) => alerts.length > 0);
    if (blocks.length + decisions.length === 0) return el("p.nothing", {}, say("register.empty"));
    return [
      blocks.map(([one, alerts]) =>
        el(
          "section.card.entries",
          {},
          el("h3", {}, nameOf(one)),
          el(
            "ul.plain",
            {},
            alerts.map((alert) => alertEntry(this.#hall, alert)),
          ),
        ),
      ),
      decisions.length > 0 &&
        el(
          "section.card.entries",
          {},
          el("h3", {}, say("register.others")),
          el(
            "ul.plain",
            {},
            decisions.map((one) => el("li", {}, el("p.small.soft", {}, whereOf(one)), el("p", {}, one.text))),
          ),
        ),
    ];
  }
}

function nameOf({ player, side, game }) {
  if (player) return player;
  return side ? say("register.unnamed", { side: say(`side.${side}`), game }) : say("register.nobody");
}

const whereOf = (entry) =>
  [entry.round && say("round", { round: entry.round }), tableOf(entry), timeOf(entry.ts)].filter(Boolean).join(" · ");

const alertEntry = (hall, entry) =>
  el(
    "li",
    {},
    el(
      "p.line",
      {},
      severity(entry),
      entry.occurrence > 1 && tag("↻", say("register.occurrence", { occurrence: entry.occurrence }), "accent"),
      entry.closed ? tag("✓", coded("how", entry.closed), "good") : tag("○", say("register.open")),
      el("span.small.soft", {}, whereOf(entry)),
    ),
    el("p", {}, el("a", { href: `#/alerts/${encodeURIComponent(entry.id)}` }, entry.text)),
    el(
      "p.small.soft",
      {},
      [
        say("register.ply", { ply: entry.ply }),
        (entry.squares ?? []).join(" "),
        articleOf(hall.summary(entry.game), entry.article),
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    entry.told.map((one) => el("p.decided.small", {}, one.text)),
  );

// A round as a table: its pairings before it, its results during and after it, with the standings and the games as files.

import { el, refill, tag } from "./console-elements.js";
import { aboutPlayer, nameOf, outcome, roundName, score, tableName } from "./live-text.js";
import { noteOf } from "./live-wall.js";
import { language, say } from "./words.js";

const FRESH_SECONDS = 4;

export class RoundView {
  #standings = { of: null, asked: 0, rows: [] };

  constructor({ link }) {
    this.link = link;
    this.pairings = el("section");
    this.table = el("section");
    this.files = el("section");
    this.element = el("div.round", {}, this.pairings, this.table, this.files);
  }

  /** `seats` as the wall has them; `round` of null is for games of no round. */
  update(round, seats) {
    const known = seats.map(({ pairing, game, table }) => [table, pairing, game?.game, game?.over, game?.count]);
    refill(this.pairings, [language, round.state, round.begins, known], () => this.#pairings(round, seats));
    refill(this.files, [language, round.round], () => files(round));
    this.#standing(round, JSON.stringify(known.map(([, , , over]) => over?.result)));
  }

  #pairings(round, seats) {
    const clubs = seats.some(({ pairing }) => aboutPlayer(pairing.white) || aboutPlayer(pairing.black));
    const player = (seat, side) => {
      const one = (seat.game?.players ?? seat.pairing)[side];
      const whole = { ...seat.pairing[side], ...one };
      if (side === "black" && !seat.game && !seat.pairing.black) return el("td.soft", {}, say("bye"));
      return el("td", {}, el("span.name", {}, nameOf(whole, side)), clubs && el("span.about", {}, aboutPlayer(whole)));
    };
    const rows = seats.map((seat) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, seat.table ?? "–"),
        player(seat, "white"),
        el("td.result", {}, this.#result(seat, round)),
        player(seat, "black"),
      ),
    );
    const heads = [["column.table"], ["side.white"], ["column.result", "result"], ["side.black"]];
    return [
      el("h2", {}, say(round.state === "planned" ? "view.pairings" : "view.results")),
      el(
        "div.card.scrolling",
        {},
        el(
          "table.pairings",
          {},
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              heads.map(([key, kind]) => el(`th${kind ? `.${kind}` : ""}`, { scope: "col" }, say(key))),
            ),
          ),
          el("tbody", {}, rows),
        ),
      ),
    ];
  }

  #result({ game, pairing }, round) {
    if (game === undefined) return round.state === "planned" && !pairing.result ? "–" : noteOf(pairing, round);
    const href = this.link(`/g/${game.game}`);
    if (!game.over) return el("a", { href, "data-go": true }, tag("●", say("playing"), "good"));
    return [
      el("a.score", { href, "data-go": true }, score(game.over.result)),
      el("span.about", {}, outcome(game.over)),
    ];
  }

  /** The table after this round: asked for again where a result is another one. */
  async #standing(round, results) {
    if (round.round === null) return this.table.replaceChildren();
    const of = `${round.round} ${results}`;
    const soon = performance.now() - this.#standings.asked < FRESH_SECONDS * 1000;
    if (this.#standings.of === of || (soon && this.#standings.of?.startsWith(`${round.round} `))) {
      if (this.#standings.of !== of) setTimeout(() => this.#standing(round, results), FRESH_SECONDS * 1000);
      return this.#draw(round);
    }
    this.#standings = { of, asked: performance.now(), rows: this.#standings.rows };
    try {
      const answer = await fetch(`/standings/${encodeURIComponent(round.round)}.json`);
      this.#standings.rows = answer.ok ? await answer.json() : [];
    } catch {
      this.#standings.of = null; // asked for again with the next change
    }
    this.#draw(round);
  }

  #draw(round) {
    const rows = this.#standings.rows.filter((row) => row.games > 0);
    refill(this.table, [language, round.round, rows], () => (rows.length === 0 ? [] : standings(this.#standings.rows)));
  }
}

const COLUMNS = ["place", "name", "games", "wins", "draws", "losses", "points", "sonneborn_berger"];

function standings(rows) {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const kind = (key) => (key === "name" ? "" : ".number");
  const cell = (row, key) =>
    key === "name"
      ? el("th", { scope: "row" }, el("span.name", {}, row.name), el("span.about", {}, aboutPlayer(row)))
      : el(`td${kind(key)}`, {}, number.format(row[key]));
  return [
    el("h2", {}, say("view.standings")),
    el(
      "div.card.scrolling",
      {},
      el(
        "table.standings",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            COLUMNS.map((key) => el(`th${kind(key)}`, { scope: "col" }, say(`standing.${key}`))),
          ),
        ),
        el(
          "tbody",
          {},
          rows.map((row) =>
            el(
              "tr",
              {},
              COLUMNS.map((key) => cell(row, key)),
            ),
          ),
        ),
      ),
    ),
  ];
}

function files(round) {
  const id = encodeURIComponent(round.round ?? "");
  const links = [
    round.round !== null && [`/rounds/${id}.pdn`, say("file.round")],
    round.round !== null && [`/standings/${id}.csv`, say("file.standings")],
    ["/files", say("file.all")],
  ].filter(Boolean);
  return [
    el("h2", {}, say("view.files")),
    el(
      "ul.links",
      {},
      links.map(([href, text]) => el("li", {}, el("a", { href }, text))),
    ),
  ];
}

// A round as a table: its pairings before it, its results during and after it, with the standings and the games as files.

import { el, refill, tag } from "./elements.js";
import { termsOf } from "./live-place.js";
import { aboutPlayer, nameOf, outcome, roundName, score, tableName, timeControl } from "./live-text.js";
import { noteOf } from "./live-wall.js";
import { language, say } from "./words.js";

const AGAIN_SECONDS = 5; // the server makes its tables about when it tells a result, perhaps a little later

export class RoundView {
  #standings = { of: null, rows: [], again: 0 };

  constructor({ link }) {
    this.link = link;
    this.pairings = el("section");
    this.table = el("section");
    this.files = el("section");
    this.element = el("div.round", {}, this.pairings, this.table, this.files);
  }

  /** `seats` as the wall has them; of games of no round, `round.round` is null. `titled`: it is one of several. */
  update(round, seats, titled = false) {
    const known = seats.map(({ pairing, game, table }) => [table, pairing, game?.game, game?.over, game?.count]);
    refill(this.pairings, [language, titled, round.name, round.state, round.begins, known], () =>
      this.#pairings(round, seats, titled),
    );
    refill(this.files, [language, round.round], () => files(round));
    this.#standing(round, JSON.stringify(known.map(([, , , over]) => over?.result)));
  }

  #pairings(round, seats, titled) {
    const differ = ["rules", "clock"].filter((name) => termsOf(name, seats).length > 1);
    const terms = (seat) =>
      differ
        .flatMap((name) => termsOf(name, [seat]).map(name === "clock" ? timeControl : String))
        .map((text) => el("span.about", {}, text));
    const player = (seat, side) => {
      const kind = `td.side-${side}`;
      const one = seat.game?.players?.[side] ?? seat.pairing[side];
      if (side === "black" && !seat.game && !seat.pairing.black)
        return el(`${kind}.soft`, { role: "cell" }, say("bye"));
      const about = aboutPlayer(one);
      const name = el("span.name", {}, nameOf(one, side));
      return el(kind, { role: "cell" }, el(`span.disc.${side}`), name, about && el("span.about", {}, about));
    };
    const row = (seat) =>
      el(
        "tr",
        { role: "row" },
        el("th", { scope: "row", role: "rowheader" }, this.#table(seat)),
        player(seat, "white"),
        el("td.result", { role: "cell" }, this.#result(seat, round), round.state === "planned" && terms(seat)),
        player(seat, "black"),
      );
    const columns = ["column.table", "side.white", "column.result", "side.black"];
    const head = columns.map((key) => heading(key, key === "column.result" ? ".result" : ""));
    const title = say(round.state === "planned" ? "view.pairings" : "view.results");
    // on a phone its lines are no lines of a table any more, but are still told as such
    return [
      el("h2", {}, titled ? `${roundName(round)}: ${title}` : title),
      scrolling(
        title,
        el(
          "table.pairings",
          { role: "table" },
          el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, head)),
          el("tbody", { role: "rowgroup" }, seats.map(row)),
        ),
      ),
    ];
  }

  /** The table's number; it leads to its page where there is no game yet that could. */
  #table({ game, pairing, table }) {
    if (!table) return "–";
    if (game !== undefined || !pairing.black) return table;
    const href = this.link(`/t/${encodeURIComponent(table)}`);
    return el("a.to-table", { href, "data-go": true, "aria-label": tableName(table) }, table);
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

  /** The table after this round: asked for where a result is another one, and once more a little later. */
  #standing(round, results) {
    if (round.round === null || round.state === "planned") return refill(this.table, [], () => []);
    const of = `${round.round} ${results}`;
    if (this.#standings.of === of) return this.#draw(round);
    clearTimeout(this.#standings.again);
    this.#standings.of = of;
    this.#standings.again = setTimeout(() => this.#ask(round), AGAIN_SECONDS * 1000);
    this.#ask(round);
  }

  async #ask(round) {
    try {
      const answer = await fetch(`/standings/${encodeURIComponent(round.round)}.json`, { cache: "no-cache" });
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

const COLUMNS = ["place", "name", "points", "games", "wins", "draws", "losses", "sonneborn_berger"];

const LESS = ["wins", "draws", "losses", "sonneborn_berger"]; // for which a phone has no room

function standings(rows) {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const kind = (key) => (key === "name" ? "" : LESS.includes(key) ? ".number.less" : ".number");
  const cell = (row, key) =>
    key === "name"
      ? el("th", { scope: "row" }, el("span.name", {}, row.name), el("span.about", {}, aboutPlayer(row)))
      : el(`td${kind(key)}`, {}, number.format(row[key]));
  const title = say("view.standings");
  return [
    el("h2", {}, title),
    scrolling(
      title,
      el(
        "table.standings",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            COLUMNS.map((key) => heading(`standing.${key}`, kind(key))),
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

const heading = (key, kind) => el(`th${kind}`, { scope: "col", role: "columnheader" }, say(key));

/** A table that may be wider than the screen: it can be scrolled with the keyboard. */
const scrolling = (label, content) =>
  el("div.card.scrolling", { tabindex: "0", role: "region", "aria-label": label }, content);

function files(round) {
  const id = encodeURIComponent(round.round ?? "");
  const links = [
    round.round !== null && [`/rounds/${id}.pdn`, say("file.round"), true],
    round.round !== null && [`/standings/${id}.csv`, say("file.standings"), true],
    ["/files", say("file.all")],
  ].filter(Boolean);
  return [
    el("h2", {}, say("view.files")),
    el(
      "ul.links",
      {},
      links.map(([href, text, download]) => el("li", {}, el("a", { href, download }, text))),
    ),
  ];
}

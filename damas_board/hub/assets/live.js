// The live page: what is at which address, and what is shown of the meeting there.
//
//   /            what goes on now: the boards of the rounds that are played, and of games of no round; else the next
//                round, and the last one below it
//   /r/{round}   a round, `?view=boards` or `?view=results` where it is not the one that its state suggests
//   /g/{game}    one game, `?ply=12` as it stood then; /t/{table} the game at that table, whichever it is
//   /?other=1    as a round: the games of none

import { el, refill } from "./elements.js";
import { GameView } from "./live-game.js";
import { Games } from "./live-games.js";
import { setText } from "./live-parts.js";
import { current, gameAt, hasJustEnded, otherRound, pairingOf, pathParts, roundsOf, termsOf } from "./live-place.js";
import { RoundView } from "./live-round.js";
import { gameTitle, moment, roundName, span, tableName, timeControl, variantName } from "./live-text.js";
import { seatsOf, Wall } from "./live-wall.js";
import { keepLanguage, language, say, words } from "./words.js";

const KEPT_PARAMETERS = ["lang", "theme"];

const $ = (id) => document.getElementById(id);
const games = new Games();
let place = {};
let tables = new Map();

/** The address of a page of this site, with what was chosen for all of them. */
function link(path, parameters = {}) {
  const url = new URL(path, location.origin);
  const here = new URLSearchParams(location.search);
  for (const name of KEPT_PARAMETERS) if (here.has(name)) url.searchParams.set(name, here.get(name));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}

const wall = new Wall({ games, link });
const large = new GameView({
  games,
  link,
  chosen: (ply) => history.replaceState(null, "", link(location.pathname, ply === null ? {} : { ply })),
});

// --- where we are

function read() {
  const [kind, ...rest] = pathParts();
  const asked = new URLSearchParams(location.search);
  const id = rest.join("/");
  if (kind === "g") return { kind: "game", game: id, ply: wholeNumber(asked.get("ply")) };
  if (kind === "t") return { kind: "table", table: id, ply: wholeNumber(asked.get("ply")) };
  if (kind === "r") return { kind: "round", round: id, view: asked.get("view") };
  return asked.has("other")
    ? { kind: "round", round: null, view: asked.get("view") }
    : { kind: "now", view: asked.get("view") };
}

const wholeNumber = (text) => (/^\d{1,5}$/.test(text ?? "") ? Number(text) : null);

function go(href) {
  history.pushState(null, "", href);
  arrive();
  scrollTo(0, 0);
  const title = [...$("main").querySelectorAll("h1")].find((one) => one.checkVisibility());
  (title ?? $("main")).focus({ preventScroll: true });
}

function arrive() {
  place = read();
  large.ply = place.ply ?? null;
  draw();
}

document.addEventListener("click", (event) => {
  const anchor = event.target.closest("a[data-go]");
  if (anchor === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(anchor.getAttribute("href"));
});
addEventListener("popstate", arrive);
new ResizeObserver(() => wall.fit()).observe($("content"));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !large.element.isConnected) return;
  if (event.target.closest("input, select, textarea, draughts-board, [contenteditable]")) return;
  if (event.key === "Escape") go(link("/"));
  else if (large.key(event.key, event.target)) event.preventDefault();
});

// --- drawing

let due = false;

/** Draws once for all that comes in one go. */
function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    draw();
  });
}

function draw() {
  if (!games.told) return status();
  const shown = { now: drawNow, round: drawRound, game: drawGame, table: drawTable }[place.kind]();
  document.title = `${shown.title} · ${say("page.title")}`;
  navigation(shown.rounds ?? []);
  status();
}

function drawNow() {
  return drawRounds(current(games), "/");
}

function drawRound() {
  const found = place.round === null ? otherRound(games) : games.rounds.get(place.round);
  const path = place.round === null ? "/?other=1" : `/r/${encodeURIComponent(place.round)}`;
  return found ? drawRounds([found], path) : nothing("none.round", { round: place.round });
}

function drawRounds(shown, path) {
  if (shown.length === 0) return nothing("none.yet");
  const played = shown.some((round) => round.state === "started");
  const first = played || hasJustEnded(games, shown[0]) ? "boards" : "results";
  const view = place.view === "boards" || place.view === "results" ? place.view : first;
  const several = shown.length > 1;
  const seats = shown.flatMap((round) =>
    seatsOf(round, games.games, { first: view === "boards" }).map((seat) => ({
      ...seat,
      label: several && round.round ? `${roundName(round)} · ${seat.label}` : seat.label,
    })),
  );
  // where nothing is played, the first is what is spoken of, and another stands below
  const main = played ? shown : shown.slice(0, 1);
  const title = main.map(roundName).join(" · ");
  heading(
    title,
    facts(
      main,
      seats.filter((seat) => main.includes(seat.round)),
    ),
  );
  const before = main[0].state === "planned";
  const views = [
    ["boards", say("view.boards")],
    ["results", say(before ? "view.pairings" : "view.results")],
  ];
  refill($("views"), [path, view, views], () =>
    views.map(([key, word]) => {
      const here = view === key && "page";
      return el("a.button", { href: link(path, { view: key }), "data-go": true, "aria-current": here }, word);
    }),
  );
  $("views").hidden = false;
  if (view === "boards") {
    present("walled", wall.element);
    wall.update(seats.filter((seat) => seat.game !== undefined || seat.pairing.black));
    games.want([]);
  } else {
    const views = shown.map((round) => tables.get(round.round) ?? new RoundView({ link }));
    tables = new Map(shown.map((round, index) => [round.round, views[index]]));
    present("tables", ...views.map((one) => one.element));
    for (const [index, one] of views.entries()) {
      const own = seats.filter((seat) => seat.round === shown[index]);
      one.update(shown[index], own, several);
    }
    games.want([]);
  }
  return { title, rounds: shown };
}

/** What all these tables have in common; nothing where they differ: then it stands at each. */
function shared(name, seats) {
  const terms = termsOf(name, seats);
  return terms.length === 1 ? terms : [];
}

function facts(shown, seats) {
  const followed = seats.filter((seat) => seat.pairing.black);
  const over = followed.filter((seat) => seat.game?.over || seat.pairing.result).length;
  const [round] = shown;
  const late = [...shown.map((one) => one.publication?.delay), ...seats.map((seat) => seat.game?.delay)];
  const delays = new Set(late.filter((delay) => delay > 0));
  const begins = shown.length === 1 && round.state === "planned" && round.begins;
  return [
    say(`state.${shown.some((one) => one.state === "started") ? "started" : round.state}`),
    ...termsOf("rules", followed),
    ...shared("variant", followed).map(variantName),
    ...shared("clock", followed).map(timeControl),
    begins && say("begins", { time: moment(begins) }),
    begins &&
      Date.parse(begins) > games.now &&
      say("begins.in", { time: span(Math.max(60, 60 * Math.round((Date.parse(begins) - games.now) / 60000))) }),
    round.state !== "planned" && followed.length > 0 && say("over.count", { over, count: followed.length }),
    ...[...delays].map((delay) => say("delay", { time: span(delay) })),
  ].filter(Boolean);
}

function drawGame() {
  const shown = game(games.games.get(place.game), { key: "none.game", values: {} });
  games.want([place.game]);
  return shown;
}

function drawTable() {
  return game(gameAt(games, place.table), { key: "none.table", values: { table: place.table } });
}

function game(found, missing) {
  if (found === undefined) return nothing(missing.key, missing.values);
  const round = pairingOf(games, found.game)?.round ?? otherRound(games) ?? { round: null, pairings: [] };
  const seats = seatsOf(round, games.games).filter((seat) => seat.game !== undefined);
  const index = seats.findIndex((seat) => seat.game.game === found.game);
  const named = seats[index]?.game ?? found;
  const to = (seat) => seat && { label: seat.label, href: link(`/g/${encodeURIComponent(seat.game.game)}`) };
  heading(null);
  $("views").hidden = true;
  present("gamed", large.element);
  games.want([found.game]);
  large.update(named, round.round === null ? null : round, {
    before: to(seats[index - 1]),
    after: to(seats[index + 1]),
  });
  return { title: [gameTitle(named), tableName(found.table)].filter(Boolean).join(" · "), rounds: [round] };
}

function nothing(key, values = {}) {
  heading(say(key, values));
  $("views").hidden = true;
  const paired =
    place.kind === "table" &&
    roundsOf(games)
      .flatMap((round) => round.pairings.map((pairing) => ({ pairing, round })))
      .findLast(({ pairing }) => String(pairing.table) === place.table);
  present(
    "nothing",
    el(
      "div.nothing",
      {},
      el(
        "p",
        {},
        paired ? `${gameTitle({ players: paired.pairing })} · ${roundName(paired.round)}` : say(`${key}.more`),
      ),
      place.kind !== "now" && el("p", {}, el("a.button", { href: link("/"), "data-go": true }, say("nav.now"))),
    ),
  );
  games.want([]);
  return { title: say(key, values) };
}

function heading(title, said = []) {
  $("heading").hidden = title === null;
  if (title === null) return;
  setText($("title"), title);
  setText($("facts"), said.join(" · "));
}

/** These elements are the content; what is there already stays as it is. */
function present(mode, ...elements) {
  const content = $("content");
  document.body.dataset.mode = mode;
  const same = elements.length === content.children.length && elements.every((one, i) => one === content.children[i]);
  if (!same) content.replaceChildren(...elements);
}

function navigation(shown) {
  const other = otherRound(games);
  const entries = [
    [link("/"), say("nav.now"), place.kind === "now"],
    ...roundsOf(games).map((round) => [
      link(`/r/${encodeURIComponent(round.round)}`),
      roundName(round),
      place.kind !== "now" && shown.includes(round),
    ]),
    ...(other && games.rounds.size > 0
      ? [[link("/", { other: 1 }), other.name, place.kind !== "now" && shown.some((round) => round.round === null)]]
      : []),
  ];
  $("rounds").hidden = false;
  refill($("rounds"), entries, () =>
    entries.map(([href, text, here]) => el("a", { href, "data-go": true, "aria-current": here && "page" }, text)),
  );
}

// --- whether it is true now

let quiet = 0;

function status() {
  const cutOff = games.told && !games.connected;
  const trouble = quiet > 0 ? (games.told ? "status.quiet" : "status.unreached") : cutOff ? "status.cut_off" : null;
  const words = trouble ?? (games.told ? null : "status.loading");
  $("status").hidden = words === null;
  setText($("status-text"), words === null ? "" : say(words, { seconds: quiet }));
  // a screen reader is told once that data is missing and once that it is back, not every second
  if (trouble !== null) setText($("status-said"), say(quiet > 0 ? "status.quiet.said" : trouble));
  else if ($("status-said").textContent !== "") setText($("status-said"), say("status.again"));
  document.body.classList.toggle("quiet", trouble !== null);
}

games.addEventListener("change", soon);
games.addEventListener("quiet", ({ detail }) => {
  quiet = detail;
  status();
});
setInterval(() => {
  if (document.body.dataset.mode === "walled") wall.tick();
  else if (document.body.dataset.mode === "gamed") large.tick();
}, 250);
setInterval(() => place.kind !== undefined && games.told && soon(), 30_000);

// --- language and theme

async function speak(chosen) {
  keepLanguage(chosen);
  const url = new URL(location.href);
  if (url.searchParams.has("lang")) {
    url.searchParams.set("lang", chosen);
    history.replaceState(null, "", url);
  }
  await words("/words");
  nameTheme();
  draw();
}

const THEMES = ["auto", "light", "dark"];
const theme = () => document.documentElement.dataset.theme ?? "auto";

function chooseTheme(chosen) {
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  nameTheme();
  try {
    localStorage.setItem("damas-theme", chosen);
  } catch {
    // it holds for this page
  }
}

function nameTheme() {
  const words = say("choose.theme", { theme: say(`theme.${theme()}`) });
  $("theme").setAttribute("aria-label", words);
  $("theme").title = words;
}

await words("/words");
document.documentElement.classList.add("ready");
$("language").value = language;
$("language").addEventListener("change", (event) => speak(event.target.value));
$("theme").addEventListener("click", () => chooseTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]));
nameTheme();
games.start();
arrive();

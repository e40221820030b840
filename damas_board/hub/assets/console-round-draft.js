// A round while it is written down: what the form has, as the payload that is published, and what is to be said of it.

import { nameOf } from "/assets/console-round-standing.js";

export const PLAYER_KEYS = ["title", "club", "federation", "rating", "id", "public"];
const PAIRING_KEYS = ["regulation", "opening", "fen", "match", "result"];
const CLOCK = ["minutes", "increment", "clock"];
const OWN = ["board", ...CLOCK, "delay", "hold", "regulation", "opening", "fen", "match"];

const text = (value) => (value === null || value === undefined ? "" : String(value));
const minutes = (seconds) => (seconds === null || seconds === undefined ? "" : String(seconds / 60));
const seconds = (given) => (text(given).trim() === "" ? null : Math.round(Number(text(given).replace(",", ".")) * 60));

/** A time control as the fields of a form: minutes and seconds a move, or the text that says it otherwise. */
function clockDraft(clock) {
  const plain = /^(\d+)(?:\+(\d+))?$/.exec(text(clock));
  if (!plain) return { minutes: "", increment: "", clock: text(clock) };
  return { minutes: minutes(Number(plain[1])), increment: text(plain[2]), clock: "" };
}

function clockOf({ minutes: given, increment, clock }) {
  if (clock.trim()) return clock.trim();
  const each = seconds(given);
  if (each === null) return "";
  return Number(increment) > 0 ? `${each}+${increment}` : `${each}`;
}

const emptyPlayer = () => ({ name: "", minor: false, ...Object.fromEntries(PLAYER_KEYS.map((key) => [key, ""])) });

export const emptyPairing = (table = "", board = "") => ({
  ...{ table, board, white: emptyPlayer(), black: emptyPlayer(), delay: "", hold: "" },
  ...clockDraft(null),
  ...Object.fromEntries(PAIRING_KEYS.map((key) => [key, ""])),
});

function playerDraft(player) {
  if (!player) return emptyPlayer();
  const known = Object.fromEntries(PLAYER_KEYS.map((key) => [key, text(player[key])]));
  return { name: player.name, minor: Boolean(player.minor), ...known };
}

/** The form's values of a published round, or of one that was read. */
export function draftOf(round) {
  const { publication = {} } = round;
  return {
    id: text(round.round),
    name: text(round.name),
    regulation: text(round.regulation),
    ...clockDraft(round.clock),
    begins: text(round.begins),
    starts: round.starts ?? "command",
    recorded: round.recorded ?? null,
    lots: round.lots ?? null,
    delay: minutes(publication.delay),
    hold: Boolean(publication.hold),
    featured: (publication.featured ?? []).join(", "),
    consumers: Object.entries(publication.consumers ?? {}).map(([name, { delay }]) => ({
      name,
      delay: minutes(delay),
    })),
    pairings: (round.pairings ?? []).map((pairing) => pairingDraft(pairing, publication.boards ?? {})),
  };
}

function pairingDraft(pairing, boards) {
  const own = boards[pairing.table] ?? {};
  return {
    table: text(pairing.table),
    board: text(pairing.board),
    game: text(pairing.game),
    white: playerDraft(pairing.white),
    black: playerDraft(pairing.black),
    ...clockDraft(pairing.clock),
    delay: minutes(own.delay),
    hold: own.hold === undefined || own.hold === null ? "" : own.hold ? "yes" : "no",
    ...Object.fromEntries(PAIRING_KEYS.map((key) => [key, text(pairing[key])])),
  };
}

/** The tables of a round for the next one: nobody's result, and no game; `swap`: with the colours changed. */
export function copied(round, swap) {
  const { pairings } = draftOf(round);
  return pairings.map(({ game, result, ...pairing }) => ({
    ...pairing,
    result: "",
    ...(swap && pairing.black.name && { white: pairing.black, black: pairing.white }),
  }));
}

/** What a list says of the tables, and what it does not say as it was: of a table of that number, of a player so called. */
export function listed(read, before) {
  const tables = new Map(before.map((pairing) => [pairing.table.trim(), pairing]));
  const players = new Map(before.flatMap(({ white, black }) => [white, black]).map((one) => [one.name.trim(), one]));
  const boards = new Set(read.map(({ board }) => board).filter(Boolean));
  const said = (one) => ({ ...(one.name && players.get(one.name)), ...filled(one) });
  return read.map((pairing) => {
    const was = tables.get(pairing.table) ?? {};
    const timed = CLOCK.some((key) => pairing[key]);
    const own = OWN.filter((key) => (CLOCK.includes(key) ? !timed : !pairing[key]));
    const kept = Object.fromEntries(own.map((key) => [key, was[key] ?? ""]));
    if (boards.has(kept.board)) kept.board = ""; // the list gives it to another table
    const [white, black] = [pairing.white, pairing.black].map((one) => ({ ...emptyPlayer(), ...said(one) }));
    return { ...pairing, ...kept, white, black, game: was.game ?? "" };
  });
}

/** What is left of an object without its empty texts. */
const filled = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== "" && value !== false));

/** `new Date(...)` of a form's local time is in this place's time; what is published says the offset. */
export function beginsOf(given) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(given) ? `${new Date(given).toISOString().slice(0, 16)}:00Z` : given.trim();
}

/** A published time as a form's local time; as it is where it says no day. */
export function localTime(begins) {
  if (!begins.includes("T")) return begins;
  const at = new Date(begins);
  if (Number.isNaN(at.getTime())) return begins;
  const two = (number) => String(number).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The tables that somebody sits at: a form has empty ones. */
export const seated = (draft) => draft.pairings.filter(({ white, black }) => white.name.trim() || black.name.trim());

/** The payload; `has(game)` says whether a game is there already, so that its table may be called otherwise. */
export function payloadOf(draft, has) {
  const boards = {};
  const pairings = seated(draft).map((pairing) => {
    const own = { delay: seconds(pairing.delay), hold: pairing.hold === "" ? null : pairing.hold === "yes" };
    if (own.delay !== null || own.hold !== null)
      boards[pairing.table.trim()] = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
    const side = (player) => filled({ ...player, name: player.name.trim() });
    return filled({
      table: pairing.table.trim(),
      white: pairing.white.name.trim() ? side(pairing.white) : null,
      black: pairing.black.name.trim() ? side(pairing.black) : null,
      board: pairing.board,
      game: pairing.game && has(pairing.game) ? pairing.game : "",
      ...Object.fromEntries(PAIRING_KEYS.map((key) => [key, pairing[key].trim()])),
      clock: clockOf(pairing),
    });
  });
  const consumers = draft.consumers
    .filter(({ name }) => name.trim())
    .map(({ name, delay }) => [name.trim(), { delay: seconds(delay) ?? 0 }]);
  return {
    ...filled({ round: draft.id.trim(), name: draft.name.trim(), regulation: draft.regulation, clock: clockOf(draft) }),
    ...filled({ begins: draft.begins, starts: draft.starts, recorded: draft.recorded ?? "" }),
    ...(draft.recorded === false && { recorded: false }),
    ...(draft.lots && { lots: draft.lots }),
    pairings,
    publication: {
      hold: draft.hold,
      delay: seconds(draft.delay),
      featured: draft.featured
        .split(/[,;]/)
        .map((one) => one.trim())
        .filter(Boolean),
      consumers: Object.fromEntries(consumers),
      boards,
    },
  };
}

/** Whether a board carries the games of a regulation; null where that is not known. */
export function fits(board, regulation, regulations) {
  const [wanted, had] = [regulations[regulation], regulations[board?.info?.regulation]];
  if (!wanted || !had) return null;
  if (board.info.sensors === false || board.link?.link === "none") return true;
  return wanted.size === had.size && (wanted.corner === had.corner || board.info.covers === "all");
}

/**
 * What is to be said of a checked round before it is published: `[{weight, key, values}]`, the gravest first. `now` is
 * the round as it is published, null where it is not.
 */
export function remarksOn(round, hall, regulations, now) {
  const found = [];
  const warn = (key, values) => found.push({ weight: "warn", key, values });
  const note = (key, values) => found.push({ weight: "note", key, values });
  const games = round.pairings.filter(({ black }) => black);
  const where = (remark, key, holds, of = games) => {
    const tables = of.filter(holds).map(({ table }) => table);
    if (tables.length) remark(key, { tables: tables.join(", ") });
  };
  if (!round.pairings.length) warn("empty", {});
  if (!round.regulation) where(warn, "no_regulation", ({ regulation }) => !regulation);
  const named = [round.regulation, ...round.pairings.map(({ regulation }) => regulation)].filter(Boolean);
  for (const regulation of new Set(named)) if (!regulations[regulation]) warn("regulation", { regulation });
  for (const pairing of games.filter(({ board }) => board)) remarkOnBoard(warn, pairing, round, hall, regulations);
  const before = new Map((now?.pairings ?? []).map((pairing) => [pairing.table, pairing]));
  const lost = (key) => (one) => before.get(one.table)?.[key] && !one[key];
  if (round.regulation) where(warn, "no_own_regulation", lost("regulation"));
  where(warn, "no_own_clock", lost("clock"));
  where(warn, "result_stays", ({ table, game, result }) => {
    const was = before.get(table);
    return result && was?.game === game && was.result !== result;
  });
  const there = new Set(round.pairings.map(({ table }) => table));
  where(warn, "gone", ({ table }) => !there.has(table), [...before.values()]);
  if (!round.clock) where(note, "no_clock", ({ clock }) => !clock);
  where(note, "no_board", ({ board, result }) => !board && !result);
  where(note, "held", ({ table }) => round.publication?.boards?.[table]?.hold);
  for (const { white, black } of round.pairings) if (!black) note("bye", { name: nameOf(white) });
  const players = round.pairings.flatMap(({ white, black }) => [white, black]).filter(Boolean);
  const unnamed = players.filter(({ minor, public: name }) => minor && !name).map(({ name }) => name);
  if (unnamed.length) note("minors", { names: unnamed.join(", ") });
  return found;
}

function remarkOnBoard(warn, pairing, round, hall, regulations) {
  const { table, board: id } = pairing;
  const board = hall.boards.get(id);
  const regulation = pairing.regulation ?? round.regulation;
  const there = hall.games.get(board?.game);
  if (!board) warn("unknown", { table, board: id });
  else if (board.link?.link !== "none" && !hall.up(board)) warn("away", { table, board: id });
  if (board && regulation && fits(board, regulation, regulations) === false)
    warn("unfit", { table, board: id, regulation: regulations[regulation]?.title ?? regulation });
  if (there && there.game !== pairing.game && there.count > 0 && !there.over) warn("busy", { table, board: id });
}

/** What of a published round is written down in the form, to see whether another one has changed it. */
export function writtenOf(round) {
  if (!round) return null;
  const { ts, state, by, regulation_title, variant, pairings = [], ...rest } = round;
  const tables = pairings.map(({ result, over, regulation_title: _title, variant: _variant, ...one }) => one);
  return JSON.stringify([rest, tables]);
}

/** A free round's number behind those there are. */
export function nextId(rounds) {
  const numbers = rounds.map(({ round }) => Number(round)).filter(Number.isInteger);
  return String(Math.max(0, ...numbers) + 1);
}

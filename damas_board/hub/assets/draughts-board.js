// <draughts-board>: a draughts board in a page, for any variant; it shows what it is told and knows no rules.
//
// One file without imports and without a build step: `<script type="module" src="draughts-board.js"></script>` is all
// that a page needs. Everything is told by attributes (or properties of the same name, `lastMove` for `last-move`; a
// property also takes an array of squares, and `put` an object):
//
//   size         8 (default), 10, 12
//   corner       left (default), right: the playable one of White's two near corners; all: every square is played on
//   numbering    algebraic (default); top-left: numbers by rows from the top-left playable square as White sees it;
//                bottom-right: numbers from White's bottom-right corner, right to left, upwards
//   position     PDN FEN, squares as the variant writes them: "W:Wc3,Kd4:Bf6" (a king with K, ranges like W31-50)
//   orientation  white (default), black: who sits at the bottom
//   coordinates  edge (default), squares, none
//   last-move    "c3 d4": from and to
//   path         "c3 e5 g7": arrows along a capture
//   captured     "d4 f6": where pieces were taken
//   alerts       "c3 d4": squares that somebody should look at
//   see          what sensors say, "b.b.b.b./.b.b.b.b/...": rows from Black's side, each from White's left; `.` empty,
//                `o` a piece, `w` `b` a piece of that colour, `W` `B` a king, `?` not readable. Where it disagrees with
//                the position, a ghost is drawn
//   senses       kind: `w` and `b` in `see` are men, and a king in the position is not one of them
//   put, clear   "c3:w d4:B" and "e5": what to put (marks of `see`) and what to take away
//   source       "c3": the square chosen; targets "d4 b4": squares that may be chosen next
//   interactive  squares can be chosen: event `square` with detail {square}, by click, Enter or Space
//   picture      shown as one picture with a label, without squares to walk through (for a wall of boards)
//   announce     changes are told to a screen reader, politely
//   label        what the board is called; lang: en, pt, pt-BR (else that of the page)
//
// Looks: --board-dark, --board-light, --board-white, --board-black, --board-frame, --board-frame-text, --board-accent
// (last move, choice), --board-alert, --board-guide (put and clear), --board-slide (how long a piece slides; 0s: not).
//
// How it works: the SVG is drawn once for a geometry; after that only the pieces and marks that change are touched,
// once for all attributes set in one go. A piece that moves keeps its element, so that it slides. Above the drawing
// lies a grid of empty cells that carry names, focus and clicks; the drawing itself is hidden from screen readers.

const UNIT = 100; // of the drawing, a square's side
const LETTERS = "abcdefghijkl";
const SVG = "http://www.w3.org/2000/svg";

const WORDS = {
  en: {
    board: "draughts board",
    w: "white man",
    W: "white king",
    b: "black man",
    B: "black king",
    o: "a piece",
    empty: "empty",
    light: "light square",
    from: "moved from here",
    to: "moved to here",
    captured: "piece taken here",
    alert: "alert",
    source: "chosen",
    target: "can be chosen",
    put: "put here: {piece}",
    clear: "take the piece away",
    missing: "the sensors see no piece",
    seen: "the sensors see {piece}",
    unreadable: "the sensors cannot read it",
    moved: "{piece} from {from} to {to}",
    takes: "takes {squares}",
    changed: "the position has changed",
    alerts: "alert on {squares}",
    puts: "put {piece} on {square}",
    clears: "take away {squares}",
  },
  pt: {
    board: "tabuleiro de damas",
    w: "peão branco",
    W: "dama branca",
    b: "peão preto",
    B: "dama preta",
    o: "uma peça",
    empty: "vazia",
    light: "casa clara",
    from: "saiu daqui",
    to: "chegou aqui",
    captured: "peça tomada aqui",
    alert: "alerta",
    source: "escolhida",
    target: "pode ser escolhida",
    put: "pôr aqui: {piece}",
    clear: "retirar a peça",
    missing: "os sensores não veem peça",
    seen: "os sensores veem {piece}",
    unreadable: "os sensores não a conseguem ler",
    moved: "{piece} de {from} para {to}",
    takes: "toma {squares}",
    changed: "a posição mudou",
    alerts: "alerta em {squares}",
    puts: "pôr {piece} em {square}",
    clears: "retirar {squares}",
  },
};
WORDS["pt-BR"] = { ...WORDS.pt, w: "pedra branca", b: "pedra preta", unreadable: "os sensores não conseguem lê-la" };

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);

/** Where squares lie and what they are called: a square is row * size + column, from White's left-hand corner. */
class Geometry {
  constructor(size, corner, numbering) {
    this.size = size;
    const all = [...Array(size * size).keys()];
    const parity = corner === "left" ? 0 : 1;
    const row = (square) => Math.floor(square / size);
    this.playable = all.map((s) => corner === "all" || (row(s) + (s % size)) % 2 === parity);
    this.algebraic = all.map((s) => `${LETTERS[s % size]}${row(s) + 1}`);
    const fromTop = (a, b) => row(b) - row(a) || (a % size) - (b % size);
    const fromRight = (a, b) => row(a) - row(b) || (b % size) - (a % size);
    this.numbered = all.filter((s) => this.playable[s]).sort(numbering === "bottom-right" ? fromRight : fromTop);
    this.names = [...this.algebraic];
    this.squares = new Map(this.algebraic.map((name, square) => [name, square]));
    for (const [index, square] of this.numbered.entries()) {
      const number = String(index + 1);
      if (numbering !== "algebraic") this.names[square] = number;
      this.squares.set(number, square);
    }
  }

  /** The square of a name, light squares by letter and digit; undefined where there is none. */
  square(name) {
    return this.squares.get(name.trim().toLowerCase().replace(/^0+/, ""));
  }
}

const geometries = new Map();

function geometryOf(size, corner, numbering) {
  const key = `${size} ${corner} ${numbering}`;
  if (!geometries.has(key)) geometries.set(key, new Geometry(size, corner, numbering));
  return geometries.get(key);
}

/** The pieces of a FEN: a map from square to one of w W b B. What names no square of this board is left out. */
function piecesOf(fen, geometry) {
  const pieces = new Map();
  for (const block of fen.trim().replace(/\.$/, "").split(":").slice(1)) {
    const side = block.trim()[0]?.toLowerCase();
    if (side !== "w" && side !== "b") continue;
    for (const item of block.trim().slice(1).split(",")) {
      const [, king, name, last] = item.trim().match(/^(K?)([a-l]?\d{1,3})(?:-(\d{1,3}))?$/i) ?? [];
      if (name === undefined) continue;
      const names = last === undefined ? [name] : [];
      for (let number = Number(name); number <= Number(last); number++) names.push(String(number));
      for (const one of names) {
        const square = geometry.square(one);
        if (square !== undefined) pieces.set(square, king ? side.toUpperCase() : side);
      }
    }
  }
  return pieces;
}

function drawn(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const disc = (kind, radius, lift = 0) => drawn("circle", { class: kind, r: radius, cy: -lift });
const shape = (kind, d) => drawn("path", { class: kind, d });

const CROWN = "M-21 7 L-23 -17 L-10 -7 L0 -24 L10 -7 L23 -17 L21 7 Z M-20 11 H20 V16 H-20 Z";

// White's rings are whole, Black's are milled; a king is two discs high and wears a crown.
function pieceDrawing(mark) {
  const side = { w: "white", b: "black", o: "either" }[mark.toLowerCase()];
  const king = mark === "W" || mark === "B";
  const crowned = () => [disc("body", 38, -7), disc("body", 38, 5), disc("ring", 32, 5), shape("crown", CROWN)];
  const plain = () => [disc("body", 38), disc("ring", 30), ...(mark === "o" ? [] : [disc("ring inner", 16)])];
  const parts = king ? crowned() : plain();
  return drawn("g", { class: `piece ${side} ${king ? "king" : "man"}` }, ...parts);
}

const BRACKETS = "M-46 -28 V-46 H-28 M28 -46 H46 V-28 M46 28 V46 H28 M-28 46 H-46 V28";
const CROSS = "M-20 -20 L20 20 M-20 20 L20 -20";
const TRIANGLE = "M28 -46 L47 -13 H9 Z";
const SLASH = "M-30 30 L30 -30";
const HATCH = "M-50 0 L0 -50 M-50 50 L50 -50 M0 50 L50 0";
const FIELD = "M-50 -50 H50 V50 H-50 Z";

const badge = (d) => [drawn("g", { transform: "translate(30 30)" }, disc("badge", 17), shape("stroke", d))];

// Each mark has a shape of its own; a dark line under a light one is seen on every square and piece.
const MARKS = {
  from: () => [shape("tint", FIELD), shape("casing", BRACKETS), shape("accent", BRACKETS)],
  to: () => [shape("tint", FIELD), shape("casing", BRACKETS), shape("accent", BRACKETS)],
  captured: () => [shape("casing thick", CROSS), shape("cross", CROSS)],
  alert: () => [
    shape("casing", "M-45 -45 H45 V45 H-45 Z"),
    shape("alarm", "M-45 -45 H45 V45 H-45 Z"),
    shape("sign", TRIANGLE),
    shape("point", "M28 -36 V-25 M28 -20 V-17"),
  ],
  source: () => [shape("casing thick", "M-42 -42 H42 V42 H-42 Z"), shape("chosen", "M-42 -42 H42 V42 H-42 Z")],
  target: () => [disc("casing", 17), disc("aim", 17), disc("dot", 6)],
  put: () => [disc("casing", 44), disc("guide dashed", 44), ...badge("M-9 0 H9 M0 -9 V9")],
  clear: () => [disc("casing", 44), disc("guide", 44), ...badge("M-9 0 H9")],
  missing: () => [disc("casing", 42), disc("absent", 42), shape("casing", SLASH), shape("absent", SLASH)],
  unreadable: () => [shape("hatch", HATCH), drawn("text", { class: "query", y: 20 }, "?")],
};
const PUT = new Set("wWbBo");
const UNDER = new Set(["from", "to"]); // these lie below the pieces
const GHOSTS = { put: "ghost wanted", seen: "ghost", otherwise: "ghost small" };

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
:host {
  --_dark: var(--board-dark, #8f7158);
  --_light: var(--board-light, #ecdfc8);
  --_white: var(--board-white, #fffaf0);
  --_black: var(--board-black, #26221f);
  --_frame: var(--board-frame, #46372c);
  --_frame-text: var(--board-frame-text, #f4e9d8);
  --_accent: var(--board-accent, #ffd23f);
  --_alert: var(--board-alert, #e5340b);
  --_guide: var(--board-guide, #45b6ff);
  --_casing: var(--board-casing, #14110f);
  display: block;
  position: relative;
  aspect-ratio: 1; /* who sets both sides sets them equal */
  contain: layout style;
  -webkit-tap-highlight-color: transparent;
}
:host([hidden]) { display: none; }
@supports (color: light-dark(red, red)) {
  :host {
    --_dark: var(--board-dark, light-dark(#8f7158, #7d634d));
    --_light: var(--board-light, light-dark(#ecdfc8, #cfc0a6));
    --_white: var(--board-white, light-dark(#fffaf0, #f5eddf));
    --_frame: var(--board-frame, light-dark(#46372c, #332820));
  }
}
svg { display: block; width: 100%; height: 100%; border-radius: 3px; user-select: none; -webkit-user-select: none; }
text { font-family: system-ui, sans-serif; text-anchor: middle; }
.frame { fill: var(--_frame); }
.ground { fill: var(--_light); }
.played { fill: var(--_dark); }
.grooves { fill: none; stroke: var(--_frame); stroke-width: 2; }
.edge { fill: var(--_frame-text); font-weight: 500; }
.name, .query { fill: #fff; stroke: var(--_casing); paint-order: stroke; font-weight: 600; }
.name { stroke-width: 3; font-size: 19px; text-anchor: start; }
.piece { transition: transform var(--board-slide, 180ms) ease-out; }
.body { stroke-width: 4; }
.ring { fill: none; stroke-width: 3; }
.white .body { fill: var(--_white); stroke: var(--_black); }
.white .ring { stroke: var(--_black); opacity: 0.55; }
.white .crown { fill: var(--_black); }
.black .body { fill: var(--_black); stroke: var(--_white); }
.black .ring { stroke: var(--_white); stroke-dasharray: 5 5; stroke-width: 5; opacity: 0.75; }
.black .inner { stroke-width: 3; stroke-dasharray: 3 3; }
.black .crown { fill: var(--_white); }
.either .body { fill: #8d8d8d; stroke: var(--_white); }
.either .ring { stroke: var(--_white); }
.ghost .body { stroke-dasharray: 10 7; fill-opacity: 0.55; stroke-width: 5; }
.ghost .ring { opacity: 0.4; }
.wanted .body { fill-opacity: 0.85; }
.small .piece { transform: translate(24px, 24px) scale(0.58); }
.small .body { fill-opacity: 1; }
.away { opacity: 0.35; }
.marks * { fill: none; stroke-linejoin: round; stroke-linecap: butt; }
.marks .casing { stroke: var(--_casing); stroke-width: 12; }
.marks .casing.thick { stroke-width: 18; }
.tint { fill: var(--_accent); fill-opacity: 0.38; stroke: none; }
.marks .accent { stroke: var(--_accent); stroke-width: 6; }
.marks .chosen { stroke: var(--_accent); stroke-width: 10; }
.marks .aim { stroke: var(--_accent); stroke-width: 7; }
.marks .dot { fill: var(--_accent); stroke: var(--_casing); stroke-width: 2; }
.marks .cross { stroke: var(--_white); stroke-width: 9; }
.marks .alarm { stroke: var(--_alert); stroke-width: 9; }
.marks .sign { fill: var(--_alert); stroke: var(--_white); stroke-width: 4; }
.marks .point { stroke: #fff; stroke-width: 5; }
.marks .guide { stroke: var(--_guide); stroke-width: 7; }
.marks .dashed { stroke-dasharray: 14 9; }
.marks .badge { fill: var(--_guide); stroke: var(--_casing); stroke-width: 3; }
.marks .stroke { stroke: var(--_casing); stroke-width: 6; }
.marks .absent { stroke: var(--_white); stroke-width: 5; stroke-dasharray: 9 7; }
.marks .hatch { stroke: var(--_casing); stroke-width: 6; opacity: 0.6; }
.marks .query { fill: #fff; stroke-width: 9; font-size: 60px; }
.route * { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.route .casing { stroke: var(--_casing); stroke-width: 15; }
.route .line { stroke: var(--_accent); stroke-width: 8; }
.route .head { fill: var(--_accent); stroke: var(--_casing); stroke-width: 4; }
.cells { position: absolute; display: grid; }
.row { display: grid; min-height: 0; }
.cell { min-width: 0; outline: none; }
:host([interactive]) .cell[data-playable] { cursor: pointer; touch-action: manipulation; }
@media (hover: hover) {
  :host([interactive]) .cell[data-playable]:hover { outline: 2px solid var(--_accent); outline-offset: -2px; }
}
.cell:focus-visible {
  box-shadow: inset 0 0 0 3px #fff, inset 0 0 0 5px #0b57d0, 0 0 0 3px #0b57d0;
  border-radius: 2px;
  z-index: 1;
}
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .piece { transition: none; } }
@media (forced-colors: active) { .cell:focus-visible { outline: 3px solid Highlight; outline-offset: -3px; } }
`);

const TEXTS = [
  "size",
  "corner",
  "numbering",
  "position",
  "orientation",
  "coordinates",
  "last-move",
  "path",
  "captured",
  "alerts",
  "see",
  "senses",
  "put",
  "clear",
  "source",
  "targets",
  "label",
];
const FLAGS = ["interactive", "picture", "announce"];
const STRUCTURE = new Set(["size", "corner", "numbering", "orientation", "coordinates", "picture"]);

const propertyOf = (attribute) => attribute.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const PROPERTIES = [...TEXTS.map(propertyOf), ...FLAGS];

/** What a property is given, as its attribute's text. */
function written(value) {
  if (Array.isArray(value)) return value.join(" ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([square, mark]) => `${square}:${mark}`)
    .join(" ");
}

const listed = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

export class DraughtsBoard extends HTMLElement {
  static observedAttributes = [...TEXTS, ...FLAGS, "lang"];

  #root = this.attachShadow({ mode: "open" });
  #due = false; // a redrawing is on its way
  #anew = true; // and it draws everything
  #geometry = geometryOf(8, "left", "algebraic");
  #pieces = new Map(); // square -> {mark, element}
  #layers = {}; // the drawing's groups by name
  #marks = new Map(); // "kind square" -> element
  #cells = new Map(); // square -> {element, name}
  #rows = []; // of the grid, from the top as shown
  #focus = null; // the square that Tab comes to
  #column = null; // where the arrow keys go up and down
  #route = "";
  #said = null; // the live region
  #told = null; // what was told last, to tell only what is new

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [STYLE];
  }

  connectedCallback() {
    this.#adopt();
    this.#draw();
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (STRUCTURE.has(name)) this.#anew = true;
    if (!this.isConnected || this.#due) return;
    this.#due = true;
    queueMicrotask(() => this.#draw());
  }

  /** What was set on the element before this file had been loaded. */
  #adopt() {
    for (const property of PROPERTIES) {
      if (!Object.hasOwn(this, property)) continue;
      const value = this[property];
      delete this[property];
      this[property] = value;
    }
  }

  /** The names of all squares by row * size + column, from White's left-hand corner. */
  get names() {
    return [...this.#shape().names];
  }

  /** Gives the keyboard to a square, or to the one that Tab comes to. */
  focus(options) {
    this.#cells.get(this.#focus)?.element.focus(options);
  }

  focusSquare(name) {
    const square = this.#geometry.square(name);
    if (this.#cells.has(square)) this.#moveTo(square);
  }

  #shape() {
    const size = [8, 10, 12].find((one) => String(one) === this.getAttribute("size")) ?? 8;
    const corner = ["right", "all"].find((one) => one === this.getAttribute("corner")) ?? "left";
    const numbering = ["top-left", "bottom-right"].find((one) => one === this.getAttribute("numbering")) ?? "algebraic";
    return geometryOf(size, corner, numbering);
  }

  #text(name) {
    return this.getAttribute(name) ?? "";
  }

  #squares(name) {
    return listed(this.getAttribute(name))
      .map((one) => this.#geometry.square(one))
      .filter((square) => square !== undefined);
  }

  #words() {
    const asked = this.lang || this.closest("[lang]")?.lang || document.documentElement.lang || "en";
    return WORDS[asked] ?? WORDS[asked.slice(0, 2).toLowerCase()] ?? WORDS.en;
  }

  #place(square) {
    const { size } = this.#geometry;
    const [row, column] = [Math.floor(square / size), square % size];
    const turned = this.getAttribute("orientation") === "black";
    return [turned ? size - 1 - column : column, turned ? row : size - 1 - row];
  }

  #centre(square) {
    return this.#place(square).map((one) => (one + 0.5) * UNIT);
  }

  #draw() {
    this.#due = false;
    if (!this.isConnected) return;
    if (this.#anew) this.#build();
    this.#anew = false;
    const position = piecesOf(this.#text("position"), this.#geometry);
    const marks = this.#wanted(position);
    this.#drawPieces(position, marks);
    this.#drawMarks(marks);
    this.#drawRoute();
    if (this.hasAttribute("picture")) this.#layers.svg.setAttribute("aria-label", this.#pictured(position));
    else this.#nameCells(position, marks);
    this.#tell(position);
  }

  // What belongs to the geometry: drawn once.

  #build() {
    const geometry = this.#shape();
    this.#geometry = geometry;
    const { size } = geometry;
    const side = size * UNIT;
    const coordinates = this.#text("coordinates") || "edge";
    const lettered = geometry.names.every((name, square) => name === geometry.algebraic[square]);
    const edge = 0.06 * side;
    const [near, far] = { edge: [edge, lettered ? 14 : edge] }[coordinates] ?? [10, 10]; // left and bottom, the rest
    const whole = near + side + far;
    const layer = (name, also = "") => (this.#layers[name] = drawn("g", { class: `${name}${also}` }));
    const played = geometry.names.map((_, square) => square).filter((square) => geometry.playable[square]);
    const path = played.map((square) => this.#place(square)).map(([x, y]) => `M${x * UNIT} ${y * UNIT}h100v100h-100z`);
    const svg = drawn(
      "svg",
      { viewBox: `${-near} ${-far} ${whole} ${whole}` },
      drawn("rect", { class: "frame", x: -near, y: -far, width: whole, height: whole }),
      drawn("rect", { class: "ground", width: side, height: side }),
      shape("played", path.join("")),
    );
    if (played.length === size * size) {
      const lines = [...Array(size - 1).keys()].map((n) => (n + 1) * UNIT);
      svg.append(shape("grooves", lines.map((at) => `M${at} 0V${side}M0 ${at}H${side}`).join("")));
    }
    const names = drawn("g", {});
    if (coordinates === "edge") names.append(...this.#edge(near / 2, lettered));
    if (coordinates === "squares") names.append(...this.#inSquares());
    svg.append(layer("under", " marks"), names, layer("pieces"), layer("route"), layer("over", " marks"));
    this.#layers.svg = svg;
    const picture = this.hasAttribute("picture");
    svg.setAttribute(...(picture ? ["role", "img"] : ["aria-hidden", "true"]));
    this.#pieces.clear();
    this.#marks.clear();
    this.#cells.clear();
    this.#route = "";
    const focused = this.#root.activeElement !== null;
    const parts = [svg];
    if (!picture)
      parts.push(
        this.#buildCells(
          played,
          [far, far, near, near].map((one) => `${(100 * one) / whole}%`),
        ),
      );
    this.#said ??= Object.assign(document.createElement("div"), { className: "said" });
    this.#root.replaceChildren(...parts, this.#said);
    if (focused) this.focus();
  }

  /** Letters and digits at two edges; numbers at all four, beside the squares they are of. */
  #edge(out, lettered) {
    const { size, names, algebraic, playable } = this.#geometry;
    const texts = [];
    const high = 1.12 * out;
    const put = (x, y, text) =>
      texts.push(drawn("text", { class: "edge", x, y: y + 0.36 * high, "font-size": high }, text));
    names.forEach((name, square) => {
      const [column, row] = this.#place(square);
      const [x, y] = this.#centre(square);
      if (!lettered && !playable[square]) return;
      if (row === size - 1) put(x, size * UNIT + out, lettered ? algebraic[square][0] : name);
      if (column === 0) put(-out, y, lettered ? algebraic[square].slice(1) : name);
      if (lettered) return;
      if (row === 0) put(x, -out, name);
      if (column === size - 1) put(size * UNIT + out, y, name);
    });
    return texts;
  }

  #inSquares() {
    const { names, playable } = this.#geometry;
    return names.flatMap((name, square) => {
      const [column, row] = this.#place(square);
      return playable[square] ? [drawn("text", { class: "name", x: column * UNIT + 4, y: row * UNIT + 18 }, name)] : [];
    });
  }

  #buildCells(played, inset) {
    const { size } = this.#geometry;
    const grid = document.createElement("div");
    grid.className = "cells";
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-colcount", size);
    grid.setAttribute("aria-readonly", "true");
    grid.style.inset = inset.join(" ");
    grid.style.gridTemplateRows = `repeat(${size}, 1fr)`;
    this.#rows = [...Array(size)].map(() => {
      const row = document.createElement("div");
      row.className = "row";
      row.setAttribute("role", "row");
      row.style.gridTemplateColumns = `repeat(${size}, 1fr)`;
      return row;
    });
    played.sort((a, b) => this.#place(a)[0] - this.#place(b)[0]);
    for (const square of played) this.#addCell(square);
    grid.append(...this.#rows);
    grid.addEventListener("click", (event) => {
      this.#column = null;
      this.#choose(this.#squareOf(event.target));
    });
    grid.addEventListener("keydown", (event) => this.#press(event));
    grid.addEventListener("focusin", (event) => this.#rove(this.#squareOf(event.target)));
    this.#layers.grid = grid;
    if (!this.#cells.has(this.#focus)) this.#focus = null;
    this.#rove(this.#focus ?? played.reduce((best, one) => (this.#order(one) < this.#order(best) ? one : best)));
    return grid;
  }

  #order(square) {
    const [column, row] = this.#place(square);
    return row * this.#geometry.size + column;
  }

  #addCell(square) {
    const [column, row] = this.#place(square);
    const element = document.createElement("div");
    element.className = "cell";
    element.setAttribute("role", "gridcell");
    element.setAttribute("aria-colindex", column + 1);
    element.tabIndex = -1;
    element.style.gridColumn = column + 1;
    element.style.gridRow = 1;
    element.dataset.square = square;
    element.dataset.name = this.#geometry.names[square];
    if (this.#geometry.playable[square]) element.dataset.playable = "";
    const behind = [...this.#rows[row].children].find((other) => this.#place(Number(other.dataset.square))[0] > column);
    this.#rows[row].insertBefore(element, behind ?? null);
    this.#cells.set(square, { element, name: null });
  }

  // What changes.

  /** The marks there are to be, as "kind square" with what is drawn there. */
  #wanted(position) {
    const marks = new Map();
    const add = (kind, square, mark = "") => marks.set(`${kind} ${square}`, { kind, square, mark });
    const moved = this.#squares("last-move");
    if (moved.length > 1) {
      add("from", moved[0]);
      add("to", moved.at(-1));
    }
    for (const square of this.#squares("captured")) add("captured", square);
    for (const square of this.#squares("source")) add("source", square);
    for (const square of this.#squares("targets")) add("target", square);
    for (const square of this.#squares("clear")) add("clear", square);
    for (const item of listed(this.getAttribute("put"))) {
      const [name, mark = "o"] = item.split(":");
      const square = this.#geometry.square(name);
      if (square !== undefined && PUT.has(mark)) add("put", square, mark);
    }
    this.#compare(position, add);
    for (const square of this.#squares("alerts")) add("alert", square);
    return marks;
  }

  /** Where what is seen is not what the position says. */
  #compare(position, add) {
    const { size } = this.#geometry;
    const rows = this.#text("see").trim().split("/");
    if (rows.length !== size) return;
    const kinds = this.getAttribute("senses") === "kind";
    for (const [index, marks] of rows.entries())
      for (const [column, seen] of [...marks].slice(0, size).entries()) {
        const square = (size - 1 - index) * size + column;
        const piece = position.get(square);
        if (seen === "?") add("unreadable", square);
        else if (seen === ".") piece && add("missing", square);
        else if (!"owWbB".includes(seen)) continue;
        else if (piece === undefined) add("seen", square, seen);
        else if (seen === "o" || seen === piece) continue;
        else if (kinds || seen.toLowerCase() !== piece.toLowerCase() || seen < "a") add("otherwise", square, seen);
      }
  }

  #drawPieces(position, marks) {
    const gone = new Set([...this.#pieces.keys()].filter((square) => !position.has(square)));
    const moved = this.#squares("last-move");
    const ends = [moved[0], moved.at(-1)];
    for (const [square, mark] of position) {
      const there = this.#pieces.get(square);
      if (there?.mark === mark) continue;
      there?.element.remove();
      const origin = this.#origin(square, mark, gone, ends);
      const coming = this.#pieces.get(origin);
      this.#pieces.delete(origin);
      gone.delete(origin);
      const element = coming?.element ?? pieceDrawing(mark);
      if (coming !== undefined && coming.mark !== mark) {
        const crowned = pieceDrawing(mark);
        element.setAttribute("class", crowned.getAttribute("class"));
        element.replaceChildren(...crowned.children);
      }
      this.#layers.pieces.append(element); // above what it passes
      const [x, y] = this.#centre(square);
      element.style.transform = `translate(${x}px, ${y}px)`;
      this.#pieces.set(square, { mark, element });
    }
    for (const square of gone) {
      this.#pieces.get(square).element.remove();
      this.#pieces.delete(square);
    }
    for (const [square, { element }] of this.#pieces)
      element.classList.toggle("away", marks.has(`missing ${square}`) || marks.has(`clear ${square}`));
  }

  /** From which square a piece that is new on `square` came, where that can be told. */
  #origin(square, mark, gone, [from, to]) {
    const same = (one) => this.#pieces.get(one).mark.toLowerCase() === mark.toLowerCase();
    const candidates = [...gone].filter(same);
    if (square === to && candidates.includes(from)) return from;
    if (square === from && candidates.includes(to)) return to;
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  #drawMarks(wanted) {
    for (const [key, { element, mark }] of this.#marks)
      if (wanted.get(key)?.mark !== mark) {
        element.remove();
        this.#marks.delete(key);
      }
    for (const [key, { kind, square, mark }] of wanted) {
      if (this.#marks.has(key)) continue;
      const [x, y] = this.#centre(square);
      const parts = MARKS[kind]?.() ?? [];
      const element = drawn("g", { transform: `translate(${x} ${y})`, class: kind }, ...parts);
      if (kind in GHOSTS) element.prepend(drawn("g", { class: GHOSTS[kind] }, pieceDrawing(mark)));
      this.#layers[UNDER.has(kind) ? "under" : "over"].append(element);
      this.#marks.set(key, { element, mark });
    }
  }

  #drawRoute() {
    const route = this.#text("path");
    if (route === this.#route) return;
    this.#route = route;
    const stations = this.#squares("path").map((square) => this.#centre(square));
    this.#layers.route.replaceChildren(...(stations.length > 1 ? arrows(stations) : []));
  }

  // What a screen reader is told.

  #pictured(position) {
    const words = this.#words();
    return [this.#text("label") || words.board, ...this.#moved(position, words)].join(": ");
  }

  /** The last move in words; empty where there is none. */
  #moved(position, words) {
    const moved = this.#squares("last-move");
    if (moved.length < 2) return [];
    const [from, to] = [moved[0], moved.at(-1)];
    const { names } = this.#geometry;
    return [filled(words.moved, { piece: words[position.get(to)] ?? words.o, from: names[from], to: names[to] })];
  }

  #nameCells(position, marks) {
    const words = this.#words();
    this.#layers.grid.setAttribute("aria-label", this.#text("label") || words.board);
    const told = new Map();
    const say = (square, text) => told.set(square, [...(told.get(square) ?? []), text]);
    for (const { kind, square, mark } of marks.values()) {
      const key = { seen: "seen", otherwise: "seen" }[kind] ?? kind;
      say(square, filled(words[key], { piece: words[mark] }));
    }
    for (const square of told.keys()) if (!this.#cells.has(square)) this.#addCell(square);
    for (const [square, cell] of this.#cells) {
      if (!this.#geometry.playable[square] && !told.has(square)) {
        this.#removeCell(square, cell);
        continue;
      }
      const piece = words[position.get(square)] ?? (this.#geometry.playable[square] ? words.empty : words.light);
      const name = [this.#geometry.names[square], piece, ...(told.get(square) ?? [])].join(", ");
      if (name === cell.name) continue;
      cell.name = name;
      cell.element.setAttribute("aria-label", name);
      if (marks.has(`source ${square}`)) cell.element.setAttribute("aria-selected", "true");
      else cell.element.removeAttribute("aria-selected");
    }
  }

  #removeCell(square, { element }) {
    element.remove();
    this.#cells.delete(square);
    if (this.#focus === square) this.#rove(this.#cells.keys().next().value);
  }

  #tell(position) {
    const told = {};
    for (const name of ["position", "last-move", "captured", "alerts", "put", "clear"]) told[name] = this.#text(name);
    const before = this.#told;
    this.#told = told;
    if (!this.hasAttribute("announce")) {
      if (this.#said.hasAttribute("aria-live")) this.#said.removeAttribute("aria-live");
      return;
    }
    this.#said.setAttribute("aria-live", "polite");
    if (before === null) return;
    const words = this.#words();
    const isNew = (name) => told[name] !== before[name] && told[name] !== "";
    const named = (name) =>
      this.#squares(name)
        .map((square) => this.#geometry.names[square])
        .join(", ");
    const lines = [];
    if (isNew("last-move")) {
      lines.push(...this.#moved(position, words));
      if (told.captured !== "") lines.push(filled(words.takes, { squares: named("captured") }));
    } else if (told.position !== before.position) lines.push(words.changed);
    if (isNew("alerts")) lines.push(filled(words.alerts, { squares: named("alerts") }));
    if (isNew("put"))
      for (const item of listed(told.put)) {
        const [square, mark = "o"] = item.split(":");
        lines.push(filled(words.puts, { piece: words[mark] ?? words.o, square }));
      }
    if (isNew("clear")) lines.push(filled(words.clears, { squares: named("clear") }));
    if (lines.length > 0) this.#said.textContent = `${lines.join("; ")}.`;
  }

  // Hands.

  #squareOf(target) {
    const cell = target.closest(".cell");
    return cell === null ? undefined : Number(cell.dataset.square);
  }

  #choose(square) {
    if (square === undefined || !this.hasAttribute("interactive") || !this.#geometry.playable[square]) return;
    const detail = { square: this.#geometry.names[square] };
    this.dispatchEvent(new CustomEvent("square", { detail, bubbles: true, composed: true }));
  }

  #rove(square) {
    if (square === undefined) return;
    const before = this.#cells.get(this.#focus);
    if (before !== undefined) before.element.tabIndex = -1;
    this.#focus = square;
    this.#cells.get(square).element.tabIndex = 0;
  }

  #moveTo(square) {
    this.#rove(square);
    this.focus();
  }

  #press(event) {
    const square = this.#squareOf(event.target);
    if (square === undefined || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      if (!this.hasAttribute("interactive")) return;
      event.preventDefault();
      this.#choose(square);
      return;
    }
    const next = this.#next(square, event.key, event.ctrlKey);
    if (next === undefined) return;
    event.preventDefault();
    this.#moveTo(next);
  }

  /** Where a key leads, in rows and columns as shown; undefined where it is none of ours. */
  #next(square, key, whole) {
    const rows = this.#rows.map((row) => [...row.children].map((cell) => Number(cell.dataset.square)));
    const column = (one) => this.#place(one)[0];
    const [at, row] = this.#place(square);
    const here = rows[row];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step !== undefined) {
      const next = here[here.indexOf(square) + step] ?? square;
      this.#column = column(next);
      return next;
    }
    if (key === "Home" || key === "End") {
      const ends = whole ? rows.flat() : here;
      const next = ends.at(key === "Home" ? 0 : -1);
      this.#column = column(next);
      return next;
    }
    const climb = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (climb === undefined) return undefined;
    const wish = this.#column !== null && Math.abs(this.#column - at) <= 1 ? this.#column : at;
    this.#column = wish;
    const there = rows[row + climb] ?? [square];
    const distance = (one) => Math.abs(column(one) - wish);
    return there.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  }
}

/** Arrows along the stations of a capture, the last one ending before the piece. */
function arrows(stations) {
  const ends = stations.map((one) => [...one]);
  const [[x0, y0], [x1, y1]] = ends.slice(-2);
  const far = Math.hypot(x1 - x0, y1 - y0) || 1;
  ends[ends.length - 1] = [x1 - ((x1 - x0) * 56) / far, y1 - ((y1 - y0) * 56) / far];
  const line = `M${ends.map((one) => one.join(" ")).join("L")}`;
  const heads = stations.slice(1).map(([x, y], index) => {
    const [a, b] = stations[index];
    const angle = (Math.atan2(y - b, x - a) * 180) / Math.PI;
    const last = index === stations.length - 2;
    const [hx, hy] = last ? ends.at(-1) : [x, y];
    const head = shape("head", last ? "M-6 -18 L24 0 L-6 18 Z" : "M-16 -14 L8 0 L-16 14 Z");
    head.setAttribute("transform", `translate(${hx} ${hy}) rotate(${angle})`);
    return head;
  });
  const begin = drawn("circle", { class: "head", cx: ends[0][0], cy: ends[0][1], r: 9 });
  return [shape("casing", line), shape("line", line), begin, ...heads];
}

for (const attribute of TEXTS)
  Object.defineProperty(DraughtsBoard.prototype, propertyOf(attribute), {
    get() {
      return this.getAttribute(attribute);
    },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, written(value));
    },
  });
for (const flag of FLAGS)
  Object.defineProperty(DraughtsBoard.prototype, flag, {
    get() {
      return this.hasAttribute(flag);
    },
    set(value) {
      this.toggleAttribute(flag, Boolean(value));
    },
  });

customElements.define("draughts-board", DraughtsBoard);

// The page that shows <draughts-board>: every variant, every mark, and a few plies to click through.
//
// The positions are data: neither this page nor the element knows how pieces move. A ply is its move, the squares where
// the piece came down, what it took, and the position after it.

import { chosenLanguage } from "/assets/words.js";

const VARIANTS = [
  {
    name: "brazilian",
    size: 8,
    corner: "left",
    numbering: "algebraic",
    start: "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
    before: "W:Wa1,c1,e1,h2,g3,a7:BKg1,a5,h6,c7,g7,h8",
    plies: [
      ["a7-b8", "a7 b8", "", "B:Wa1,c1,e1,h2,g3,Kb8:BKg1,a5,h6,c7,g7,h8"],
      ["h6-g5", "h6 g5", "", "W:Wa1,c1,e1,h2,g3,Kb8:BKg1,a5,g5,c7,g7,h8"],
      ["b8xf8", "b8 f4 h6 f8", "c7 g5 g7", "B:Wa1,c1,e1,h2,g3,Kf8:BKg1,a5,h8"],
      ["a5-b4", "a5 b4", "", "W:Wa1,c1,e1,h2,g3,Kf8:BKg1,b4,h8"],
    ],
  },
  {
    name: "portuguese",
    size: 8,
    corner: "right",
    numbering: "bottom-right",
    start: "W:W1-12:B21-32",
    before: "B:W2,6,7,8,18,19,K29:B5,12,25,30",
    plies: [
      ["12x3", "12 3", "7", "W:W2,6,8,18,19,K29:BK3,5,25,30"],
      ["2x9", "2 9", "5", "B:W6,8,9,18,19,K29:BK3,25,30"],
      ["3x15", "3 13 22 15", "6 18 19", "W:W8,9,K29:BK15,25,30"],
      ["29x12", "29 12", "15", "B:W8,9,K12:B25,30"],
    ],
  },
  {
    name: "spanish",
    size: 8,
    corner: "right",
    numbering: "bottom-right",
    start: "W:W1-12:B21-32",
    before: "B:W2,6,7,8,18,19,K29:B5,12,25,30",
    plies: [
      ["12x3", "12 3", "7", "W:W2,6,8,18,19,K29:BK3,5,25,30"],
      ["2x9", "2 9", "5", "B:W6,8,9,18,19,K29:BK3,25,30"],
      ["3x15", "3 13 22 15", "6 18 19", "W:W8,9,K29:BK15,25,30"],
      ["29x12", "29 12", "15", "B:W8,9,K12:B25,30"],
    ],
  },
  {
    name: "russian",
    size: 8,
    corner: "left",
    numbering: "algebraic",
    start: "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
    before: "W:Wa1,e1,a5,c5,Kh8:BKh2,c3,b6,a7,c7,e7,b8,f8",
    plies: [
      ["h8xb2", "h8 b2", "c3", "B:Wa1,e1,Kb2,a5,c5:BKh2,b6,a7,c7,e7,b8,f8"],
      ["b6xd4", "b6 d4", "c5", "W:Wa1,e1,Kb2,a5:BKh2,d4,a7,c7,e7,b8,f8"],
      ["b2xb6", "b2 f6 d8 b6", "d4 e7 c7", "B:Wa1,e1,a5,Kb6:BKh2,a7,b8,f8"],
      ["a7xc5", "a7 c5", "b6", "W:Wa1,e1,a5:BKh2,c5,b8,f8"],
    ],
  },
  {
    name: "english",
    size: 8,
    corner: "left",
    numbering: "top-left",
    start: "B:W21-32:B1-12",
    before: "B:WK2,11,19,32:B9,13,K31",
    plies: [
      ["9-14", "9 14", "", "W:WK2,11,19,32:B13,14,K31"],
      ["32-27", "32 27", "", "B:WK2,11,19,27:B13,14,K31"],
      ["31x8", "31 24 15 8", "27 19 11", "W:WK2:BK8,13,14"],
      ["2-7", "2 7", "", "B:WK7:BK8,13,14"],
    ],
  },
  {
    name: "italian",
    size: 8,
    corner: "right",
    numbering: "top-left",
    start: "W:W21-32:B1-12",
    before: "W:WK13:B7,14,K15,16,22",
    plies: [
      ["13-10", "13 10", "", "B:WK10:B7,14,K15,16,22"],
      ["22-27", "22 27", "", "W:WK10:B7,14,K15,16,27"],
      ["10x3", "10 19 12 3", "14 15 7", "B:WK3:B16,27"],
      ["16-20", "16 20", "", "W:WK3:B20,27"],
    ],
  },
  {
    name: "turkish",
    size: 8,
    corner: "all",
    numbering: "algebraic",
    start: "W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3,c3,d3,e3,f3,g3,h3:Ba6,b6,c6,d6,e6,f6,g6,h6,a7,b7,c7,d7,e7,f7,g7,h7",
    before: "W:Wf2,g2,h4,Kc8:BKe5,g5,e6,g6,h6,b7,d7,f7,g7",
    plies: [
      ["c8-h8", "c8 h8", "", "B:Wf2,g2,h4,Kh8:BKe5,g5,e6,g6,h6,b7,d7,f7,g7"],
      ["e5-c5", "e5 c5", "", "W:Wf2,g2,h4,Kh8:BKc5,g5,e6,g6,h6,b7,d7,f7,g7"],
      ["h8xc3", "h8 h5 e5 e7 c7 c3", "h6 g5 e6 d7 c5", "B:Wf2,g2,Kc3,h4:Bg6,b7,f7,g7"],
      ["f7-e7", "f7 e7", "", "W:Wf2,g2,Kc3,h4:Bg6,b7,e7,g7"],
    ],
  },
  {
    name: "international",
    size: 10,
    corner: "left",
    numbering: "top-left",
    start: "W:W31-50:B1-20",
    before: "B:WK2,28,29,45,50:B41",
    plies: [
      ["41-46", "41 46", "", "W:WK2,28,29,45,50:BK46"],
      ["2-30", "2 30", "", "B:W28,29,K30,45,50:BK46"],
      ["46x25", "46 23 34 25", "28 29 30", "W:W45,50:BK25"],
      ["50-44", "50 44", "", "B:W44,45:BK25"],
    ],
  },
  {
    name: "frisian",
    size: 10,
    corner: "left",
    numbering: "top-left",
    start: "W:W31-50:B1-20",
    before: "B:W16,35,K38,44,46,50:B15,K31",
    plies: [
      ["31-48", "31 48", "", "W:W16,35,K38,44,46,50:B15,K48"],
      ["44-40", "44 40", "", "B:W16,35,K38,40,46,50:B15,K48"],
      ["48x25", "48 18 45 25", "38 40 35", "W:W16,46,50:B15,K25"],
      ["16-11", "16 11", "", "B:W11,46,50:B15,K25"],
    ],
  },
  {
    name: "pool",
    size: 8,
    corner: "left",
    numbering: "top-left",
    start: "B:W21-32:B1-12",
    before: "B:WK2,14,22,25:B27",
    plies: [
      ["27-31", "27 31", "", "W:WK2,14,22,25:BK31"],
      ["2-16", "2 16", "", "B:W14,K16,22,25:BK31"],
      ["31x20", "31 17 7 20", "22 14 16", "W:W25:BK20"],
      ["25-22", "25 22", "", "B:W22:BK20"],
    ],
  },
  {
    name: "czech",
    size: 8,
    corner: "left",
    numbering: "algebraic",
    start: "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
    before: "B:Wa1,c3,g3,f4,e5,e7,g7,Kh8:BKa7",
    plies: [
      ["a7-e3", "a7 e3", "", "W:Wa1,c3,g3,f4,e5,e7,g7,Kh8:BKe3"],
      ["a1-b2", "a1 b2", "", "B:Wb2,c3,g3,f4,e5,e7,g7,Kh8:BKe3"],
      ["e3xc1", "e3 h6 f8 a3 c1", "f4 g7 e7 b2", "W:Wc3,g3,e5,Kh8:BKc1"],
      ["e5-f6", "e5 f6", "", "B:Wc3,g3,f6,Kh8:BKc1"],
    ],
  },
  {
    name: "canadian",
    size: 12,
    corner: "left",
    numbering: "top-left",
    start: "W:W43-72:B1-30",
    before: "W:WK30:B7,14,22,23,33,35,K38",
    plies: [
      ["30-52", "30 52", "", "B:WK52:B7,14,22,23,33,35,K38"],
      ["23-29", "23 29", "", "W:WK52:B7,14,22,29,33,35,K38"],
      ["52x41", "52 20 9 28 41", "33 14 22 35", "B:WK41:B7,29,K38"],
      ["38-11", "38 11", "", "W:WK41:B7,K11,29"],
    ],
  },
];

const WORDS = {
  en: {
    title: "The board element",
    about: "A draughts board for any page: one file, no rules inside. It shows what it is told, in every variant.",
    try: "Try it",
    variant: "Variant",
    orientation: "At the bottom",
    coordinates: "Names of squares",
    steps: "A few plies of this variant",
    "orientation.white": "White",
    "orientation.black": "Black",
    "coordinates.edge": "at the edge",
    "coordinates.squares": "in the squares",
    "coordinates.none": "none",
    back: "Back",
    forward: "Forward",
    start: "The initial position",
    before: "Later in a game",
    keys: "Tab to the board, then arrows, Home, End, Enter. Choose the piece that moves, then where it goes.",
    chosen: "Chosen: {square}",
    written: "How it is written",
    all: "Every variant",
    marks: "Every mark",
    "scene.moved": "Last move, and the way of a capture",
    "scene.choosing": "A piece is chosen; the rings are where it may go",
    "scene.alert": "Squares that somebody should look at; one is a light one",
    "scene.see": "The sensors see something else: d2 gone, b4 too many, f4 black, h6 a king, c5 not readable",
    "scene.guide": "What to put and what to take away",
    "scene.black": "Black at the bottom, numbers in the squares",
    "scene.picture": "As one picture, for a wall of boards",
    "scene.colours": "Other colours",
    brazilian: "Brazilian",
    portuguese: "Portuguese",
    spanish: "Spanish",
    russian: "Russian",
    english: "English (checkers)",
    italian: "Italian",
    turkish: "Turkish",
    international: "International",
    frisian: "Frisian",
    pool: "Pool checkers",
    czech: "Czech",
    canadian: "Canadian",
    game: "{variant}: {size} by {size}, {corner}, {numbering}",
    left: "dark corner at the left",
    right: "dark corner at the right",
    corner: "every square",
    "numbering.algebraic": "letters and digits",
    "numbering.top-left": "numbers from the top left",
    "numbering.bottom-right": "numbers from the bottom right",
  },
  pt: {
    title: "O elemento do tabuleiro",
    about: "Um tabuleiro de damas para qualquer página: um só ficheiro, sem regras. Mostra o que lhe dizem.",
    try: "Experimentar",
    variant: "Variante",
    orientation: "Em baixo",
    coordinates: "Nomes das casas",
    steps: "Alguns lances desta variante",
    "orientation.white": "Brancas",
    "orientation.black": "Pretas",
    "coordinates.edge": "na margem",
    "coordinates.squares": "nas casas",
    "coordinates.none": "nenhuns",
    back: "Atrás",
    forward: "Em frente",
    start: "A posição inicial",
    before: "Mais tarde num jogo",
    keys: "Tab até ao tabuleiro, depois setas, Home, End, Enter. Escolha a peça que joga, depois para onde vai.",
    chosen: "Escolhida: {square}",
    written: "Como se escreve",
    all: "Todas as variantes",
    marks: "Todas as marcas",
    "scene.moved": "O último lance, e o caminho de uma tomada",
    "scene.choosing": "Uma peça escolhida; os anéis são as casas para onde pode ir",
    "scene.alert": "Casas que alguém deve ver; uma é clara",
    "scene.see": "Os sensores veem outra coisa: falta d2, b4 a mais, f4 preta, h6 uma dama, c5 não se lê",
    "scene.guide": "O que pôr e o que retirar",
    "scene.black": "As pretas em baixo, números nas casas",
    "scene.picture": "Como uma só imagem, para uma parede de tabuleiros",
    "scene.colours": "Outras cores",
    brazilian: "Damas brasileiras",
    portuguese: "Damas portuguesas",
    spanish: "Damas espanholas",
    russian: "Damas russas",
    english: "Damas inglesas",
    italian: "Damas italianas",
    turkish: "Damas turcas",
    international: "Damas internacionais",
    frisian: "Damas frísias",
    pool: "Pool checkers",
    czech: "Damas checas",
    canadian: "Damas canadianas",
    game: "{variant}: {size} por {size}, {corner}, {numbering}",
    left: "canto escuro à esquerda",
    right: "canto escuro à direita",
    corner: "todas as casas",
    "numbering.algebraic": "letras e algarismos",
    "numbering.top-left": "números desde cima à esquerda",
    "numbering.bottom-right": "números desde baixo à direita",
  },
};
WORDS["pt-BR"] = {
  ...WORDS.pt,
  about: "Um tabuleiro de damas para qualquer página: um só arquivo, sem regras. Mostra o que lhe dizem.",
  canadian: "Damas canadenses",
  czech: "Damas tchecas",
};

const language = chosenLanguage();
const words = WORDS[language];
const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const described = ({ name, size, corner, numbering }) =>
  say("game", {
    variant: say(name),
    size,
    corner: say(corner === "all" ? "corner" : corner),
    numbering: say(`numbering.${numbering}`),
  });

const lastCapture = (variant) => variant.plies.findLastIndex(([, , captured]) => captured.includes(" "));

/** The attributes of a variant's board after so many steps: 0 the initial position, 1 before the plies, then each. */
function step(variant, at) {
  const shape = { size: variant.size, corner: variant.corner, numbering: variant.numbering };
  if (at < 2) return { ...shape, position: at === 0 ? variant.start : variant.before };
  const [, path, captured, position] = variant.plies[at - 2];
  const squares = path.split(" ");
  const moved = { ...shape, position, "last-move": `${squares[0]} ${squares.at(-1)}` };
  return captured === "" ? moved : { ...moved, path, captured };
}

// The board to try.

const board = document.getElementById("board");
const choices = document.getElementById("choices");
const CHANGING = ["position", "last-move", "path", "captured", "source", "targets"];
let at = 0;
let fromHere = null;

const chosenVariant = () => VARIANTS.find(({ name }) => name === choices.variant.value);

function set(attributes) {
  for (const name of CHANGING) if (!(name in attributes)) board.removeAttribute(name);
  for (const [name, value] of Object.entries(attributes)) board.setAttribute(name, value);
}

function show() {
  const variant = chosenVariant();
  fromHere = null;
  set({
    ...step(variant, at),
    orientation: choices.orientation.value,
    coordinates: choices.coordinates.value,
    label: described(variant),
  });
  document.getElementById("move").textContent =
    at === 0 ? say("start") : at === 1 ? say("before") : variant.plies[at - 2][0];
  choices.back.disabled = at === 0;
  choices.forward.disabled = at === variant.plies.length + 1;
  write();
}

function write() {
  const shown = [...board.attributes].filter(({ name }) => name !== "id");
  const lines = shown.map(({ name, value }) => (value === "" ? `  ${name}` : `  ${name}="${value}"`));
  document.getElementById("written-as").textContent = `<draughts-board\n${lines.join("\n")}\n></draughts-board>`;
}

function go(to) {
  at = Math.max(0, Math.min(to, chosenVariant().plies.length + 1));
  show();
}

board.addEventListener("square", ({ detail: { square } }) => {
  const next = at === 0 ? undefined : chosenVariant().plies[at - 1]?.[1].split(" ");
  document.getElementById("chosen").textContent = say("chosen", { square });
  if (fromHere !== null && fromHere === next?.[0] && square === next.at(-1)) return go(at + 1);
  fromHere = square;
  board.source = square;
  board.targets = square === next?.[0] ? next.at(-1) : null;
  write();
});

function offer(name, options) {
  choices[name].append(...options.map(([value, text]) => element("option", { value }, text)));
}

// The other boards.

function figure(caption, attributes, style = "") {
  const shown = element("draughts-board", { label: caption, lang: language, ...attributes });
  if (style !== "") shown.classList.add(style);
  return element("figure", {}, shown, element("figcaption", {}, caption));
}

const SEEN = ".b....../..W...../.......B/..?...../.w...b../......w./......../w...B...";

function scenes() {
  const [brazilian, portuguese] = VARIANTS;
  const international = VARIANTS.find(({ name }) => name === "international");
  const captured = (variant) => step(variant, lastCapture(variant) + 2);
  const some = "W:Wa1,d2,f4,g3,Kc7:Bh6,c5,b8,Ke1";
  return [
    ["moved", captured(brazilian)],
    ["choosing", { position: "W:Wa1,c3,e3,g3,Kb8:Bd6,f6,h6", source: "c3", targets: "b4 d4", interactive: "" }],
    ["alert", { position: brazilian.start.replace("Bb6", "Ba5"), alerts: "c3 d4 e4", "last-move": "b6 a5" }],
    ["see", { position: some, see: SEEN, senses: "kind" }],
    ["guide", { position: some, put: "b4:w d6:B", clear: "f4 c7" }],
    ["black", { ...captured(portuguese), orientation: "black", coordinates: "squares" }],
    ["picture", { ...captured(international), picture: "", coordinates: "none" }],
    ["colours", { ...captured(international), coordinates: "squares" }, "green"],
  ];
}

document.documentElement.lang = language;
document.title = say("title");
for (const shown of document.querySelectorAll("[data-say]")) shown.textContent = say(shown.dataset.say);
offer(
  "variant",
  VARIANTS.map((variant) => [variant.name, say(variant.name)]),
);
for (const name of ["orientation", "coordinates"]) {
  const values = { orientation: ["white", "black"], coordinates: ["edge", "squares", "none"] }[name];
  offer(
    name,
    values.map((value) => [value, say(`${name}.${value}`)]),
  );
}
board.lang = language;
choices.addEventListener("change", ({ target }) => (target.name === "variant" ? go(0) : show()));
choices.back.addEventListener("click", () => go(at - 1));
choices.forward.addEventListener("click", () => go(at + 1));
document
  .getElementById("variants")
  .append(...VARIANTS.map((one) => figure(described(one), { ...step(one, 0), "data-variant": one.name })));
document
  .getElementById("scenes")
  .append(...scenes().map(([key, attributes, style]) => figure(say(`scene.${key}`), attributes, style)));
show();

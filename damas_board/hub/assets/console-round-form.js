// The form in which a round is written down: by hand, from a list, from another round; then checked, seen, published.
//
// What is written stays in memory while other tabs are looked at, until it is published or dropped.

import {
  beginsOf,
  copied,
  draftOf,
  emptyPairing,
  fits,
  listed,
  localTime,
  nextId,
  PLAYER_KEYS,
  payloadOf,
  remarksOn,
  seated,
  writtenOf,
} from "/assets/console-round-draft.js";
import { back, goTo, tell, why } from "/assets/console-round-parts.js";
import { preview } from "/assets/console-round-preview.js";
import { sorted } from "/assets/console-round-standing.js";
import { get, post } from "/assets/console-talk.js";
import { button, choice, confirmed, el, field, refill } from "/assets/elements.js";
import { language, say } from "/assets/words.js";

const STARTS = ["command", "lever", "move", "at_once"];
const LARGEST = 1_500_000;
const NUMBER = { type: "number", min: "0", inputmode: "decimal", step: "any" };
const order = new Intl.Collator(undefined, { numeric: true });
const kept = new Map(); // drafts by the round's id, null for a new one

export class RoundForm {
  constructor(place, { hall }, id) {
    this.place = place;
    this.hall = hall;
    this.id = id;
    this.regulations = {};
    this.shown = false;
    this.left = false;
    this.old = null; // the text of a file that is no Unicode
    this.#load();
  }

  update() {
    if (!this.shown) return;
    const { regulation, pairings } = this.draft;
    const boards = this.#boards().map((board) => [
      board.board,
      board.link?.link,
      this.hall.up(board),
      board.info?.regulation,
    ]);
    const now = JSON.stringify([boards, regulation, pairings.map((one) => one.regulation)]);
    if (this.boardsShown !== now) this.#fillAllBoards();
    this.boardsShown = now;
    this.#showLots();
  }

  #fillAllBoards() {
    for (const select of this.place.querySelectorAll("select[data-boards]")) this.#fillBoards(select);
  }

  leave() {
    this.left = true;
  }

  async #load() {
    const named = [...this.hall.boards.values()].map((board) => board.info?.regulation);
    const ours = [...named, ...[...this.hall.rounds.values()].map((round) => round.regulation)].filter(Boolean);
    const { ok, body } = await get(`regulations.json?also=${encodeURIComponent([...new Set(ours)].join(","))}`);
    if (this.left) return;
    if (ok) this.regulations = body.regulations;
    this.draft = kept.get(this.id) ?? this.#fresh();
    kept.set(this.id, this.draft);
    this.#show();
  }

  #fresh() {
    if (this.id !== null) {
      const round = this.hall.rounds.get(this.id);
      return { ...draftOf(round ?? { round: this.id }), base: writtenOf(round) };
    }
    const rounds = sorted(this.hall);
    const last = rounds.at(-1) ?? {};
    const boards = this.#boards();
    const draft = draftOf({ ...last, round: nextId(rounds), name: "", begins: "", lots: null, pairings: [] });
    draft.regulation ||= boards[0]?.info?.regulation ?? "";
    draft.hold = false;
    draft.featured = "";
    draft.pairings = boards.map((board, number) => emptyPairing(board.table ?? String(number + 1), board.board));
    if (!boards.length) draft.pairings = [emptyPairing("1"), emptyPairing("2")];
    return draft;
  }

  #boards() {
    return [...this.hall.boards.values()].sort((one, other) =>
      order.compare(one.table ?? one.board, other.table ?? other.board),
    );
  }

  #hasGame = (game) => this.hall.begun(game);

  // --- what is shown

  #show() {
    this.rows = el("ol.plain.pairings");
    this.told = el("p.notice.bad", { role: "alert", id: "form-told", hidden: true });
    this.lots = el("div");
    this.feeds = el("div");
    this.place.replaceChildren(
      back(this.id),
      el("h2", {}, this.id === null ? say("rounds.form.new") : say("rounds.form.edit", { round: this.id })),
      el(
        "form.round-form",
        {
          novalidate: true,
          on: {
            submit: (event) => {
              event.preventDefault();
              this.#check();
            },
          },
        },
        this.#about(),
        this.#pairings(),
        this.#lotsPart(),
        this.#public(),
        el(
          "div.row.bar",
          {},
          this.told,
          button(say("rounds.form.drop"), () => this.#drop(), { id: "round-drop" }, "plain"),
          el("button.primary", { type: "submit", id: "round-preview" }, say("rounds.form.preview")),
        ),
      ),
    );
    this.shown = true;
    this.#fillRows();
    this.#fillFeeds();
    this.#showLots(true);
  }

  /** A field that is bound to a key of the draft, or of a part of it. */
  #bound(id, label, key, attributes = {}, of = this.draft) {
    const change = ({ target }) => {
      of[key] = attributes.type === "checkbox" ? target.checked : target.value;
    };
    if (attributes.type === "checkbox")
      return el(
        "label.check",
        {},
        el("input", { id, ...attributes, checked: of[key], on: { change } }),
        el("span", {}, label),
      );
    return field(id, label, { ...attributes, value: of[key], on: { input: change } });
  }

  #chosen(id, label, key, options, of = this.draft, then = () => {}) {
    const change = ({ target }) => {
      of[key] = target.value;
      then();
    };
    return choice(id, label, options, of[key], { on: { change } });
  }

  #regulationOptions(none, chosen) {
    const all = Object.entries(this.regulations).map(([name, { title }]) => [name, title]);
    if (chosen && !this.regulations[chosen]) all.push([chosen, chosen]);
    return [["", none], ...all.sort((one, other) => order.compare(one[1], other[1]))];
  }

  #about() {
    const date = this.draft.begins === "" || this.draft.begins.includes("T");
    const begins = field("round-begins", say("rounds.form.begins"), {
      type: date ? "datetime-local" : "text",
      value: localTime(this.draft.begins),
      on: {
        input: ({ target }) => {
          this.draft.begins = beginsOf(target.value);
        },
      },
    });
    return el(
      "fieldset.card",
      {},
      el("legend", {}, say("rounds.form.round")),
      el(
        "div.fields",
        {},
        this.#bound("round-id", say("rounds.form.id"), "id", {
          required: true,
          disabled: this.id !== null,
          autocapitalize: "none",
          spellcheck: "false",
        }),
        this.#bound("round-name", say("rounds.form.name"), "name"),
        this.#chosen(
          "round-regulation",
          say("rounds.regulation"),
          "regulation",
          this.#regulationOptions(say("rounds.regulation.own"), this.draft.regulation),
          this.draft,
          () => this.update(),
        ),
        this.#bound("round-minutes", say("rounds.form.minutes"), "minutes", NUMBER),
        this.#bound("round-increment", say("rounds.form.seconds"), "increment", { ...NUMBER, step: "1" }),
        begins,
        this.#chosen(
          "round-starts",
          say("rounds.form.starts"),
          "starts",
          STARTS.map((one) => [one, say(`rounds.starts.${one}`)]),
        ),
      ),
      el("p.small.soft", {}, say("rounds.form.begins.why")),
      el(
        "details",
        { id: "round-more", open: this.draft.clock !== "" },
        el("summary", {}, say("rounds.form.clock_other")),
        this.#bound("round-clock", say("rounds.form.clock_other"), "clock", { spellcheck: "false" }),
        el("p.small.soft", {}, say("rounds.form.clock_other.why")),
      ),
    );
  }

  #pairings() {
    const others = sorted(this.hall).filter((round) => round.round !== this.id);
    return el(
      "fieldset.card",
      {},
      el("legend", {}, say("rounds.form.pairings")),
      this.#import(),
      others.length > 0 &&
        el(
          "div.row.fields.copy",
          {},
          choice(
            "copy-of",
            say("rounds.form.copy"),
            others.map(({ round }) => [round, say("rounds.title", { round })]),
            others.at(-1).round,
          ),
          el(
            "label.check",
            {},
            el("input", { type: "checkbox", id: "copy-swap" }),
            el("span", {}, say("rounds.form.copy.swap")),
          ),
          button(say("rounds.form.copy.do"), () => this.#copy(), { id: "copy-do" }),
        ),
      this.rows,
      el("p.small.soft", {}, say("rounds.form.bye")),
      el(
        "div.row",
        {},
        button(say("rounds.form.add"), () => this.#add(), { id: "table-add" }),
        button(say("rounds.form.assign"), () => this.#assign(), { id: "boards-assign" }),
      ),
    );
  }

  #import() {
    const text = el("textarea", {
      id: "import-text",
      rows: "6",
      spellcheck: "false",
      "aria-describedby": "import-why",
    });
    const told = el("p.small", { role: "status", id: "import-told" });
    const file = el("input", {
      type: "file",
      id: "import-file",
      accept: ".csv,.tsv,.txt,.toml,.json",
      on: {
        change: async () => {
          const chosen = file.files[0];
          if (!chosen) return;
          told.className = "small";
          told.textContent = chosen.size > LARGEST ? say("rounds.form.too_large") : "";
          if (chosen.size > LARGEST) return;
          const { text: read, old } = decoded(await chosen.arrayBuffer());
          text.value = read;
          this.old = old ? read : null;
          if (old) told.textContent = say("rounds.form.old");
        },
      },
    });
    return el(
      "details.import",
      { id: "import" },
      el("summary", {}, say("rounds.form.import")),
      el("p.small.soft", { id: "import-why" }, say("rounds.form.import.why")),
      el("pre.small.mono", {}, say("rounds.form.import.example")),
      el("div.field", {}, el("label", { for: "import-text" }, say("rounds.form.text")), text),
      el("div.field", {}, el("label", { for: "import-file" }, say("rounds.form.file")), file),
      el(
        "div.row",
        {},
        button(say("rounds.form.read"), () => this.#read(text, told), { id: "import-read" }, "primary"),
        told,
      ),
    );
  }

  async #read(area, told) {
    const text = area.value;
    const kind = /^\s*[{[]\s*["}]/.test(text) ? "json" : /^\s*(\[\[pairing\]\]|\w+\s*=)/m.test(text) ? "toml" : "csv";
    const id = this.draft.id.trim() || "1";
    const { ok, body } = await post(`round/check?lang=${language}`, {
      text,
      kind,
      ...(kind === "csv" && { round: id }),
    });
    told.className = ok ? "small" : "small refused";
    area.toggleAttribute("aria-invalid", !ok);
    if (!ok) {
      told.textContent = body.line ? say("rounds.form.line", { line: body.line, text: why(body) }) : why(body);
      if (body.line) select(area, body.line);
      return;
    }
    const read = draftOf(body.round);
    this.draft.lots = null;
    if (kind === "csv") this.draft.pairings = listed(read.pairings, this.draft.pairings);
    else Object.assign(this.draft, { ...read, id: this.id ?? read.id });
    const count = read.pairings.length;
    this.#show();
    const remark = this.old !== null && this.old === text && say("rounds.form.old");
    const said = [say(count === 1 ? "rounds.form.read.one" : "rounds.form.read.done", { count }), remark];
    document.getElementById("import-told").textContent = said.filter(Boolean).join(" ");
    document.getElementById("import").open = true;
  }

  #copy() {
    const round = this.hall.rounds.get(document.getElementById("copy-of").value);
    if (!round) return;
    this.draft.lots = null;
    this.draft.pairings = copied(round, document.getElementById("copy-swap").checked);
    this.#fillRows();
  }

  #add() {
    const tables = this.draft.pairings.map(({ table }) => Number(table)).filter(Number.isInteger);
    const used = new Set(this.draft.pairings.map(({ board }) => board));
    const free = this.#boards().find(({ board }) => !used.has(board));
    this.draft.pairings.push(emptyPairing(String(Math.max(0, ...tables) + 1), free?.board ?? ""));
    this.#fillRows();
    document.getElementById(`white-${this.draft.pairings.length - 1}`)?.focus();
  }

  /** Each table gets the board that stands there; who is left gets one that is left, in the order of the tables. */
  #assign() {
    const left = this.#boards();
    const take = (found) => (found === -1 ? "" : left.splice(found, 1)[0].board);
    const pairings = seated(this.draft).filter(({ black }) => black.name.trim());
    for (const pairing of this.draft.pairings) pairing.board = "";
    for (const pairing of pairings) pairing.board = take(left.findIndex(({ table }) => table === pairing.table.trim()));
    for (const pairing of pairings) {
      const regulation = pairing.regulation || this.draft.regulation;
      pairing.board ||= take(left.findIndex((one) => fits(one, regulation, this.regulations) !== false));
    }
    this.#fillRows();
  }

  #fillRows() {
    this.rows.replaceChildren(...this.draft.pairings.map((pairing, number) => this.#row(pairing, number)));
    this.#showLots();
  }

  #row(pairing, number) {
    const table = pairing.table || String(number + 1);
    const boards = el("select", {
      id: `board-${number}`,
      "data-boards": number,
      on: {
        change: ({ target }) => {
          pairing.board = target.value;
        },
      },
    });
    this.#fillBoards(boards);
    return el(
      "li.pairing",
      { id: `pairing-${number}` },
      el(
        "div.seats",
        {},
        this.#bound(`table-${number}`, say("rounds.form.table"), "table", { class: "short" }, pairing),
        this.#bound(`white-${number}`, say("side.white"), "name", { maxlength: "60" }, pairing.white),
        this.#bound(`black-${number}`, say("side.black"), "name", { maxlength: "60" }, pairing.black),
        el("div.field", {}, el("label", { for: `board-${number}` }, say("rounds.form.board")), boards),
        button(
          "✕",
          () => {
            this.draft.pairings.splice(number, 1);
            this.#fillRows();
            document.getElementById("table-add").focus();
          },
          { "aria-label": say("rounds.form.take.of", { table }), title: say("rounds.form.take"), id: `take-${number}` },
          "plain",
        ),
      ),
      el(
        "details",
        { id: `more-${number}`, on: { toggle: () => this.#more(number) } },
        el("summary", { "aria-label": say("rounds.form.more.of", { table }) }, say("rounds.form.more")),
      ),
    );
  }

  /** What else there is to say of a table, made when it is asked for. */
  #more(number) {
    const details = document.getElementById(`more-${number}`);
    const pairing = this.draft.pairings[number];
    if (details.children.length > 1) return;
    details.append(
      el(
        "div.about",
        {},
        ["white", "black"].map((side) => this.#player(pairing[side], side, number)),
        this.#own(pairing, number),
      ),
    );
  }

  #player(player, side, number) {
    return el(
      "fieldset.player-about",
      {},
      el("legend", {}, say(`side.${side}`)),
      PLAYER_KEYS.map((key) =>
        this.#bound(`${side}-${key}-${number}`, say(`rounds.form.player.${key}`), key, {}, player),
      ),
      this.#bound(`${side}-minor-${number}`, say("rounds.form.player.minor"), "minor", { type: "checkbox" }, player),
    );
  }

  #own(pairing, number) {
    const id = (key) => `${key}-${number}`;
    return el(
      "fieldset.player-about",
      {},
      el("legend", {}, say("rounds.form.table")),
      this.#chosen(
        id("regulation"),
        say("rounds.form.own_regulation"),
        "regulation",
        this.#regulationOptions(say("rounds.form.as_round"), pairing.regulation),
        pairing,
        () => this.update(),
      ),
      this.#bound(id("minutes"), say("rounds.form.own_minutes"), "minutes", NUMBER, pairing),
      this.#bound(id("increment"), say("rounds.form.seconds"), "increment", { ...NUMBER, step: "1" }, pairing),
      this.#bound(id("clock"), say("rounds.form.clock_other"), "clock", { spellcheck: "false" }, pairing),
      this.#bound(id("opening"), say("rounds.form.opening"), "opening", {}, pairing),
      this.#bound(id("fen"), say("rounds.form.fen"), "fen", { spellcheck: "false" }, pairing),
      this.#bound(id("match"), say("rounds.form.match"), "match", {}, pairing),
      this.#bound(
        id("delay"),
        say("rounds.form.own_delay"),
        "delay",
        { type: "number", min: "0", step: "any" },
        pairing,
      ),
      this.#chosen(
        id("hold"),
        say("rounds.form.own_hold"),
        "hold",
        [
          ["", say("rounds.form.as_round")],
          ["yes", say("rounds.form.own_hold.yes")],
          ["no", say("rounds.form.own_hold.no")],
        ],
        pairing,
      ),
    );
  }

  /** Which boards there are, and what is to be said of each. */
  #fillBoards(select) {
    const pairing = this.draft.pairings[Number(select.dataset.boards)];
    if (!pairing) return;
    const options = this.#boards().map((board) => [board.board, this.#boardText(board, pairing)]);
    if (pairing.board && !this.hall.boards.has(pairing.board))
      options.push([pairing.board, say("rounds.form.unknown", { board: pairing.board })]);
    refill(select, options, () =>
      [["", say("rounds.form.no_board")], ...options].map(([value, text]) => el("option", { value }, text)),
    );
    select.value = pairing.board;
  }

  #boardText(board, pairing) {
    const words = { board: board.board };
    if (fits(board, pairing.regulation || this.draft.regulation, this.regulations) === false)
      return say("rounds.form.unfit", words);
    if (board.link?.link === "none") return say("rounds.form.no_sensors", words);
    return this.hall.up(board) ? board.board : say("rounds.form.away", words);
  }

  // --- lots

  #lotsPart() {
    return el("fieldset.card", {}, el("legend", {}, say("rounds.form.lots")), this.lots);
  }

  #showLots(anew = false) {
    const { lots } = this.draft;
    this.draft.drawing ??= { colours: true, openings: "", one: false, seed: "" };
    const wanted = this.draft.drawing;
    const late = this.draft.pairings.some(({ game }) => game && this.#hasGame(game));
    const openings = this.regulations[this.draft.regulation]?.openings ?? false;
    if (anew) this.lots.replaceChildren();
    refill(this.lots, [late, openings, lots, anew && Math.random()], () => {
      if (late) return [el("p.soft", {}, say("rounds.form.lots.late"))];
      return [
        this.#bound("lots-colours", say("rounds.form.lots.colours"), "colours", { type: "checkbox" }, wanted),
        openings ? this.#openings(wanted) : el("p.soft", {}, say("rounds.form.lots.free")),
        el(
          "div.row.fields",
          {},
          this.#bound(
            "lots-seed",
            say("rounds.form.lots.seed"),
            "seed",
            { type: "number", min: "0", step: "1", "aria-describedby": "seed-why" },
            wanted,
          ),
          button(say("rounds.form.lots.draw"), () => this.#draw(wanted, openings), { id: "lots-draw" }),
          el("span", { role: "status", id: "lots-told" }, lots && say("rounds.form.lots.drawn", { seed: lots.seed })),
        ),
        el("p.small.soft", { id: "seed-why" }, say("rounds.form.lots.seed.why")),
      ];
    });
  }

  #openings(wanted) {
    const table = el("textarea", {
      ...{ id: "lots-table", rows: "4", spellcheck: "false", "aria-describedby": "lots-why", value: wanted.openings },
      on: {
        input: ({ target }) => {
          wanted.openings = target.value;
        },
      },
    });
    return el(
      "details",
      { id: "lots-openings", open: wanted.openings !== "" },
      el("summary", {}, say("rounds.form.lots.openings")),
      el("div.field", {}, el("label", { for: "lots-table" }, say("rounds.form.lots.table")), table),
      el("p.small.soft", { id: "lots-why" }, say("rounds.form.lots.table.why")),
      this.#bound("lots-one", say("rounds.form.lots.one"), "one", { type: "checkbox" }, wanted),
    );
  }

  async #draw({ colours, openings, one, seed }, drawn) {
    const told = document.getElementById("lots-told");
    const asked = { colours, one, openings: drawn ? openings : "", seed: seed === "" ? null : Number(seed) };
    const { ok, body } = await post(`lots?lang=${language}`, { round: payloadOf(this.draft, this.#hasGame), ...asked });
    told.className = ok ? "" : "refused";
    if (!ok) {
      told.textContent = body.line
        ? say("rounds.form.line", { line: body.line, text: why(body) })
        : this.#wrongText(body);
      return;
    }
    this.draft.lots = body.round.lots;
    this.draft.pairings = draftOf(body.round).pairings;
    this.#fillRows();
    document.getElementById("lots-told").textContent = say("rounds.form.lots.drawn", { seed: body.seed });
  }

  // --- the public

  #public() {
    return el(
      "fieldset.card",
      {},
      el("legend", {}, say("rounds.form.public")),
      el(
        "div.fields",
        {},
        this.#bound("round-delay", say("rounds.form.delay"), "delay", {
          ...{ type: "number", min: "0", step: "any" },
          placeholder: say("rounds.form.delay.none"),
        }),
        this.#bound("round-featured", say("rounds.form.featured"), "featured", {
          placeholder: say("rounds.form.featured.why"),
        }),
      ),
      this.#bound("round-held", say("rounds.form.hold"), "hold", { type: "checkbox" }),
      el(
        "details",
        { id: "feeds", open: this.draft.consumers.length > 0 },
        el("summary", {}, say("rounds.form.consumers")),
        this.feeds,
      ),
    );
  }

  #fillFeeds() {
    const { consumers } = this.draft;
    this.feeds.replaceChildren(
      ...consumers.map((feed, number) =>
        el(
          "div.row.fields",
          {},
          this.#bound(`feed-${number}`, say("rounds.form.consumer.name"), "name", {}, feed),
          this.#bound(
            `feed-delay-${number}`,
            say("rounds.form.consumer.delay"),
            "delay",
            { type: "number", min: "0", step: "any" },
            feed,
          ),
          button(
            "✕",
            () => {
              consumers.splice(number, 1);
              this.#fillFeeds();
            },
            { "aria-label": say("rounds.form.consumer.take", { name: feed.name || String(number + 1) }) },
            "plain",
          ),
        ),
      ),
      button(
        say("rounds.form.consumer.add"),
        () => {
          consumers.push({ name: "", delay: "" });
          this.#fillFeeds();
        },
        { id: "feed-add" },
      ),
    );
  }

  // --- checked, seen, published

  async #check() {
    this.#wrong(null);
    const { ok, body } = await post(`round/check?lang=${language}`, { round: payloadOf(this.draft, this.#hasGame) });
    if (!ok) {
      this.#wrong(body);
      return;
    }
    const now = this.hall.rounds.get(this.id ?? body.round.round) ?? null;
    const remarks = remarksOn(body.round, this.hall, this.regulations, now);
    if (now && (this.id === null || this.draft.base !== writtenOf(now)))
      remarks.unshift({
        weight: "warn",
        key: this.id === null ? "taken" : "changed",
        values: { round: body.round.round, by: now.by ?? "?" },
      });
    const title = this.regulations[body.round.regulation]?.title ?? body.round.regulation;
    if (!(await preview(body.round, { remarks, title, regulations: this.regulations }))) return;
    const words = { yes: say("rounds.publish"), no: say("cancel") };
    if (body.round.pairings.length || (await confirmed(say("rounds.publish.empty"), words))) this.#publish(body.round);
  }

  async #publish(round) {
    const { ok, body } = await post(`round?lang=${language}`, round);
    if (!ok) {
      this.#wrong(body);
      return;
    }
    kept.delete(this.id);
    tell(true, say("rounds.saved_at"));
    this.hall.rounds.set(round.round, { ...body.round, regulation_title: this.regulations[round.regulation]?.title });
    goTo(round.round);
  }

  /** Of which table it is, where the server counts pairings. */
  #wrongText(body) {
    const pairing = body.pairing ? seated(this.draft)[body.pairing - 1] : null;
    return pairing ? say("rounds.form.of_table", { table: pairing.table || "?", text: why(body) }) : why(body);
  }

  #wrong(body) {
    for (const one of this.place.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    this.told.hidden = body === null;
    if (body === null) return;
    this.told.textContent = this.#wrongText(body);
    const pairing = body.pairing ? this.draft.pairings.indexOf(seated(this.draft)[body.pairing - 1]) : -1;
    if (pairing !== -1) this.#more(pairing);
    const input = document.getElementById(pairing === -1 ? (FIELDS[body.key] ?? "") : `${body.key}-${pairing}`);
    if (!input) return;
    input.closest("details")?.setAttribute("open", "");
    input.setAttribute("aria-invalid", "true");
    input.focus();
  }

  async #drop() {
    const words = { yes: say("rounds.form.drop"), no: say("cancel"), danger: true };
    if (!(await confirmed(`${say("rounds.form.drop")}?`, words))) return;
    kept.delete(this.id);
    goTo(this.id);
  }
}

const FIELDS = {
  ...{ round: "round-id", regulation: "round-regulation", clock: "round-minutes", begins: "round-begins" },
  publication: "round-featured",
};

/**
 * The text of a file, as `read_bytes` of messages/round_file.py has it: UTF-8, UTF-16 with its mark, else Windows-1252,
 * which is said (`old`), for nothing in the file says that it is.
 */
function decoded(bytes) {
  const [first, second] = new Uint8Array(bytes);
  const sixteen = { "255,254": "utf-16le", "254,255": "utf-16be" }[`${first},${second}`];
  try {
    return { text: new TextDecoder(sixteen ?? "utf-8", { fatal: true }).decode(bytes), old: false };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), old: true };
  }
}

/** Marks a line of a text area, from 1. */
function select(area, line) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
}

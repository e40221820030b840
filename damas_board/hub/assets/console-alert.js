// One alert: what happened, what the rule says, its evidence, and the arbiter's decision.

import { severity } from "/assets/console-alerts.js";
import { decision } from "/assets/console-decision.js";
import { showEvidence } from "/assets/console-evidence.js";
import { coded, kindOf, listed, tableOf, timeOf, versus, whose } from "/assets/console-phrases.js";
import { claimsOf, resultForm } from "/assets/console-result.js";
import { gameOf } from "/assets/console-state.js";
import { button, el, facts, refill, tag } from "/assets/elements.js";
import { known, say } from "/assets/words.js";

/** The view of the alert `id`; `update` shows it as the hall is now, `leave` stops what plays. */
export class AlertView {
  #id;
  #about = el("div");
  #evidence = el("section.card", { "aria-labelledby": "evidence-title" });
  #decide = el("section.card.decide", { "aria-labelledby": "decide-title" });
  #stop = null;
  #shown = null;

  constructor(place, console_, id) {
    this.console = console_;
    this.#id = id;
    place.replaceChildren(el("article.one", {}, this.#about, this.#decide, this.#evidence));
    console_.hall.fetch(gameOf(id));
  }

  update() {
    const { hall } = this.console;
    const found = hall.alert(this.#id);
    if (found === null) {
      const asked = hall.asks(gameOf(this.#id));
      refill(this.#about, asked, () => [back(), el("p.nothing", {}, say(asked ? "loading" : "alert.unknown"))]);
      this.#evidence.hidden = this.#decide.hidden = true;
      return;
    }
    const { alert, game, open } = found;
    refill(this.#about, [alert, game.players, open], () => about(alert, game, open));
    const gone = game.plies.length - alert.ply;
    refill(this.#decide, [alert.id, open, gone, game.revision, game.over, claimsOf(game), hall.me.may], () =>
      open ? this.#decisions(alert, game, gone) : settled(alert, game),
    );
    this.#evidence.hidden = this.#decide.hidden = false;
    if (this.#shown !== open) {
      this.#shown = open; // once it is settled the account says how
      this.#stop?.();
      const place = el("div");
      this.#evidence.replaceChildren(el("h3", { id: "evidence-title" }, say("alert.evidence")), place);
      this.#stop = showEvidence(place, game, alert);
    }
  }

  leave() {
    this.#stop?.();
  }

  #decisions(alert, game, gone) {
    const { may } = this.console;
    const note = el("textarea", { id: "note", rows: "2", maxlength: "2000", "data-keep": true });
    const body =
      (do_, more = {}) =>
      () => ({
        game: game.game,
        do: do_,
        ...more,
        ...(note.value.trim() && { note: note.value.trim() }),
      });
    const of = { alert: alert.id };
    const seen = { plies: game.plies.length, revision: game.revision };
    const hint = (id, text) => el("p.small.soft", { id }, text);
    const todo = known(`todo.${alert.kind}`) ? say(`todo.${alert.kind}`) : null;
    return [
      el("h3", { id: "decide-title" }, say("alert.decide")),
      alert.decides === "opponent" && el("p.small.soft", {}, say("alert.opponent_decides")),
      gone > 0 && el("p.small.soft", {}, say("alert.since", { count: gone })),
      todo && el("p.notice.accent", { id: "todo" }, todo),
      el(
        "div.verdicts",
        {},
        todo === null &&
          el(
            "div",
            {},
            decision(say("do.stands"), may("stands"), body("stands", of), { id: "stands", hint: "stands-hint" }),
            hint("stands-hint", say("do.stands.hint")),
          ),
        todo === null &&
          el(
            "div",
            {},
            decision(say("do.rectify"), may("rectify"), body("rectify", { ...of, ...(takesBack(alert) && seen) }), {
              id: "rectify",
              hint: "rectify-hint",
              ask: gone > 0 && takesBack(alert) ? say("do.rectify.ask", { count: gone }) : null,
            }),
            hint("rectify-hint", say(takesBack(alert) ? "do.rectify.hint" : "do.rectify.told")),
          ),
        el(
          "div",
          {},
          decision(say("do.dismiss"), may("dismiss"), body("dismiss", of), {
            id: "dismiss",
            hint: "dismiss-hint",
            ask: say("do.dismiss.ask"),
          }),
          hint("dismiss-hint", say("do.dismiss.hint")),
        ),
        todo && el("div", {}, el("a.button", { href: `#/game/${game.game}`, id: "to-game" }, say("alert.game"))),
      ),
      el("div.field", {}, el("label", { for: "note" }, say("note")), note),
      el(
        "details",
        { id: "other-decisions", open: alert.kind === "flag_fallen" },
        el("summary", {}, say("alert.more")),
        el(
          "div.row",
          {},
          alert.ply > 0 &&
            alert.ply <= game.plies.length &&
            decision(
              say("do.rewind.to", { ply: alert.ply - 1 }),
              may("rewind"),
              body("rewind", { ply: alert.ply - 1, ...seen }),
              {
                id: "rewind",
                ask: say("do.rewind.ask", { count: gone + 1 }),
              },
            ),
          decision(say("do.adjust"), may("adjust"), body("adjust"), { id: "adjust" }),
          todo === null && el("a.button", { href: `#/game/${game.game}` }, say("alert.game")),
        ),
        el("h4", {}, say("result.title")),
        resultForm(game, may, () => note.value.trim(), alert),
      ),
    ];
  }
}

/** Whether putting it right takes plies back: not where pieces are put right, nor where the arbiter is only told. */
const takesBack = ({ kind, consequence }) =>
  Boolean(consequence) && !["left_on_board", "removed_wrongly"].includes(kind);

const back = () =>
  el("a.button.plain.back", { href: "#/alerts" }, el("span", { "aria-hidden": "true" }, "←"), say("alert.back"));

function about(alert, game, open) {
  const regulation = game.regulation?.title ?? game.regulation?.name ?? "";
  const evidence = alert.evidence ?? {};
  const squares = (alert.squares ?? []).join(" ");
  return [
    back(),
    el(
      "div.row",
      {},
      severity(alert),
      !open && tag("✓", coded("how", alert.how), "good"),
      el("span.soft", {}, tableOf(game)),
      el("span.soft.clock", {}, timeOf(alert.ts)),
    ),
    el("h2", {}, kindOf(alert)),
    facts(
      [say("alert.whose"), alert.side ? whose(game, alert.side) : null],
      [say("alert.players"), alert.side ? null : versus(game)],
      [say("alert.ply"), alert.ply ? String(alert.ply) : null],
      [say("alert.squares"), squares],
      [say("alert.why"), evidence.reason ? coded("reason", evidence.reason) : null],
      [say("alert.legal"), (alert.legal ?? []).length ? alert.legal.join(" · ") : null],
      [say("alert.could_continue"), [evidence.could_continue ?? []].flat().join(" · ")],
      [say("alert.also"), (alert.also ?? []).length ? listed(alert.also.map((kind) => coded("kind", kind))) : null],
    ),
    el(
      "section.card.law",
      { "aria-labelledby": "law-title" },
      el(
        "h3",
        { id: "law-title" },
        alert.article ? say("alert.article", { article: alert.article }) : say("alert.no_article"),
      ),
      el("p.small.soft", {}, regulation),
      known(`law.${alert.kind}`) && el("p", {}, say(`law.${alert.kind}`)),
      facts(
        [
          say("alert.follows"),
          alert.consequence ? coded("consequence", alert.consequence) : say("alert.nothing_follows"),
        ],
        [say("alert.decides"), `${coded("decides", alert.decides)}, ${coded("until", alert.until)}`],
      ),
    ),
  ];
}

function settled(alert, game) {
  return [
    el("h3", { id: "decide-title" }, say("alert.settled", { how: coded("how", alert.how) })),
    el(
      "p",
      {},
      el("a.button", { href: `#/game/${game.game}` }, say("alert.game")),
      " ",
      button(say("alert.next"), () => (location.hash = "#/alerts"), {}),
    ),
  ];
}

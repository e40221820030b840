// The list of alerts: what waits for the arbiter first, by how much it weighs, then the newest.

import { articleOf, coded, kindOf, SEVERITIES, tableOf, timeOf, versus, whose } from "/assets/console-phrases.js";
import { button, el, refill, tag } from "/assets/elements.js";
import { say } from "/assets/words.js";

const chosen = { settled: false, notes: false };

const grave = ({ alert }) => alert.severity !== "note";

/** What the badge counts: open alerts that are more than a note. */
export const weighty = (hall) => hall.openAlerts.filter(grave);

const heaviestFirst = (one, other) =>
  SEVERITIES[other.alert.severity].weight - SEVERITIES[one.alert.severity].weight ||
  String(other.alert.ts ?? "").localeCompare(String(one.alert.ts ?? ""));

const newestFirst = (one, other) => String(other.alert.ts ?? "").localeCompare(String(one.alert.ts ?? ""));

/** Shows the list in `place` as `hall` is now; `open` is the id of the alert that is shown beside it. */
export function showAlerts(place, { hall, again }, open = null) {
  const settled = [...hall.games.values()].flatMap((game) => (game.settled ?? []).map((alert) => ({ alert, game })));
  const all = chosen.settled ? settled.sort(newestFirst) : hall.openAlerts.sort(heaviestFirst);
  const list = chosen.notes ? all : all.filter(grave);
  const notes = all.length - all.filter(grave).length;
  const counts = [weighty(hall).length, settled.filter(grave).length, notes];
  const what = [list.map(({ alert, game }) => [alert, versus(game)]), chosen, counts, open];
  const turn = (key, value) => () => {
    chosen[key] = value;
    again();
  };
  refill(place, what, () => [
    el("h2", {}, say("tab.alerts")),
    el(
      "div.row.choices",
      { role: "group", "aria-label": say("alerts.which") },
      button(say("alerts.open", { count: counts[0] }), turn("settled", false), {
        id: "alerts-open",
        "aria-pressed": String(!chosen.settled),
      }),
      button(say("alerts.settled", { count: counts[1] }), turn("settled", true), {
        id: "alerts-settled",
        "aria-pressed": String(chosen.settled),
      }),
      el(
        "label.check",
        {},
        el("input", {
          type: "checkbox",
          id: "alerts-notes",
          checked: chosen.notes,
          on: { change: turn("notes", !chosen.notes) },
        }),
        say("alerts.notes", { count: notes }),
      ),
    ),
    list.length
      ? el(
          "ul.plain.alerts",
          {},
          list.map((found) => row(found, open)),
        )
      : el("p.nothing", {}, say(chosen.settled ? "alerts.none_settled" : "alerts.none")),
  ]);
}

function row({ alert, game }, open) {
  return el(
    "li",
    {},
    el(
      `a.alert.${alert.severity}`,
      {
        href: `#/alerts/${encodeURIComponent(alert.id)}`,
        id: `row-${alert.id}`,
        ...(alert.id === open && { "aria-current": "true" }),
      },
      el(
        "span.line",
        {},
        severity(alert),
        el("span.small.soft", {}, tableOf(game)),
        el("span.small.soft.clock", {}, timeOf(alert.ts)),
      ),
      el("strong.what", {}, kindOf(alert)),
      el(
        "span.small.soft",
        {},
        [alert.side ? whose(game, alert.side) : versus(game), alert.squares?.join(" "), articleOf(game, alert.article)]
          .filter(Boolean)
          .join(" · "),
      ),
      alert.how && el("span.small", {}, tag("✓", coded("how", alert.how), "good")),
    ),
  );
}

export const severity = (alert) =>
  tag(SEVERITIES[alert.severity].sign, say(`severity.${alert.severity}`), SEVERITIES[alert.severity].tag);

// The end of a game: who has won, why, and the article of a claim where there is one.

import { decision } from "/assets/console-decision.js";
import { coded, tableOf, versus } from "/assets/console-phrases.js";
import { button, choice, el, tag } from "/assets/elements.js";
import { say } from "/assets/words.js";

const REASONS = {
  white: ["time", "resigned", "decision", "absent", "no_pieces", "blocked", "limit"],
  black: ["time", "resigned", "decision", "absent", "no_pieces", "blocked", "limit"],
  draw: ["agreed", "repetition", "limit", "decision"],
  none: ["void", "absent", "decision"],
};

/** What can be claimed now, or holds by rule: of what was told, that which the counters still say or play has not left. */
export const claimsOf = (game) =>
  (game?.claims ?? []).filter(
    (claim) =>
      claim.holds ||
      claim.ply === game.plies.length ||
      (game.counters ?? []).some((one) => one.law === claim.rule && one.side === claim.side && one.count >= one.limit),
  );

/** What a claim comes to: a law that counts towards a draw has a counter; one that gives the win has none. */
const proposed = (game, claim) =>
  claim.rule === "repetition" || (game.counters ?? []).some((one) => one.law === claim.rule)
    ? ["draw", claim.rule === "repetition" ? "repetition" : "limit"]
    : [claim.side ?? "draw", "decision"];

/** The form for a result; `note()` is the decision in words; an alert about a fallen flag proposes its result. */
export function resultForm(game, may, note = () => "", alert = null) {
  const id = `result-${alert ? "alert" : "game"}`;
  const winner = choice(
    `${id}-winner`,
    say("result.winner"),
    ["", "white", "black", "draw", "none"].map((one) => [one, say(`result.${one || "choose"}`)]),
    "",
    { "data-keep": true, on: { change: (event) => reasons(event.target.value) } },
  );
  const who = winner.querySelector("select");
  const reason = el("div");
  const reasons = (wins, chosen) => {
    who.removeAttribute("aria-invalid");
    const list = [["", say("result.choose")], ...(REASONS[wins] ?? []).map((one) => [one, coded("over", one)])];
    const made = wins && choice(`${id}-reason`, say("result.reason"), list, chosen ?? "", { "data-keep": true });
    reason.replaceChildren(...(wins ? [made] : []));
  };
  const propose = (wins, why) => {
    who.value = wins;
    reasons(wins, why);
    for (const control of [who, reason.querySelector("select")]) control.dataset.entered = "";
  };
  const chosen = () => {
    const controls = [who, ...reason.querySelectorAll("select")];
    const missing = controls.find((control) => control.value === "");
    for (const control of controls) control.setAttribute("aria-invalid", String(control === missing));
    missing?.focus();
    return missing ? null : controls.map((control) => control.value);
  };
  if (alert?.side && (alert.kind === "flag_fallen" || alert.consequence === "loses_game"))
    propose(alert.side === "white" ? "black" : "white", alert.kind === "flag_fallen" ? "time" : "decision");
  return el(
    "div.result",
    {},
    claimsOf(game).map((claim, index) =>
      el(
        "div.claim",
        {},
        el("p", {}, tag("½", say(claim.holds ? "claim.holds" : "claim.may"), "accent"), " ", claimText(claim)),
        button(say("claim.use"), () => propose(...proposed(game, claim)), { id: `${id}-claim-${index}` }),
      ),
    ),
    el("div.row.fields", {}, winner, reason),
    decision(
      say("do.result"),
      may("result"),
      () => {
        const [result, why] = chosen() ?? [];
        return result ? { game: game.game, do: "result", result, reason: why, ...(note() && { note: note() }) } : null;
      },
      {
        id: `${id}-enter`,
        kind: "primary",
        ask: ({ result, reason: why }) =>
          say("do.result.ask", {
            result: say(`result.${result}`),
            reason: coded("over", why),
            table: tableOf(game),
            players: versus(game),
          }),
      },
    ),
  );
}

export const claimText = (claim) =>
  say(claim.side ? "claim.of" : "claim.text", {
    law: coded("draw", claim.rule),
    article: claim.article,
    side: claim.side ? say(`side.${claim.side}`) : "",
    count: claim.count,
    limit: claim.limit,
  });

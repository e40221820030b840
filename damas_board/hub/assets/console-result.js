// The end of a game: who has won, why, and the article of a claim where there is one.

import { decision } from "/assets/console-decision.js";
import { coded } from "/assets/console-phrases.js";
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
    ["white", "black", "draw", "none"].map((one) => [one, say(`result.${one}`)]),
    "draw",
    { "data-keep": true },
  );
  const reason = el("div");
  const value = (name) => document.getElementById(`${id}-${name}`).value;
  const reasons = (who, chosen) =>
    reason.replaceChildren(
      choice(
        `${id}-reason`,
        say("result.reason"),
        REASONS[who].map((one) => [one, coded("over", one)]),
        chosen ?? REASONS[who][0],
        { "data-keep": true },
      ),
    );
  const propose = (who, why) => {
    winner.querySelector("select").value = who;
    reasons(who, why);
  };
  winner.querySelector("select").addEventListener("change", (event) => reasons(event.target.value));
  propose("draw", "agreed");
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
      () => ({
        game: game.game,
        do: "result",
        result: value("winner"),
        reason: value("reason"),
        ...(note() && { note: note() }),
      }),
      { id: `${id}-enter`, kind: "primary" },
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

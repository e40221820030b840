// What a broadcast cannot do, or what has not arrived: the hub's `health.feeds`, in words.

import { el } from "/assets/elements.js";
import { language, say } from "/assets/words.js";

const SERIOUS = ["feed_frozen", "feed_quiet", "feed_no_regulation", "feed_too_many", "push_behind"];

const time = (ts) => new Date(ts).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });

/** What regulations are called, by their names, of the rounds and games that the hall has. */
function titlesIn(hall) {
  const rounds = [...hall.rounds.values()];
  const planned = [...rounds, ...rounds.flatMap((round) => round.pairings ?? [])];
  const played = [...hall.games.values()].map(({ regulation }) => [regulation?.name, regulation?.title]);
  return new Map([...planned.map((one) => [one.regulation, one.regulation_title]), ...played]);
}

function line(trouble, titles) {
  const values = { ...trouble, detail: trouble.detail ?? "", count: trouble.files?.length };
  values.regulation = titles.get(trouble.regulation) ?? trouble.regulation;
  if (trouble.tables) values.tables = trouble.tables.join(", ");
  if (trouble.since) values.since = time(trouble.since);
  const serious = SERIOUS.includes(trouble.code);
  const sign = el("span", { "aria-hidden": "true" }, serious ? "▲ " : "· ");
  return el(serious ? "li.notice.warn" : "li.small", {}, sign, say(`feeds.${trouble.code}`, values));
}

/** The troubles of the feeds as a list; null where there are none. */
export const feedTroubles = (hall) =>
  (hall.hub?.feeds ?? []).length > 0
    ? el(
        "section",
        { "aria-labelledby": "feeds" },
        el("h3", { id: "feeds" }, say("feeds.title")),
        el(
          "ul.plain",
          {},
          hall.hub.feeds.map((trouble) => line(trouble, titlesIn(hall))),
        ),
      )
    : null;

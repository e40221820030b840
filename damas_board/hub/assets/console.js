// The arbiter's and the organiser's console: login, the views, and what is said whichever view is open.

import { AlertView } from "/assets/console-alert.js";
import { showAlerts, weighty } from "/assets/console-alerts.js";
import { canVibrate, choose, chosen, ring } from "/assets/console-bell.js";
import { busy, hush } from "/assets/console-decision.js";
import { GameView } from "/assets/console-game.js";
import { boardsOf, placeOf, showHall, tick } from "/assets/console-hall.js";
import { kindOf, tableOf, timeOf } from "/assets/console-phrases.js";
import { RegisterView } from "/assets/console-register.js";
import { Hall } from "/assets/console-state.js";
import { get, loggedOut, post } from "/assets/console-talk.js";
import { button, choice, el, field, refill } from "/assets/elements.js";
import { keepLanguage, language, say, words } from "/assets/words.js";

const TABS = ["alerts", "hall", "game", "rounds", "register"];
const SIGNS = { alerts: "◆", hall: "▦", game: "◉", rounds: "☰", register: "✎" };
const LANGUAGES = [
  ["en", "English"],
  ["pt", "Português"],
  ["pt-BR", "Português (Brasil)"],
];
const ORGANISERS = ["organiser"];
const MOMENT = 60; // milliseconds

const main = document.getElementById("main");
const tabs = document.getElementById("tabs");
const hall = new Hall();
let view = null; // what is open: has update(), leave(), and tick() where something in it moves by itself
let shownAt = "";
let lastGame = null;
let lastName = null; // who was logged in: for another person the hall is told anew

/** What the views are given: the hall, what this person may do, and to be shown again. */
const console_ = {
  hall,
  may: (do_) => (hall.me?.may ?? []).includes(do_),
  again: () => view?.update(),
};

const VIEWS = {
  alerts(place, id) {
    const list = el("section.list");
    const one = el("section.one-place");
    place.replaceChildren(el(`div.alerts-view${id ? ".with-one" : ""}`, {}, list, one));
    const shown = id ? new AlertView(one, console_, id) : null;
    if (!id) one.replaceChildren(el("p.nothing", {}, say("alerts.choose")));
    return {
      update() {
        showAlerts(list, console_, id);
        shown?.update();
      },
      leave: () => shown?.leave(),
    };
  },
  hall: (place) => ({
    update: () => showHall(place, console_),
    tick() {
      for (const clock of place.querySelectorAll("[data-clock]")) tick(hall, clock);
    },
    leave() {},
  }),
  game(place, id) {
    lastGame = `#/game/${id}`;
    return new GameView(place, console_, { game: id });
  },
  board(place, id) {
    lastGame = `#/board/${id}`;
    return new GameView(place, console_, { board: id });
  },
  rounds(place) {
    let left = false;
    let opened = null;
    place.replaceChildren(el("p.soft", {}, say("loading")));
    import("/assets/console-round.js").then(
      ({ openRound }) => {
        if (left) return;
        place.replaceChildren();
        opened = openRound(place, console_);
      },
      () => place.replaceChildren(el("p.nothing", {}, say("login.no_connection"))),
    );
    return {
      update: () => opened?.update?.(),
      leave() {
        left = true;
        opened?.leave?.();
      },
    };
  },
  register: (place) => new RegisterView(place, console_),
};

function tabsFor() {
  return TABS.filter((tab) => tab !== "rounds" || ORGANISERS.includes(hall.me?.role));
}

/** Where a tab leads: the game that was looked at last, else the first table's. */
function addressOf(tab) {
  if (tab !== "game") return `#/${tab}`;
  if (lastGame && (hall.games.has(lastGame.slice(7)) || hall.boards.has(lastGame.slice(8)))) return lastGame;
  const boards = boardsOf(hall);
  const board = boards.find((one) => one.game) ?? boards[0];
  return board ? placeOf(board) : "#/hall";
}

function showTabs() {
  const count = weighty(hall).length;
  const current = location.hash.split("/")[1];
  const now = { game: "game", board: "game" }[current] ?? current;
  refill(tabs, [count, now, tabsFor(), addressOf("game")], () =>
    tabsFor().map((tab) =>
      el(
        "a",
        { href: addressOf(tab), id: `tab-${tab}`, ...(tab === now && { "aria-current": "page" }) },
        el("span.sign", { "aria-hidden": "true" }, SIGNS[tab]),
        el("span", {}, say(`tab.${tab}`)),
        tab === "alerts" &&
          count > 0 && [
            el("span.badge", { "aria-hidden": "true" }, String(count)),
            el("span.visually-hidden", {}, say("alerts.waiting", { count })),
          ],
      ),
    ),
  );
  document.title = count > 0 ? `(${count}) ${say("page.title")}` : say("page.title");
}

/** A part of an address as it was meant; null where nothing can have been meant. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Opens the view that the address names. */
function route() {
  if (!hall.me) return;
  const [, name = "", encoded = ""] = location.hash.split("/");
  const id = decoded(encoded);
  const known = id !== null && VIEWS[name] && (name !== "rounds" || tabsFor().includes("rounds"));
  if (!known) {
    history.replaceState(null, "", "#/alerts");
    route();
    return;
  }
  hush();
  const moved = shownAt !== "" && shownAt !== location.hash;
  shownAt = location.hash;
  view?.leave();
  main.className = `view-${name}`;
  view = VIEWS[name](main, id);
  view.update();
  showTabs();
  if (moved) {
    window.scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

function showConnection() {
  const place = document.getElementById("connection");
  const [kind, sign, text] = !hall.me
    ? ["", "", ""]
    : hall.quiet === null
      ? ["", "◌", say("link.connecting")]
      : hall.quiet > 0
        ? ["bad", "✕", say("link.lost", { seconds: hall.quiet })]
        : hall.connected
          ? ["good", "●", say("link.live")]
          : ["warn", "▲", say("link.no_broker")];
  place.className = kind && `tag ${kind}`;
  // told aloud when it changes, not every second
  refill(place, [kind, text], () => [el("span", { "aria-hidden": "true" }, sign), el("span", {}, text)]);
  place.setAttribute("aria-live", kind === "bad" && hall.quiet > 1 ? "off" : "polite");
  const old = Boolean(hall.me) && hall.stale && hall.quiet !== null;
  document.documentElement.classList.toggle("stale", old);
  const since = timeOf(new Date(performance.timeOrigin + hall.certain * 1000));
  const notice = document.getElementById("stale");
  notice.hidden = !old;
  notice.textContent = old ? say("link.stale", { since }) : "";
}

function settings() {
  const dialog = el(
    "dialog.sheet",
    { "aria-labelledby": "settings-title" },
    el("h2", { id: "settings-title" }, say("settings.title")),
    el("p", {}, say("settings.who", { name: hall.me.name, role: say(`role.${hall.me.role}`) })),
    choice("language", say("settings.language"), LANGUAGES, language, {
      on: {
        change: ({ target }) => {
          keepLanguage(target.value);
          const here = new URL(location.href);
          here.searchParams.delete("lang");
          history.replaceState(null, "", here);
          location.reload();
        },
      },
    }),
    choice(
      "theme",
      say("settings.theme"),
      ["auto", "light", "dark"].map((one) => [one, say(`theme.${one}`)]),
      document.documentElement.dataset.theme ?? "auto",
      { on: { change: ({ target }) => keepTheme(target.value) } },
    ),
    bell("vibration", !canVibrate),
    bell("sound", false),
    el(
      "div.row.end",
      {},
      button(say("logout"), logout, { id: "logout" }),
      button(say("close"), () => dialog.close(), { id: "settings-close" }, "primary"),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const bell = (what, impossible) =>
  el(
    "label.check",
    {},
    el("input", {
      type: "checkbox",
      id: what,
      checked: chosen[what] && !impossible,
      disabled: impossible,
      on: { change: ({ target }) => choose(what, target.checked) },
    }),
    say(impossible ? `settings.${what}.none` : `settings.${what}`),
  );

function keepTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("damas-theme", theme);
  } catch {
    // it holds until the page is closed
  }
}

async function logout() {
  await post("logout");
  location.reload();
}

/** The form; closed where a password would be sent for everybody on the way to read. */
function login(why = "", open = true) {
  hall.close();
  hall.me = null;
  view?.leave();
  view = null;
  shownAt = "";
  tabs.hidden = true;
  document.getElementById("settings").hidden = true;
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  showConnection();
  main.className = "view-login";
  const told = el("p", { role: "alert", id: "login-told" }, why);
  const form = el(
    "form.card",
    {
      id: "login",
      on: {
        submit: async (event) => {
          event.preventDefault();
          const [name, password] = ["name", "password"].map((id) => document.getElementById(id).value);
          const enter = document.getElementById("enter");
          if (enter.hasAttribute("aria-busy")) return;
          busy(enter, true);
          const { ok, body } = await post("login", { name, password });
          busy(enter, false);
          if (ok) {
            await start();
            if (hall.me) main.focus({ preventScroll: true });
            return;
          }
          told.textContent = say(`login.${REFUSALS.includes(body.reason) ? body.reason : "failed"}`, {
            seconds: body.seconds ?? "",
          });
          document.getElementById("password").value = "";
          document.getElementById("password").focus();
        },
      },
    },
    el("h2", {}, say("login.title")),
    told,
    field("name", say("login.name"), {
      autocomplete: "username",
      required: true,
      autocapitalize: "none",
      spellcheck: "false",
    }),
    field("password", say("login.password"), { type: "password", autocomplete: "current-password", required: true }),
    button(say("login.enter"), () => {}, { type: "submit", id: "enter" }, "primary"),
    choice("login-language", say("settings.language"), LANGUAGES, language, {
      on: {
        change: ({ target }) => {
          keepLanguage(target.value);
          location.assign("/console/");
        },
      },
    }),
  );
  main.replaceChildren(form);
  for (const id of ["name", "password", "enter"]) document.getElementById(id).disabled = !open;
  document.getElementById("name").focus();
}

const REFUSALS = ["wrong_login", "too_many", "needs_tls", "nobody", "no_connection"];

async function start() {
  const { ok, status, body } = await get("me");
  if (!ok) {
    if (status !== 401) login(say(status === 0 ? "login.no_connection" : "login.failed"));
    else if (body.private === false) login(say("login.needs_tls"), false);
    return;
  }
  const then = new URLSearchParams(location.search).get("then") ?? "";
  if (then.startsWith("/console/sheet/")) {
    location.replace(then); // a score sheet that was asked for without a login
    return;
  }
  if (lastName !== body.name) hall.forget();
  lastName = body.name;
  hall.me = body;
  tabs.hidden = false;
  document.getElementById("settings").hidden = false;
  main.className = "";
  main.replaceChildren(el("p.soft", {}, say("loading")));
  showConnection();
  hall.open();
}

let due = 0;

/** Shows what has changed, once for all that comes within a moment: a hall of boards says much. */
function changed() {
  due = 0;
  if (!hall.me) return;
  if (view === null) route();
  else view.update();
  showTabs();
  showConnection();
}

hall.addEventListener("change", () => {
  if (due === 0) due = setTimeout(changed, MOMENT);
});
hall.addEventListener("link", () => {
  showConnection();
  view?.tick?.();
});
hall.addEventListener("alert", ({ detail: { alert, game } }) => {
  if (alert.severity === "note") return;
  ring(alert.severity);
  const said = say("alerts.new", { table: tableOf(game), kind: kindOf(alert) });
  document.getElementById("announcements").append(el("p", {}, said));
});
loggedOut.addEventListener("out", () => {
  if (hall.me) ring("irregular"); // until somebody logs in again no alert is heard
  login(hall.me ? say("login.again") : "");
});
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#/")) route();
});
setInterval(() => view?.tick?.(), 250);

await words("/console/words");
document.title = say("page.title");
document.getElementById("settings").addEventListener("click", settings);
start();

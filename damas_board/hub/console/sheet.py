"""A game's score sheet, to print and to sign: what was played and when, what was irregular, how it ended.

`sheet_page` is pure: everything that a person entered goes through `_Html.of`, which escapes it; nothing else makes
markup of text. `Sheets` brings what it needs, of the hall's record or, where the game sleeps, of the archive. A table
that no board sees gets the same sheet with empty lines, to be filled by hand.

The moves stand in leaves of two tables side by side; the last one and what is signed, result and signatures, are one
block that no page divides: whoever signs has moves of the game before him. What was irregular follows behind.
"""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from damas_board.hub.archive import Archive, ArchiveError
from damas_board.hub.console import round_words, words
from damas_board.hub.console.door import HEADERS, Door, Refused
from damas_board.hub.console.hall import Hall
from damas_board.hub.console.register import closing
from damas_board.hub.console.sessions import Session
from damas_board.hub.console.showing import Showing
from damas_board.hub.page_words import LANGUAGES, catalogue
from damas_board.messages.envelope import EnvelopeError, instant
from damas_board.messages.stream import Record
from damas_board.messages.words import alert_words
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import write_fen
from damas_board.notation.time_control import read_time_control
from damas_board.rules.position import initial
from damas_board.session.ending import WINNERS

BLOCKS = 2
"""Tables of moves beside each other."""
SHORT = 10
"""Rows that need no second table."""
LINES = 46
"""Rows of a game that goes on, or that nobody saw: it is written on by hand."""
FIRST, NEXT = 72, 104
"""Rows that have room on the first page, under names and facts, and on any other."""
CLOSING = 22
"""Rows whose room result and signatures take."""
KEPT = 12
"""Rows that stand with the signatures where they have a page of their own."""
SIDES = ("white", "black")
UNSETTLED = ("dismissed", "recovered")
"""How alerts are closed that were none of the players'."""

Said = Callable[..., str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a sheet says; a game that nobody saw has no `game`."""

    meeting: str
    id: str
    round: Mapping[str, Any] | None
    pairing: Mapping[str, Any] | None
    game: Mapping[str, Any] | None
    """As the console is told it (showing.py)."""
    decisions: Sequence[Mapping[str, Any]] = ()
    """The archive's rows: `told`, `by`, `note`, ..."""
    set_up: bool = False
    """Whether the game began from another position than its variant's."""
    printed: datetime | None = None


class Sheets:
    """`routes` answers whoever is logged in."""

    def __init__(self, hall: Hall, showing: Showing, archive: Archive, meeting: str) -> None:
        self._hall = hall
        self._showing = showing
        self._archive = archive
        self._meeting = meeting

    def routes(self, door: Door) -> list[BaseRoute]:
        sheet = door.get("/sheet/{game}", self._sheet)

        async def asked(request: Request) -> Response:
            """A browser without a session is sent to the login, which leads back."""
            if door.still(request) or "text/html" not in request.headers.get("accept", ""):
                response: Response = await sheet.endpoint(request)
                return response
            back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse(f"/console/?then={quote(back, safe='/')}", 303, HEADERS)

        return [Route(sheet.path, asked, methods=["GET"])]

    async def _sheet(self, request: Request, session: Session) -> Response:
        game = str(request.path_params["game"])
        language = request.query_params.get("lang") or _preferred(request)
        try:
            sheet = await self._of(game)
        except ArchiveError as error:
            raise Refused(503, "archive_lost", detail=str(error)) from error
        page = sheet_page(sheet, language if language in LANGUAGES else "en")
        return Response(page, 200, HEADERS, "text/html; charset=utf-8")

    async def _of(self, game: str) -> Sheet:
        found = await self._hall.look_at(game)
        shown = None if found is None or found.record.start is None else self._showing.whole(found)
        rounds = [self._showing.round(name) for name in self._hall.rounds]
        planned, pairing = next(
            ((one, p) for one in rounds if one for p in one["pairings"] if p.get("game") == game), (None, None)
        )
        if shown is None and pairing is None:
            raise Refused(404, "no_game")
        decisions = () if shown is None else await asyncio.to_thread(self._decisions, game)
        set_up = found is not None and self._is_set_up(found.record)
        return Sheet(self._meeting, game, planned, pairing, shown, decisions, set_up, datetime.now().astimezone())

    def _is_set_up(self, record: Record) -> bool:
        regulation = self._showing.regulation(record.regulation)
        return regulation is not None and record.start != write_fen(initial(regulation.variant))

    def _decisions(self, game: str) -> Sequence[Mapping[str, Any]]:
        if game not in self._archive.known(self._meeting):
            return ()
        found: Sequence[Mapping[str, Any]] = self._archive.game(self._meeting, game)["decisions"]
        return found


def _preferred(request: Request) -> str:
    """The language that the browser names first, as far as it is one of ours."""
    first = request.headers.get("accept-language", "").partition(",")[0].partition(";")[0].strip()
    return first if first in LANGUAGES else first.partition("-")[0]


# --- the page


class _Html(str):
    """Markup, as only `_tag` makes it."""

    __slots__ = ()

    @classmethod
    def of(cls, content: object) -> _Html:
        """Markup as it is; anything else as the text that it is."""
        return content if isinstance(content, _Html) else cls(html.escape(str(content)))


def _tag(name: str, /, *content: object, **attributes: object) -> _Html:
    """An element; None is left out of `content` and `attributes`, whose names may end in `_`."""
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    said = "".join(f' {key}="{html.escape(str(value))}"' for key, value in given.items())
    inner = "".join(_Html.of(one) for one in content if one is not None)
    return _Html(f"<{name}{said}>{inner}" if name in ("meta", "link") else f"<{name}{said}>{inner}</{name}>")


def sheet_page(sheet: Sheet, language: str) -> str:
    """The sheet as a page of HTML, in one of LANGUAGES."""
    texts = {
        **alert_words(language),
        **catalogue(language, round_words.WORDS, round_words.BRAZIL),
        **catalogue(language, words.WORDS, words.BRAZIL),
    }

    def say(key: str, **values: object) -> str:
        return texts.get(key, key.rpartition(".")[2]).format(**values)

    game, planned = sheet.game or {}, sheet.round or {}
    title = f"{say('sheet.title')} · {sheet.id}"
    head = _tag(
        "head",
        _tag("meta", charset="utf-8"),
        _tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        _tag("title", title),
        _tag("link", rel="stylesheet", href="/assets/sheet.css"),
        _tag("script", type="module", src="/assets/sheet.js"),
    )
    body = _tag(
        "main",
        _tag("button", say("sheet.print"), type="button", id="print", class_="screen"),
        _tag(
            "header",
            _tag("p", sheet.meeting, class_="event"),
            _tag("h1", say("sheet.title")),
            _tag("p", " · ".join(_place(sheet, planned, say)), class_="place"),
        ),
        _people(sheet, say),
        _facts(sheet, say),
        *_moves(game, say, _end(sheet, say), _signatures(sheet, say)),
        _irregular(game, sheet.decisions, say),
        _notes(game, sheet.decisions, say),
        _tag("footer", _printed(sheet, say)),
    )
    return "<!doctype html>\n" + _tag("html", head, _tag("body", body), lang=language)


_NUMBERED = re.compile(r"^(round|ronda|rodada)\s", re.IGNORECASE)
"""A round that is called after its number says it twice."""


def _place(sheet: Sheet, planned: Mapping[str, Any], say: Said) -> list[str]:
    round_ = planned.get("round") or (sheet.game or {}).get("round")
    table = (sheet.pairing or {}).get("table") or (sheet.game or {}).get("table")
    found = [] if round_ is None else [say("rounds.title", round=round_)]
    name = str(planned.get("name") or "")
    if name and _NUMBERED.sub("", name).strip() != str(round_):
        found.append(name)
    return [*found, *([] if table is None else [say("table", table=table)])]


def _player(sheet: Sheet, side: str) -> Mapping[str, Any]:
    """What is said of a player by the game and, beside it, by the round."""
    found: dict[str, Any] = {}
    for one in ((sheet.pairing or {}).get(side), ((sheet.game or {}).get("players") or {}).get(side)):
        said = {"name": one} if isinstance(one, str) else one
        found |= {key: value for key, value in said.items() if value} if isinstance(said, Mapping) else {}
    return found


def _named(player: Mapping[str, Any]) -> str:
    return " ".join(str(player[key]) for key in ("title", "name") if player.get(key))


def _people(sheet: Sheet, say: Said) -> _Html:
    def row(side: str) -> _Html:
        player = _player(sheet, side)
        more = " · ".join(str(player[key]) for key in ("club", "federation", "rating", "id") if player.get(key))
        name = _tag("strong", _named(player) or "\u00a0")
        return _tag("div", _tag("dt", say(f"side.{side}")), _tag("dd", name, _tag("span", more) if more else None))

    return _tag("dl", *(row(side) for side in SIDES), class_="people")


def _facts(sheet: Sheet, say: Said) -> _Html:
    game, planned = sheet.game or {}, sheet.round or {}
    pairing = sheet.pairing or {}
    regulation = (game.get("regulation") or {}).get("title") or pairing.get("regulation_title")
    clock = game.get("time_control") or pairing.get("clock") or planned.get("clock")
    times = [one["at"] for one in game.get("plies", ()) if one.get("at")]
    begins = _moment(times[0]) if times else None
    pairs = (
        ("sheet.date", None if begins is None else f"{begins:%Y-%m-%d %H:%M}"),
        ("rounds.regulation", regulation or planned.get("regulation_title") or planned.get("regulation")),
        ("rounds.clock", None if clock is None else _time_control(str(clock), say)),
        ("sheet.opening", game.get("opening") or pairing.get("opening")),
        ("sheet.start", game.get("start") if sheet.set_up else pairing.get("fen")),
        ("sheet.board", game.get("on") or pairing.get("board")),
        ("sheet.game", sheet.id),
    )
    rows = [_tag("div", _tag("dt", say(key)), _tag("dd", value)) for key, value in pairs if value]
    return _tag("dl", *rows, class_="facts")


def _time_control(text: str, say: Said) -> str:
    try:
        control = read_time_control(text)
    except NotationError:
        return text
    if control is None or control.sandclock or len(control.phases) != 1 or control.phases[0].moves is not None:
        return text
    (phase,) = control.phases
    key = "rounds.clock.said" if phase.increment else "rounds.clock.plain"
    return say(key, minutes=f"{phase.seconds / 60:g}", seconds=phase.increment)


def _moment(ts: object) -> datetime | None:
    """A time of UTC as the clock on this machine's wall says it."""
    try:
        return instant(str(ts)).astimezone()
    except EnvelopeError:
        return None


def _time(ts: object) -> str:
    found = None if ts is None else _moment(ts)
    return "" if found is None else f"{found:%H:%M:%S}"


def _clock(ply: Mapping[str, Any]) -> str:
    """What the player has left behind the move."""
    clock = ply.get("clock")
    left = clock[SIDES.index(ply["side"])] if clock else None
    if left is None:
        return ""
    hours, rest = divmod(max(0, round(left)), 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


# --- the moves


def _moves(game: Mapping[str, Any], say: Said, *closing: _Html) -> list[_Html]:
    """The leaves of moves; `closing` stands with the last of them."""
    first = game.get("first") or "white"
    order = (first, SIDES[first == "white"])
    rows = _rows(game.get("plies", ()), order)
    if not game.get("over"):  # there is room to go on by hand
        rows += [(len(rows) + number, {}) for number in range(1, max(LINES - len(rows), 5) + 1)]
    marks = {mark for ply in game.get("plies", ()) for mark in _marks(ply)}
    legend = [_tag("li", _tag("b", mark), " ", say(f"sheet.mark.{mark}")) for mark in MARKS if mark in marks]
    leaves = [_leaf(rows_, order, say) for rows_ in _leaves(rows)]
    leaves[0] = _tag("div", _tag("h2", say("sheet.moves")), leaves[0])
    signed = _tag("ul", *legend, class_="legend") if legend else None
    return [*leaves[:-1], _tag("section", leaves[-1], signed, *closing, class_="signed")]


def _leaves(rows: Sequence[Row]) -> list[Sequence[Row]]:
    leaves, room = [], FIRST
    while len(rows) > room - CLOSING:
        taken = min(room, len(rows) - KEPT)
        leaves.append(rows[:taken])
        rows, room = rows[taken:], NEXT
    return [*leaves, rows]


def _leaf(rows: Sequence[Row], order: tuple[str, str], say: Said) -> _Html:
    tall = len(rows) if len(rows) <= SHORT else -(-len(rows) // BLOCKS)
    blocks = [rows[start : start + tall] for start in range(0, len(rows), tall)] or [rows]
    return _tag("div", *(_block(block, order, say) for block in blocks), class_="blocks")


Row = tuple[int, dict[str, Mapping[str, Any]]]


def _rows(plies: Sequence[Mapping[str, Any]], order: tuple[str, str]) -> list[Row]:
    """A line a move of both; who moves twice in a row gets another one."""
    rows: list[Row] = []
    for ply in plies:
        side = ply["side"]
        if not rows or side == order[0] or side in rows[-1][1]:
            rows.append((len(rows) + 1, {}))
        rows[-1][1][side] = ply
    return rows


MARKS = ("i", "e", "!", "s")
"""Inferred, entered, irregular, set up behind it."""


def _marks(ply: Mapping[str, Any]) -> list[str]:
    keys = ("inferred", "entered", "irregular", "set_up")
    return [mark for mark, key in zip(MARKS, keys, strict=True) if ply.get(key)]


def _block(rows: Sequence[Row], order: tuple[str, str], say: Said) -> _Html:
    head = _tag(
        "tr",
        _tag("th", say("sheet.number"), scope="col"),
        *(
            _tag("th", text, scope="col", class_=name)
            for side in order
            for name, text in (("move", say(f"side.{side}")), ("time", say("sheet.time")), ("clock", say("sheet.left")))
        ),
    )
    lines = [
        _tag(
            "tr",
            _tag("th", f"{number}.", scope="row"),
            *(cell for side in order for cell in _cells(of.get(side))),
            class_=None if of else "open",
        )
        for number, of in rows
    ]
    return _tag("table", _tag("thead", head), _tag("tbody", *lines), class_="moves")


def _cells(ply: Mapping[str, Any] | None) -> tuple[_Html, _Html, _Html]:
    if ply is None:
        return _tag("td", class_="move"), _tag("td", class_="time"), _tag("td", class_="clock")
    marks = "".join(_marks(ply))
    text = str(ply["move"]).replace("x", "x\u200b")  # where a long capture may go on in the next line
    move = _tag("td", text, _tag("sup", marks) if marks else None, class_="move")
    return move, _tag("td", _time(ply.get("at")), class_="time"), _tag("td", _clock(ply), class_="clock")


# --- irregularities, the end, signatures


def _irregular(game: Mapping[str, Any], decisions: Sequence[Mapping[str, Any]], say: Said) -> _Html | None:
    alerts = [one for one in _alerts(game) if not _is_note(one, decisions)]
    if not alerts:
        return None
    head = _tag("tr", *(_tag("th", say(f"sheet.{key}"), scope="col") for key in ("ply", "what", "article", "decision")))
    rows = [
        _tag(
            "tr",
            _tag("td", alert.get("ply") or "", _tag("span", _time(alert.get("ts")))),
            _tag("td", _what(alert, say)),
            _tag("td", alert.get("article") or "-"),
            _tag("td", *_decided(alert, _about(alert, decisions), say)),
        )
        for alert in alerts
    ]
    table = _tag("table", _tag("thead", head), _tag("tbody", *rows), class_="irregular")
    return _tag("section", _tag("h2", say("sheet.irregular")), table)


def _notes(game: Mapping[str, Any], decisions: Sequence[Mapping[str, Any]], say: Said) -> _Html | None:
    """What was seen and nobody has to decide."""
    notes = [one for one in _alerts(game) if _is_note(one, decisions)]
    if not notes:
        return None
    rows = []
    for note in notes:
        ply = [f"{say('sheet.ply')} {note['ply']}"] if note.get("ply") else []
        rows.append(_tag("li", ", ".join([*ply, _time(note.get("ts"))]), ": ", _what(note, say)))
    return _tag("section", _tag("h2", say("sheet.notes")), _tag("ul", *rows, class_="notes"))


def _alerts(game: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Those about a player that were not taken back, in the order of their times."""
    found = [one for one in (*game.get("settled", ()), *game.get("alerts", ())) if _counts(one)]
    return sorted(found, key=lambda one: str(one.get("ts") or ""))


def _counts(alert: Mapping[str, Any]) -> bool:
    """Whether it is about a player, and was not taken back."""
    return alert.get("side") is not None and alert.get("how") not in UNSETTLED


def _is_note(alert: Mapping[str, Any], decisions: Sequence[Mapping[str, Any]]) -> bool:
    """Whether it is a mere note that nobody has decided anything about."""
    return alert.get("severity") == "note" and _about(alert, decisions) is None


def _about(alert: Mapping[str, Any], decisions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The decision that closed an alert."""
    return closing(decisions, str(alert["id"]), alert.get("closed"))


def _what(alert: Mapping[str, Any], say: Said) -> str:
    who = [say(f"side.{alert['side']}")] if alert.get("side") in SIDES else []
    where = [" ".join(map(str, alert.get("squares") or ()))] if alert.get("squares") else []
    return f"{say('kind.' + str(alert['kind']))} ({', '.join([*who, *where])})"


def _decided(alert: Mapping[str, Any], decision: Mapping[str, Any] | None, say: Said) -> list[object]:
    how = say("sheet.undecided") if alert.get("how") is None else say(f"how.{alert['how']}")
    by = [] if decision is None else [say("sheet.by", by=decision["by"] or "?")]
    note = [] if decision is None or not decision["note"] else [_tag("q", decision["note"])]
    return [", ".join([how, *by]), *note]


def _end(sheet: Sheet, say: Said) -> _Html:
    over = (sheet.game or {}).get("over")
    entered = (sheet.pairing or {}).get("result")
    if over:
        winner = over.get("winner")
        parts = [_score(str(over.get("result") or winner)), _winner(winner, say), _reason(over, say)]
    else:
        parts = [_score(str(entered or "")), _winner(WINNERS.get(str(entered)), say)]
    text = " · ".join(filter(None, parts))
    return _tag(
        "section",
        _tag("h2", say("sheet.result")),
        _tag("p", text or "\u00a0", class_="result" if text else "result open"),
        class_="end",
    )


def _score(result: str) -> str:
    """A result as draughts writes it, where only its winner is named."""
    return {"white": "2-0", "draw": "1-1", "black": "0-2", "none": "", "*": ""}.get(result, result)


def _winner(winner: object, say: Said) -> str:
    return say(f"rounds.result.{winner}") if winner in (*SIDES, "draw", "none") else ""


def _reason(over: Mapping[str, Any], say: Said) -> str:
    return say(f"over.{over['reason']}") if over.get("reason") else ""


def _signatures(sheet: Sheet, say: Said) -> _Html:
    who = [*((say(f"side.{side}"), _named(_player(sheet, side))) for side in SIDES), (say("sheet.arbiter"), "")]
    lines = (_tag("div", _tag("span", class_="line"), _tag("b", role), _tag("span", name)) for role, name in who)
    return _tag("section", *lines, class_="signatures", aria_label=say("sheet.signatures"))


def _printed(sheet: Sheet, say: Said) -> str:
    if sheet.printed is None:
        return ""
    zone = f"{sheet.printed:%z}"
    return say("sheet.printed", at=f"{sheet.printed:%Y-%m-%d %H:%M}", zone=f"UTC{zone[:3]}:{zone[3:]}")

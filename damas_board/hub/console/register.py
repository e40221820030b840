"""The register of warnings and decisions by player, from the archive, with recurrences over the whole meeting.

The archive has of a decision what the stream told: who gave which command, what it said, and what became of it. It is
about the alert that it names; one that names none, such as a correction, about what was closed by it at that moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from damas_board.hub.archive import Archive, Search
from damas_board.messages.account_text import command_text
from damas_board.messages.envelope import EnvelopeError, instant
from damas_board.messages.register import Entry, Place, RegisteredAlert, RegisteredDecision, counted, entry_object
from damas_board.messages.words import alert_words
from damas_board.regulations import Regulation
from damas_board.regulations.regulation import Words

MOST_GAMES = 20_000
Row = Mapping[str, Any]


class Register:
    """`shown(language)` waits for the database, so an event loop calls it in a thread."""

    def __init__(self, archive: Archive, meeting: str, regulations: Callable[[str], Regulation]) -> None:
        self._archive = archive
        self._meeting = meeting
        self._regulations = regulations
        self._read: dict[str, tuple[tuple[Any, ...], list[Entry]]] = {}
        """By game, as of when it was read, what there was."""

    def shown(self, language: str) -> dict[str, Any]:
        """`{players: [{player, side, game, alerts: [...]}], decisions: [...]}`, in the words of that language.

        An alert has `text`, `occurrence` and `told`, the decisions about it; `decisions` are the others that decided
        something. Who has no name is a side of a game; what concerns no side has neither.
        """
        words: dict[str, Words | None] = {}
        entries: list[Entry] = []
        known = self._archive.known(self._meeting)
        for facts in self._archive.search(Search(meeting=self._meeting, limit=MOST_GAMES)):
            if facts["game"] in known and facts["game"] not in words:
                words[facts["game"]] = self._words(facts["regulation"])
                entries += self._of(facts, known[facts["game"]])
        return _shown(list(counted(entries)), words, language)

    def _of(self, facts: Mapping[str, Any], upto: tuple[int, int]) -> list[Entry]:
        now = (*upto, *(facts[key] for key in ("round", "table", "white", "black")))
        read = self._read.get(facts["game"])
        if read is None or read[0] != now:
            found = self._archive.game(self._meeting, facts["game"])
            read = self._read[facts["game"]] = (now, list(_entries(facts, found["alerts"], found["decisions"])))
        return read[1]

    def _words(self, name: Any) -> Words | None:
        try:
            return self._regulations(str(name)).words
        except (KeyError, ValueError):
            return None


def _entries(facts: Mapping[str, Any], alerts: Sequence[Row], decisions: Sequence[Row]) -> Iterator[Entry]:
    """The alerts and decisions of a game, in the order in which they were told."""
    place = Place(facts["round"], facts["table"], str(facts["board"]), facts["game"])
    closers = {}
    for alert in alerts:
        closer = closing(decisions, alert["alert"], alert["closed"])
        if closer is not None:
            closers[alert["alert"]] = str(closer["command"])
    found: list[tuple[int, Entry]] = [
        *((alert["seq"], _alert(place, alert, facts, decisions, closers.get(alert["alert"]))) for alert in alerts),
        *((one["seq"], _decision(place, one, alerts, closers)) for one in decisions if one["reason"] != "repeated"),
    ]
    yield from (entry for _, entry in sorted(found, key=lambda one: one[0]))


def closing(decisions: Sequence[Row], alert: str, closed: object) -> Row | None:
    """The decision by which an alert was closed at that moment; None where the play on the board did, or nothing."""
    done = [one for one in decisions if one["outcome"] == "done" and closed is not None and one["told"] == closed]
    naming = [one for one in done if _names(one, alert)]
    return next(iter(naming or (one for one in done if _named(one) is None)), None)


def _named(decision: Row) -> str | None:
    named = (decision.get("arguments") or {}).get("alert")
    return named if isinstance(named, str) else None


def _names(decision: Row, alert: str) -> bool:
    """Whether a decision is about that alert, by its id or in short: `a3`."""
    named = _named(decision)
    return named is not None and (named == alert or alert.endswith(f"-{named}"))


def _alert(
    place: Place, row: Row, facts: Mapping[str, Any], decisions: Sequence[Row], closer: str | None
) -> RegisteredAlert:
    about = [str(one["command"]) for one in decisions if one["reason"] != "repeated" and _names(one, row["alert"])]
    return RegisteredAlert(
        place,
        _at(row["raised"]),
        row["raised"],
        row["alert"],
        str(row["kind"]),
        str(row["severity"]),
        row["side"],
        facts.get(row["side"]) if row["side"] in ("white", "black") else None,
        row["ply"] or 0,
        tuple(row["squares"]),
        row["article"],
        row["how"],
        closer,
        0,
        tuple(dict.fromkeys([*about, *([] if closer is None else [closer])])),
    )


def _decision(place: Place, row: Row, alerts: Sequence[Row], closers: Mapping[str, str]) -> RegisteredDecision:
    command = str(row["command"])
    named = next((str(alert["alert"]) for alert in alerts if _names(row, alert["alert"])), None)
    about = named or next((alert for alert, closer in closers.items() if closer == command), None)
    arguments = {key: value for key, value in (row["arguments"] or {}).items() if key != "alert" or named is None}
    told = str(row["outcome"]), row["reason"]
    return RegisteredDecision(
        place, _at(row["told"]), row["told"], command, str(row["do"]), row["by"], row["note"], *told, about, arguments
    )


def _at(ts: str) -> float:
    try:
        return instant(ts).timestamp()
    except EnvelopeError:
        return 0.0


def _shown(entries: Sequence[Entry], words: Mapping[str, Words | None], language: str) -> dict[str, Any]:
    decisions = {(e.place.game, e.id): e for e in entries if isinstance(e, RegisteredDecision)}
    players: dict[tuple[Any, ...], dict[str, Any]] = {}
    told: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        if not isinstance(entry, RegisteredAlert):
            continue
        named = entry.player is not None
        side = None if named else entry.side
        game = None if named or side is None else entry.place.game
        block = players.setdefault(
            (entry.player, side, game), {"player": entry.player, "side": side, "game": game, "alerts": []}
        )
        about = [key for id_ in entry.decisions if (key := (entry.place.game, id_)) in decisions]
        told.update(about)
        text = alert_words(language, words[entry.place.game]).get(f"kind.{entry.kind}", entry.kind)
        about_it = [_told(decisions[key], language, words) for key in about]
        block["alerts"].append({**entry_object(entry), "text": text, "told": about_it})
    rest = [one for key, one in decisions.items() if key not in told and one.counts]
    return {"players": list(players.values()), "decisions": [_told(one, language, words) for one in rest]}


def _told(decision: RegisteredDecision, language: str, words: Mapping[str, Words | None]) -> dict[str, Any]:
    flat = entry_object(decision)
    return {**flat, "text": command_text(flat, language, words[decision.place.game])}

"""`damas-board register`: the alerts, recurrences and decisions of a meeting, by player and round."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from damas_board.cli import DONE, WRONG_USAGE, Commands, regulation
from damas_board.cli.account_text import command_text, said
from damas_board.cli.courses import journal_of, journal_options
from damas_board.cli.errors import InputError
from damas_board.cli.talk import say
from damas_board.cli.words import language, word
from damas_board.messages.course import Course
from damas_board.messages.evidence import nearest
from damas_board.messages.names import escaped
from damas_board.messages.register import (
    Entry,
    RegisteredAlert,
    RegisteredDecision,
    entry_object,
    name_of,
)
from damas_board.messages.register import register as registered
from damas_board.messages.words import alert_words
from damas_board.regulations.regulation import Words
from damas_board.rules.side import Side
from damas_board.sinks.journal import JournalReader


def register(commands: Commands) -> None:
    parser = commands.add_parser("register", help=word("help.register"), description=word("help.register"))
    journal_options(parser)
    parser.add_argument("--round", metavar="R", help=word("help.register.round"))
    parser.add_argument("--player", metavar="NAME", help=word("help.register.player"))
    parser.add_argument("--notes", action="store_true", help=word("help.register.notes"))
    parser.add_argument("--json", action="store_true", help=word("help.register.json"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints the register; recurrences are counted over the whole meeting, whatever part of it is shown."""
    if (chosen.journal is None) == (chosen.config is None):
        say(f"damas-board register: {word('register.source')}")
        return WRONG_USAGE
    journal = journal_of(chosen)
    assert journal is not None
    meeting = _Meeting(journal)
    shown = _shown(registered(meeting.courses()), meeting, chosen)
    if chosen.json:
        for entry in shown:
            print(escaped(json.dumps(entry_object(entry), ensure_ascii=False)))
    elif shown:
        print(escaped("\n".join(_table(shown, meeting.words))))
    else:
        say(word("register.empty"))
    return DONE


class _Meeting:
    """The games of a journal, and what is known of all that have been read."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        self.rounds: set[str | None] = set()
        self.players: set[str | None] = set()
        self.words: dict[str, Words | None] = {}
        """By game, the words of its regulation."""

    def courses(self) -> Iterator[Course]:
        for game in self._journal.games():
            course = self._journal.course(game)
            self.rounds.add(course.header.round)
            self.players |= {name_of(course, side.label) for side in Side}
            self.words[course.game] = regulation.of(course.header).words
            yield course


def _shown(entries: list[Entry], meeting: _Meeting, chosen: argparse.Namespace) -> list[Entry]:
    """The entries that were asked for, with the decisions about the alerts among them."""
    _known(chosen.round, meeting.rounds, "register.no_round")
    _known(chosen.player, meeting.players, "register.no_player")
    of_round = [entry for entry in entries if chosen.round in (None, entry.place.round)]
    alerts = {
        entry.id
        for entry in of_round
        if isinstance(entry, RegisteredAlert)
        and chosen.player in (None, entry.player)
        and (chosen.notes or entry.severity != "note" or entry.decisions)
    }
    return [
        entry
        for entry in of_round
        if (entry.id in alerts if isinstance(entry, RegisteredAlert) else _belongs(entry, alerts, chosen))
    ]


def _belongs(decision: RegisteredDecision, alerts: set[str], chosen: argparse.Namespace) -> bool:
    if decision.alert is None:
        return chosen.player is None and (chosen.notes or decision.counts)
    return decision.alert in alerts


def _known(asked: str | None, among: set[str | None], key: str) -> None:
    names = sorted(name for name in among if name is not None)
    if asked is not None and asked not in names:
        near = ", ".join(nearest(asked, names))
        raise InputError(word(key, asked=asked) + (word("register.near", near=near) if near else ""))


def _table(entries: Iterable[Entry], words: Mapping[str, Words | None]) -> list[str]:
    """A block a player, within it a line an alert and its decisions below it; at the end the other decisions."""
    decisions = {(e.place.game, e.id): e for e in entries if isinstance(e, RegisteredDecision)}
    blocks: dict[str, list[str]] = defaultdict(list)
    told: set[tuple[str, str]] = set()
    for entry in entries:
        if isinstance(entry, RegisteredAlert):
            block = blocks[_whose(entry)]
            block.append(_alert_line(entry, words[entry.place.game]))
            about = [(entry.place.game, id_) for id_ in entry.decisions if (entry.place.game, id_) in decisions]
            block += [f"        {command_text(entry_object(decisions[key]))}" for key in about]
            told.update(about)
    rest = [decision for key, decision in decisions.items() if key not in told]
    if rest:
        blocks[word("register.others")] = [
            f"  {_where(entry, words[entry.place.game])}  {command_text(entry_object(entry))}" for entry in rest
        ]
    lines: list[str] = []
    for title in sorted(blocks, key=lambda title: title == word("register.others")):
        lines += ["", title, *blocks[title]] if lines else [title, *blocks[title]]
    return lines


def _whose(entry: RegisteredAlert) -> str:
    if entry.player is not None:
        return entry.player
    if entry.side is None:
        return word("register.nobody")
    return word("register.unnamed", side=said("side", entry.side), game=entry.place.game)


def _where(entry: Entry, words: Words | None) -> str:
    place = entry.place
    parts = [] if place.round is None else [word("account.round", words, round=place.round)]
    parts.append(place.board if place.table is None else word("account.table", table=place.table))
    return ", ".join([*parts, _when(entry)])


def _when(entry: Entry) -> str:
    return f"{entry.at:.1f} s" if entry.ts is None else entry.ts[:19].replace("T", " ")


def _alert_line(entry: RegisteredAlert, words: Words | None) -> str:
    again = word("register.again", occurrence=entry.occurrence) if entry.occurrence > 1 else ""
    codes = alert_words(language(), words)
    closed = word("register.open") if entry.closed is None else codes[f"how.{entry.closed}"]
    article = "" if entry.article is None else f" ({entry.article})"
    what = f"{entry.kind}{again}: {codes[f'kind.{entry.kind}']}{article}"
    where = word("account.about", ply=entry.ply, squares=", ".join(entry.squares) or "-")
    return f"  {_where(entry, words)}  {entry.id}  {codes[f'severity.{entry.severity}']}  {what}; {where}; {closed}"

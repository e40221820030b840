"""`damas-board evidence`: the recording's part around an alert, and an account of it that a person can read."""

from __future__ import annotations

import argparse
from pathlib import Path

from damas_board.cli import DONE, WRONG_USAGE, Commands, regulation
from damas_board.cli.account_text import account_text
from damas_board.cli.courses import journal_of, journal_options, recorded
from damas_board.cli.errors import InputError
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.messages.course import Course
from damas_board.messages.evidence import NoAlertError, evidence, found, game_of, nearest
from damas_board.messages.names import escaped
from damas_board.sinks.journal import JournalReader


def register(commands: Commands) -> None:
    parser = commands.add_parser("evidence", help=word("help.evidence"), description=word("help.evidence"))
    parser.add_argument("alert", metavar="ALERT", help=word("help.evidence.alert"))
    parser.add_argument("file", metavar="RECORDING", nargs="?", help=word("help.evidence.file"))
    journal_options(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--out", metavar="FOLDER", type=Path, help=word("help.evidence.out"))
    what.add_argument("--recording", action="store_true", help=word("help.evidence.recording"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints the account or the recording, or writes both into a folder and prints their paths."""
    if sum(given is not None for given in (chosen.file, chosen.journal, chosen.config)) != 1:
        say(f"damas-board evidence: {word('evidence.source')}")
        return WRONG_USAGE
    course = _course(chosen)
    try:
        alert = found(course, chosen.alert)
    except NoAlertError as error:
        raise _unknown(error.asked, error.near) from error
    rules = regulation.of(course.header)
    shown = evidence(course, alert, rules.variant)
    text = "".join(f"{line}\n" for line in account_text(shown.account, rules.words))
    recording = "".join(f"{line}\n" for line in shown.recording())
    if chosen.out is None:
        print(escaped(recording if chosen.recording else text), end="")
        return DONE
    chosen.out.mkdir(parents=True, exist_ok=True)
    for suffix, content in ((".jsonl", recording), (".txt", text)):
        path = chosen.out / f"{alert['id']}{suffix}"
        path.write_text(content, "utf-8")
        print(path)
    return DONE


def _course(chosen: argparse.Namespace) -> Course:
    journal = journal_of(chosen)
    if journal is None:
        return recorded(chosen.file)
    return _of_journal(journal, chosen.alert)


def _of_journal(journal: JournalReader, asked: str) -> Course:
    """The game of the alert: the one that its id names, else the only one there is."""
    games = journal.games()
    wanted = [game for game in games if game.game == game_of(asked)]
    if not wanted and len(games) == 1:
        wanted = games
    if wanted:
        return journal.course(wanted[0])
    ids = [str(alert["id"]) for game in games for alert in journal.course(game).alerts]
    raise _unknown(asked, nearest(asked, ids))


def _unknown(asked: str, near: tuple[str, ...]) -> InputError:
    if not near:
        return InputError(word("evidence.none", alert=asked))
    return InputError(word("evidence.unknown", alert=asked, near=", ".join(near)))

"""`damas-board round`: the organiser's rounds: publish, put up, start, follow, enter results, end."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from damas_board import regulations
from damas_board.app.organiser import Desk
from damas_board.cli import DONE, WRONG_INPUT, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.round_file import read_round_file
from damas_board.cli.talk import say
from damas_board.cli.words import known, word
from damas_board.config import Config, read_config
from damas_board.hub.desk import Answer, DeskError
from damas_board.messages.access import may_command
from damas_board.messages.rounds import (
    MOST_SECONDS,
    Pairing,
    Round,
    Standing,
    TablePublication,
    matches,
    player_object,
    standings,
    state_of,
)
from damas_board.rules.match import Tally
from damas_board.session.ending import WINNERS
from damas_board.session.session import REASONS
from damas_board.sinks.errors import BrokerError

Wish = Callable[[Desk, argparse.Namespace, Config], Awaitable[int]]
GIVEN = ("round", "name", "regulation", "clock", "starts", "begins")
"""Keys of a round that may stand on the command line, as a CSV file has none of them."""
NEEDS_NOTHING_DONE = ("no_board", "bye", "over", "there")
"""Answers without a command: what they say is shown in the place of `done`."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("round", help=word("help.round"), description=word("help.round"))
    wishes = parser.add_subparsers(metavar=word("help.round.wish"), required=True)

    def wish(name: str, call: Wish, *, needs: str = "", of_round: bool = True) -> argparse.ArgumentParser:
        text = word(f"help.round.{name}")
        added = wishes.add_parser(name, help=text, description=text)
        added.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
        if of_round:
            added.add_argument("round", metavar="R", help=word("help.round.round"))
        added.add_argument("--user", metavar="NAME", help=word("help.round.user"))
        added.set_defaults(call=_call, wish=call, needs=needs)
        return added

    publish = wish("publish", _publish, of_round=False)
    publish.add_argument("file", metavar="ROUND", type=Path, help=word("help.round.file"))
    for key in GIVEN:
        publish.add_argument(f"--{key}", metavar=key.upper(), help=word("help.round.key", key=key))
    wish("prepare", _prepare)
    wish("start", _start)
    wish("status", _status).add_argument("--json", action="store_true", help=word("help.round.json"))
    delay = wish("delay", _delay)
    delay.add_argument("seconds", metavar="SECONDS", type=_delay_seconds, help=word("help.round.seconds"))
    for added in (delay, wish("hold", _hold), wish("release", _release)):
        added.add_argument("--table", metavar="T", help=word("help.round.one_table"))
    for added in (result := wish("result", _result, needs="result"), move := wish("move", _move, needs="move")):
        added.add_argument("table", metavar="T", help=word("help.round.table"))
    result.add_argument("result", metavar="RESULT", choices=tuple(WINNERS), help=word("help.round.of", of=_of(WINNERS)))
    result.add_argument("--reason", choices=REASONS, default="decision", help=word("help.round.of", of=_of(REASONS)))
    move.add_argument("moves", metavar="MOVE", nargs="+", help=word("help.round.moves"))
    wish("end", _end).add_argument("--anyway", action="store_true", help=word("help.round.anyway"))
    wish("remove", _remove)


def _of(words: Iterable[str]) -> str:
    return ", ".join(words)


def _delay_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(word("round.seconds", text=text))
    return seconds


def _call(chosen: argparse.Namespace) -> int:
    """Connects and does what is wished; 0 only where all of it is done."""
    log_to_stderr(logging.CRITICAL)
    config = read_config(chosen.config)
    return asyncio.run(_connected(config, chosen))


async def _connected(config: Config, chosen: argparse.Namespace) -> int:
    user = _user(config, chosen.user, chosen.needs)
    try:
        async with Desk(config.addresses[user], config.meeting, getattr(chosen, "round", None)) as desk:
            status: int = await chosen.wish(desk, chosen, config)
            return status
    except BrokerError as error:
        raise InputError(line_for(error)) from error
    except DeskError as error:
        raise InputError(word(f"round.desk.{error.key}", **error.facts)) from error


def _user(config: Config, asked: str | None, needs: str) -> str:
    """The login to speak as: the one asked for, else the first one of the file that may do it, or an organiser."""
    names = {user.name: user for user in config.users}
    if asked is not None:
        if asked not in names:
            raise InputError(word("round.no_user", user=asked, known=", ".join(names) or "-"))
        if asked not in config.addresses:
            raise InputError(word("round.no_password", user=asked))
        return asked
    usable = [user for user in config.users if user.name in config.addresses]
    arbiters = [user.name for user in usable if needs and may_command(user, needs)]
    organisers = [user.name for user in usable if user.role == "organiser"]
    for name in (*arbiters, *organisers):
        return name
    raise InputError(word("round.no_organiser", file=config.path))


def _word(planned: Round, key: str, **values: object) -> str:
    """The text for `key`, in the Portuguese of the round's regulation."""
    shipped = planned.regulation in regulations.names()
    return word(key, regulations.shipped(str(planned.regulation)).words if shipped else None, **values)


# --- publish


async def _publish(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    planned = read_round_file(chosen.file, config.meeting, {key: getattr(chosen, key) for key in GIVEN})
    planned = await desk.carried_on(planned, says_all=False)
    await desk.publish(planned)
    public = when_public(planned, config)
    say(_word(planned, "round.published", round=planned.round, tables=len(planned.pairings), public=public))
    return DONE


def when_public(planned: Round, config: Config) -> str:
    """What the public will have of the round: its own delay, else the hub's where this file has the hub."""
    if planned.publication.hold:
        return _word(planned, "round.public.hold")
    if planned.publication.delay is not None:
        return _word(planned, "round.public.delay", seconds=f"{planned.publication.delay:g}")
    if config.hub is not None and config.hub.user.publishes:
        return _word(planned, "round.public.hub", seconds=f"{config.hub.terms.delay:g}")
    return _word(planned, "round.public.unknown")


# --- start


async def _prepare(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    planned = desk.round(chosen.round)
    await desk.look_at_round(planned)
    return _told(planned, await desk.set_up(planned))


async def _start(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    planned = desk.round(chosen.round)
    await desk.look_at_round(planned)
    answers = await desk.begin(planned)
    await desk.has_begun(planned.round)
    return _told(planned, answers)


def _told(planned: Round, answers: Mapping[str, Answer]) -> int:
    """One line a table; 0 where each is done."""
    for pairing in planned.pairings:
        print("  ".join((pairing.table, pairing.board or "-", _said(answers[pairing.table], planned))))
    return DONE if all(answer.done for answer in answers.values()) else WRONG_INPUT


def _said(answer: Answer, planned: Round) -> str:
    if answer.done and answer.reason not in NEEDS_NOTHING_DONE:
        return word("outcome.done")
    reason = answer.reason or ""
    text = _word(planned, f"round.answer.{reason}") if known(f"round.answer.{reason}") else reason
    if answer.done:
        return text
    detail = "" if answer.detail is None else f" ({answer.detail})"
    return f"{word('outcome.refused')}: {text}{detail}"


# --- status


async def _status(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    planned = desk.round(chosen.round)
    await desk.look_at_round(planned)
    scores = await _scores(desk, planned)
    tables = standings(planned, desk.games)
    if chosen.json:
        print(json.dumps(_status_object(planned, tables, scores, desk), ensure_ascii=False))
    else:
        print("\n".join(_status_lines(planned, tables, scores, desk)))
    return DONE


async def _scores(desk: Desk, planned: Round) -> dict[str, Tally]:
    """The scores of the matches that this round is part of, over all rounds."""
    wanted = {pairing.match for pairing in planned.pairings} - {None}
    if not wanted:
        return {}
    await desk.quiet()  # there may be games of the match in any other round
    of_match: list[Pairing] = []
    entered: list[Standing] = []
    for name in desk.rounds:
        other = planned if name == planned.round else _usable(desk, name)
        if other is not None:
            of_match += [p for p in other.pairings if p.match in wanted and p.black is not None]
            entered += [table for table in standings(other, {}) if table.pairing.match in wanted]
    await desk.look_at([pairing.game for pairing in of_match])
    games = [state for state in desk.games.values() if state.get("match") in wanted]
    known_games = {state.get("game") for state in games}
    return matches(games, [table for table in entered if table.pairing.game not in known_games])


def _usable(desk: Desk, name: str) -> Round | None:
    try:
        return desk.round(name)
    except DeskError:
        return None


def _status_object(
    planned: Round, tables: Sequence[Standing], scores: Mapping[str, Tally], desk: Desk
) -> dict[str, Any]:
    return {
        "round": planned.round,
        "name": planned.name,
        "state": state_of(tables),
        "tables": [
            {
                "table": table.pairing.table,
                "game": table.pairing.game,
                "board": table.board,
                "connected": None if table.board is None else desk.links.get(table.board, False),
                "white": player_object(table.pairing.white),
                "black": None if table.pairing.black is None else player_object(table.pairing.black),
                "state": table.state,
                "shows": _shows(table, desk),
                "plies": table.plies,
                "turn": table.turn,
                "winner": table.winner,
                "result": table.result,
                "reason": table.reason,
                "alerts": table.alerts,
                "held": table.held,
            }
            for table in tables
        ],
        "matches": {
            name: dict(zip(tally.players, tally.points, strict=True)) | {"open": tally.open}
            for name, tally in scores.items()
        },
    }


def _shows(table: Standing, desk: Desk) -> str | None:
    """The state of the board that has the game, None where it has another one or none."""
    shown = {} if table.board is None else desk.boards.get(table.board, {})
    state = shown.get("state")
    return state if isinstance(state, str) and shown.get("game") in (None, table.pairing.game) else None


def _status_lines(planned: Round, tables: Sequence[Standing], scores: Mapping[str, Tally], desk: Desk) -> list[str]:
    games = [table for table in tables if table.state != "bye"]
    done = sum(table.state == "over" for table in games)
    state = word(f"round.state.{state_of(tables)}")
    name = f" {planned.name}" if planned.name else ""
    lines = [_word(planned, "round.title", round=planned.round, name=name, state=state, done=done, games=len(games))]
    head = [word(f"round.column.{name}") for name in ("table", "board", "white", "black", "plies", "state", "result")]
    rows = [head, *(_row(table, desk, planned) for table in tables)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    for name, tally in scores.items():
        pairs = zip(tally.players, tally.points, strict=True)
        score = " - ".join(f"{_name_of(player, tables)} {points}" for player, points in pairs)
        lines.append(word("round.match", match=name, score=score, open=tally.open))
    return lines


def _row(table: Standing, desk: Desk, planned: Round) -> list[str]:
    pairing = table.pairing
    black = _word(planned, "round.bye") if pairing.black is None else pairing.black.name
    return [
        pairing.table,
        table.board or "-",
        pairing.white.name,
        black,
        str(table.plies) if table.state not in ("planned", "bye") else "-",
        _state_text(table, desk, planned),
        table.result or "",
    ]


def _state_text(table: Standing, desk: Desk, planned: Round) -> str:
    """How far the table is, and what an organiser would go there for."""
    parts = [_word(planned, f"round.table.{table.state}")]
    shows = _shows(table, desk)
    if table.board is not None and table.state not in ("over", "bye") and not desk.links.get(table.board, False):
        parts.append(word("round.away"))
    elif table.state in ("waiting", "playing") and shows in ("setting_up", "mismatch", "resyncing", "failed", "lost"):
        parts.append(_word(planned, f"round.shows.{shows}"))
    if table.alerts:
        parts.append(word("round.alerts", alerts=table.alerts))
    if table.held:
        parts.append(word("round.held"))
    return ", ".join(parts)


def _name_of(player: str, tables: Iterable[Standing]) -> str:
    """The name of who is known by an id."""
    sides = (side for table in tables for side in (table.pairing.white, table.pairing.black) if side is not None)
    return next((side.name for side in sides if side.key == player), player)


# --- the public


async def _delay(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    return await _shown_otherwise(desk, chosen, delay=chosen.seconds)


async def _hold(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    return await _shown_otherwise(desk, chosen, hold=True)


async def _release(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    return await _shown_otherwise(desk, chosen, hold=False)


async def _shown_otherwise(desk: Desk, chosen: argparse.Namespace, **changed: Any) -> int:
    planned = desk.round(chosen.round)
    shown = planned.publication
    if chosen.table is None:
        shown = replace(shown, **changed)
    else:
        _at(planned, chosen.table)
        own = replace(shown.boards.get(chosen.table, TablePublication()), **changed)
        shown = replace(shown, boards={**shown.boards, chosen.table: own})
    await desk.publish(replace(planned, publication=shown))
    say(_word(planned, "round.shown", round=planned.round))
    return DONE


# --- results and moves by hand


async def _result(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    """To the game, where it is on a board; else into the round itself."""
    planned = desk.round(chosen.round)
    pairing = _at(planned, chosen.table)
    await desk.look_at([pairing.game])
    if pairing.game in desk.games and pairing.black is not None:
        answer = await desk.to_game(pairing.game, "result", result=chosen.result, reason=chosen.reason)
        if answer.done:
            await desk.is_over(pairing.game)
        return _told(replace(planned, pairings=(pairing,)), {pairing.table: answer})
    async with Desk(config.addresses[_user(config, None, "")], config.meeting, planned.round) as organiser:
        await organiser.publish(planned.with_pairing(replace(pairing, result=chosen.result)))
    return _told(replace(planned, pairings=(pairing,)), {pairing.table: Answer(True)})


async def _move(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    planned = desk.round(chosen.round)
    pairing = _at(planned, chosen.table)
    for move in chosen.moves:
        answer = await desk.to_game(pairing.game, "move", move=move)
        if not answer.done:
            print(f"{pairing.table}  {move}  {_said(answer, planned)}")
            return WRONG_INPUT
    return _told(replace(planned, pairings=(pairing,)), {pairing.table: Answer(True)})


def _at(planned: Round, table: str) -> Pairing:
    found = planned.at(table)
    if found is None:
        tables = ", ".join(pairing.table for pairing in planned.pairings)
        raise InputError(_word(planned, "round.no_table", round=planned.round, table=table, known=tables))
    return found


# --- the end


async def _end(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    planned = desk.round(chosen.round)
    await desk.look_at_round(planned)
    left = await desk.left(planned)
    if left and not chosen.anyway:
        raise _not_over(planned, left)
    await desk.publish(replace(planned, state="over"))
    say(_word(planned, "round.ended", round=planned.round))
    return DONE


def _not_over(planned: Round, left: Sequence[Pairing]) -> InputError:
    tables = ", ".join(pairing.table for pairing in left)
    return InputError(_word(planned, "round.not_over", round=planned.round, tables=tables))


async def _remove(desk: Desk, chosen: argparse.Namespace, config: Config) -> int:
    planned = desk.round(chosen.round)
    await desk.look_at_round(planned)
    playing = desk.playing(planned)
    if playing:
        raise _not_over(planned, playing)
    await desk.remove(planned.round)
    say(_word(planned, "round.removed", round=planned.round))
    return DONE

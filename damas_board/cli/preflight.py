"""`damas-board preflight`: is everything ready for the round; a table by table number, and what to do where not."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from damas_board.app.preflight import LOOK_SECONDS, BoardReport, Preflight, Report
from damas_board.app.readiness import Check, Finding
from damas_board.app.service import board_finder, board_setups
from damas_board.cli import DONE, WRONG_INPUT, Commands
from damas_board.cli.errors import line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import Config, read_config

TELL_SECONDS = 1.0
COLUMNS: tuple[Check, ...] = ("board", "camera", "sensors", "setup", "orientation")
OPTIONAL: tuple[Check, ...] = ("camera",)
"""Columns that are there only where some board has something in them."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("preflight", help=word("help.preflight"), description=word("help.preflight"))
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
    parser.add_argument("--seconds", type=float, default=LOOK_SECONDS, metavar="S", help=word("help.preflight.seconds"))
    parser.add_argument("--watch", action="store_true", help=word("help.preflight.watch"))
    parser.add_argument("--accept-unproven", action="store_true", help=word("help.preflight.accept"))
    parser.add_argument("--json", action="store_true", help=word("help.preflight.json"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints the table; 0 only where all is well."""
    log_to_stderr(logging.CRITICAL)
    report = asyncio.run(_looked(read_config(chosen.config), None if chosen.watch else chosen.seconds))
    print(json.dumps(_object(report), ensure_ascii=False) if chosen.json else "\n".join(_table(report)))
    return DONE if _well(report, chosen.accept_unproven) else WRONG_INPUT


async def _looked(config: Config, seconds: float | None) -> Report:
    with board_finder(config) as finder:
        preflight = Preflight(config, board_setups(config, finder=finder))
        if seconds is not None:
            return await preflight.run(seconds)
        say(word("preflight.watch"))
        telling = asyncio.create_task(_tell(preflight.report))
        # Ctrl-C ends the looking, not the report.
        with contextlib.suppress(asyncio.CancelledError):
            await preflight.run(None)
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
        return preflight.report


async def _tell(report: Report) -> None:
    """Says what is to be done next at each board, once it has been the same for a moment: hands are at work there."""
    said: dict[str, str] = {}
    before: dict[str, str] = {}
    while True:
        lines = {board.board: _next(board) for board in report.boards if board.findings}
        for board in report.boards:
            line = lines.get(board.board)
            if line is not None and line == before.get(board.board) and line != said.get(board.board):
                said[board.board] = line
                say(word("preflight.at", table=board.table, text=line))
        before = lines
        await asyncio.sleep(TELL_SECONDS)


def _next(board: BoardReport) -> str:
    """What to do next at this board, so that it proves itself."""
    wrong = [finding for finding in board.findings if finding.verdict == "wrong"]
    if wrong:
        return _text(wrong[0])
    if board.asked is not None:
        return word("preflight.lift", square=board.asked)
    if board.unseen:
        return word("preflight.slide", squares=" ".join(board.unseen))
    return word("preflight.ready") if board.ready else word("preflight.waits")


def _well(report: Report, accept_unproven: bool) -> bool:
    found = [*report.machine, *(finding for board in report.boards for finding in board.findings)]
    return all(f.verdict == "ok" or (accept_unproven and f.verdict == "unproven") for f in found)


# how it is shown


def _table(report: Report) -> list[str]:
    found = {finding.check for board in report.boards for finding in board.findings}
    columns = [check for check in COLUMNS if check in found or check not in OPTIONAL]
    heads = [word("preflight.table"), word("preflight.name"), *(word(f"preflight.check.{c}") for c in columns)]
    lines = [
        [board.table, board.board, *(_mark(board.findings, check) for check in columns)] for board in report.boards
    ]
    shown = _columns([heads, *lines])
    for board in report.boards:
        for finding in board.findings:
            if finding.verdict != "ok":
                shown.append(word("preflight.at", table=board.table, text=_text(finding)))
    shown.append("")
    machine = [[word(f"preflight.check.{f.check}"), _verdict(f), _text(f)] for f in report.machine]
    shown += _columns(machine)
    shown += ["", word("preflight.all_well" if report.ready else "preflight.not_well")]
    return shown


def _mark(findings: Sequence[Finding], check: Check) -> str:
    verdicts = {finding.verdict: _verdict(finding) for finding in findings if finding.check == check}
    return next((verdicts[worst] for worst in ("wrong", "unproven", "ok") if worst in verdicts), "-")


def _verdict(finding: Finding) -> str:
    return word(f"preflight.verdict.{finding.verdict}")


def _text(finding: Finding) -> str:
    facts = {key: line_for(value) if isinstance(value, Exception) else value for key, value in finding.facts.items()}
    return word(f"preflight.{finding.key}", **facts)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _object(report: Report) -> dict[str, Any]:
    boards = [
        {"board": b.board, "table": b.table, "ready": b.ready, "findings": [_finding(f) for f in b.findings]}
        for b in report.boards
    ]
    return {"ready": report.ready, "boards": boards, "machine": [_finding(f) for f in report.machine]}


def _finding(finding: Finding) -> dict[str, Any]:
    facts = {key: str(value) for key, value in finding.facts.items()}
    return {"check": finding.check, "verdict": finding.verdict, "reason": finding.key, "text": _text(finding), **facts}

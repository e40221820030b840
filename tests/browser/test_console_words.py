"""The console's words: none is missing that its page asks for, no code comes to a person without one."""

from __future__ import annotations

import re
from pathlib import Path

from damas_board.hub.console import round_words, words
from damas_board.messages.account_text import command_text
from damas_board.messages.account_words import account_texts
from damas_board.messages.requests import COMMANDS
from damas_board.messages.words import alert_words
from damas_board.regulations import names, shipped
from damas_board.regulations.policy import KINDS
from damas_board.session.session import REASONS

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "damas_board" / "hub" / "assets"
GROUPS = ("board.", "board_reason.", "claim.", "draw.", "law.", "link.", "login.", "mark.", "over.", "ply.", "refused.")
MADE = (
    *GROUPS,
    "result.",
    "role.",
    "side.",
    "state.",
    "settings.",
    "tab.",
    "theme.",
    "todo.",
    "waits.",
    "clock.",
    "count.",
)
"""Keys of these are put together in the page."""


def _source() -> str:
    own = [
        path for path in sorted(ASSETS.glob("console*")) if not path.name.startswith(("console-round", "console-feeds"))
    ]
    assert len(own) > 10
    return "".join(path.read_text("utf-8") for path in own)


def _codes(heading: str) -> set[str]:
    """The codes of the table under a heading of docs/codes.md."""
    text = (ROOT / "docs" / "codes.md").read_text("utf-8")
    table = text[text.index(heading) :].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    return {code for row in rows for code in re.findall(r"`(\w+)`", row.split("|")[1])}


def _said() -> set[str]:
    return {*words.WORDS, *round_words.WORDS, *alert_words("en")}


def test_the_page_asks_for_no_word_that_is_not_there_and_has_none_that_nobody_asks_for() -> None:
    source = _source()
    asked = set(re.findall(r"""(?:say|known)\(\s*"([\w.]+)"|data-say(?:-label)?="([\w.]+)\"""", source))
    keys = {one or other for one, other in asked}
    assert len(keys) > 100
    assert keys <= _said()
    for key in words.WORDS:
        assert f'"{key}"' in source or key.startswith(MADE), f"{key} is never said"


def test_each_kind_of_alert_has_what_its_rule_demands() -> None:
    assert {key.removeprefix("law.") for key in words.WORDS if key.startswith("law.")} == set(KINDS)


def test_what_accuses_nobody_says_what_is_to_be_done() -> None:
    said = {key.removeprefix("todo.") for key in words.WORDS if key.startswith("todo.")}
    assert {"board_lost", "board_mismatch", "clock_lost", "sensor_suspect", "wrong_setup"} <= said <= set(KINDS)


def test_every_code_that_a_command_is_refused_with_has_words() -> None:
    codes = _codes("## Why a command or a request is refused")
    assert len(codes) > 40
    said = {key.removeprefix("refused.") for key in words.WORDS if key.startswith("refused.")}
    assert codes - {"repeated"} <= said


def test_every_command_is_told_in_the_readers_words() -> None:
    assert {f"do.{command}" for command in COMMANDS} <= set(account_texts("pt"))
    values = {"by": "ana via hub", "do": "rectify", "arguments": {"ply": 3}, "note": None}
    told = {**values, "outcome": "done", "reason": None}
    assert command_text(told, "pt") == "comando de ana via hub: retificar lance=3, feito"


def test_every_reason_why_a_board_is_lost_or_has_failed_has_words() -> None:
    codes = _codes("## Why a link is lost") | _codes("## Why a board has failed") | _codes("## Why a board shows what")
    said = {key.removeprefix("board_reason.") for key in words.WORDS if key.startswith("board_reason.")}
    assert codes == said


def test_every_way_a_game_ends_and_every_law_that_counts_has_words() -> None:
    assert {key.removeprefix("over.") for key in words.WORDS if key.startswith("over.")} == set(REASONS)
    laws = {law.rule for name in names() for law in shipped(name).counts} | {"repetition"}
    laws |= {law.rule for name in names() if (law := shipped(name).win) is not None}
    assert laws == {key.removeprefix("draw.") for key in words.WORDS if key.startswith("draw.")}

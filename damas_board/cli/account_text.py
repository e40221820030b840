"""An alert's account and the commands about it, as a terminal has them: lines in the person's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from damas_board.cli.words import known, language, word
from damas_board.messages import account_text as messages
from damas_board.messages.account import AccountLine
from damas_board.regulations.regulation import Words


def account_text(lines: Sequence[AccountLine], words: Words | None = None) -> list[str]:
    """The account as lines of text: what it is about, what happened, how it was closed.

    `words` is the regulation's: which Portuguese its readers know.
    """
    told = messages.account_text(lines, language(), words)
    return [*told.head, "", *(f"{after:+9.1f} s  {text}" for after, text in told.story), "", told.ending]


def said(group: str, code: object) -> str:
    """The words for a code of a group of the catalogue; the code itself where there are none."""
    key = f"{group}.{code}"
    return word(key) if known(key) else str(code)


def command_text(values: Mapping[str, Any]) -> str:
    """A command with its author, its words and what became of it."""
    return messages.command_text(values, language())

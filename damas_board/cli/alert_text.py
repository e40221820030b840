"""An alert in one short line of the person's language, for the log and for a list of what is open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from damas_board.cli.words import language, word
from damas_board.messages.words import alert_words
from damas_board.regulations.regulation import Words


def alert_text(alert: Mapping[str, Any], words: Words | None = None) -> str:
    """`a3: irregularity: ..., White, c3 d4, 000 art. 5.2`; `words` is the regulation's: which Portuguese is spoken."""
    codes = alert_words(language(), words)
    severity, kind = (codes.get(f"{key}.{alert[key]}", str(alert[key])) for key in ("severity", "kind"))
    side = None if alert["side"] is None else word(f"side.{alert['side']}")
    reason = alert.get("evidence", alert).get("reason")
    why = None if reason is None else codes.get(f"reason.{reason}", str(reason))
    parts = (side, " ".join(alert["squares"]), why, alert["article"])
    return ", ".join((f"{_number(alert)}: {severity}: {kind}", *(part for part in parts if part)))


def closing_text(closed: Mapping[str, Any], words: Words | None = None) -> str:
    """What became of an alert: `a3: stands`."""
    how = alert_words(language(), words).get(f"how.{closed['how']}", str(closed["how"]))
    return f"{_number(closed)}: {how}"


def _number(alert: Mapping[str, Any]) -> str:
    return str(alert["id"]).rpartition("-")[2]

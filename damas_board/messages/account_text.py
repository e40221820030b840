"""An alert's account in the words of a reader's language, its times as seconds before and after the alert; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from damas_board.messages.account import AccountLine
from damas_board.messages.account_words import account_texts
from damas_board.messages.envelope import timestamp
from damas_board.messages.words import alert_words
from damas_board.regulations.regulation import Words


@dataclass(frozen=True, slots=True)
class AccountText:
    """What it is about, what happened, with the seconds from the alert to it, and how it was closed."""

    head: tuple[str, ...]
    story: tuple[tuple[float, str], ...]
    ending: str


def account_text(lines: Sequence[AccountLine], language: str, words: Words | None = None) -> AccountText:
    """The account for a reader of `language`; `words` is the regulation's: which Portuguese its readers know."""
    alert, *story, ending = lines
    speech = _Speech(account_texts(language, words), alert_words(language, words))
    told = tuple((line.at - alert.at, speech.line(line)) for line in story)
    return AccountText(tuple(speech.head(alert)), told, speech.line(ending))


def command_text(values: Mapping[str, Any], language: str, words: Words | None = None) -> str:
    """A command with its author, its words and what became of it."""
    return _Speech(account_texts(language, words), alert_words(language, words)).command(values)


@dataclass(frozen=True, slots=True)
class _Speech:
    """The words of one reader for one game."""

    texts: Mapping[str, str]
    codes: Mapping[str, str]
    """The words for an alert's codes (`messages/words.py`)."""

    def _word(self, key: str, **values: object) -> str:
        text = self.texts[key]
        return text.format(**values) if values else text

    def _said(self, group: str, code: object) -> str:
        """The words for a code of a group; the code itself where there are none."""
        return self.texts.get(f"{group}.{code}", str(code))

    def head(self, alert: AccountLine) -> list[str]:
        facts = alert.values
        key = "account.no_article" if facts["article"] is None else "account.article"
        article = self._word(key, regulation=facts["regulation"], article=facts["article"])
        where = [self._word("account.where", game=facts["game"], board=facts["board"])]
        where += [
            self._word(f"account.{key}", **{key: facts[key]}) for key in ("round", "table") if facts[key] is not None
        ]
        about = "account.about" if facts["squares"] else "account.about.nothing"
        head = [
            self._word("account.title", id=facts["id"], kind=facts["kind"]),
            self._code("kind", facts["kind"]),
            self._word("account.grade", severity=self._code("severity", facts["severity"]), article=article),
            ", ".join(where),
            self._when(alert),
            self._word(about, ply=facts["ply"], squares=", ".join(facts["squares"])),
        ]
        if facts["side"] is not None:
            head.append(self._word("account.whose", side=self._player(facts)))
        if facts["also"]:
            head.append(self._word("account.also", kinds=", ".join(facts["also"])))
        if facts.get("reason") is not None:
            head.append(self._word("account.why", reason=self._code("reason", facts["reason"])))
        if facts.get("could_continue"):
            head.append(self._word("account.could_continue", moves=_joined(facts["could_continue"])))
        if facts["legal"]:
            head.append(self._word("account.legal", moves=", ".join(facts["legal"])))
        return [*head, self._proposal(facts)]

    def _code(self, group: str, code: object) -> str:
        """The words for a code of an alert; the code itself where there are none."""
        return self.codes.get(f"{group}.{code}", str(code))

    def _when(self, alert: AccountLine) -> str:
        utc = alert.values["utc"]
        if utc is None:
            return self._word("account.when.unknown", at=_seconds(alert.at))
        return self._word("account.when", ts=timestamp(utc, alert.at))

    def _player(self, facts: Mapping[str, Any]) -> str:
        side = facts["side"]
        player = (facts["players"] or {}).get(side)
        name = player.get("name") if isinstance(player, Mapping) else None
        return self._said("side", side) if name is None else f"{self._said('side', side)}, {name}"

    def _proposal(self, facts: Mapping[str, Any]) -> str:
        who = {key: self._code(key, facts[key]) for key in ("decides", "until")}
        if facts["consequence"] is None:
            return self._word("account.proposed.nothing", **who)
        return self._word("account.proposed", consequence=self._code("consequence", facts["consequence"]), **who)

    def line(self, line: AccountLine) -> str:
        values = line.values
        match line.key:
            case "lifted" | "captured_off" | "not_down":
                key = "lifted.rested" if line.key == "lifted" and "rested" in values else line.key
                rested = _seconds(values.get("rested", 0.0))
                return self._word(f"account.{key}", square=values["square"], piece=self._piece(values), rested=rested)
            case "put_back" | "came_down":
                seconds, from_ = _seconds(values["seconds"]), values.get("from")
                return self._word(f"account.{line.key}", square=values["square"], seconds=seconds, from_=from_)
            case "came_down_one_of":
                return self._word("account.came_down_one_of", square=values["square"], among=", ".join(values["among"]))
            case "flickered":
                once = ".once" if values["times"] == 1 else ""
                return self._word(f"account.flickered{once}", **{**values, "longest": _seconds(values["longest"], 2)})
            case "lever" | "adjust":
                return self._word(f"account.{line.key}", side=self._said("side", values["side"]))
            case "link_lost":
                reason = values["reason"]
                return self._word(
                    "account.link_lost", reason="" if reason is None else f": {self._said('reason', reason)}"
                )
            case "move" | "move_revised":
                marks = [self._word("account.mark.irregular")] if values["irregular"] else []
                marks += [self._word(f"account.mark.{values['basis']}")] if values["basis"] != "seen" else []
                return self._word(
                    f"account.{line.key}", **{**values, "marks": f" ({', '.join(marks)})" if marks else ""}
                )
            case "board":
                todo = [
                    self._word(f"account.board.{key}", squares=self._squares(values[key]))
                    for key in ("put", "clear")
                    if values[key]
                ]
                return self._word(
                    "account.board",
                    state=self._said("state", values["state"]),
                    todo="".join(f"; {part}" for part in todo),
                )
            case "other_alert" | "other_closed":
                short = f"{values['id'].rpartition('-')[2]} ({values['kind']})"
                how, what = self._code("how", values.get("how")), self._code("kind", values["kind"])
                return self._word(f"account.{line.key}", short=short, what=what, how=how)
            case "command":
                return self.command(values)
            case "closed" | "closed_by_move":
                return self._word(f"account.{line.key}", **{**values, "how": self._code("how", values["how"])})
            case "closed_by_command":
                return self._word("account.closed_by_command", **self._by(values), how=self._code("how", values["how"]))
            case _:
                return self._word(f"account.{line.key}", **values)

    def _piece(self, values: Mapping[str, Any]) -> str:
        if "side" not in values:
            return self._word("piece.unknown")
        return self._word(f"piece.{values['side']}.{'king' if values['king'] else 'man'}")

    def command(self, values: Mapping[str, Any]) -> str:
        outcome = self._said("outcome", values["outcome"])
        reason = "" if values["reason"] is None else f" ({self._said('reason', values['reason'])})"
        arguments = "".join(f" {self._said('argument', key)}={value}" for key, value in values["arguments"].items())
        return self._word("account.command", **self._by(values), arguments=arguments, outcome=f"{outcome}{reason}")

    def _squares(self, value: object) -> str:
        """Squares, each with the piece that belongs there where that is said."""
        if not isinstance(value, Mapping):
            return _joined(value)
        return ", ".join(
            f"{square} ({self._word(_PIECES.get(mark, 'piece.unknown'))})" for square, mark in value.items()
        )

    def _by(self, values: Mapping[str, Any]) -> dict[str, str]:
        note = values["note"]
        by = self._word("account.nobody") if values["by"] is None else values["by"]
        return {
            "by": by,
            "do": self._said("do", values["do"]),
            "note": "" if note is None else f': "{" ".join(note.split())}"',
        }


_PIECES = {
    "w": "piece.white.man",
    "W": "piece.white.king",
    "b": "piece.black.man",
    "B": "piece.black.king",
}
"""The words of a board's marks."""


def _joined(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)


def _seconds(seconds: float, digits: int = 1) -> str:
    return f"{seconds:.{digits}f} s"

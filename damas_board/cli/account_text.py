"""An alert's account in the words of a person's language, and its times as seconds before and after the alert."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from damas_board.cli.words import known, language, word
from damas_board.messages.account import AccountLine
from damas_board.messages.envelope import timestamp
from damas_board.messages.words import alert_words
from damas_board.regulations.regulation import Words

Codes = Mapping[str, str]
"""The words for an alert's codes (`messages/words.py`)."""


def account_text(lines: Sequence[AccountLine], words: Words | None = None) -> list[str]:
    """The account as lines of text: what it is about, what happened, how it was closed.

    `words` is the regulation's: which Portuguese its readers know.
    """
    alert, *story, ending = lines
    codes = alert_words(language(), words)
    told = [f"{line.at - alert.at:+9.1f} s  {_line(line, codes)}" for line in story]
    return [*_head(alert, codes), "", *told, "", _line(ending, codes)]


def said(group: str, code: object) -> str:
    """The words for a code of a group of the catalogue; the code itself where there are none."""
    key = f"{group}.{code}"
    return word(key) if known(key) else str(code)


def _head(alert: AccountLine, codes: Codes) -> list[str]:
    facts = alert.values
    key = "account.no_article" if facts["article"] is None else "account.article"
    article = word(key, regulation=facts["regulation"], article=facts["article"])
    where = [word("account.where", game=facts["game"], board=facts["board"])]
    where += [word(f"account.{key}", **{key: facts[key]}) for key in ("round", "table") if facts[key] is not None]
    about = "account.about" if facts["squares"] else "account.about.nothing"
    head = [
        word("account.title", id=facts["id"], kind=facts["kind"]),
        _code(codes, "kind", facts["kind"]),
        word("account.grade", severity=_code(codes, "severity", facts["severity"]), article=article),
        ", ".join(where),
        _when(alert),
        word(about, ply=facts["ply"], squares=", ".join(facts["squares"])),
    ]
    if facts["side"] is not None:
        head.append(word("account.whose", side=_player(facts)))
    if facts["also"]:
        head.append(word("account.also", kinds=", ".join(facts["also"])))
    if facts.get("reason") is not None:
        head.append(word("account.why", reason=_code(codes, "reason", facts["reason"])))
    if facts.get("could_continue"):
        head.append(word("account.could_continue", moves=_joined(facts["could_continue"])))
    if facts["legal"]:
        head.append(word("account.legal", moves=", ".join(facts["legal"])))
    return [*head, _proposal(facts, codes)]


def _code(codes: Codes, group: str, code: object) -> str:
    """The words for a code of an alert; the code itself where there are none."""
    return codes.get(f"{group}.{code}", str(code))


def _when(alert: AccountLine) -> str:
    utc = alert.values["utc"]
    if utc is None:
        return word("account.when.unknown", at=_seconds(alert.at))
    return word("account.when", ts=timestamp(utc, alert.at))


def _player(facts: Mapping[str, Any]) -> str:
    side = facts["side"]
    player = (facts["players"] or {}).get(side)
    name = player.get("name") if isinstance(player, Mapping) else None
    return said("side", side) if name is None else f"{said('side', side)}, {name}"


def _proposal(facts: Mapping[str, Any], codes: Codes) -> str:
    who = {key: _code(codes, key, facts[key]) for key in ("decides", "until")}
    if facts["consequence"] is None:
        return word("account.proposed.nothing", **who)
    return word("account.proposed", consequence=_code(codes, "consequence", facts["consequence"]), **who)


def _line(line: AccountLine, codes: Codes) -> str:
    values = line.values
    match line.key:
        case "lifted" | "captured_off" | "not_down":
            key = "lifted.rested" if line.key == "lifted" and "rested" in values else line.key
            rested = _seconds(values.get("rested", 0.0))
            return word(f"account.{key}", square=values["square"], piece=_piece(values), rested=rested)
        case "put_back" | "came_down":
            seconds, from_ = _seconds(values["seconds"]), values.get("from")
            return word(f"account.{line.key}", square=values["square"], seconds=seconds, from_=from_)
        case "came_down_one_of":
            return word("account.came_down_one_of", square=values["square"], among=", ".join(values["among"]))
        case "flickered":
            key = "flickered.once" if values["times"] == 1 else "flickered"
            return word(f"account.{key}", **{**values, "longest": _seconds(values["longest"], 2)})
        case "lever" | "adjust":
            return word(f"account.{line.key}", side=said("side", values["side"]))
        case "link_lost":
            reason = values["reason"]
            return word("account.link_lost", reason="" if reason is None else f": {said('reason', reason)}")
        case "move" | "move_revised":
            marks = [word("account.mark.irregular")] if values["irregular"] else []
            marks += [word(f"account.mark.{values['basis']}")] if values["basis"] != "seen" else []
            return word(f"account.{line.key}", **{**values, "marks": f" ({', '.join(marks)})" if marks else ""})
        case "board":
            todo = [
                word(f"account.board.{key}", squares=_joined(values[key])) for key in ("put", "clear") if values[key]
            ]
            return word(
                "account.board", state=said("state", values["state"]), todo="".join(f"; {part}" for part in todo)
            )
        case "other_alert" | "other_closed":
            short = f"{values['id'].rpartition('-')[2]} ({values['kind']})"
            how, what = _code(codes, "how", values.get("how")), _code(codes, "kind", values["kind"])
            return word(f"account.{line.key}", short=short, what=what, how=how)
        case "command":
            return command_text(values)
        case "closed" | "closed_by_move":
            return word(f"account.{line.key}", **{**values, "how": _code(codes, "how", values["how"])})
        case "closed_by_command":
            return word("account.closed_by_command", **_by(values), how=_code(codes, "how", values["how"]))
        case _:
            return word(f"account.{line.key}", **values)


def command_text(values: Mapping[str, Any]) -> str:
    """A command with its author, its words and what became of it."""
    outcome = said("outcome", values["outcome"])
    reason = "" if values["reason"] is None else f" ({said('reason', values['reason'])})"
    arguments = "".join(f" {key}={value}" for key, value in values["arguments"].items())
    return word("account.command", **_by(values), arguments=arguments, outcome=f"{outcome}{reason}")


def _by(values: Mapping[str, Any]) -> dict[str, str]:
    note = values["note"]
    by = word("account.nobody") if values["by"] is None else values["by"]
    return {"by": by, "do": values["do"], "note": "" if note is None else f': "{" ".join(note.split())}"'}


def _piece(values: Mapping[str, Any]) -> str:
    if "side" not in values:
        return word("piece.unknown")
    return word(f"piece.{values['side']}.{'king' if values['king'] else 'man'}")


def _joined(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{square} ({mark})" for square, mark in value.items())
    return ", ".join(map(str, value)) if isinstance(value, Iterable) and not isinstance(value, str) else str(value)


def _seconds(seconds: float, digits: int = 1) -> str:
    return f"{seconds:.{digits}f} s"

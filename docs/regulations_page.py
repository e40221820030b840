"""Makes `regulations.md` from the shipped regulations: side by side, what differs and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import get_args

from damas_board.messages.words import alert_words
from damas_board.regulations import Regulation, names, shipped
from damas_board.regulations.policy import KINDS, AlertKind, AlertRule, Consequence, Decides, Ruling, Severity, Until
from damas_board.rules.draw import CountLaw
from damas_board.rules.side import Side
from damas_board.rules.variant import STEPS, Variant

SAID = alert_words("en")

FAMILIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Brazilian", ("br-cbjd", "br-fmjd64", "br-tradicional", "br-perde-ganha")),
    ("Portuguese and Spanish", ("pt-classicas", "pt-escola", "pt-fpd2021", "pt-perde-ganha", "es")),
    ("Russian and Czech", ("ru-fmjd64", "ru-000", "cz")),
    ("English and pool", ("en-wcdf", "en-000", "pool")),
    ("Italian", ("it-fid", "it-000")),
    ("Turkish", ("tr-tudaf", "tr-000")),
    ("International, Frisian, Canadian", ("int-fmjd", "frisian", "ca")),
)

RULES: dict[str, str] = {
    "size": "rows and columns",
    "corner": "playable corner of each player",
    "numbering": "names of squares",
    "first": "who begins",
    "men_rows": "rows with men",
    "man_steps": "a man goes",
    "man_jumps": "a man takes",
    "king_steps": "a king goes",
    "king_reach": "how far a king goes",
    "king_jumps": "a king takes",
    "king_approach": "how far a king's victim may be",
    "king_landing": "where a king lands behind its victim",
    "man_takes_king": "a man takes a king",
    "capture_compulsory": "a capture is obligatory",
    "capture_finished": "a capture must be finished",
    "priority": "which capture",
    "passing": "a man that reaches its last row in a capture",
    "turn_back": "turning back in a capture",
    "removal": "captured pieces come off",
    "king_run_limit": "quiet moves in a row by the same king",
    "giveaway": "who has no piece or no move left, wins",
}

WORDS: dict[object, str] = {
    "all": "all squares are played on",
    "top-left": "numbers from the top left",
    "bottom-right": "numbers from White's bottom right",
    "algebraic": "letters and digits",
    "forward": "forward",
    "diagonals": "forward and back",
    "forward_and_sideways": "forward and sideways",
    "lines": "in four straight directions",
    "eight": "in eight directions",
    "one": "one square",
    "flying": "any distance",
    "any": "on any free square",
    "next": "just behind",
    "after": "when the move is over",
    "at_once": "each at once",
    "stays_man": "stays a man",
    "goes_on_as_king": "goes on as a king",
    "stops": "is crowned and stops",
    "most_pieces": "most pieces",
    "most_kings": "most kings",
    "with_king": "with a king",
    "kings_first": "king met first",
    "value": "highest value",
    "convention": "agreement",
    "playable": "the playable one",
    "opponent_chooses": "what the opponent says",
    "opponent_decides": "the opponent decides",
    "corrected": "put right",
    "corrected_if_recorded": "put right in a game that is written down; else the opponent decides",
    True: "yes",
    False: "no",
    None: "no limit",
    (): "any",
}
"""Said differently here than in a file."""

POLICIES = {
    "several_touched": "several pieces touched",
    "missed_capture": "a capture was missed",
    "irregular_move": "an irregular move",
    "adjusting": "adjusting pieces",
}

PROGRESS = {
    "capture": "a capture",
    "man": "a man's move",
    "promotion": "a promotion",
    "offer": "a piece offered",
}

HEAD = """\
# Regulations

Made from `damas_board/regulations/*.toml` by `python docs/build.py`; what is wrong here is wrong there.

A *variant* is how pieces move; a *regulation* is a variant with draw laws, matches and what the arbiter goes by. `000`
to `003` are the four Portuguese texts the project started from: 000 a general page, 001 the Portuguese classic game,
002 the rules of the Brazilian federation CBJD, 003 the rules of a school tournament (it numbers its articles twice: 3
is not 03). FMJD is the world federation, FMJD-64 its section for 64 squares, FPD, WCDF and FID are the Portuguese, the
English and the Italian federation. A federation's article has a number only where that was confirmed.

A club writes its own as a TOML file. It may stand on a shipped one and say only what is different:

```toml
base = "br-cbjd"
title = "Our club"

[rules]
king_landing = "next"

[articles]
king_landing = "house rule 1"
```

`damas-board regulation check FILE` says whether it can be used, and where not; `damas-board regulation show br-cbjd`
prints a file to begin from. What a file changes needs its own article, or has none; `repetition = false` under
`[draws]` drops that law; no two laws have the same name. In a draw law `each` counts moves by each player, `stronger`
those of the side with more; endings are written with `K` for a king and `m` for a man, the stronger side first.

## What is told to the arbiter

The board notices, and proposes what the regulation says; it carries nothing out. Where a text says nothing, this is
our custom:

{alerts}

Which piece is played when several were touched, what a missed capture costs, and whether an irregular move is put right
even when the opponent has replied, is said under `[policy]`: it holds for every kind that the opponent decides above.
What else a text says of one kind stands under `[alerts]`:

```toml
base = "pt-escola"
title = "Our club"

[alerts]
wavering = false            # what pt-escola says of this does not hold

[alerts.held_piece]
severity = "warning"        # {severities}
decides = "arbiter"         # {deciders}
until = "game_over"         # {ends}
consequence = "punishable"  # one of the codes below
repeated = "loses_game"     # likewise: when it recurs in the game

[articles]
held_piece = "house rule 2"
```

An alert names the article of the rule that was broken and that of what follows, as far as the regulation has them
(`003 art. 09a; art. 19`). The tables below say what a regulation has of its own. `words` says which Portuguese the
readers of a text know: `pt-BR` (*partida*, *pedra*) or `pt-PT` (*jogo*, *peão*).

What may follow: {consequences}.
"""

USUAL = Regulation("", "", "", shipped("br-cbjd").variant, "2-0", (), {}, None)
"""Says nothing of alerts: our custom."""


def page() -> str:
    """The text of `regulations.md`."""
    assert sorted(name for _, members in FAMILIES for name in members) == list(names())
    return _head() + "".join(_family(title, [shipped(name) for name in members]) for title, members in FAMILIES)


def _family(title: str, members: Sequence[Regulation]) -> str:
    lines = ["", f"## {title}", ""]
    lines += [f"- **`{each.name}`** {each.title}. {each.about} Sources: {'; '.join(each.sources)}." for each in members]
    alike, differing = [], []
    for rule, label in RULES.items():
        values = [_value(each.variant, rule) for each in members]
        if len(set(values)) > 1:
            differing.append((label, [_cell(each, rule) for each in members]))
        elif getattr(members[0].variant, rule) not in (None, False) or rule not in ("king_run_limit", "giveaway"):
            alike.append(f"{label}: {values[0]}")
    lines += ["", "What differs:", "", *_table(members, [*differing, *_ends(members)])]
    lines += ["", f"Alike: {'; '.join(alike)}.", "", "Draws:", "", *_table(members, _draws(members))]
    lines += ["", "Matches and the arbiter:", "", *_table(members, [*_matches(members), *_policies(members)])]
    lines += ["", "Alerts:", "", *_table(members, _alerts(members))]
    unconfirmed = [f"- `{each.name}`: {words}." for each in members for words in each.unconfirmed]
    lines += ["", "What could not be confirmed, and our readings:", "", *unconfirmed]
    return "\n".join(lines) + "\n"


def _table(members: Sequence[Regulation], rows: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    head = ["", *(f"`{each.name}`" for each in members)]
    cells = [head, ["---"] * len(head), *([label, *row] for label, row in rows)]
    return [f"| {' | '.join(row)} |" for row in cells]


def _value(variant: Variant, rule: str) -> str:
    value = getattr(variant, rule)
    for name, steps in STEPS.items():
        if value == steps:
            value = name
    if isinstance(value, Side):
        return value.label.capitalize()
    if rule == "men_rows":
        return f"{value[0] + 1} to {value[0] + value[1]}"
    return _words(value)


def _words(value: object) -> str:
    if isinstance(value, tuple) and value:
        return ", then ".join(map(_words, value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else WORDS.get(value, str(value))


def _with(text: str, article: str | None) -> str:
    return f"{text} ({article.replace(' (number not confirmed)', ', number not confirmed')})" if article else text


def _cell(rules: Regulation, rule: str) -> str:
    return _with(_value(rules.variant, rule), rules.articles.get(rule))


def _ends(members: Sequence[Regulation]) -> list[tuple[str, list[str]]]:
    labels = {"no_pieces": "without pieces", "blocked": "without a move"}
    rows = [
        (label, [_with("wins" if e.variant.giveaway else "loses", e.articles.get(key)) for e in members])
        for key, label in labels.items()
    ]
    if any(each.win for each in members):
        wins = [
            _with(f"loses with {each.win.pieces}, a man", each.win.article) if each.win else "goes on"
            for each in members
        ]
        rows.append(("few pieces against a king", wins))
    return rows


def _draws(members: Sequence[Regulation]) -> list[tuple[str, list[str]]]:
    rows = [("repetition", [_repetition(each) for each in members])]
    for rule in dict.fromkeys(law.rule for each in members for law in each.counts):
        found = [next((law for law in each.counts if law.rule == rule), None) for each in members]
        rows.append((rule.replace("_", " "), [_count(law) if law else "-" for law in found]))
    rows.append(("agreement", [_with("yes", each.articles.get("agreed")) for each in members]))
    return rows


def _repetition(rules: Regulation) -> str:
    law = rules.repetition
    if law is None:
        return "-"
    how = "holds" if law.holds else "claimed"
    where = ", only in a game that is written down" if law.only_recorded else ""
    return _with(f"{law.count} times, {how}{where}", law.article)


def _count(law: CountLaw) -> str:
    parts = [f"{law.moves} {law.by}"]
    if law.endings:
        parts.append(f"in {', '.join(map(str, law.endings))}")
    if law.pieces:
        parts.append(f"with {law.pieces[0]} or {law.pieces[1]} pieces, unchanged")
    if law.both_kings:
        parts.append("both sides have kings")
    if law.road:
        holder = "the stronger side" if law.road == "stronger" else "the lone king"
        held = f"from when {holder} holds" if law.road_begins else f"while {holder} is on"
        parts.append(f"{held} the long diagonal")
    if law.progress:
        parts.append(f"anew after {', '.join(PROGRESS[each] for each in law.progress)}")
    if law.restarts:
        parts.append("anew in another of these")
    if law.begun_by_player:
        parts.append("from when a player counts")
    parts.append("holds" if law.holds else "claimed")
    return _with("; ".join(parts), law.article)


def _matches(members: Sequence[Regulation]) -> list[tuple[str, list[str]]]:
    labels = {
        "games": "games of a match",
        "first": "White in the first game",
        "colours": "White then",
        "opening": "openings",
        "minors": "for minors: the public sees initials",
    }
    rows = []
    for key, label in labels.items():
        cells = []
        for each in members:
            value = getattr(each.match, key)
            text = " or ".join(map(_words, value)) if isinstance(value, tuple) else _words(value)
            if value is False:
                cells.append(text)
                continue
            if key == "games":
                text = f"a multiple of {text}"
            cells.append(_with(text, each.match.articles.get(key, "our custom")))
        rows.append((label, cells))
    return rows


def _policies(members: Sequence[Regulation]) -> list[tuple[str, list[str]]]:
    rows = []
    for key, label in POLICIES.items():
        values = [_words(getattr(each.policy, key)) if hasattr(each.policy, key) else "announced" for each in members]
        articles = [_policy_article(each, key) or "our custom" for each in members]
        rows.append((label, [_with(*cell) for cell in zip(values, articles, strict=True)]))
    return [*rows, ("words", [each.words or "-" for each in members])]


def _policy_article(rules: Regulation, key: str) -> str | None:
    if key == "missed_capture" and rules.policy.missed_capture == "opponent_decides":
        return rules.articles.get(key) or rules.articles.get("irregular_move")
    return rules.articles.get(key)


def _head() -> str:
    usual: dict[str, list[str]] = {}
    for kind in KINDS:
        ruling = USUAL.ruling(kind, recorded=True)
        usual.setdefault(f"{SAID[f'severity.{ruling.severity}']}; {_way(ruling)}", []).append(
            f"`{kind}` {SAID[f'kind.{kind}']}"
        )
    return HEAD.format(
        alerts="\n".join(f"- *{what}*: {'; '.join(kinds)}." for what, kinds in usual.items()),
        severities=" | ".join(get_args(Severity)),
        deciders=" | ".join(get_args(Decides)),
        ends=" | ".join(get_args(Until)),
        consequences="; ".join(f"`{code}` {SAID[f'consequence.{code}']}" for code in get_args(Consequence)),
    )


def _way(ruling: Ruling) -> str:
    """Who decides until when, and what follows."""
    if ruling.decides == "arbiter" and ruling.consequence is None:
        return "for the arbiter to know"
    follows = f": {SAID[f'consequence.{ruling.consequence}']}" if ruling.consequence else ""
    return f"{SAID[f'decides.{ruling.decides}']}, {SAID[f'until.{ruling.until}']}{follows}"


def _alerts(members: Sequence[Regulation]) -> list[tuple[str, list[str]]]:
    """A row for each kind of which one of them says something."""
    rows = [(f"`{kind}`", [_alert(each, kind) for each in members]) for kind in KINDS]
    return [(label, cells) for label, cells in rows if set(cells) != {"-"}]


def _alert(rules: Regulation, kind: AlertKind) -> str:
    """What is said of the kind beside the policy."""
    own = rules.alerts.get(kind, AlertRule())
    values = [(key, getattr(own, key)) for key in ("severity", "decides", "until", "consequence")]
    texts = [SAID[f"{key}.{value}"] for key, value in values if value]
    texts += [f"when it recurs: {SAID[f'consequence.{own.repeated}']}"] if own.repeated else []
    article = None if kind in POLICIES else rules.articles.get(kind)
    if not texts:
        return article or "-"
    return _with("; ".join(texts), article or rules.ruling(kind, recorded=True).article)


assert {field.name for field in fields(Variant)} - {"name", "pdn_type"} == set(RULES)

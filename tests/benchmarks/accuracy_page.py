"""The page docs/accuracy.md, out of what came of the games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from statistics import median

from benchmarks.tallies import Findings, Tally, interval

Lawful = Mapping[tuple[str, str], Tally]
"""By what the board senses, and the level."""
Irregular = Mapping[tuple[str, str, str], Findings]
"""By the irregularity, its future, and what the board senses."""

PER = 20_000
ALLOWED = {
    ("occupancy", "clean"): 0,
    ("occupancy", "club"): 0,
    ("colour", "clean"): 0,
    ("colour", "club"): 0,
    ("colour", "scramble"): 20,
    ("occupancy", "bad-board"): 200,
    ("colour", "bad-board"): 200,
}
"""The aim: how many plies of 20,000 may be wrong."""
NONE_UNTOLD = (("occupancy", "scramble"), ("occupancy", "bad-board"), ("colour", "bad-board"))
"""Where nothing may be wrong without being told of."""
FEW_ACCUSATIONS = ("clean", "club")
ACCUSED_PER_THOUSAND = 1.0
FOUND = 0.99

HEAD = """\
# How accurate is the record, and are irregularities found?

`python tests/benchmarks/accuracy.py --write docs/accuracy.md` makes this page; the seeds are fixed, so every count
comes out again, only the times are those of the machine. `--help` says how to look at one level or one kind, and
`--record NAME` prints the recording of any game that is named below.
"""
LAWFUL = """
## Lawful play

Games of eight variants - brazilian, portuguese, russian, english, italian, turkish, international and frisian, the
same number of plies of each - are played by simulated hands on a simulated board. They are public games where there
are enough, else games of our own making. The four levels are in `simulator/levels.toml`: `clean` is a quiet evening on
a perfect board, `club` adds straightening, fumbling, dragging, bounces and dropouts, `scramble` is the last minute of a
blitz game, and `bad-board` has squares that are stuck for some plies in every second game and loses its link for
seconds in every game, while play goes on.

- A ply is *wrong* unless the record up to and with it is what was played: after one that is wrong, or missing, the
  rest of the game is. In brackets, how many of 20,000 that is with 95 % confidence (Wilson).
- *Right again* are those of them that are as played themselves, behind others that are not: where two moves of one
  player were made while nothing was seen, no board can tell in which order.
- One is *not told of* if within 6 s of it no warning was open, the board was not called unknown, and the ply was not
  marked `inferred`; nor is it a ply that is right again behind inferred ones only.
- *Accused*: alerts (warning or irregular) that say a player did something, though nobody did. *Other alarms*: those
  about the board, though nothing was wrong with it. A stuck square that is called suspect is no false alarm.
- The *one-ply matcher*, for comparison, looks each board that has stood still for 0.3 s up among the results of the
  legal moves, and takes the only one that agrees.

"""
IRREGULAR = """
## Irregularities

Each is put into short pieces of such games at the level `club`, at a known ply, by hands that break exactly one rule
(`simulator/irregular.py`): it *stands*, for the opponent replies and the game goes on from there, or it is *rectified*,
for the pieces go back before the reply, or it just happens (*over*).

- *Found*: an alert of this kind, about this ply and this side.
- *Named*: and with the right squares. *Closed*: and closed as it had to be under the regulation of the game.
- *Recorded*: the record of the whole game is what was played, the irregular ply marked as such.
- *Claimed*: what else was said (warning or irregular) that did not happen.
"""


def page(lawful: Lawful, irregular: Irregular, faults: int) -> str:
    """The page, with at most `faults` cases behind every aim that is missed."""
    parts = [HEAD]
    if lawful:
        parts += [LAWFUL, *_lines(_lawful_table(lawful)), "\n", *_lines(_time_table(lawful))]
    if irregular:
        parts.append(IRREGULAR)
        for senses in dict.fromkeys(key[2] for key in irregular):
            parts += [f"\nA board that senses {senses}:\n\n", *_lines(_irregular_table(irregular, senses))]
    parts += ["\n## Aims\n\n", *_lines(_aims(lawful, irregular))]
    cases = list(_cases(lawful, irregular, faults))
    if cases:
        parts += ["\n## The cases behind the aims that are missed\n", *_lines(cases)]
    return "".join(parts)


def _lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"{line}\n" for line in lines)


def _lawful_table(lawful: Lawful) -> Iterator[str]:
    yield (
        "| senses | level | games | plies | wrong plies | of them right again | not told of | games right "
        "| accused per 1,000 plies | other alarms per 1,000 plies | one-ply matcher: wrong plies | games right |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (senses, level), t in lawful.items():
        low, high = interval(t.wrong, t.plies)
        yield (
            f"| {senses} | {level} | {t.games:,} | {t.plies:,} "
            f"| {t.wrong:,} ({low * PER:.0f} - {high * PER:.0f}) | {t.again:,} | {t.untold:,} "
            f"| {_share(t.right_games, t.games)} | {_rate(t.accusations, t.plies)} | {_rate(t.alarms, t.plies)} "
            f"| {t.baseline_wrong:,} | {_share(t.baseline_right_games, t.games)} |"
        )


def _share(count: int, of: int) -> str:
    return f"{count:,} ({100 * count / of:.1f} %)" if of else "-"


def _rate(counts: Counter[str], plies: int) -> str:
    kinds = ", ".join(f"{kind} {count}" for kind, count in counts.most_common(3))
    return f"{1000 * counts.total() / plies:.2f}{f' ({kinds})' if kinds else ''}"


def _time_table(lawful: Lawful) -> Iterator[str]:
    yield "Time for one observation in `Session.feed`, microseconds of processor time where this page was made:"
    yield ""
    yield "| senses | level | observations | median | p99 | one-ply matcher: median | p99 | times as long (median) |"
    yield "|---|---|---|---|---|---|---|---|"
    for (senses, level), t in lawful.items():
        own, other = sorted(t.times), sorted(t.baseline_times)
        ratio = median(own) / median(other)
        yield (
            f"| {senses} | {level} | {len(own):,} | {median(own):.0f} | {_p99(own):.0f} "
            f"| {median(other):.0f} | {_p99(other):.0f} | {ratio:.1f} |"
        )


def _p99(times: list[float]) -> float:
    return times[min(len(times) - 1, int(0.99 * len(times)))]


def _irregular_table(irregular: Irregular, senses: str) -> Iterator[str]:
    yield "| what | future | put in | found | named | closed | recorded | heard instead | claimed |"
    yield "|---|---|---|---|---|---|---|---|---|"
    total = Findings()
    for (name, future, sort), f in irregular.items():
        if sort == senses:
            total.add(f)
            yield _row(name, future, f)
    yield _row("all", "", total)


def _row(name: str, future: str, f: Findings) -> str:
    low, high = interval(f.found, f.put_in)
    return (
        f"| {name} | {future} | {f.put_in} | {f.found} ({100 * low:.1f} - {100 * high:.1f} %) | {f.named} | {f.closed} "
        f"| {f.recorded} | {_counts(f.instead)} | {_counts(f.claimed)} |"
    )


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in counts.most_common(4)) or "-"


def _aims(lawful: Lawful, irregular: Irregular) -> Iterator[str]:
    for (senses, level), t in lawful.items():
        for aim, value, reached in _lawful_aims(senses, level, t):
            yield f"- {'reached' if reached else '**missed**'}: {senses}, {level}: {aim}: {value}"
    if irregular:
        found, put_in, claimed = _all(irregular)
        share = found / put_in
        yield f"- {_word(share >= FOUND)}: irregularities: at least 99 % found: {100 * share:.1f} %"
        yield f"- {_word(not claimed)}: irregularities: none claimed that did not happen: {claimed} in {put_in:,} games"


def _word(reached: bool) -> str:
    return "reached" if reached else "**missed**"


def _all(irregular: Irregular) -> tuple[int, int, int]:
    every = irregular.values()
    return sum(f.found for f in every), sum(f.put_in for f in every), sum(f.claimed.total() for f in every)


def _lawful_aims(senses: str, level: str, t: Tally) -> Iterator[tuple[str, str, bool]]:
    allowed = ALLOWED.get((senses, level))
    if allowed is not None:
        aim = "none wrong" if not allowed else f"at most {allowed} wrong in {PER:,} plies"
        yield aim, f"{t.wrong:,} in {t.plies:,}", t.wrong * PER <= allowed * t.plies
    if (senses, level) in NONE_UNTOLD:
        yield "none wrong that is not told of", f"{t.untold:,}", not t.untold
    if level in FEW_ACCUSATIONS:
        rate = 1000 * t.accusations.total() / t.plies
        yield "at most 1 unearned accusation in 1,000 plies", f"{rate:.2f}", rate <= ACCUSED_PER_THOUSAND


def _cases(lawful: Lawful, irregular: Irregular, faults: int) -> Iterator[str]:
    for (senses, level), t in lawful.items():
        if t.faults and not all(reached for _, _, reached in _lawful_aims(senses, level, t)):
            yield from _listed(f"{senses}, {level}", t.faults, faults)
    for (name, future, senses), f in irregular.items():
        if f.faults and (f.found < f.put_in or f.claimed):
            yield from _listed(f"{name}, {future}, {senses}", f.faults, faults)


def _listed(title: str, cases: list[str], most: int) -> Iterator[str]:
    yield ""
    yield f"{title} ({min(most, len(cases))} of {len(cases)}):"
    yield ""
    yield from (f"- {case}" for case in islice(cases, most))

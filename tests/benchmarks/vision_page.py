"""The page docs/vision.md, out of what came of photographs, views, games and times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median

from benchmarks.vision_photos import OTHERS, Seen
from benchmarks.vision_speed import Times
from benchmarks.vision_squares import NEAR, Squares
from benchmarks.vision_tallies import LATE, Watched
from benchmarks.vision_views import Views

GamesFound = Mapping[tuple[str, str], Watched]
"""By the condition and the variant."""
MOST_WRONG = 1
"""The aim: how many squares of a photograph may be read wrong where there is a start picture."""
READ_WITHIN = 15.0
FOUND_WITHIN = 500.0

HEAD = """\
# How well does the camera read a board?

`python tests/benchmarks/vision.py --write docs/vision.md` makes this page. The seeds are fixed, so every count comes
out again; only the times are those of the machine. `--help` says how to look at one part, one variant or one
condition, and `--record NAME` prints the recording of any game that is named below, for `damas-board replay`.

All limits in the code were set on rendered pictures (`simulator/camera`). The photographs were read for the first time
when finding, reading and watching were done; what was changed after that is said below.
"""
PHOTOGRAPHS = """
## Photographs

Public photographs of real boards, by set (each is one person's boards). They lie beside the checkout, in
`../shared/photos`, with labels.

- *Found*: every corner of the board within a quarter of a square of its label, and the right number of squares.
  *Off by*: the worst corner, in squares; how well the labels know it is in brackets. A lens that bends the edges of a
  board is part of that.
- *Wrong*: squares of the boards found that are read as something else than they are: empty ones, ones with a white
  piece, ones with a black one, of so many; all squares count, those never played on too. *Unsure*: squares read `?`.
- *Without* a start picture: the picture alone says which squares are played on and which pieces are which.
  *With* one: the classes are learned from one other picture of the set ({teachers}), which is not counted. Of these
  pictures two are not of the same set-up: {others}.
- Which real colour is called white is the labels' choice: for each set the better of both names counts, for all its
  pictures together. Where a reading says of itself that its *names* are *in doubt*, since both kinds of men are about
  equally light, for that picture; how many of these are named unlike the set is in brackets.

"""
UNLABELLED = """
Pictures without a label (a board, no board, or part of one; nobody has written down which):

"""
FIRST = """
The first reading of the photographs found the same 24 boards and read no square wrong. Unsure were, without and with a
start picture: Ensiss 130 and 113 squares, SI3P 2, rursprung 28 and 34, soon-jynn-chu 329 and 21. One board without a
label, small and in torchlight (`Ensiss__checkers-detector/13.jpg`), was not found. The reading showed two wrong
assumptions, and both were put right on rendered pictures that show the same: that the two kinds of men differ in how
light they are (red and green ones do not), and that a nearly black picture has the contrasts of a light one. Two
conditions of the second change were chosen with photographs in sight (when colours may shift together: ens30; that
grain counts in dark pictures only: bax18), so the figures of these two are not untouched ones.
"""
SWEEP = """
## Rendered views

Boards of 8 and 10 squares with the pieces of a game on them, seen from any side, height and distance by any lens.
`clean`, `club`, `evening` and `glossy` are those of the games below; `low-contrast` men have nearly the colour of their
squares, `red-green` squares are equally light; `oblique` and `overhead` have a place for their camera. *Found*, *wrong*
and *unsure* as above; the start picture is taken from the same place, in another light. *Refused*: start pictures whose
classes cannot be told apart. In pictures of *nothing* - a table, tiles, text, men without a board, a sudoku, a covered
lens - no board may be found.

"""
GAMES = """
## Games

Whole games of three variants - public ones where there are enough, else games of our own making - are played by
simulated hands on a rendered table. The pictures go the way of a camera's: into the watcher, what it tells into a
`Session`. The profile is made from the first picture, which shows the start position; nothing else is told. In the
middle of the second game of each row the board is pushed by a third of a square, in the third the camera is knocked.

- `clean`: a wooden board in even light. `club`: a dark frame, men off the middles of their squares and on the lines, a
  low light from the side, a lens that bends, compression; players who lean over the board, straighten men, drag and
  fumble. `evening`: a dim warm light that changes, a lamp that is switched on in mid-game, a noisy camera. `glossy`:
  shining men and board under a lamp.
- *Wrong* plies, as in [accuracy.md](accuracy.md): unless the record up to and with a ply is what was played, it is
  wrong.
- *Unearned*: alerts (warning or irregular), though nobody did anything wrong and nothing was wrong with the board.
  Where the camera is knocked, `board_lost` is earned.
- *Delay*: from the moment a ply's last piece came down to the moment the ply is told, the players' hand on its way
  back included; *late* is one that is told more than {late:g} s after: as a rule a hand stays over the board, or the
  other player straightens a man meanwhile.
- *Not told*: the share of the time in which the camera said that it could not tell what stands on the board.

"""
SPEED = """
## Times

Processor time on one core, for one picture of 1280 x 720 pixels, in the same run, on the same pictures, by turns: our
search (for boards of 8, 10 and 12 squares, nothing known before), OpenCV's `findChessboardCornersSB` (told how many
squares there are; flags 0; on the picture as it is, and at 480 pixels' width), following the board from one picture to
the next, and reading all squares. *Right*: every corner within a quarter of a square.

"""


@dataclass
class Results:
    """What there is to tell; a part that was not asked for is empty."""

    photographs: list[Seen] = field(default_factory=list)
    taught_by: str = ""
    untaught: list[str] = field(default_factory=list)
    """Why a picture that should teach others did not."""
    views: dict[str, Views] = field(default_factory=dict)
    games: dict[tuple[str, str], Watched] = field(default_factory=dict)
    times: Times | None = None


def page(results: Results, faults: int) -> str:
    """The page, with at most `faults` cases behind every row that has any."""
    parts = [HEAD]
    others = ", ".join(f"{name} ({why})" for name, why in OTHERS.items())
    if results.photographs:
        parts += [
            PHOTOGRAPHS.format(teachers=results.taught_by, others=others),
            *_lines(_photographs(results.photographs)),
        ]
    if results.views:
        parts += [SWEEP, *_lines(_sweep(results.views))]
    if results.games:
        parts += [GAMES.format(late=LATE), *_lines(_games(results.games))]
    if results.times is not None:
        parts += [SPEED, *_lines(_times(results.times))]
    parts += ["\n## Aims\n\n", *_lines(_aims(results))]
    cases = list(_cases(results, faults))
    if cases:
        parts += ["\n## Where it fails\n", *_lines(cases)]
    return "".join(parts)


def _lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"{line}\n" for line in lines)


# --- photographs


@dataclass
class Set:
    """The photographs of one set, by the better of both names of the colours."""

    seen: list[Seen]
    alone: Squares = field(default_factory=Squares)
    taught: Squares | None = None
    swapped: bool = False
    unlike: int = 0
    """Pictures that doubt their names, and whose names are not the set's."""

    def by_name(self, one: Seen) -> Squares | None:
        """What a picture alone says, by the set's names, or by its own where it doubts them."""
        ours, others = (one.alone_swapped, one.alone) if self.swapped else (one.alone, one.alone_swapped)
        if one.doubts_names and ours is not None and others is not None and others.wrong.total() < ours.wrong.total():
            return others
        return ours


def sets_of(photographs: list[Seen]) -> dict[str, Set]:
    """The labelled photographs by set."""
    found: dict[str, Set] = {}
    for seen in photographs:
        if seen.set:
            found.setdefault(seen.set, Set([])).seen.append(seen)
    for of in found.values():
        pairs = [(seen.alone, seen.alone_swapped) for seen in of.seen if seen.alone and seen.alone_swapped]
        of.swapped = sum(b.wrong.total() for _, b in pairs) < sum(a.wrong.total() for a, _ in pairs)
        for seen in of.seen:
            named = of.by_name(seen)
            if named is not None:
                of.alone.add(named)
                of.unlike += named is not (seen.alone_swapped if of.swapped else seen.alone)
            if seen.taught is not None:
                of.taught = of.taught or Squares()
                of.taught.add(seen.taught)
    return found


def _photographs(photographs: list[Seen]) -> Iterator[str]:
    yield "| set | pictures | found | off by | without: wrong | unsure | names in doubt | with: wrong | unsure |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, of in sets_of(photographs).items():
        errors = [seen.error for seen in of.seen if seen.error is not None]
        off = f"{max(errors):.2f} ({max(seen.blurred for seen in of.seen):.2f})" if errors else "-"
        found = sum(seen.found for seen in of.seen)
        doubted = f"{sum(seen.doubts_names for seen in of.seen)} ({of.unlike})"
        unsure = "-" if of.taught is None else of.taught.unsure.total()
        yield (
            f"| {name} | {len(of.seen)} | {found} | {off} | {_wrong(of.alone)} | {of.alone.unsure.total()} | {doubted} "
            f"| {_wrong(of.taught)} | {unsure} |"
        )
    yield FIRST.rstrip("\n")
    others = [seen for seen in photographs if not seen.set]
    if others:
        yield UNLABELLED.rstrip("\n")
        yield ""
        yield "| picture | board | score | by |"
        yield "|---|---|---|---|"
        for seen in others:
            yield f"| {seen.name} | {'found' if seen.found else 'none'} | {seen.score:.1f} | {seen.how} |"


def _wrong(squares: Squares | None) -> str:
    if squares is None or not squares.all:
        return "-"
    sorts = ("empty", "white", "black")
    counts = ", ".join(f"{squares.wrong[sort]} of {squares.all[sort]:,} {sort}" for sort in sorts)
    return f"**{squares.wrong.total()}** ({counts})"


# --- views


def _sweep(views: Mapping[str, Views]) -> Iterator[str]:
    yield (
        "| condition | views | found | off by (median, worst) | without: wrong | unsure | with: wrong | unsure "
        "| refused |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, of in views.items():
        errors = sorted(of.errors)
        off = f"{median(errors):.2f}, {errors[-1]:.2f}" if errors else "-"
        yield (
            f"| {name} | {of.views} | {of.found} | {off} | {_wrong(of.alone)} | {of.alone.unsure.total()} "
            f"| {_wrong(of.taught)} | {of.taught.unsure.total()} | {of.refused} |"
        )


# --- games


def _games(games: GamesFound) -> Iterator[str]:
    yield (
        "| condition | variant | games | plies | wrong plies | games right | unearned | delay, s (median, 99 %) | late "
        "| not told | pictures | a picture, ms |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (condition, kind), w in games.items():
        yield _game_row(condition, kind, w)
    total = Watched()
    for w in games.values():
        total.add(w)
    yield _game_row("all", "", total)


def _game_row(condition: str, kind: str, w: Watched) -> str:
    delays, looks = sorted(w.delays), sorted(w.looks)
    delay = f"{median(delays):.1f}, {_p99(delays):.1f}" if delays else "-"
    return (
        f"| {condition} | {kind} | {w.games} | {w.plies:,} | {w.wrong} | {w.right_games} | {_counts(w.unearned)} "
        f"| {delay} | {w.late} | {_untold(w)} | {w.pictures:,} | {median(looks) if looks else 0.0:.1f} |"
    )


def _untold(w: Watched) -> str:
    if not w.seconds or not w.untold:
        return "0 %"
    kinds = ", ".join(f"{kind} {100 * count / w.seconds:.1f}" for kind, count in w.untold.most_common(3))
    return f"{100 * w.untold.total() / w.seconds:.1f} % ({kinds})"


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in counts.most_common(4)) or "0"


def _p99(times: list[float]) -> float:
    return times[min(len(times) - 1, int(0.99 * len(times)))]


# --- times


def _times(times: Times) -> Iterator[str]:
    yield "| what | pictures | median, ms | 95 %, ms | of SB as it is | answered | right |"
    yield "|---|---|---|---|---|---|---|"
    whole = median(times.ms["SB, as it is"])
    for name, ms in times.ms.items():
        ordered = sorted(ms)
        middle = median(ordered)
        late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        answered, right = times.answered.get(name), times.right.get(name)
        yield (
            f"| {name} | {len(ms)} | {middle:.1f} | {late:.1f} | {middle / whole:.2f} "
            f"| {'-' if answered is None else answered} | {'-' if right is None else right} |"
        )


# --- aims and failures


def _word(reached: bool) -> str:
    return "reached" if reached else "**missed**"


def _aims(results: Results) -> Iterator[str]:
    labelled = [seen for seen in results.photographs if seen.set]
    if labelled:
        found = sum(seen.found for seen in labelled)
        yield f"- {_word(found == len(labelled))}: every labelled board found: {found} of {len(labelled)}"
        taught = [seen.taught.wrong.total() for seen in labelled if seen.taught is not None]
        if taught:
            yield (
                f"- {_word(max(taught) <= MOST_WRONG)}: at most {MOST_WRONG} square of a picture wrong where there is "
                f"a start picture: at most {max(taught)}, in {sum(1 for count in taught if count)} of {len(taught)}"
            )
    if results.games:
        total = Watched()
        for w in results.games.values():
            total.add(w)
        yield f"- {_word(not total.wrong)}: no wrong ply: {total.wrong} of {total.plies:,}"
        yield f"- {_word(not total.unearned)}: no unearned alert: {_counts(total.unearned)}"
    if results.times is not None:
        both = median(results.times.ms["follow"]) + median(results.times.ms["read"])
        search = median(results.times.ms["find"])
        yield f"- {_word(both < READ_WITHIN)}: follow and read within {READ_WITHIN:g} ms: {both:.1f} ms"
        yield f"- {_word(search < FOUND_WITHIN)}: found within {FOUND_WITHIN:g} ms: {search:.0f} ms"


def _cases(results: Results, faults: int) -> Iterator[str]:
    sets = sets_of(results.photographs)
    photo_cases = [*results.untaught, *(case for of in sets.values() for case in _photo_cases(of))]
    yield from _listed("Photographs", photo_cases, len(photo_cases))
    for condition, views in results.views.items():
        yield from _listed(f"Views, {condition}", views.faults, faults)
    for (condition, kind), w in results.games.items():
        yield from _listed(f"Games, {condition}, {kind}", w.faults, faults)


def _photo_cases(of: Set) -> Iterator[str]:
    for seen in of.seen:
        if seen.error is None:
            yield f"{seen.name} ({seen.set}): no board found, or one of another size; score {seen.score:.1f}"
        elif not seen.found:
            yield f"{seen.name} ({seen.set}): a corner is {seen.error:.2f} squares off (more than {NEAR:g})"
        for how, squares in (("without", of.by_name(seen)), ("with", seen.taught)):
            if squares is not None and (squares.wrong or squares.unsure):
                said = [f"{_told(squares.wrong)} wrong"] * bool(squares.wrong)
                said += [f"{_told(squares.unsure)} unsure"] * bool(squares.unsure)
                yield f"{seen.name} ({seen.set}), {how} a start picture: {', '.join(said)}"


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {sort}" for sort, count in counts.items())


def _listed(title: str, cases: list[str], most: int) -> Iterator[str]:
    if not cases:
        return
    yield ""
    yield f"{title} ({min(most, len(cases))} of {len(cases)}):"
    yield ""
    yield from (f"- {case}" for case in cases[:most])

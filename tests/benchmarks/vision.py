"""How well the camera reads a board, and how right the record is that comes of it: the tables of docs/vision.md.

    python tests/benchmarks/vision.py --write docs/vision.md            all of it
    python tests/benchmarks/vision.py --photos                          the photographs only
    python tests/benchmarks/vision.py --views 200                       rendered views only
    python tests/benchmarks/vision.py --speed
    python tests/benchmarks/vision.py --games --condition club --kind brazilian --number 1 --plies 20
    python tests/benchmarks/vision.py --games --keep /tmp/kept          goes on where an earlier run ended
    python tests/benchmarks/vision.py --record club/brazilian/0 > game.jsonl

The photographs are read from ../shared/photos, or from another folder that has a labels.json.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import vision_games, vision_views
from benchmarks.vision_page import Results, page
from benchmarks.vision_photos import PHOTOS, TEACHERS, photographs
from benchmarks.vision_speed import times
from benchmarks.vision_tallies import Watched
from benchmarks.vision_views import Views

from simulator.recorded import lines

VIEWS = 200
TIMED = 24
"""Boards that times are taken of."""

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


def main() -> int:
    args = arguments().parse_args()
    if args.record:
        seen = vision_games.played(vision_games.job_named(args.record))
        for line in lines(seen.header, seen.inputs):
            print(line)
        return 0
    everything = not (args.photos or args.views or args.games or args.speed)
    results = Results()
    if args.photos or everything:
        results.photographs, results.untaught = photographs(args.folder)
        results.taught_by = ", ".join(TEACHERS)
    if args.speed or everything:
        results.times = times(args.boards)
    with ProcessPoolExecutor(args.jobs) as workers:
        if args.views or everything:
            results.views = views(workers, args.views or VIEWS)
        if args.games or everything:
            results.games = games(workers, args)
    text = page(results, args.faults)
    if args.write:
        Path(args.write).write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", metavar="FILE", help="write the page")
    parser.add_argument("--photos", action="store_true", help="the photographs, instead of everything")
    parser.add_argument("--folder", type=Path, default=PHOTOS, help="where the photographs and their labels are")
    parser.add_argument("--views", type=int, help="so many rendered views, instead of everything")
    parser.add_argument("--speed", action="store_true", help="times, instead of everything")
    parser.add_argument("--boards", type=int, default=TIMED, help="how many boards times are taken of")
    parser.add_argument("--games", action="store_true", help="games, instead of everything")
    parser.add_argument("--condition", action="append", help="of the games; by default " + conditions())
    parser.add_argument("--kind", action="append", choices=vision_games.KINDS)
    parser.add_argument("--number", type=int, default=vision_games.GAMES, help="games of each kind")
    parser.add_argument("--plies", type=int, help="only the first plies of each game")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keeps there what came of games, for other runs")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--faults", type=int, default=12, help="how many failures to describe, of each row")
    parser.add_argument("--record", metavar="NAME", help="print the recording of the game that a failure names")
    return parser


def conditions() -> str:
    return ", ".join(vision_games.CONDITIONS)


def views(workers: ProcessPoolExecutor, count: int) -> dict[str, Views]:
    """What came of the views, by their condition."""
    found: dict[str, Views] = {}
    for name, seen in workers.map(vision_views.work, vision_views.jobs(count), chunksize=2):
        found.setdefault(name, Views()).add(seen)
    return found


def games(workers: ProcessPoolExecutor, args: argparse.Namespace) -> dict[tuple[str, str], Watched]:
    """What came of the games, by their condition and kind; each is kept as soon as it is over."""
    names = args.condition or list(vision_games.CONDITIONS)
    jobs = vision_games.jobs(names, args.kind or list(vision_games.KINDS), args.number, args.plies)
    done = {job: watched for job in jobs if (watched := vision_games.kept(job, args.keep)) is not None}
    for job, watched in unordered(workers, vision_games.work, (job for job in jobs if job not in done)):
        vision_games.keep(job, watched, args.keep)
        done[job] = watched
        print(f"{job.name}: {watched.wrong} of {watched.plies} plies wrong", file=sys.stderr)
    found: dict[tuple[str, str], Watched] = {}
    for job in jobs:
        found.setdefault((job.condition, job.kind), Watched()).add(done[job])
    return found


def unordered(workers: ProcessPoolExecutor, work: Callable[[_Job], _Result], jobs: Iterable[_Job]) -> Iterator[_Result]:
    """The results as they come."""
    yield from (future.result() for future in as_completed([workers.submit(work, job) for job in jobs]))


if __name__ == "__main__":
    sys.exit(main())

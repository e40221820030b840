"""How well and how soon is a DGT board read? The tables of docs/dgt.md and docs/tabuleiro-dgt.md.

    python tests/benchmarks/dgt.py --write docs/dgt.md docs/tabuleiro-dgt.md     measure, and write both pages' tables
    python tests/benchmarks/dgt.py --games 10                                    fewer games, printed

All in virtual time: boards in software, with lines that carry 960 bytes a second, or half as many by Bluetooth, their
scans and delays, and what reads them. Times are those of the board and its line, not of this machine.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import dgt_games
from benchmarks.dgt_games import FAULTS, Suffered, fault_of, hundred, rig_of
from benchmarks.real_games import game_of, seed_of
from benchmarks.talked_games import Played
from dgt_bus_cable import BusCable

from damas_board.decoding.dgt.conversation import DgtTalk
from damas_board.decoding.dgt.reading import Setting
from damas_board.decoding.talk import Shown
from damas_board.session.inputs import See
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.levels import level
from simulator.talk_cable import TalkCable

PIECES = 300
"""So many pieces are put down for each row of the table of times."""
EVERY = 3
"""Every so many-th game is played with each fault."""
LINES = (1, 2, 4, 8, 16)
"""Boards on one line."""
LEVELS = ("clean", "club")
KINDS = ("cable", "bluetooth")
LANGUAGES = ("en", "pt")
MARKS = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- /figures -->)", re.DOTALL)
WORDS: Mapping[str, tuple[str, str]] = {
    "cable": ("by cable", "por cabo"),
    "bluetooth": ("by Bluetooth", "por Bluetooth"),
    "clean": ("quiet hands", "mãos calmas"),
    "club": ("a club evening", "uma noite no clube"),
    "games": ("games", "partidas"),
    "plies": ("plies", "lances"),
    "right": ("right", "certas"),
    "alerts": ("warnings nobody earned", "avisos que ninguém mereceu"),
    "board": ("board", "tabuleiro"),
    "hands": ("", ""),
    "half": ("half of the pieces", "metade das peças"),
    "most": ("19 of 20", "19 em 20"),
    "worst": ("worst", "o pior"),
    "seconds": ("s", "s"),
    "fault": ("fault", "falha"),
    "told": ("wrong, and told", "erradas, e avisado"),
    "silent": ("wrong, not told", "erradas, sem aviso"),
    "accused": ("somebody accused", "alguém acusado"),
    "fields": ("squares", "casas"),
    "boards": ("boards on the line", "tabuleiros na linha"),
    "start": ("from opening the port to the board", "da abertura da porta até ao tabuleiro"),
    "bus": ("bus", "bus"),
}
FAULT_WORDS: Mapping[str, tuple[str, str]] = {
    "bounce": ("a contact bounces", "um contacto ressalta"),
    "dropout": ("a piece is not read for a moment", "uma peça não é lida por um momento"),
    "ghost": ("a piece is read where none is", "é lida uma peça onde não há nenhuma"),
    "stuck": ("a square always reads the same", "uma casa lê sempre o mesmo"),
    "weak-square": ("a square reads a piece late, or not at all", "uma casa lê a peça tarde, ou não a lê"),
    "late-frames": ("messages come late", "as mensagens chegam tarde"),
    "lost-bytes": ("bytes are lost", "perdem-se bytes"),
    "garbled-bytes": ("bytes are changed", "há bytes que mudam"),
    "reset": ("the board restarts", "o tabuleiro reinicia"),
    "unplugged": ("the cable is pulled for 5 s", "o cabo é tirado 5 s"),
}


# --- games


@dataclass(frozen=True)
class Game:
    number: int
    level: str
    fault: str | None = None


def work(job: Game) -> tuple[Game, bool, Played | Suffered]:
    """The job, whether its board is by Bluetooth, and what came of it."""
    kind, source, index = GAMES[job.number]
    rig, seed = rig_of(kind, job.number), seed_of(dgt_games.SEED, source, index)
    game = game_of(source, index)
    if job.fault is None:
        return job, rig.bluetooth, dgt_games.played(kind, game, level(job.level), seed, rig, f"{source}#{index}")
    fault = fault_of(job.fault, kind, rig, seed)
    return job, rig.bluetooth, dgt_games.suffered(kind, game, level(job.level), seed, rig, fault)


GAMES = tuple(hundred())


def games_table(jobs: Iterable[tuple[Game, bool, Played | Suffered]], language: int) -> list[str]:
    totals: dict[tuple[str, str], Played] = {}
    for job, bluetooth, outcome in jobs:
        if isinstance(outcome, Played):
            key = (job.level, KINDS[bluetooth])
            totals.setdefault(key, Played()).add(outcome)
    word = partial(_word, language)
    rows = [_row("", word("games"), word("plies"), word("right"), word("alerts")), "|---|---|---|---|---|"]
    for (name, kind), total in sorted(totals.items()):
        cells = (total.games, total.plies, total.right, sum(total.alerts.values()))
        rows.append(_row(f"{word(name)}, {word(kind)}", *cells))
    return rows


def faults_table(jobs: Iterable[tuple[Game, bool, Played | Suffered]], language: int) -> list[str]:
    totals = {name: Suffered() for name in FAULTS}
    for job, _, outcome in jobs:
        if isinstance(outcome, Suffered) and job.fault is not None:
            totals[job.fault].add(outcome)
    word = partial(_word, language)
    head = ("fault", "games", "right", "told", "silent", "accused")
    rows = [_row(*map(word, head)), "|---|---|---|---|---|---|"]
    for name, total in totals.items():
        cells = (total.games, total.right, total.told, len(total.silent), len(total.accused))
        rows.append(_row(FAULT_WORDS[name][language], *cells))
    return rows


# --- times


def delays(size: int, bluetooth: bool) -> list[float]:
    """From a piece that is put down to the board that is told with it, seconds, sorted."""
    clock = VirtualClock()
    board = DgtBoard(size, clock, bluetooth=bluetooth, seed=size + bluetooth)
    _set_out(board)
    setting = Setting(size=size)
    cable = TalkCable(board, clock, lambda at, known: DgtTalk(at, setting, known))
    cable.run(20.0)
    random, found = Random(1), []
    empty = [place for place, piece in enumerate(board.pieces, 1) if not piece]
    for _ in range(PIECES):
        cable.run(clock.now() + random.uniform(2.0, 4.0))
        place, put = random.choice(empty), clock.now()
        board.place(place, 1)
        rows = board.square_map.rows(board.pieces, board.levels)
        seen: list[float] = []
        while not seen:
            inputs = cable.run(clock.now() + 1.0)
            seen = [item.at for item in inputs if isinstance(item, See) and item.rows == rows]
        found.append(seen[0] - put)
        board.lift(place)
    return sorted(found)


def opening(size: int, bluetooth: bool) -> float:
    """From opening the port to the board, seconds: half of twenty."""
    found = []
    for seed in range(20):
        clock = VirtualClock()
        board = DgtBoard(size, clock, bluetooth=bluetooth, garbage=True, seed=seed)
        _set_out(board)
        clock.set(10.0)
        board.advance()
        setting = Setting(size=size)
        cable = TalkCable(board, clock, lambda at, known, s=setting: DgtTalk(at, s, known), board.connected)
        while not any(isinstance(item, Shown) for item in cable.told):
            cable.run(clock.now() + 0.05)
        found.append(clock.now() - 10.0)
    return median(found)


def bus_delays(boards: int) -> list[float]:
    """As `delays`, of a move on one of so many boards on one line."""
    cable = BusCable()
    all_of_them = [cable.add(f"{1000 + number:05}") for number in range(boards)]
    cable.run(30.0)
    random, found = Random(boards), []
    for _ in range(PIECES // 2):
        cable.run(random.uniform(2.0, 4.0))
        board = random.choice(all_of_them)
        place = random.choice([place for place, piece in enumerate(board.pieces, 1) if not piece])
        put = cable.clock.now()
        board.place(place, 1)
        rows = board.square_map.rows(board.pieces, board.levels)
        seen: list[float] = []
        while not seen:
            cable.run(0.5)
            seen = [item.at for item in cable.told(board) if isinstance(item, Shown) and item.rows == rows]
        found.append(seen[-1] - put)
        board.lift(place)
    return sorted(found)


def times_table(language: int) -> list[str]:
    word = partial(_word, language)
    head = ("board", "half", "most", "worst", "start")
    rows = [_row(*map(word, head)), "|---|---|---|---|---|"]
    for size in (10, 8):
        for bluetooth in (False, True):
            name = f"{size * size} {word('fields')}, {word(KINDS[bluetooth])}"
            rows.append(_row(name, *_three(delays(size, bluetooth)), f"{opening(size, bluetooth):.1f} s"))
    return rows


def bus_table(language: int) -> list[str]:
    word = partial(_word, language)
    rows = [_row(*map(word, ("boards", "half", "most", "worst"))), "|---|---|---|---|"]
    return rows + [_row(count, *_three(bus_delays(count))) for count in LINES]


# --- pages


def _set_out(board: DgtBoard) -> None:
    for place in range(1, board.square_map.places + 1):
        row, column = divmod(board.square_map.square(place), board.square_map.size)
        if (row + column) % 2 == 0 and not 2 < row < board.square_map.size - 3:
            board.place(place, 1 if row < 3 else 2)


def _three(found: Sequence[float]) -> tuple[str, str, str]:
    return f"{median(found):.2f} s", f"{found[len(found) * 19 // 20]:.2f} s", f"{found[-1]:.2f} s"


def _word(language: int, key: str) -> str:
    return WORDS[key][language]


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def filled(page: str, tables: Mapping[str, Sequence[str]]) -> str:
    """The page with its tables; a comma stands for the point in Portuguese by the tables' own making."""
    return MARKS.sub(lambda found: found[1] + "\n" + "\n".join(tables[found[2]]) + "\n\n" + found[3], page)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", metavar="PAGE", nargs=2, help="the pages in English and in Portuguese")
    arguments.add_argument("--games", type=int, default=len(GAMES), help="how many games")
    arguments.add_argument("--jobs", type=int, default=2, help="processes")
    args = arguments.parse_args()
    numbers = range(args.games)
    jobs = [Game(number, name) for name in LEVELS for number in numbers]
    jobs += [Game(number, "clean", fault) for fault in FAULTS for number in numbers[::EVERY]]
    with ProcessPoolExecutor(args.jobs) as workers:
        done = list(workers.map(work, jobs, chunksize=5))
    for _, _, outcome in done:
        for text in outcome.faults if isinstance(outcome, Played) else [*outcome.silent, *outcome.accused]:
            print(text, file=sys.stderr)
    for language, name in enumerate(LANGUAGES):
        tables = {
            "games": games_table(done, language),
            "times": times_table(language),
            "bus": bus_table(language),
            "faults": faults_table(done, language),
        }
        if language:
            tables = {key: [re.sub(r"(\d)\.(\d)", r"\1,\2", line) for line in rows] for key, rows in tables.items()}
        if args.write:
            path = Path(args.write[language])
            path.write_text(filled(path.read_text("utf-8"), tables), "utf-8")
        elif name == "en":
            print("\n\n".join("\n".join(rows) for rows in tables.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

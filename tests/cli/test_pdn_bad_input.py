"""PDN files that are large, broken, or in another encoding: one game's fault costs that game, and memory is bounded."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from damas_board.cli import main
from damas_board.notation.pdn import read_games

MEGABYTE = 1_000_000
RUN = """\
import resource, sys
from damas_board.cli import main
status = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "en")


@pytest.fixture
def check(capsys):
    def call(file):
        status = main(["pdn", "check", "--json", str(file)])
        out, err = capsys.readouterr()
        return status, [json.loads(line) for line in out.splitlines()], err.splitlines()

    return call


def game(event, moves="1. c3-d4 d6-e5 *\n\n"):
    return f'[Event "{event}"]\n[GameType "26"]\n\n{moves}'


def test_a_cp1251_file_is_read_with_its_names(tmp_path, capsys):
    file, out = tmp_path / "a.pdn", tmp_path / "out.pdn"
    file.write_bytes(game("Чемпионат СССР").encode("cp1251"))
    assert main(["pdn", "convert", str(file), "-o", str(out)]) == 0
    assert '[Event "Чемпионат СССР"]' in out.read_text("utf-8")


def test_the_encoding_is_the_same_wherever_in_a_long_file_the_first_letter_stands(tmp_path):
    for encoding in ("utf-8", "cp1251"):
        for before in (65_535, 65_536, 200_000):
            data = game("A", "{" + "a" * before + "} *").encode() + game("Чемпионат").encode(encoding)
            assert [g.tag("Event") for g in read_games(data)] == ["A", "Чемпионат"]


def test_nested_comments_without_an_end_cost_no_neighbour(check, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text(game("A") + game("B", "1. c3-d4 {a {b {c d6-e5 *\n\n") + game("C"), "utf-8")
    status, games, _ = check(file)
    assert status == 0
    assert [(g["ok"], g["plies"]) for g in games] == [(True, 2), (True, 1), (True, 2)]
    assert games[1]["remarks"] == ["line 9, column 10: '{' is never closed"]


def test_a_man_on_its_last_row_is_told_with_its_place(check, tmp_path):
    file = tmp_path / "a.pdn"
    bad = '[Event "B"]\n[GameType "26"] [FEN "W:Wa1,c1,f8:Bh2"]\n1. a1-b2 *\n'
    file.write_text(game("A") + bad + game("C"), "utf-8")
    status, games, (told,) = check(file)
    assert status == 1
    assert [g["ok"] for g in games] == [True, False, True]
    assert games[1]["reason"].startswith("a man of white cannot stand on f8, its last row")
    assert (games[1]["line"], games[1]["column"]) == (7, 17)
    assert "line 7, column 17" in told


def test_of_ten_thousand_games_one_is_broken_and_the_others_are_read(check, tmp_path):
    file = tmp_path / "a.pdn"
    broken = 6_789
    games = [game(n) for n in range(10_000)]
    games[broken - 1] = game("broken", "1. c3-d4\n  d6-b4 *\n\n")
    file.write_text("".join(games), "utf-8")
    status, found, (told,) = check(file)
    assert status == 1
    assert [g["index"] for g in found if not g["ok"]] == [broken]
    assert len(found) == 10_000
    assert all(g["plies"] == 2 for g in found if g["ok"])
    line = (broken - 1) * 5 + 5
    assert (found[broken - 1]["line"], found[broken - 1]["column"], found[broken - 1]["plies"]) == (line, 3, 1)
    assert f"1 of 10000 games could not be replayed to their end; the first: {file}: game {broken}: " in told
    assert f"line {line}, column 3: 'd6-b4' is not legal here" in told


def memory(*arguments):
    """The exit status of a command and the most memory it had, in MB."""
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=600,
    )
    return ended.returncode, float(ended.stderr.split()[-1])


def most_above_a_small_file(folder, part, megabytes):
    """The exit status of checking `part` again and again, and the memory beyond that of checking it once, in MB."""
    file, small = folder / "large.pdn", folder / "small.pdn"
    small.write_bytes(part)
    with file.open("wb") as target:
        for _ in range(megabytes * MEGABYTE // len(part)):
            target.write(part)
    _, least = memory("pdn", "check", small)
    status, most = memory("pdn", "check", file)
    return status, most - least


ANNOTATED = game("A", "1. c3-d4 {" + "long words " * 1000 + "} d6-e5 *\n\n").encode()


@pytest.mark.slow
@pytest.mark.parametrize("part", [ANNOTATED, ANNOTATED.replace(b"[GameType", b"[Type")], ids=["told", "not told"])
def test_a_file_of_50_megabytes_needs_little_memory_whether_or_not_its_variant_is_told(tmp_path, part):
    status, more = most_above_a_small_file(tmp_path, part, 50)
    assert status == 0
    assert more < 25


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        b"{ a { b\n",
        b"( 1-2 [x ",
        b"\xc3\xa9 ( { \n",
        b"1. c3-d4 c3-d4 ",
        b"12345678",
        b'[A "b"] ',
        b'[A "b ',
        b"(!!! ",
        b"\n",
    ],
)
def test_a_large_file_of_nonsense_needs_little_memory(tmp_path, part):
    assert most_above_a_small_file(tmp_path, part, 3)[1] < 60

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from damas_board.cli import main


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "en")


@pytest.fixture
def run(capsys, monkeypatch):
    """`run("legal", "start")` is the exit status, the lines on stdout and the lines on stderr."""

    def call(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        status = main(list(arguments))
        out, err = capsys.readouterr()
        return status, out.splitlines(), err.splitlines()

    return call


def test_the_legal_moves_of_the_start_one_a_line(run):
    status, out, err = run("legal", "start", "--regulation", "br-cbjd")
    assert (status, err) == (0, [])
    assert sorted(out) == ["a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4"]


def test_a_full_path_where_the_ends_name_two_captures(run):
    assert sorted(run("legal", "W:WKg1:Bf2,g5,d6,c7")[1]) == ["g1xb6xd8xh4", "g1xc5xe7xh4"]


def test_perft_prints_the_count(run):
    assert run("legal", "start", "--perft", "6") == (0, ["37628"], [])
    assert run("legal", "start", "--perft", "0") == (0, ["1"], [])
    assert run("legal", "start", "-r", "int-fmjd", "--perft", "4") == (0, ["4265"], [])


def test_several_positions_from_standard_input_are_told_apart_by_an_empty_line(run):
    assert run("legal", "-", stdin="W:Wc3:Bd4\n\nB:Wh6:B\nW:Wa1:Bh8\n") == (0, ["c3xe5", "", "", "a1-b2"], [])
    assert run("legal", "-", "--perft", "1", stdin="W:Wc3:Bd4\nB:Wh6:B\nstart\n") == (0, ["1", "0", "7"], [])


def test_house_rules_of_a_file_are_a_regulation(run, tmp_path):
    file = tmp_path / "club.toml"
    file.write_text('title = "Club"\nvariant = "brazilian"\n[rules]\ncapture_compulsory = false\n', "utf-8")
    assert sorted(run("legal", "W:Wc3:Bd4", "-r", str(file))[1]) == ["c3-b4", "c3xe5"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("legal", "W:Wa1:Bq2"), "damas-board: 'q2' is no square"),
        (
            ("legal", "start", "-r", "br-cbdj"),
            "damas-board: there is no regulation 'br-cbdj' (did you mean 'br-cbjd'?)",
        ),
        (("legal", "start", "-r", "/nowhere/club.toml"), "damas-board: /nowhere/club.toml: no such file"),
    ],
)
def test_wrong_input_is_one_line_and_status_1(run, arguments, says):
    status, out, err = run(*arguments)
    assert (status, out, len(err)) == (1, [], 1)
    assert err[0].startswith(says)


def test_a_wrong_line_of_standard_input_is_named_and_those_before_it_are_answered(run):
    status, out, err = run("legal", "-", stdin="W:Wc3:Bd4\nfoo\n")
    assert (status, out) == (1, ["c3xe5"])
    assert err[0].startswith("damas-board: standard input: line 2: 'foo' is no position")


def test_a_wrong_regulation_file_is_named_with_its_line(run, tmp_path):
    file = tmp_path / "club.toml"
    file.write_text('title = "Club"\nvariant = "brasilian"\n', "utf-8")
    status, _, err = run("legal", "start", "-r", str(file))
    assert status == 1
    assert err[0].startswith(f"damas-board: {file}:2: ")
    file.write_bytes(b'title = "\xff"\n')
    assert "byte 9 is not UTF-8" in run("legal", "start", "-r", str(file))[2][0]


@pytest.mark.parametrize(
    "arguments", [(), ("legal",), ("nothing",), ("legal", "start", "--perft", "-1"), ("legal", "start", "--perft", "x")]
)
def test_wrong_usage_is_status_2(run, arguments):
    status, out, err = run(*arguments)
    assert (status, out) == (2, [])
    assert err[0].startswith("usage: damas-board")


def test_help_is_status_0_and_in_the_language_asked_for(run, monkeypatch):
    assert run("--help")[0] == 0
    monkeypatch.setenv("DAMAS_LANG", "pt")
    assert any("os lances legais de uma posição" in line for line in run("legal", "--help")[1])


def test_legal_loads_neither_mqtt_nor_serial_ports_nor_asyncio():
    code = (
        "import sys; from damas_board.cli import main; main(['legal', 'start']);"
        "print([m for m in ('amqtt', 'aiomqtt', 'serial', 'asyncio', 'sqlite3') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_error():
    process = subprocess.Popen(
        [sys.executable, "-m", "damas_board", "legal", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate("start\n" * 3000, timeout=60)
    assert (process.returncode, err) == (0, "")

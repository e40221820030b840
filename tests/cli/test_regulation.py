"""A club's own regulation: what it may say, and the line that tells what is wrong with it."""

from __future__ import annotations

import pytest

from damas_board.cli import main
from damas_board.regulations import names, shipped


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "en")


CLUB = """\
base = "br-cbjd"
title = "Club rules"

[rules]
king_landing = "next"

[articles]
king_landing = "house rule 1"
"""


COUNT = """[[draws.count]]
rule = "x"
article = "y"
moves = 5
"""


def checked(tmp_path, capsys, *texts):
    files = []
    for number, text in enumerate(texts):
        files.append(tmp_path / f"club{number}.toml")
        files[-1].write_text(text, "utf-8")
    status = main(["regulation", "check", *map(str, files)])
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err.splitlines()


def test_a_clubs_file_that_can_be_used_is_told_so(tmp_path, capsys):
    status, out, err = checked(tmp_path, capsys, CLUB)
    assert (status, err) == (0, [])
    assert out == [f"{tmp_path}/club0.toml: ok: Club rules; variant brazilian, 4 draw laws"]


def test_a_clubs_file_is_played_by(tmp_path, capsys):
    file = tmp_path / "club.toml"
    file.write_text(CLUB, "utf-8")
    assert main(["legal", "W:WKa1:Bd4", "--regulation", str(file)]) == 0
    assert capsys.readouterr().out.split() == ["a1xe5"]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"next"', '"nxt"', 5, ["king_landing", '"nxt"', "next"]),
        ("king_landing = \"next\"", "king_landings = true", 5, ["king_landings", 'did you mean "king_landing"']),
        ('"br-cbjd"', '"br-cbdj"', 1, ["base", 'did you mean "br-cbjd"']),
        ('king_landing = "house', 'kings_landing = "house', 8, ["kings_landing", 'did you mean "king_landing"']),
        ("[rules]", "[rules", 4, ["not TOML"]),
        ("[rules]", f"{COUNT}endings = ['3-1']\n[rules]", 8, ["endings"]),
        ("[rules]", f"{COUNT}by = 'stronger'\n[rules]", 4, ["endings"]),
        ("[rules]", '[draws.repetition]\ncount = "three"\n[rules]', 5, ["count", '"three"']),
        ("[rules]", "[match]\ngames = 3\n[rules]", 5, ["games", "multiple of 2"]),
        ("[rules]", '[match]\nfirst = ["coin"]\n[rules]', 5, ["first", '"coin"', "lot, random, convention"]),
    ],
)  # fmt: skip
def test_a_wrong_key_or_value_is_refused_with_file_line_key_and_what_is_allowed(tmp_path, capsys, old, new, line, said):
    assert old in CLUB
    status, out, err = checked(tmp_path, capsys, CLUB.replace(old, new))
    assert (status, out, len(err)) == (1, [], 1)
    assert err[0].startswith(f"damas-board: {tmp_path}/club0.toml:{line}: ")
    for words in said:
        assert words in err[0]


def test_a_file_with_a_byte_order_mark_is_read(tmp_path, capsys):
    status, out, err = checked(tmp_path, capsys, "\ufeff" + CLUB)
    assert (status, len(out), err) == (0, 1, [])


def test_a_file_too_deep_to_read_is_told_in_one_line(tmp_path, capsys):
    status, out, err = checked(tmp_path, capsys, f"{CLUB}\nsources = {'[' * 3000}{']' * 3000}")
    assert (status, out, len(err)) == (1, [], 1)
    assert "too deep" in err[0]


def test_the_good_files_beside_a_bad_one_are_still_told(tmp_path, capsys):
    status, out, err = checked(tmp_path, capsys, CLUB, "title = 3", CLUB)
    assert (status, len(out), len(err)) == (1, 2, 1)


def test_a_file_that_is_not_there_or_is_no_text(tmp_path, capsys):
    (tmp_path / "latin.toml").write_bytes(b'title = "Vit\xf3ria"')
    assert main(["regulation", "check", str(tmp_path / "none.toml"), str(tmp_path / "latin.toml")]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "no such file" in said.err
    assert "byte 12 is not UTF-8" in said.err


def test_the_shipped_ones_are_listed_and_shown_as_files_that_check(tmp_path, capsys):
    assert main(["regulation", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(names())
    texts = []
    for name in names():
        assert main(["regulation", "show", name]) == 0
        texts.append(capsys.readouterr().out)
        assert shipped(name).title in texts[-1]
    status, out, err = checked(tmp_path, capsys, *texts)
    assert (status, len(out), err) == (0, 22, [])


def test_a_name_that_is_not_shipped_is_answered_with_the_nearest(capsys):
    assert main(["regulation", "show", "br-cbdj"]) == 1
    assert "did you mean 'br-cbjd'" in capsys.readouterr().err

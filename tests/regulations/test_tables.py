from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from damas_board.regulations.tables import TableError, key_lines, line_of, read_table


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Settings(_Strict):
    settle_seconds: float = 0.3


class Board(_Strict):
    id: str
    regulation: str
    turn: Literal[0, 90, 180, 270] = 0
    senses: Literal["occupancy", "colour", "kind"] = "occupancy"
    corners: tuple[int, ...] = ()
    settings: Settings = Settings()

    @field_validator("id")
    @classmethod
    def _short(cls, value: str) -> str:
        if len(value) > 8:
            raise ValueError("an id has at most 8 letters")
        return value


class Embedded(_Strict):
    kind: Literal["embedded"]
    port: int


class Server(_Strict):
    kind: Literal["server"]
    host: str


class Config(_Strict):
    meeting: str
    broker: Annotated[Embedded | Server, Field(discriminator="kind")] | None = None
    board: tuple[Board, ...] = ()
    pair: tuple[int, int] | None = None
    list: tuple[int, ...] = Field(default=(1,), min_length=1)

    @model_validator(mode="after")
    def _different(self) -> Config:
        if len({board.id for board in self.board}) < len(self.board):
            raise ValueError("two boards have the same id")
        return self


TEXT = """\
# a club
meeting = "autumn"

[[board]]
id = "one"
regulation = "br-cbjd"

[[board]]
id = "two"
regulatoin = "br-cbjd"
"""


def refused(text: str, model: type[Any] = Config) -> TableError:
    with pytest.raises(TableError) as caught:
        read_table(text, "config.toml", model)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_misspelt_key_is_named_with_its_line_its_table_and_the_nearest_key() -> None:
    error = refused(TEXT)
    assert str(error) == 'config.toml:10: [board] unknown key "regulatoin"; did you mean "regulation"?'
    assert (error.file, error.line, error.key) == ("config.toml", 10, "regulatoin")
    assert "regulation" in error.allowed


def test_a_good_table_becomes_the_model() -> None:
    config = read_table(TEXT.replace("regulatoin", "regulation"), "config.toml", Config)
    assert [board.id for board in config.board] == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('meting = "a"\n', 'config.toml:1: unknown key "meting"; did you mean "meeting"?'),
        (
            'meeting = "a"\n\n[zebra]\nx = 1\n',
            'config.toml:3: unknown key "zebra"; allowed: meeting, broker, board, pair, list',
        ),
        ('meeting = "a"\n\n[[board]]\nid = "x"\n', 'config.toml:3: [board] needs "regulation"'),
        ("x\ny = 1\n", "config.toml:1: not TOML: expected '=' after a key in a key/value pair"),
        ('meeting = "a"\na = [\n1,\n', "config.toml:3: not TOML: invalid value; the text ends too early"),
        ("", 'config.toml:1: needs "meeting"'),
        ('meeting = "a"\nlist = []\n', "config.toml:2: list must have at least 1 item, not an array"),
        ('meeting = "a"\nlist = [\n  1,\n  "x",\n]\n', "config.toml:4: list 2 must be a valid integer"),
        ("meeting = 3\n", "config.toml:1: meeting must be a valid string, not 3"),
        (
            'meeting = "a"\n[[board]]\nid = "x"\nregulation = "r"\nsenses = "color"\n',
            'config.toml:5: [board] senses is "color"; did you mean "colour"?',
        ),
        (
            'meeting = "a"\n[[board]]\nid = "x"\nregulation = "r"\nturn = 45\n',
            "config.toml:5: [board] turn is 45; allowed: 0, 90, 180, 270",
        ),
        (
            'meeting = "a"\n[[board]]\nid = "x"\nregulation = "r"\ncorners = [\n  1,\n  "q",\n]\n',
            'config.toml:7: [board] corners 2 must be a valid integer, unable to parse string as an integer, not "q"',
        ),
        (
            'meeting = "a"\n[[board]]\nid = "x"\nregulation = "r"\n[board.settings]\nsetle_seconds = 1\n',
            'config.toml:6: [board.settings] unknown key "setle_seconds"; did you mean "settle_seconds"?',
        ),
        (
            'meeting = "a"\n[[board]]\nid = "x"\nregulation = "r"\nsettings = { settle_seconds = true, b = 1 }\n',
            'config.toml:5: [board.settings] unknown key "b"; allowed: settle_seconds',
        ),
        (
            'meeting = "a"\n[broker]\nkind = "embedded"\nprot = 1883\n',
            'config.toml:4: [broker] unknown key "prot"; did you mean "port"?',
        ),
        (
            'meeting = "a"\n[broker]\nkind = "embeded"\n',
            'config.toml:3: [broker] kind is "embeded"; did you mean "embedded"?',
        ),
        ('meeting = "a"\n[broker]\nport = 1883\n', 'config.toml:2: [broker] needs "kind"'),
        ('meeting = "a"\n[broker]\nkind = "embedded"\n', 'config.toml:2: [broker] needs "port"'),
        ('meeting = "a"\nboard = 3\n', "config.toml:2: board must be an array, not 3"),
        (
            'meeting = "a"\n[[board]]\nid = "x"\nregulation = "r"\nsettings = true\n',
            "config.toml:5: [board] settings must be a table with settle_seconds, not true",
        ),
        ('meeting = "a"\nboard = [\n3]\n', "config.toml:3: board 1 must be a table with id, regulation, turn, senses"),
        ('meeting = "a"\npair = [1]\n', "config.toml:2: pair needs at least 2 elements"),
        (
            'meeting = "a"\n[[board]]\nid = "far-too-long"\nregulation = "r"\n',
            "config.toml:3: [board] id: an id has at most 8 letters",
        ),
        (
            'meeting = "a"\n[[board]]\nid = "x"\nregulation = "r"\n[[board]]\nid = "x"\nregulation = "r"\n',
            "config.toml:1: two boards have the same id",
        ),
    ],
)
def test_what_is_wrong_is_one_line_with_the_place(text: str, message: str) -> None:
    assert str(refused(text)).startswith(message)


def test_a_dataclass_is_a_model_too() -> None:
    @dataclass(frozen=True)
    class Row:
        __pydantic_config__ = ConfigDict(extra="forbid")
        size: int
        article: dict[str, str] = field(default_factory=dict)

    assert read_table('size = 8\n[article]\nsize = "001"\n', "r.toml", Row) == Row(8, {"size": "001"})
    assert str(refused("size = 8\nsise = 9\n", Row)) == 'config.toml:2: unknown key "sise"; did you mean "size"?'
    assert str(refused("", Row)) == 'config.toml:1: needs "size"'


EVERYTHING = (
    r'''# comment with [brackets] = "and"
top = "a # no comment"
'quoted.key' = 1
"esc\"aped" = 2
multi = """
[not.a.table]
key = "no" \""""
literal = '''
    + """'''
x = 1
'''"""
    + r"""
array = [ # one
  1, [2,
  3], { a = 1, b = [
    5] },
]
[ dotted . "table" ]
a.b.c = 1
when = 1979-05-27T07:32:00Z
[[fruit]]
name = "apple"
[fruit.physical]
color = "red"
[[fruit.variety]]
name = "red delicious"
[[fruit.variety]]
name = "granny"
[[fruit]]
name = "banana"
[[fruit.variety]]
name = "plantain"
last = '' # end"""
)


def test_every_value_has_a_line_and_every_line_found_is_a_value() -> None:
    data = tomllib.loads(EVERYTHING)
    lines = key_lines(EVERYTHING)
    paths = set()

    def walk(path: tuple[Any, ...], value: Any) -> None:
        paths.add(path)
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in pairs:
            walk((*path, key), inner)

    walk((), data)
    assert set(lines) == paths


@pytest.mark.parametrize(
    ("path", "start"),
    [
        (("top",), "top ="),
        (("quoted.key",), "'quoted.key'"),
        (('esc"aped',), '"esc'),
        (("literal",), "literal"),
        (("array", 1), "  1, [2,"),
        (("array", 1, 1), "  3], {"),
        (("array", 2, "b", 0), "    5] }"),
        (("dotted", "table", "a", "b", "c"), "a.b.c"),
        (("fruit", 0, "physical", "color"), 'color = "red"'),
        (("fruit", 0, "variety", 1, "name"), 'name = "granny"'),
        (("fruit", 1, "variety", 0, "name"), 'name = "plantain"'),
        (("fruit", 1, "variety", 0, "last"), "last"),
    ],
)
def test_the_line_is_the_one_the_key_stands_in(path: tuple[Any, ...], start: str) -> None:
    assert EVERYTHING.split("\n")[key_lines(EVERYTHING)[path] - 1].startswith(start)


def test_a_key_that_is_missing_has_the_line_of_its_table() -> None:
    assert line_of(key_lines("a = 1\n[b]\nc = 2\n"), ("b", "d", "e")) == 2


def test_windows_line_ends_count_as_one_line() -> None:
    assert refused('meeting = "a"\r\n\r\n[zebra]\r\n').line == 3


@pytest.mark.parametrize(
    ("deep", "line"),
    [("list = " + "[" * 3000 + "]" * 3000, 3), ("list = " + "{a=" * 3000 + "1" + "}" * 3000, 3)],
)
def test_brackets_too_deep_to_read_are_refused_with_their_line(deep: str, line: int) -> None:
    error = refused(f'meeting = "a"\n# deep\n{deep}\n')
    assert (error.line, error.message) == (line, "arrays or tables in one another, too deep to read")


def test_a_key_of_many_parts_is_unknown_like_any_other() -> None:
    assert refused(f'meeting = "a"\n{"a." * 3000}a = 1\n').key == "a"

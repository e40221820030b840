"""JSON from outside: what comes out can be kept and written again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.messages.json_text import DEEPEST, LARGEST, JsonError, read_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(JSON, st.booleans())
def test_what_json_writes_is_read_again(value: object, plain: bool) -> None:
    text = json.dumps(value, ensure_ascii=plain)
    assert read_json(text) == json.loads(text)
    assert read_json(text.encode()) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        '{"at": Infinity}',
        "[-Infinity]",
        "1e999",
        "-1E+400",
        "9" * 30,
        "9" * 5000,
        str(2**63),
        "9" * 400 + ".0",
        r'"\ud800"',
        r'{"\udfff": 1}',
        '"\ud800"',
        "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
        "[" * 100_000,
        '{"a":' * 50_000,
        "[" * (DEEPEST + 1) + '"\\' * 500_000,
        "[" * (DEEPEST + 1) + '"' + '\\"' * 500_000,
        "[" * (DEEPEST + 1) + '"' + '\\"' * 500_000 + "\\",
        b"\xff\xfe[\x001\x00]\x00",
        b'"\xed\xa0\x80"',
        '"' + "x" * LARGEST + '"',
        '"\0"',
    ],
)
def test_what_could_not_be_written_again_is_refused(text: str | bytes) -> None:
    with pytest.raises(JsonError) as refused:
        read_json(text)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEPEST + "]" * DEEPEST,
        json.dumps("[" * 1000),
        json.dumps('\\"[{' * 1000),
        "1e+16",
        "1.7976931348623157e308",
        str(2**63 - 1),
        r'"\ud83d\ude00"',
        "[" + ",".join(["[]"] * 1000) + "]",
    ],
)
def test_what_only_looks_so_is_not(text: str) -> None:
    assert json.loads(json.dumps(read_json(text), allow_nan=False)) == json.loads(text)

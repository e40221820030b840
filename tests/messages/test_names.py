"""Names from outside are cleaned, and those of children stay in the hall."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.messages.names import NAME_LENGTH, clean, cleaned, escaped, player_name, public_name, public_person


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ana Sousa", "Ana Sousa"),
        ("  Ana \t\r\n  Sousa ", "Ana Sousa"),
        ("João", "João"),  # decomposed
        ("Nguyễn Đình", "Nguyễn Đình"),
        ("محمد", "محمد"),
        ("मोहन क्षत्रिय", "मोहन क्षत्रिय"),
        ("אַבְרָהָם", unicodedata.normalize("NFC", "אַבְרָהָם")),
        ("\x1b[2J\x1b]0;pwned\x07Ana", "[2J]0;pwnedAna"),
        ("Ana\x9b31m", "Ana31m"),
        ("A\u200bn\u200da\ufeff", "Ana"),
        ("Ana\u202easuoS\u202c \u2066x\u2069", "AnaasuoS x"),
        ("A\ufe0f\ufe0en\U000e0101a", "Ana"),
        ("\U000e0041\U000e0042Ana", "Ana"),
        ("Z" + "\u0301\u0300\u0302\u0303" * 100, unicodedata.normalize("NFC", "Z\u0301\u0300\u0302\u0303")),
        ("\u0301Ana", "Ana"),
        ("Ana \u0301\u20ddx", "Ana x"),
        ("A\u2028B\u2029C\u00a0D\u3000E", "A B C D E"),
        ("\u3164\u115f\u2800", ""),
        ("Ana\ud800\udfff\ufffe\ue000", "Ana"),
        ("a\0b", "ab"),
        ("\u200b \u200b", ""),
    ],
)  # fmt: skip
def test_a_name_keeps_its_letters_and_loses_what_steers_or_hides(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_long_name_is_cut_with_a_sign_and_a_flood_of_nothing_leaves_nothing() -> None:
    assert clean("Ana " * 100, 10) == "Ana Ana A…"
    assert clean("Ana " * 100, 9) == "Ana Ana…"
    assert len(clean("x" * 1_000_000)) == NAME_LENGTH
    assert clean("\u200b" * 1_000_000) == ""
    assert clean("a" + "\u0316\u0301" * 200_000) == unicodedata.normalize("NFC", "a\u0316\u0301\u0316\u0301")


@given(st.text(max_size=200), st.integers(2, 80))
def test_what_is_clean_is_short_composed_and_stays_as_it_is(text: str, limit: int) -> None:
    shown = clean(text, limit)
    assert len(shown) <= limit
    assert unicodedata.is_normalized("NFC", shown)
    assert clean(shown, limit) == shown
    assert all(unicodedata.category(c)[0] != "C" or unicodedata.category(c) == "Cn" for c in shown)
    assert "  " not in shown
    assert shown == shown.strip()


@given(st.text(st.sampled_from("a\u0301\u0316\u1161\u1100\u11a8\u200b \u0958\u0344\ufe0f"), max_size=80))
def test_marks_and_parts_of_letters_in_any_order_are_settled_at_once(text: str) -> None:
    shown = clean(text, 30)
    assert unicodedata.is_normalized("NFC", shown)
    assert clean(shown, 30) == shown


def test_a_json_value_is_cleaned_inside() -> None:
    value = {"a": ["x\x1b", {"b": "\u202ey"}], "n": 1, "t": True, "z": None}
    assert cleaned(value) == {"a": ["x", {"b": "y"}], "n": 1, "t": True, "z": None}


@pytest.mark.parametrize(
    ("player", "hall", "public"),
    [
        ({"name": "Ana Sousa"}, "Ana Sousa", "Ana Sousa"),
        ({"name": "Ana Sousa", "public": "A. S."}, "Ana Sousa", "A. S."),
        ({"name": "Rui", "minor": True}, "Rui", None),
        ({"name": "Rui", "minor": True, "public": "Rui C."}, "Rui", "Rui C."),
        ({"name": "Rui", "minor": False}, "Rui", "Rui"),
        ({"name": "Rui", "minor": None}, "Rui", "Rui"),
        ({"name": "Rui", "minor": "yes"}, "Rui", None),
        ({"name": "Rui", "minor": 0.0001}, "Rui", None),
        ({"name": "Rui", "public": ""}, "Rui", None),
        ({"name": "Rui", "public": 7}, "Rui", None),
        ({"name": "\u200b"}, None, None),
        ({"name": 7}, None, None),
        ({}, None, None),
        (None, None, None),
        ("Rui", None, None),
    ],
)
def test_a_child_has_no_name_in_public_unless_it_was_given_one(
    player: object, hall: str | None, public: str | None
) -> None:
    assert player_name(player) == hall
    assert public_name(player) == public


def test_of_who_is_named_in_public_title_and_club_are_too_of_an_unnamed_child_nothing() -> None:
    person = {"name": "Ana de Lima", "title": "MN", "club": "Clube\u202e do Rio", "id": "7", "minor": False}
    assert public_person(person) == {"name": "Ana de Lima", "title": "MN", "club": "Clube do Rio"}
    assert public_person({**person, "minor": True}) is None
    shown = public_person({**person, "minor": True, "public": "A. L."})
    assert shown == {"name": "A. L.", "title": "MN", "club": "Clube do Rio"}


def test_for_a_terminal_what_steers_is_written_out_and_json_stays_what_it_was() -> None:
    text = "a\x1b[2J\x9b\u202e\u200b\x7f\r\U000e0041\ud800é😀\n\tß"
    shown = escaped(text)
    assert shown == "a\\u001b[2J\\u009b\\u202e\\u200b\\u007f\\u000d\\udb40\\udc41\\ud800é😀\n\tß"
    value = {"name": "a\x1b\u202e\u200b\x7f\x9b\U000e0041é😀"}
    assert json.loads(escaped(json.dumps(value, ensure_ascii=False))) == value

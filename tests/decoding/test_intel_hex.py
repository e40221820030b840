from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding.intel_hex import IntelHexError, read_intel_hex, write_intel_hex

END = ":00000001FF"


def test_the_record_of_the_format_s_own_example() -> None:
    # Intel, Hexadecimal Object File Format Specification, 1988: 16 bytes at 0100.
    text = ":10010000214601360121470136007EFE09D2190140\n:100110002146017E17C20001FF5F16002148011928\n" + END
    image = read_intel_hex(text)
    assert sorted(image) == list(range(0x100, 0x120))
    assert (image[0x100], image[0x11F]) == (0x21, 0x19)
    assert write_intel_hex(image).splitlines() == text.splitlines()


def test_bases_of_segments_and_of_the_upper_half_are_added() -> None:
    text = f":020000021200EA\n:0100000011EE\n:020000040001F9\n:0100050022D8\n:0400000300003800C1\n{END}\n"
    assert read_intel_hex(text) == {0x12000: 0x11, 0x10005: 0x22}


def test_small_letters_blank_lines_and_line_ends_of_other_systems_are_read() -> None:
    assert read_intel_hex(f":0100050022d8\r\n\r\n{END}\r\n\r\n") == {5: 0x22}


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("", "no_end", None),
        (":0100050022D8\n", "no_end", None),
        (f"no hex\n{END}", "no_record", 1),
        (f"0100050022D8\n{END}", "no_record", 1),
        (f":0100050022D\n{END}", "no_record", 1),
        (f":01 00 05 00 22 D8\n{END}", "no_record", 1),
        (f":01000500\n{END}", "no_record", 1),
        (f":0100050022D8\n:0200060022D6\n{END}", "length", 2),
        (f":0100050022D8\n:0100060022D8\n{END}", "checksum", 2),
        (f":0100050922CF\n{END}", "type", 1),
        (":0100050122D7\n", "length", 1),
        (f"{END}\n:0100050022D8\n", "behind_end", 2),
        (f":0100050022D8\n:0100050022D8\n{END}", "twice", 2),
    ],
)
def test_what_is_no_sound_image_is_refused_with_its_line(text: str, key: str, line: int | None) -> None:
    with pytest.raises(IntelHexError) as caught:
        read_intel_hex(text)
    assert (caught.value.key, caught.value.facts.get("line")) == (key, line)
    assert line is None or f"line {line} " in str(caught.value)


@given(
    st.dictionaries(
        st.integers(0, 0x300) | st.integers(0xFFF0, 0x10010) | st.integers(0, 2**32 - 1), st.integers(0, 255)
    )
)
def test_every_image_is_read_as_it_was_written(image: dict[int, int]) -> None:
    text = write_intel_hex(image)
    assert read_intel_hex(text) == image
    assert all(line.startswith(":") and len(line) <= 43 for line in text.splitlines())


@given(st.dictionaries(st.integers(0, 64), st.integers(0, 255), min_size=1), st.data())
def test_a_digit_that_was_changed_is_noticed(image: dict[int, int], data: st.DataObject) -> None:
    text = write_intel_hex(image)
    digits = [index for index, letter in enumerate(text) if letter not in ":\n"]
    at = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from("0123456789ABCDEF").filter(lambda digit: digit != text[at]))
    with pytest.raises(IntelHexError):
        read_intel_hex(text[:at] + other + text[at + 1 :])


@pytest.mark.parametrize("image", [{2**32: 0}, {-1: 0}, {0: 256}])
def test_what_does_not_fit_the_format_is_not_written(image: dict[int, int]) -> None:
    with pytest.raises(ValueError, match=r"address|range"):
        write_intel_hex(image)

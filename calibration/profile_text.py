"""A camera's profile as the text of its file: TOML with comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from damas_board.decoding.vision.profile import Profile, profile_table

_ROWS = {"homography": 3, "covariance": 4}
"""How many numbers of a matrix stand in a line."""


def profile_text(profile: Profile, comments: Mapping[str, str]) -> str:
    """The profile's file. `comments`: what stands above a key, or above a table, one or more lines; "" for the head."""
    table = profile_table(profile)
    lines = _comment(comments, "")
    for key, value in table.items():
        if isinstance(value, Mapping):
            lines += ["", *_comment(comments, key), f"[{key}]"]
            for name, inner in value.items():
                lines += [*_comment(comments, f"{key}.{name}"), f"{name} = {_written(name, inner)}"]
        else:
            lines += [*_comment(comments, key), f"{key} = {_written(key, value)}"]
    return "\n".join(lines) + "\n"


def _comment(comments: Mapping[str, str], key: str) -> list[str]:
    return [f"# {line}" for line in comments.get(key, "").splitlines()]


def _written(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    numbers: Sequence[str] = [_number(number) for number in value]
    step = _ROWS.get(key)
    if step is None:
        return f"[{', '.join(numbers)}]"
    rows = [", ".join(numbers[at : at + step]) for at in range(0, len(numbers), step)]
    return "[\n" + "".join(f"    {row},\n" for row in rows) + "]"


def _number(value: float) -> str:
    """So many digits that a grid is the same to a thousandth of a pixel; an int stays one, a float stays one."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.12g}"
    return text if set(text) & set(".en") else f"{text}.0"

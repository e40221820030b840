"""Reads TOML into typed tables; what is wrong is told in one line that names the file, the line and the key.

`tomllib` gives values without their places, so the text is walked a second time for the lines. The walk trusts
`tomllib` (it only runs on text that was read) and therefore needs no error handling of its own: it skips strings,
numbers and comments, and remembers the line of every key, of every table, and of every element of an array, under
the path by which the value is reached in the parsed data: `("board", 1, "port")` is `port` in the second `[[board]]`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BASIC_KEY = re.compile(r'"(?:[^"\\]|\\.)*"')
_LITERAL_KEY = re.compile(r"'[^']*'")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{1,2}(?!"))?'
    r"|'''.*?'''(?:'{1,2}(?!'))?"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\n#]+")
_DEEP = re.compile(r"(?:[\[{][^\[\]{}]*){50}")
_DIGITS = re.compile(r"[0-9_]{4300}")
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_TABLES = ("model_type", "model_attributes_type", "dataclass_type", "dict_type")
_ARRAYS = ("tuple_type", "list_type")
_PLACE = re.compile(r"^(?P<what>.*?) \(at (?:line (?P<line>\d+), column \d+|end of document)\)$", re.DOTALL)


class TableError(ValueError):
    """A table that cannot be used: one line, `file:line: [table] what is wrong; what to do`.

    `key` is the key in question, None where there is none; `allowed` are the keys or values that could stand there.
    """

    def __init__(
        self, file: str, line: int, message: str, *, key: str | None = None, allowed: Sequence[str] = ()
    ) -> None:
        super().__init__(f"{file}:{line}: {message}")
        self.file = file
        self.line = line
        self.message = message
        self.key = key
        self.allowed = tuple(allowed)


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {(): 1}
        self.arrays: dict[Path, int] = {}
        self._counted = (0, 1)

    def run(self) -> dict[Path, int]:
        prefix: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                prefix = self._header()
            else:
                self._pair(prefix)
            self._skip(_BLANK)
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def _line(self) -> int:
        before, line = self._counted
        line += self.text.count("\n", before, self.at)
        self._counted = (self.at, line)
        return line

    def _note(self, path: Path, line: int) -> None:
        self.lines.setdefault(path, line)

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._skip(_SPACE)
            if self.text[self.at] == '"':
                parts.append(str(tomllib.loads(f"k={self._skip(_BASIC_KEY)}")["k"]))
            elif self.text[self.at] == "'":
                parts.append(self._skip(_LITERAL_KEY)[1:-1])
            else:
                parts.append(self._skip(_BARE_KEY))
            self._skip(_SPACE)
            if self.text[self.at] != ".":
                return parts
            self.at += 1

    def _header(self) -> Path:
        line = self._line()
        double = self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        *outer, last = self._key()
        self.at += 2 if double else 1
        path: Path = ()
        for part in outer:
            path = self._newest((*path, part))
            self._note(path, line)
        path = (*path, last)
        if double:
            index = self.arrays.get(path, -1) + 1
            self.arrays[path] = index
            self._note(path, line)
            path = (*path, index)
        self._note(path, line)
        return path

    def _newest(self, path: Path) -> Path:
        return (*path, self.arrays[path]) if path in self.arrays else path

    def _pair(self, prefix: Path) -> None:
        line = self._line()
        path = prefix
        for part in self._key():
            path = (*path, part)
            self._note(path, line)
        self.at += 1
        self._skip(_SPACE)
        self._value(path)

    def _value(self, path: Path) -> None:
        match self.text[self.at]:
            case "[":
                self.at += 1
                index = 0
                while self._more("]"):
                    self._note((*path, index), self._line())
                    self._value((*path, index))
                    index += 1
            case "{":
                self.at += 1
                while self._more("}"):
                    self._pair(path)
            case '"' | "'":
                self._skip(_STRING)
            case _:
                self._skip(_SCALAR)

    def _more(self, end: str) -> bool:
        """Past blanks and a comma; False (and past `end`) where the array or inline table ends."""
        self._skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self._skip(_BLANK)
        if self.text[self.at] == end:
            self.at += 1
            return False
        return True


def key_lines(text: str) -> dict[Path, int]:
    """The line (from 1) of every key, table and array element of a TOML text that `tomllib` can read.

    A table that is only implied (`a` in `[a.b]`) has the line of the first header or key that implies it.
    """
    return _Walk(text).run()


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """The line of `path`, or of the nearest table around it that is written down."""
    while path not in lines:
        path = path[:-1]
    return lines[path]


def section(path: Path) -> str:
    """`[board.settings] ` for a path in that table, nothing for the top level; indices are left out."""
    names = [str(part) for part in path if isinstance(part, str)]
    return f"[{'.'.join(names)}] " if names else ""


def suggestion(word: str, allowed: Sequence[str]) -> str:
    """`; did you mean "x"?`, or what is allowed where nothing is near."""
    near = get_close_matches(word, allowed, 1)
    if near:
        return f'; did you mean "{near[0]}"?'
    return f"; allowed: {', '.join(allowed)}" if allowed else ""


def parse(text: str, source: str) -> dict[str, Any]:
    """The data of a TOML text; TableError names the line where it stops being TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.match(str(error))
        last = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
        line = int(found["line"]) if found and found["line"] else max(last, 1)
        what = found["what"] if found else str(error)
        if found and not found["line"]:
            what += "; the text ends too early"
        raise TableError(source, line, f"not TOML: {what[:1].lower()}{what[1:]}") from error
    except ValueError as error:  # a whole number of thousands of digits: Python does not read it
        long = _DIGITS.search(text)
        line = text.count("\n", 0, long.start()) + 1 if long else 1
        raise TableError(source, line, "a number of too many digits") from error
    except RecursionError as error:
        deep = _DEEP.search(text)
        line = text.count("\n", 0, deep.start()) + 1 if deep else 1
        raise TableError(source, line, "arrays or tables in one another, too deep to read") from error


def read_table(text: str, source: str, model: type[T]) -> T:
    """The TOML `text` as a `model` (a pydantic model or a dataclass, with `extra="forbid"` to refuse unknown keys).

    `source` is the file's name as the reader should see it. TableError for the first thing that is wrong; an unknown
    key goes before a missing one, since a misspelt key is usually both.
    """
    return check_data(parse(text, source), text, source, model)


def check_data(data: dict[str, Any], text: str, source: str, model: type[T]) -> T:
    """`data` as a `model`; it may hold more than the `text` that its keys are looked for in."""
    adapter = TypeAdapter(model)
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        raise _first(error, adapter.json_schema(), data, key_lines(text), source) from error


def check_part(
    data: dict[str, Any], lines: Mapping[Path, int], source: str, model: type[T], under: Path = (), beside: str = ""
) -> T:
    """The table at `under` of a file as a `model`; `lines` are the file's. `beside`: a key there that is not of it."""
    adapter = TypeAdapter(model)
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        raise _first(error, adapter.json_schema(), data, lines, source, under, beside) from error


def _first(
    error: ValidationError,
    schema: dict[str, Any],
    data: Any,
    lines: Mapping[Path, int],
    source: str,
    under: Path = (),
    beside: str = "",
) -> TableError:
    details = error.errors(include_url=False)
    places = [_walk_data(detail["loc"], data)[0] for detail in details]

    def order(number: int) -> tuple[bool, bool, int]:
        # What is wrong with a whole array or table may only be that something in it is wrong.
        path = places[number]
        outer = any(len(other) > len(path) and other[: len(path)] == path for other in places)
        return details[number]["type"] not in _UNKNOWN, outer, line_of(lines, (*under, *path))

    detail = details[min(range(len(details)), key=order)]
    path, value = _walk_data(detail["loc"], data)
    kind = detail["type"]
    context = detail.get("ctx") or {}
    whole = (*under, *path)
    line = line_of(lines, whole)
    if kind in _UNKNOWN:
        unknown = str(path[-1])
        allowed = [*([beside] if beside and len(path) == 1 else []), *_keys(schema, path[:-1], data)]
        message = f'{section(whole[:-1])}unknown key "{unknown}"{suggestion(unknown, allowed)}'
        return TableError(source, line, message, key=unknown, allowed=allowed)
    if kind == "missing" and isinstance(detail["loc"][-1], int):
        key, named = _named(whole)
        message = f"{named} needs at least {detail['loc'][-1] + 1} elements"
        return TableError(source, line, message, key=key)
    if kind in ("missing", "union_tag_not_found"):
        needed = str(detail["loc"][-1]) if kind == "missing" else str(context["discriminator"]).strip("'")
        return TableError(source, line, f'{section(whole)}needs "{needed}"', key=needed)
    if kind == "union_tag_invalid":
        allowed = [word.strip(" '") for word in str(context["expected_tags"]).split(",")]
        whole = (*whole, str(context["discriminator"]).strip("'"))
        line = line_of(lines, whole)
        value, kind = context["tag"], "enum"
    else:
        allowed = _values(schema, path, data)
    key, named = _named(whole)
    if isinstance(value, str) and kind in ("literal_error", "enum") and allowed:
        message = f'{named} is "{value}"{suggestion(value, allowed)}'
    elif kind in ("literal_error", "enum") and allowed:
        message = f"{named} is {_shown(value)}; allowed: {', '.join(allowed)}"
    elif kind in _TABLES:
        keys = ", ".join(_keys(schema, path, data))
        message = f"{named} must be a table{f' with {keys}' if keys else ''}, not {_shown(value)}"
    elif kind in _ARRAYS:
        message = f"{named} must be an array, not {_shown(value)}"
    elif kind in ("value_error", "assertion_error"):
        message = f"{named + ': ' if key else section(whole)}{context['error']}"
    else:
        what = re.sub(r"^(?:Input|Value|[A-Z][a-z]+) should ", "must ", str(detail["msg"]))
        what = what.partition(" after validation")[0]
        message = f"{named} {what}, not {_shown(value)}" if key else f"{section(whole)}{what}"
    return TableError(source, line, message, key=key, allowed=allowed)


def _walk_data(loc: Path, data: Any) -> tuple[Path, Any]:
    """The part of pydantic's `loc` that is in `data` (it also names the branches of unions), and the value there."""
    path: Path = ()
    for part in loc:
        if _holds(data, part):
            data = data[part]
            path = (*path, part)
    return path, data


def _holds(data: Any, part: str | int) -> bool:
    if isinstance(data, list):
        return isinstance(part, int) and part < len(data)
    return isinstance(data, dict) and part in data


def _named(path: Path) -> tuple[str | None, str]:
    """The key that `path` ends in, and how to speak of it: `[board] turn`, or `[board] corners 2` for an element."""
    cut = len(path)
    while cut and isinstance(path[cut - 1], int):
        cut -= 1
    if not cut:
        return None, ""
    key = str(path[cut - 1])
    element = "".join(f" {int(part) + 1}" for part in path[cut:])
    return key, f"{section(path[: cut - 1])}{key}{element}"


def _shown(value: Any) -> str:
    match value:
        case str():
            return f'"{value}"' if len(value) <= 40 else f'"{value[:37]}..."'
        case bool():
            return "true" if value else "false"
        case int() if abs(value) >= 10**40:
            return "a number of too many digits"
        case dict():
            return "a table"
        case list():
            return "an array"
        case _:
            return str(value)


def _branches(schema: dict[str, Any], root: dict[str, Any], data: Any) -> list[dict[str, Any]]:
    """The schemas that may hold for `data`: references followed, alternatives with another constant left out."""
    if "$ref" in schema:
        return _branches(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, data)
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return [branch for part in schema[word] for branch in _branches(part, root, data)]
    if isinstance(data, dict):
        for key, part in schema.get("properties", {}).items():
            if "const" in part and data.get(key, part["const"]) != part["const"]:
                return []
    return [schema]


def _schemas(root: dict[str, Any], path: Path, data: Any) -> list[dict[str, Any]]:
    found = _branches(root, root, data)
    for part in path:
        data = data[part]
        inner = []
        for schema in found:
            if isinstance(part, int):
                fixed: list[dict[str, Any]] = schema.get("prefixItems", [])
                inner.append(fixed[part] if part < len(fixed) else schema.get("items", {}))
            else:
                other = schema.get("additionalProperties")
                inner.append(schema.get("properties", {}).get(part) or (other if isinstance(other, dict) else {}))
        found = [branch for schema in inner for branch in _branches(schema, root, data)]
    return found


def _keys(root: dict[str, Any], path: Path, data: Any) -> list[str]:
    return [key for schema in _schemas(root, path, data) for key in schema.get("properties", {})]


def _values(root: dict[str, Any], path: Path, data: Any) -> list[str]:
    found: list[str] = []
    for schema in _schemas(root, path, data):
        found += [str(value) for value in schema.get("enum", [])]
        if "const" in schema:
            found.append(str(schema["const"]))
    return found

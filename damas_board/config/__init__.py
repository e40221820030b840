"""The file that `damas-board run` is given: TOML to what the program needs, or one line about what is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from damas_board.config.reading import Reading
from damas_board.config.settings import BoardSettings, Config, ConfigError, EmbeddedSettings
from damas_board.config.shapes import File
from damas_board.regulations.tables import TableError, key_lines, read_table

__all__ = ["BoardSettings", "Config", "ConfigError", "EmbeddedSettings", "read_config"]


def read_config(path: Path, environ: Mapping[str, str] = os.environ, *, finding: bool = False) -> Config:
    """The configuration in `path`. ConfigError says which line is wrong; OSError where it cannot be read.

    A regulation's own file that is wrong is a TableError with that file's name and line. `finding`: which board is
    which is still to be found out, so a board may have neither port nor identity.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(str(path), line, "not a text file (UTF-8); a configuration is TOML") from error
    try:
        file = read_table(text, str(path), File)
    except TableError as error:
        if error.key == "password":  # what stands there is not repeated
            raise ConfigError(error.file, error.line, "password must be a text in quotes", key=error.key) from None
        raise ConfigError(error.file, error.line, error.message, key=error.key, allowed=error.allowed) from error
    return Reading(path, key_lines(text), file, environ, finding=finding).config()

"""An adapter in a file of one's own: read by its path, and what is wrong with it in one line."""

from __future__ import annotations

import os
import stat
import sys
import zlib
from dataclasses import fields
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from math import inf
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, get_args

from damas_board.session.header import Senses, Settings
from damas_board.sources.adapter import Adapter, Options

SUFFIX = ".py"
NAME = "ADAPTER"
TAKEN = "speaks"
"""Stands beside the options, so none may have its name."""


class AdapterFileError(ValueError):
    """A file that has no adapter that can be used; one line that names it."""


def adapter_in(path: Path) -> Adapter[Any]:
    """The adapter in the file at `path`, whose code is run for that. AdapterFileError where there is none."""
    _is_private(path)
    adapter = getattr(_module(path), NAME, None)
    if adapter is None:
        raise AdapterFileError(f"{path} has no {NAME}; it needs the line {NAME} = Adapter(...)")
    if not isinstance(adapter, Adapter):
        raise AdapterFileError(f"{NAME} in {path} is no Adapter, but {_kind(adapter)}")
    options: object = adapter.options
    if not (isinstance(options, type) and issubclass(options, Options)):
        raise AdapterFileError(f"the options of {NAME} in {path} must be a class of Options, not {options!r}")
    if TAKEN in adapter.options.model_fields:
        raise AdapterFileError(f'the options of {NAME} in {path} cannot have "{TAKEN}", which names the adapter')
    if not adapter.senses or not set(adapter.senses) <= set(get_args(Senses)):
        allowed = ", ".join(get_args(Senses))
        raise AdapterFileError(f"the senses of {NAME} in {path} must be some of {allowed}")
    words: object = adapter.usb_names
    if not (
        isinstance(words, tuple) and all(isinstance(name, str) and name and name == name.lower() for name in words)
    ):
        raise AdapterFileError(f"the usb_names of {NAME} in {path} must be a tuple of words in small letters")
    known = {time.name for time in fields(Settings)}
    times: dict[str, object] = dict(adapter.settings)
    for key, seconds in times.items():
        if key not in known:
            raise AdapterFileError(f"the settings of {NAME} in {path} have no {key}")
        if isinstance(seconds, bool) or not (isinstance(seconds, int | float) and 0 <= seconds < inf):
            raise AdapterFileError(
                f"the settings of {NAME} in {path}: {key} must be seconds, 0 or more, not {seconds!r}"
            )
    return adapter


def fault(error: BaseException, path: Path) -> tuple[str, str]:
    """Where somebody else's code in the file at `path` went wrong, and what it raised; each on one line."""
    return f"{path}{_line(error, path)}", f"{_kind(error)}: {_said(error)}"


def _is_private(path: Path) -> None:
    """Whoever may write the file has this program do what he likes."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        raise AdapterFileError(f"there is no {path}") from error
    except OSError as error:
        raise AdapterFileError(f"{path} cannot be read ({error.strerror})") from error
    if not stat.S_ISREG(mode):
        raise AdapterFileError(f"{path} is no file")
    if os.name == "posix" and mode & stat.S_IWOTH:
        raise AdapterFileError(f"{path} can be written by every user of this machine; chmod o-w {path}")


class _Uncached(SourceFileLoader):
    """Leaves nothing beside the file, and never runs an older text of it."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _module(path: Path) -> ModuleType:
    name = f"damas_board_adapter_{zlib.crc32(os.fsencode(path)):08x}"
    module = module_from_spec(spec := ModuleSpec(name, _Uncached(name, str(path)), origin=str(path)))
    module.__file__ = str(path)
    sys.modules[name] = module  # where the annotations of its classes are looked up
    try:
        assert spec.loader is not None
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # somebody else's code: whatever it raises is told of its file
        del sys.modules[name]
        where, what = fault(error, path)
        raise AdapterFileError(f"{where} cannot be run ({what})") from error
    return module


def _line(error: BaseException, path: Path) -> str:
    """Where in the file it went wrong, as `:12`."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == str(path) else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return "" if line is None else f":{line}"


def _said(error: BaseException) -> str:
    return " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())


def _kind(value: object) -> str:
    return type(value).__name__

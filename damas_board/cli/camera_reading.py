"""Reads single pictures of boards, as far as one can, and says how sure it is."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calibration.camera import calibrate
from calibration.camera_overlay import Drawing, drawn
from calibration.one_picture import Colours, Look, look
from damas_board.cli import DONE, WRONG_INPUT, regulation
from damas_board.cli.camera_setup import sides, text_of
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.picture_file import read_picture, write_png
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config.camera import read_profile
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.orientation import start_rows
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Profile
from damas_board.regulations import names, shipped
from damas_board.rules.variant import Variant

_MIRRORED_EDGES = (0, 3, 2, 1)


def read_pictures(chosen: argparse.Namespace) -> int:
    """See camera.call."""
    if chosen.overlay is not None:
        if len(chosen.images) > 1:
            raise InputError(word("camera.one_overlay"))
        if chosen.overlay.exists() and not chosen.force:
            raise InputError(word("camera.exists", file=chosen.overlay))
    games = _games(chosen)
    sizes = tuple(dict.fromkeys(game.size for game in games))
    starts = tuple(dict.fromkeys(start_rows(game) for game in games))
    profile = None
    if chosen.profile is not None:
        profile = _profile(chosen.profile, sizes)
    elif chosen.start is not None:
        profile = _from_start(chosen, games)
    status = DONE
    for path in chosen.images:
        try:
            picture = read_picture(path)
        except (InputError, OSError) as error:
            say(f"damas-board: {line_for(error)}")
            status = WRONG_INPUT
            continue
        found = look(picture, profile=profile, sizes=sizes, starts=starts, clicks=chosen.clicks)
        print(json.dumps(_object(path, found), ensure_ascii=False), flush=True)
        if chosen.overlay is not None:
            write_png(chosen.overlay, _overlaid(picture, found))
    return status


# what is known before


def _games(chosen: argparse.Namespace) -> list[Variant]:
    """Of the games that may stand there. InputError where regulation and size contradict each other."""
    if chosen.regulation is None:
        every = [shipped(name).variant for name in (regulation.DEFAULT, *names())]
        return [one for one in every if one.corner != "all" and chosen.size in (None, one.size)]
    variant = regulation.named(chosen.regulation).variant
    if variant.corner == "all":
        raise InputError(word("camera.every_square"))
    if chosen.size not in (None, variant.size):
        raise InputError(word("camera.other_size", found=chosen.size, size=variant.size))
    return [variant]


def _profile(file: Path, sizes: Sequence[int]) -> Profile:
    """The profile in a file. InputError, TableError or OSError where there is none that can be used."""
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(word("not_utf8", file=file, byte=error.start)) from error
    profile = read_profile(text, file)
    if profile.grid.size not in sizes:
        wrong = word("camera.other_size", found=profile.grid.size, size=sizes[0])
        raise InputError(word("camera.of", device=file, message=wrong))
    return profile


def _from_start(chosen: argparse.Namespace, games: Sequence[Variant]) -> Profile:
    """The profile that the picture of the start position makes; InputError where it makes none."""
    made = calibrate([read_picture(chosen.start)], games, clicks=chosen.clicks, mirrored=chosen.mirrored)
    if made.profile is None or not made.usable:
        refusal = next(remark for remark in made.remarks if remark.refuses)
        words = None if chosen.regulation is None else regulation.named(chosen.regulation).words
        raise InputError(word("camera.of", device=chosen.start, message=text_of(refusal, None, words)))
    return made.profile


# what is told


def _object(path: Path, found: Look) -> dict[str, Any]:
    return {
        "image": os.fsencode(path).decode("utf-8", "replace"),
        "status": found.status,
        "size": None if found.grid is None else found.grid.size,
        "corners": None if found.grid is None else _corners(found.grid),
        "rows": found.rows,
        "see": found.see,
        "confidence": round(found.confidence, 3),
        "turn": found.turn,
        "mirrored": found.mirrored,
        "score": round(found.score, 1),
        "how": found.how,
        "hints": list(found.hints),
        "others": [_corners(grid) for grid in found.others],
        "colours": None if found.colours is None else _colours(found.colours),
        "kings": [list(place) for place in found.kings],
    }


def _colours(colours: Colours) -> dict[str, Any]:
    white, black = (None if of is None else "#" + bytes(of).hex() for of in (colours.white, colours.black))
    return {"white": white, "black": black, "sure": round(colours.sure, 3)}


def _corners(grid: Grid) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in grid.corners]


def _overlaid(picture: Picture, found: Look) -> Picture:
    edges = {} if found.turn is None else sides(found.turn)
    if found.mirrored:
        edges = {_MIRRORED_EDGES[edge]: text for edge, text in edges.items()}
    return drawn(picture, found.grid, Drawing(rows=found.rows, edges=edges, others=found.others, cards=found.cards))

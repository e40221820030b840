"""Whole games before the rendered camera: what stands there, when, and under which conditions."""

from dataclasses import replace
from itertools import chain

import cv2
import numpy as np
import pytest

from damas_board.rules.position import initial
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, PORTUGUESE, RUSSIAN
from simulator.camera import CONDITIONS, Scene, VirtualCamera, condition
from simulator.camera.staging import staged
from simulator.games import PlayedGame, invented, shipped
from simulator.levels import level

cv2.setNumThreads(1)

COMBINATION = shipped("brazilian-combination")
"""Three plies: a man is given, and three are taken on the way to the king's row."""


def short(name: str, **how: object) -> VirtualCamera:
    return VirtualCamera(COMBINATION, "club", name, 4, frames="changes", width=320, height=180, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "habits"),
    [
        (invented(BRAZILIAN, 3, 40), "club"),
        (invented(INTERNATIONAL, 2, 40), "scramble"),
        (invented(PORTUGUESE, 1, 60), "clean"),
        (invented(RUSSIAN, 5, 60), "bad-board"),
        (COMBINATION, "scramble"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_between_two_plies_the_position_stands_on_the_board(game: PlayedGame, habits: str) -> None:
    camera = VirtualCamera(game, habits, "club", 7)
    ends = [ply.begins - 0.0005 for ply in camera.plies[1:]] + [camera.times()[-1]]
    expected = [Scene.of_position(p, condition("club").look).rows for p in game.positions()]
    assert camera.rows_at(0.0) == expected[0]
    for at, ply, rows in zip(ends, camera.plies, expected[1:], strict=True):
        seen = camera.rows_at(at)
        in_the_air = any(arm.holds for arm in camera.scene_at(at).arms)
        if habits in ("clean", "club") and not in_the_air:
            assert seen.lower() == rows.lower(), (at, ply)
    assert camera.rows_at(ends[-1]) == expected[-1]
    assert [ply.move for ply in camera.plies] == list(game.moves)


def test_every_disc_that_left_the_board_lies_beside_it_or_on_a_king() -> None:
    game = invented(PORTUGUESE, 1, 60)
    camera = VirtualCamera(game, "club", "clean", 7)
    last = camera.scene_at(camera.times()[-1])
    discs = len(last.beside) + sum(2 if piece.mark.isupper() else 1 for piece in last.pieces.values())
    crowned_from_nowhere = sum(move.promotes for move in game.moves)
    assert 24 <= discs <= 24 + crowned_from_nowhere
    assert len({(loose.x, loose.y) for loose in last.beside}) == len(last.beside)


def test_what_changes_on_the_table_changes_in_the_order_of_its_times() -> None:
    game = invented(PORTUGUESE, 1, 60)
    for name in ("club", "scramble"):
        starts = [stage.at for stage in staged(game, level(name), condition("club"), 3).stages]
        assert starts == sorted(starts)


def test_a_hand_is_over_a_square_whenever_something_happens_there() -> None:
    camera = VirtualCamera(invented(BRAZILIAN, 3, 30), "club", "clean", 2)
    for ply in camera.plies:
        assert not camera.clear_at(ply.begins)
        scene = camera.scene_at(ply.begins - 0.02)
        row, column = divmod(ply.move.start, 8)
        x, y = (column - 3.5) * 45, (row - 3.5) * 45
        nearest = min(np.hypot(arm.x - x, arm.y - y) for arm in scene.arms)
        if not ply.move.captured:
            assert nearest < 30


def test_the_same_arguments_make_the_same_pictures_and_another_seed_others() -> None:
    one, other = short("club"), short("club")
    for (at, picture), (again, same) in zip(one, other, strict=True):
        assert at == again
        assert np.array_equal(picture, same)
    first = next(iter(VirtualCamera(COMBINATION, "club", "club", 5, frames="changes", width=320, height=180)))[1]
    assert not np.array_equal(first, next(iter(one))[1])


def test_pictures_come_quickly_while_something_happens_and_now_and_then_otherwise() -> None:
    camera = VirtualCamera(COMBINATION, "clean", "clean", 1)
    times = camera.times()
    waits = np.diff(times)
    assert waits.max() < 1.1
    for begins, ends in [(ply.begins, ply.ends) for ply in camera.plies]:
        inside = [t for t in times if begins <= t <= ends]
        assert len(inside) >= int((ends - begins) * 12)
    assert len(times) < 0.9 * 12 * times[-1]
    settled = VirtualCamera(COMBINATION, "clean", "clean", 1, frames="changes", settled=4).times()
    assert len(settled) < len(times) / 2


@pytest.mark.parametrize("name", CONDITIONS)
def test_each_condition_plays_a_game(name: str) -> None:
    camera = short(name, settled=1)
    pictures = [picture for _, picture in camera]
    assert {picture.shape for picture in pictures} == {(180, 320, 3)}
    assert all(picture.std() > 5 for picture in pictures)


def test_a_bump_moves_the_grid_for_good() -> None:
    for name in ("bump", "shift", "camera-bump"):
        camera = short(name)
        assert camera.bumped is not None
        before, after = (camera.truth_at(camera.bumped + wait).grid for wait in (-0.1, 1.0))
        away = np.linalg.norm(after.points - before.points, axis=-1) / before.cell
        assert 0.15 < away.max() < 1.5, name
        if name == "shift":
            assert np.allclose(before.points[:, 1:], after.points[:, :-1], atol=0.5)
        assert np.allclose(camera.truth_at(camera.times()[-1]).grid.points, after.points)
    assert short("club").bumped is None


def test_whoever_watches_sees_what_is_there_at_any_time() -> None:
    camera = short("clean")
    look = camera.watched()
    at = camera.plies[0].begins
    before, during = look(at - 1.0), look(at)
    assert not camera.clear_at(at)
    assert np.abs(during.astype(int) - before).max() > 80


def test_the_light_of_an_evening_changes_and_a_lamp_is_switched_on() -> None:
    camera = short("evening")
    levels = [camera.light_at(at).level for at in camera.times()]
    assert max(levels[: len(levels) // 3]) < 0.3 < 0.35 < min(levels[-3:])
    assert len({camera.light_at(at).level for at in np.arange(0, 5, 0.5)}) > 5


def test_somebody_leans_over() -> None:
    camera = VirtualCamera(invented(BRAZILIAN, 3, 30), "club", replace(condition("club"), leaning=1.0), 2)
    people = [camera.light_at((ply.begins + ply.ends) / 2).person for ply in camera.plies]
    assert all(person is not None and person[3] > 0.3 for person in people)


def test_men_are_put_off_the_middle_and_on_the_line() -> None:
    camera = VirtualCamera(invented(BRAZILIAN, 3, 60), "clean", replace(condition("club"), on_line=0.5), 2)
    last = camera.scene_at(camera.times()[-1])
    off = [max(abs(piece.x), abs(piece.y)) for piece in last.pieces.values()]
    assert any(one == 5.5 for one in off)
    assert max(off) <= 5.5


def test_the_truth_of_a_moment_says_which_way_the_picture_is_turned() -> None:
    camera = VirtualCamera(PlayedGame(initial(BRAZILIAN), (), "none"), "clean", "red-green", 1)
    truth = camera.truth_at(0.0)
    assert truth.turn == 180
    marks = set(chain.from_iterable(truth.rows.split("/")[:3]))
    assert marks == {".", "w"}


def test_a_condition_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"no condition 'fog'; there are clean, club"):
        condition("fog")

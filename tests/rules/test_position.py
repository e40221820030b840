from __future__ import annotations

import pytest
from hypothesis import given, settings
from rules.positions import positions

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position
from damas_board.rules.routes import Station, routes, stations
from damas_board.rules.variants import VARIANTS


@given(positions())
@settings(max_examples=400, deadline=None, derandomize=True)
def test_after_preserves_counts(position: Position):
    turn = position.turn
    for move in legal_moves(position):
        after = position.after(move)
        assert after.pieces(turn).bit_count() == position.pieces(turn).bit_count()
        assert after.pieces(turn.other).bit_count() == position.pieces(turn.other).bit_count() - len(move.captured)
        assert not after.white & after.black
        assert not after.kings & ~after.occupied
        assert not after.occupied & ~position.variant.geometry.playable_mask
        taken_kings = sum(position.kings >> s & 1 for s in move.captured)
        assert after.kings.bit_count() == position.kings.bit_count() - taken_kings + move.promotes
        assert after.turn is turn.other
        assert after.variant is position.variant


@given(positions())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_every_route_of_a_capture_jumps_the_same_pieces_between_the_same_ends(position: Position):
    for move in legal_moves(position):
        found = list(routes(position, move))
        assert found
        assert len(set(found)) == len(found)
        for route in found:
            assert (route.start, route.end, route.promotes) == (move.start, move.end, move.promotes)
            assert set(route.captured) == set(move.captured)
            assert (route.path[0], route.path[-1]) == (move.start, move.end)
            if move.captured:
                assert len(route.path) == len(route.captured) + 1


@given(positions())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_stations_of_a_capture_are_those_of_its_routes(position: Position):
    for move in legal_moves(position):
        expected = set()
        for route in routes(position, move):
            jumped = 0
            for square, over in zip(route.path, (None, *route.captured), strict=False):
                jumped |= 0 if over is None else 1 << over
                expected.add(Station(square, jumped))
        assert stations(position, move) == (expected if move.captured else set())


def test_a_position_cannot_be_changed():
    position = Position(VARIANTS["brazilian"], 0, 1, 1 << 63, 0)
    with pytest.raises(AttributeError):
        position.white = 2

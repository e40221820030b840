"""Whatever a clumsy hand does at a sound board, no more comes of it than that a square is asked for once more."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from self_tests import MAP_32, Person, Rig

from calibration.check import Question
from damas_board.decoding import wire

PLACES = MAP_32.places
SLIPS_AT_A_SQUARE = 2
"""A hand that does not do it right the third time cannot be told from a fault."""


@dataclass(frozen=True)
class Slip:
    """Something that goes wrong while `asked` is asked for; `other` is a square that has to do with it."""

    kind: str
    other: int
    seconds: float


@dataclass
class Clumsy(Person):
    slips: dict[int, list[Slip]] = field(default_factory=dict)
    corner_slips: list[str] = field(default_factory=list)
    wrong_buttons: list[wire.Key | None] = field(default_factory=list)

    def put(self, place: int) -> None:
        waiting = self.slips.get(place)
        if not waiting:
            super().put(place)
            return
        for stands in sorted(self.rig.pieces):
            self.rig.wait(0.3)
            self.rig.lift(stands)
        slip = waiting.pop(0)
        getattr(self, slip.kind)(place, slip.other if slip.other != place else place % PLACES + 1, slip.seconds)

    def stand(self, place: int, seconds: float) -> None:
        self.rig.wait(0.5)
        self.rig.put(place)
        self.rig.wait(seconds)
        self.rig.lift(place)

    def brush(self, place: int, other: int, seconds: float) -> None:
        """Over another square on the way."""
        self.stand(other, min(seconds, 0.3))
        super().put(place)

    def beside(self, place: int, other: int, seconds: float) -> None:
        """On another square, and off again."""
        self.stand(other, seconds)

    def beside_then_right(self, place: int, other: int, seconds: float) -> None:
        self.stand(other, seconds)
        self.rig.wait(0.1)
        self.rig.put(place)
        self.rig.wait(1.2)

    def lift_early(self, place: int, other: int, seconds: float) -> None:
        self.stand(place, min(seconds, 0.7))
        self.rig.wait(0.6)

    def lift_and_put_again(self, place: int, other: int, seconds: float) -> None:
        self.stand(place, min(seconds, 0.7))
        self.rig.wait(0.1)
        self.rig.put(place)
        self.rig.wait(1.2)

    def sleeve(self, place: int, other: int, seconds: float) -> None:
        """It stands, and a sleeve moves it off its sensor for a moment, a few times."""
        self.rig.wait(0.5)
        self.rig.put(place)
        for _ in range(3):
            self.rig.wait(0.45)
            self.rig.read(but=[place])
            self.rig.wait(min(seconds, 0.3))
            self.rig.read()
        self.rig.wait(1.2)

    def fiddle(self, place: int, other: int, seconds: float) -> None:
        """It is moved about until the board calls the sensor restless."""
        self.rig.wait(0.5)
        self.rig.put(place)
        self.rig.wait(0.3)
        self.rig.restless(place)
        self.rig.wait(seconds)
        self.rig.restless()
        self.rig.wait(1.0)

    def dream(self, place: int, other: int, seconds: float) -> None:
        """Nothing is done for a long while."""
        self.rig.wait(4.0 * seconds + 4.0)
        super().put(place)

    def say_it_stands(self, place: int, other: int, seconds: float) -> None:
        """It is said to stand there, and does not."""
        self.rig.wait(0.5)
        self.rig.says()
        self.rig.wait(3.5)

    def say_it_then_put(self, place: int, other: int, seconds: float) -> None:
        self.rig.wait(0.5)
        self.rig.says()
        self.rig.wait(min(seconds, 2.5))
        self.rig.put(place)
        self.rig.wait(1.5)

    def two_pieces(self, place: int, other: int, seconds: float) -> None:
        """Another piece comes and goes with it."""
        self.rig.wait(0.5)
        self.rig.pieces |= {place, other}
        self.rig.read()
        self.rig.wait(seconds + 0.8)
        self.rig.pieces -= {place, other}
        self.rig.read()

    def leave_another(self, place: int, other: int, seconds: float) -> None:
        """Another piece is put down meanwhile, and stays until it is asked away."""
        self.rig.wait(0.5)
        self.rig.put(place)
        self.rig.wait(0.4)
        self.rig.put(other)
        self.rig.wait(1.0)
        self.rig.lift(place)
        self.rig.wait(0.6)
        if self.rig.question.kind == "clear":
            self.rig.says()  # and is not noticed at first
            self.rig.wait(0.5)

    def tap_beside(self, place: int, other: int, seconds: float) -> None:
        """A second piece touches another square for a moment."""
        self.rig.wait(0.5)
        self.rig.put(place)
        self.rig.wait(0.6)
        self.rig.put(other)
        self.rig.wait(0.2)
        self.rig.lift(other)
        self.rig.wait(1.2)

    def corners(self, question: Question) -> None:
        slip = self.corner_slips.pop(0) if self.corner_slips else ""
        rig, first = self.rig, question.places[0]
        if slip == "all at once":
            rig.pieces |= {*question.places, question.place}  # a fourth one with them
            rig.read()
            rig.wait(1.0)
        elif slip == "fourth first":
            rig.put(question.place)
            super().corners(question)
        elif slip == "fourth later":
            super().corners(question)
            rig.put(question.place)
            rig.wait(1.0)
        elif slip == "one beside":
            rig.put(first % PLACES + 1)
            rig.wait(1.0)
            rig.lift(first % PLACES + 1)
        elif slip == "said too soon":
            rig.wait(0.5)
            rig.says()
            rig.wait(1.0)
        else:
            super().corners(question)

    def press(self, question: Question) -> None:
        rig = self.rig
        if not self.wrong_buttons:
            super().press(question)
            return
        wrong = self.wrong_buttons.pop(0)
        rig.wait(1.2)
        if wrong is None:
            rig.says()
        else:
            rig.check.press(rig.now, wrong)


KINDS = [
    *("brush", "beside", "beside_then_right", "lift_early", "lift_and_put_again", "sleeve", "fiddle", "dream"),
    *("say_it_stands", "say_it_then_put", "two_pieces", "leave_another", "tap_beside"),
]
SLIPS = st.builds(
    Slip, st.sampled_from(KINDS), st.integers(1, PLACES), st.floats(0.05, 2.0, allow_nan=False, allow_infinity=False)
)
PLANS = st.dictionaries(
    st.integers(1, PLACES), st.lists(SLIPS, min_size=1, max_size=SLIPS_AT_A_SQUARE), max_size=PLACES
)


def found(slips: dict[int, list[Slip]]) -> list[str]:
    rig = Rig(square_map=MAP_32)
    found = Clumsy(rig, slips={place: list(some) for place, some in slips.items()}).run()
    assert all(rig.check.known.tries.verdict(place).state == "good" for place in range(1, PLACES + 1))
    return [finding.kind for finding in found]


@settings(max_examples=50, deadline=None)
@given(PLANS)
def test_a_sound_board_is_never_blamed_for_a_clumsy_hand(slips: dict[int, list[Slip]]) -> None:
    assert set(found(slips)) <= {"once_more"}


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(PLANS)
def test_a_sound_board_is_never_blamed_for_very_many_clumsy_hands(slips: dict[int, list[Slip]]) -> None:
    assert set(found(slips)) <= {"once_more"}


CORNER_SLIPS = ["all at once", "fourth first", "fourth later", "one beside", "said too soon"]


@given(
    st.lists(st.sampled_from(CORNER_SLIPS), max_size=SLIPS_AT_A_SQUARE),
    st.lists(st.sampled_from([*wire.BUTTONS, None]), max_size=SLIPS_AT_A_SQUARE),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_nor_for_slips_at_the_corners_and_the_buttons(
    corners: list[str], buttons: list[wire.Key | None], every: bool
) -> None:
    rig = Rig(square_map=MAP_32, order=(1, 2, 5, 6), every_diode=every)
    found = Clumsy(rig, corner_slips=list(corners), wrong_buttons=list(buttons)).run()
    assert [finding.kind for finding in found if not finding.harmless] == []
    assert [ghost.times for ghost in rig.check.known.ghosts] == [0] * (4 if every else 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seconds", [0.1, 0.5, 1.0, 2.0])
def test_not_even_where_everything_is_done_wrong_twice(kind: str, seconds: float) -> None:
    everywhere = {place: [Slip(kind, (place + 4) % PLACES + 1, seconds)] * 2 for place in range(1, PLACES + 1)}
    assert set(found(everywhere)) <= {"once_more"}

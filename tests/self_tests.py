"""A board under a person's hand, as the self-test meets them: what stands where, and what the board reads of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from calibration.check import Check, Question
from calibration.findings import Finding, findings
from calibration.wiring import Wiring
from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap

Sense = Callable[[frozenset[int]], frozenset[int]]
"""From where contacts are closed to where the board reads a piece."""

MAP_50 = SquareMap(10, "left")
MAP_32 = SquareMap(8, "left")
MAP_64 = SquareMap(8, "all")


@dataclass
class Rig:
    """`settings` is what the program believes of the board, `sense` what the board is."""

    sense: Sense = lambda pieces: pieces
    square_map: SquareMap = MAP_50
    analogue: bool = False
    any_order: bool = False
    every_diode: bool = False
    buttons: Sequence[wire.Key] = wire.BUTTONS
    presses: Callable[[wire.Key], wire.Key | None] = lambda key: key
    at_times: Callable[[float, frozenset[int]], frozenset[int]] | None = None
    """What the board reads at a time, where that changes by itself."""
    now: float = 100.0
    pieces: set[int] = field(default_factory=set)
    order: Sequence[int] | None = None
    asked: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        wiring = Wiring(self.square_map, self.analogue)
        order = range(1, wiring.places + 1)
        self.check = Check(
            wiring,
            self.order or order,
            self.now,
            buttons=self.buttons,
            any_order=self.any_order,
            every_diode=self.every_diode,
        )
        self._restless: frozenset[int] = frozenset()
        self.read()

    def read(self, but: Sequence[int] = ()) -> None:
        """The board is read, `but` these read empty."""
        read = self.sense(frozenset(self.pieces))
        seen = (read if self.at_times is None else self.at_times(self.now, read)) - set(but)
        places = range(1, self.square_map.places + 1)
        self.check.see(self.now, [-1 if p in self._restless else int(p in seen) for p in places])

    def put(self, place: int) -> None:
        self.pieces.add(place)
        self.read()

    def lift(self, place: int) -> None:
        self.pieces.discard(place)
        self.read()

    def restless(self, *places: int) -> None:
        self._restless = frozenset(places)
        self.read()

    def wait(self, seconds: float) -> None:
        if self.at_times is None:
            self.now += seconds
            self.check.tick(self.now)
            return
        for _ in range(round(seconds / 0.05)):
            self.now += 0.05
            self.read()

    @property
    def question(self) -> Question:
        return self.check.question

    def says(self) -> None:
        self.check.stands(self.now)

    def found(self) -> list[Finding]:
        return findings(self.check.known)


@dataclass
class Person:
    """Does what is asked, one thing after the other, and says so where the board does not notice."""

    rig: Rig
    moving: float = 0.7
    """Seconds from the question to the piece."""

    def run(self, until: Callable[[Question], bool] = lambda question: False, most: int = 3000) -> list[Finding]:
        """Until all is done, or a question is like that."""
        for _ in range(most):
            question = self.rig.question
            self.rig.asked.append(question)
            if question.kind == "done" or until(question):
                return self.rig.found()
            self.act(question)
        raise AssertionError(f"the test does not come to an end: {self.rig.question}")

    def act(self, question: Question) -> None:
        rig = self.rig
        match question.kind:
            case "put":
                self.put(question.place)
            case "hold":
                rig.wait(0.3)
            case "lift" | "other" | "clear":
                self.clear(question)
            case "free":
                self.anywhere()
            case "press":
                self.press(question)
            case "corners":
                self.corners(question)
            case "off":
                for place in sorted(rig.pieces):
                    rig.wait(0.3)
                    rig.lift(place)
                rig.wait(0.6)
            case "still":
                rig.wait(1.0)
            case "done":
                pass

    def put(self, place: int) -> None:
        rig = self.rig
        for stands in sorted(rig.pieces):  # it is put once more
            rig.wait(0.3)
            rig.lift(stands)
        rig.wait(self.moving)
        rig.put(place)
        rig.wait(1.2)
        if rig.question.kind == "put" and rig.question.place == place:
            rig.wait(2.0)
            rig.says()
            rig.wait(3.5)

    def clear(self, question: Question) -> None:
        rig = self.rig
        if not rig.pieces:
            rig.wait(1.2)
            rig.says()
        for place in sorted(rig.pieces):
            rig.wait(0.3)
            rig.lift(place)
        rig.wait(0.5)

    def anywhere(self) -> None:
        rig = self.rig
        for place in rig.check.left:
            if rig.question.kind != "free":
                return
            self.put(place)
            for stands in sorted(rig.pieces):
                rig.wait(0.3)
                rig.lift(stands)
            rig.wait(0.5)
        if rig.check.left:
            rig.wait(1.2)
            rig.says()

    def press(self, question: Question) -> None:
        rig = self.rig
        assert question.key is not None
        rig.wait(1.2)
        came = rig.presses(question.key)
        if came is None:
            rig.says()
        else:
            rig.check.press(rig.now, came)
        rig.wait(0.2)

    def corners(self, question: Question) -> None:
        rig = self.rig
        for place in sorted(rig.pieces - set(question.places)):
            rig.wait(0.3)
            rig.lift(place)
        for place in question.places:
            if place not in rig.pieces:
                rig.wait(0.5)
                rig.put(place)
        rig.wait(1.2)
        if rig.question.kind == "corners":
            rig.says()
            rig.wait(1.0)

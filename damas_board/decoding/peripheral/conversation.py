"""What is said with a board that speaks the chess-peripheral protocol, from opening its port on; pure.

How it works. The board is asked what it can do, one question at a time, since an answer is a bare `ok` or `nok`; then
a round is begun with the position that is thought to stand there, and the board says whether it does (`sync`) or what
does (`unsync`). From then on what the board says of itself (`state`, `sync`, `unsync`) is what is shown, as far as it
knows it. A board may also say moves only: then the rows are what each move's text makes of them (`moves`), and where a
text has several readings, each is kept: squares on which they differ are not readable until the board, asked, or a
later move tells. A move is answered `ok` if it names squares of this board, whatever it is worth: judging it is not
the board's matter, and not that of who reads it.

A board that can say what stands on it (`get_state`) is asked again and again, after every move, and when a line was
not understood, which may have been anything. Another board is asked by beginning the round anew from where it is
thought to be: its answer says the same. That is done as well when it ends the round by itself, as a player resigns:
here only an arbiter ends a game. And it is done when nothing was heard of the round for some seconds: a board that has
started again without a word has no round, answers questions, and would be silent for the rest of the game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from damas_board.decoding.peripheral.fens import (
    EMPTY,
    PIECE,
    UNKNOWN,
    FenError,
    Marks,
    Names,
    Style,
    marks_of,
    read_fen,
    read_turn,
    write_fen,
)
from damas_board.decoding.peripheral.lines import LineReader
from damas_board.decoding.peripheral.moves import Captures, MoveTextError, Written, read_text, readings
from damas_board.decoding.talk import Away, ClockShown, Condition, Greeted, Hopeless, Remark, Shown, Talk, Told
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

KNOCK_SECONDS = 2.0
KNOCKS = 3
"""So often a board is asked whether it answers questions; one that restarts as its port is opened needs two."""
QUIET_SECONDS = 0.3
ANSWER_SECONDS = 1.5
"""Behind the answer to what was asked twice it is quiet for so long: the second answer must not be the next one's."""
ASKED = 2
BEGIN_SECONDS = 3.0
BEGINS = 3
CHECK_SECONDS = 2.0
WATCH_SECONDS = 5.0
"""So long without a word, and a board that says nothing by itself is asked something it has to answer."""
SILENT_SECONDS = 12.0
RENEW_SECONDS = 10.0
"""So long without a word of the round, and it is begun anew: the board may have forgotten it."""
RENEW_AT_MOST = 80.0
"""A board that does not answer that is asked less and less often."""
STEADY_SECONDS = 1.0
"""Behind something that was missed nothing is shown before the board has been as still as one game is for so long."""
DOUBT_SECONDS = 2.0
"""A round is not begun anew more often, out of doubt."""
ADOPT_SECONDS = 3.0
"""A board that has stood still otherwise for so long, and says no moves for that, gets its own position as the round's.
"""
MANY = 3
"""So many squares that are otherwise are no piece in a hand."""
REMARKS = 20
REMARK_SECONDS = 60.0
"""Not more remarks are made in such a time."""
MOST_UNDONE = 40
MOST_STANDS = 16

STREAMS = ("state_stream", "submove_state")
GET_STATE = "get_state"
SIDE = "side"
FEATURES = (*STREAMS, GET_STATE, "undo", "undo_redo", "resign", "draw_offer", SIDE)
"""What is asked for; what is not, a board may not use. Names of older and newer boards."""
CLOCK = "time"
STATES = ("state", "sync", "unsync", "unsync_settable", "unsync_setible")
IGNORED = ("moved", "option", "options_begin", "options_end", "options_reset", "set_option", "score", "check", "side")

Phase = Literal["knocking", "quiet", "asking", "looking", "beginning", "playing"]


@dataclass(frozen=True, slots=True)
class Manner:
    """How this board writes, and how it is talked with."""

    variant: str
    """Empty: it is not told which one."""
    fen: Style = "pdn"
    squares: Names = "own"
    captures: Captures = "auto"
    promote: str = ""
    clock: bool = False
    ask_seconds: float = 0.3
    colours: bool = True
    """Whether colours are shown where the board tells them."""


@dataclass(slots=True)
class Memory:
    """What outlasts a closed port: the positions that may stand there."""

    stands: tuple[Position, ...] = ()


@dataclass(slots=True)
class _Questions:
    """What the board is still to be asked before a round, the present one first, and what it has affirmed."""

    left: deque[tuple[str, str]]
    times: int = 0
    """How often the present one has been asked."""
    affirmed: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)


class PeripheralTalk(Talk):
    """One conversation with one board."""

    def __init__(
        self, at: float, variant: Variant, manner: Manner, known: Shown | None = None, memory: Memory | None = None
    ) -> None:
        """`known`: what was shown last, if anything was; `memory`: of the conversations before this one."""
        self._variant = variant
        self._geometry = variant.geometry
        self._manner = manner
        self._memory = memory or Memory()
        self._reader = LineReader()
        self._out = bytearray()
        self._began = self._heard = self._spoke = at
        """`_heard`: when anything was; `_spoke`: when it was of the round."""
        self._phase: Phase = "knocking"
        self._due = {"knock": at}
        self._knocks = self._begins = 0
        features = (*FEATURES, CLOCK) if manner.clock else FEATURES
        asked = [("feature", name) for name in features]
        if manner.variant:
            asked.append(("variant", manner.variant))
        self._questions = _Questions(deque(asked))
        self._answers = False
        """It answers questions."""
        if not self._memory.stands:
            self._memory.stands = (self._from(known) or initial(variant),)
        self._seen: Position | None = None
        """What the board said last that stands there, all of it, since the last move."""
        self._marks: Marks | None = None
        self._shown: str | None = None
        self._told_state = False
        """The board has said what stands there since the last move."""
        self._begun_anew = at
        self._begun: Position | None = None
        """What the round was begun with, if no move was made since."""
        self._refused = False
        """The board has refused to begin the round."""
        self._overtaken = False
        """A move was said before the round was known to be begun anew: it was begun with what stood there before."""
        self._renew_seconds = RENEW_SECONDS
        self._remarks, self._remarks_since = 0, at
        self._undone: deque[tuple[Written, tuple[Position, ...]]] = deque(maxlen=MOST_UNDONE)
        self._bad = self._draws = 0

    @property
    def deadline(self) -> float:
        return min(self._due.values(), default=float("inf"))

    def data_to_send(self) -> bytes:
        data = bytes(self._out)
        self._out.clear()
        return data

    def receive(self, data: bytes, at: float) -> Sequence[Told]:
        return [told for line in self._reader.feed(data) for told in self._take(line, at)]

    def tick(self, at: float) -> Sequence[Told]:
        told: list[Told] = []
        for what in [what for what, when in self._due.items() if when <= at]:
            if self._due.pop(what, at + 1) <= at:
                told += self._fell_due(what, at)
        return told

    # --- before a round

    def _fell_due(self, what: str, at: float) -> Iterator[Told]:
        match what:
            case "knock":
                self._knock(at)
            case "quiet":
                self._phase = "asking"
                yield from self._ask(at)
            case "answer":
                yield from self._answered(at, None)
            case "look" | "begin":
                yield from self._unanswered(what, at)
            case "poll":
                yield from self._poll(at)
            case "watch":
                yield from self._watch(at)
            case "steady":
                yield from self._show(self._marks or (), at)
            case "doubt":
                self._set_out()
                self._begin_anew(at)
            case "adopt":
                self._adopt(at)
            case _:
                raise ValueError(f"nothing is known of {what}")

    def _knock(self, at: float) -> None:
        if self._knocks == KNOCKS:
            self._begin(at)  # it may be one that answers no questions
            return
        self._knocks += 1
        self._say("feature", FEATURES[0])
        self._due["knock"] = at + KNOCK_SECONDS

    def _ask(self, at: float) -> Iterator[Told]:
        """Ask the present question, or begin."""
        questions = self._questions
        if questions.left:
            self._say(*questions.left[0])
            questions.times += 1
            self._due["answer"] = at + ANSWER_SECONDS
            return
        if self._manner.variant in questions.refused:
            yield Hopeless(at, "variant_refused", {"variant": self._manner.variant})
            return
        yield self._greeting(at)
        if GET_STATE in questions.affirmed:
            self._phase = "looking"
            self._begins = 1
            self._say(GET_STATE)
            self._due["look"] = at + BEGIN_SECONDS
        else:
            self._begin(at)

    def _greeting(self, at: float) -> Greeted:
        features = sorted(self._questions.affirmed - {self._manner.variant})
        return Greeted(at, facts={"protocol": "chess_peripheral", "features": " ".join(features)})

    def _answered(self, at: float, affirmed: bool | None) -> Iterator[Told]:
        """The present question was answered, or was not."""
        questions = self._questions
        self._due.pop("answer", None)
        if affirmed is None and questions.times < ASKED:
            yield from self._ask(at)
            return
        _, name = questions.left.popleft()
        if affirmed is not None:
            (questions.affirmed if affirmed else questions.refused).add(name)
        asked, questions.times = questions.times, 0
        if asked > 1:
            self._phase = "quiet"
            self._due["quiet"] = at + ANSWER_SECONDS
        else:
            yield from self._ask(at)

    def _unanswered(self, what: str, at: float) -> Iterator[Told]:
        """It was asked what stands there, and does not say it."""
        if self._begins < BEGINS:
            self._begins += 1
            if what == "look":
                self._say(GET_STATE)
            elif self._phase == "beginning" and self._begins == BEGINS and self._refused:
                self._say_begin(initial(self._variant))  # not if it was silent: it may believe whatever it is told
            else:
                self._say_begin(self._presumed)
            self._due[what] = at + BEGIN_SECONDS
        elif what == "look":
            self._begin(at)
        elif self._phase == "beginning":
            why = "no_snapshot" if self._answers else "no_board"
            yield Hopeless(at, why, {"seconds": round(at - self._began, 1)})
        else:
            self._renew_seconds = min(2 * self._renew_seconds, RENEW_AT_MOST)

    def _begin(self, at: float) -> None:
        """Begin the round for the first time."""
        self._phase = "beginning"
        self._set_out()
        self._begin_anew(at)

    # --- what the board says

    def _take(self, line: str, at: float) -> Iterator[Told]:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word:
            case "ok" | "nok" | "err":
                self._heard = at
                yield from self._reply(word, rest, at)
            case _ if word in STATES:
                yield from self._state(word, rest, at)
            case _ if self._phase != "playing":
                if self._marks is None and word not in ("move", "msg"):
                    yield from self._remark(at, f"before the round: {line[:60]!r}")
            case "move" | "redo":
                self._heard = at
                yield from self._move(rest, at)
            case "undo":
                self._heard = at
                yield from self._undo(rest, at)
            case "promote":
                self._heard = at
                yield from self._crowned(rest, at)
            case "resign" | "end":
                self._heard = at
                said = "a player resigns" if word == "resign" else f"the round is over: {rest[:40]}"
                yield from self._remark(at, f"{said}; the record goes on until a result is entered")
                yield Condition(at, {"round": "resigned" if word == "resign" else f"ended {rest[:40]}".strip()})
                self._doubt(at)
            case "draw_offer" | "undo_offer":
                self._heard = at
                self._say("nok")
                self._draws += word == "draw_offer"
                yield from self._remark(at, f"{word} at the board; only the arbiter enters what comes of it")
                yield Condition(at, {"draw_offers": self._draws})
            case "time":
                self._heard = at
                yield from self._clock(rest, at)
            case "msg":
                self._heard = at
                yield from self._remark(at, f"says {rest[:80]!r}")
            case _ if word in IGNORED:
                self._heard = at
            case _:
                yield from self._not_understood(line, at)

    def _reply(self, word: str, rest: str, at: float) -> Iterator[Told]:
        if word == "err":
            yield from self._remark(at, f"reports {rest[:80]!r}")
        match self._phase:
            case "knocking" | "quiet":
                if self._phase == "knocking":
                    self._due["quiet"] = at + (KNOCK_SECONDS if self._knocks > 1 else QUIET_SECONDS)
                self._phase = "quiet"
                self._answers = True
                self._due.pop("knock", None)
            case "asking" if self._questions.left:
                yield from self._answered(at, word == "ok")
            case "beginning" if self._begins > 1 and word != "ok":  # the first may be of what is said before it
                self._refused = True

    def _state(self, word: str, text: str, at: float) -> Iterator[Told]:
        """The board says what stands on it."""
        if self._phase in ("knocking", "quiet", "asking"):
            return
        try:
            marks = read_fen(text, self._geometry) if text or word != "sync" else self._agreed
        except FenError as error:
            yield from self._not_understood(f"{word} {text}", at, str(error))
            return
        self._heard = self._spoke = at
        if self._overtaken and word == "sync":  # to what stood there before the move
            self._begin_anew(at)
            return
        self._due.pop("look", None)
        agreed = self._match(marks, read_turn(text))
        if self._phase == "looking":
            self._begin(at)
            return
        asked = self._due.pop("begin", None) is not None
        self._due.pop("adopt", None)
        self._renew_seconds = RENEW_SECONDS
        if self._phase == "beginning":
            self._phase = "playing"
            if not self._answers:
                yield self._greeting(at)
            self._go_on_asking(at)
        if word.startswith("unsync") or (word == "state" and not self._can_tell):
            self._due["adopt"] = at + ADOPT_SECONDS
        if word == "sync" and not agreed:
            self._doubt(at)  # agreed with what? the line has been garbled, or one before it
        if self._overtaken:
            self._begin_anew(at)
        if not agreed and self._has_missed(marks, asked):
            if "steady" not in self._due:
                yield Away(at, "events_lost")
            self._due["steady"] = at + STEADY_SECONDS
        self._told_state = True
        yield from self._show(marks, at)

    def _has_missed(self, marks: Marks, asked: bool) -> bool:
        """Whether the board shows more than one move that it was to tell and did not, or a hand, can have changed."""
        if (self._can_tell and not asked) or self._marks is None:
            return False
        changed = sum(not _alike(was, now) for was, now in zip(self._marks, marks, strict=True))
        if changed < MANY:
            return False
        return not any(_agrees(one.after(move), marks) for one in self._stands for move in legal_moves(one))

    def _match(self, marks: Marks, turn: Side | None = None) -> bool:
        """Of the positions that may stand there, keep those that are like `marks`; what else these are is `_seen`.

        Whether there were any.
        """
        alike = tuple(one for one in self._stands if _agrees(one, marks))
        self._seen = None
        if alike:
            self._stands = alike
        elif PIECE not in marks and UNKNOWN not in marks:
            self._seen = self._position(marks)
            if turn is not None and not self._undone:
                self._seen = self._seen._replace(turn=turn)
        if self._phase in ("looking", "beginning") and self._seen is not None:
            start = initial(self._variant)
            self._stands = (start if _agrees(start, marks) else self._seen,)
            self._seen = None
        return bool(alike)

    def _move(self, text: str, at: float) -> Iterator[Told]:
        """A move was made: what stands there now, as far as the board does not say it itself."""
        try:
            written = read_text(text, self._geometry)
        except MoveTextError as error:
            fen = self._fen(text)
            if fen is not None:  # `redo` of a newer board
                yield from self._went_to(fen, read_turn(text), at)
                return
            self._say("nok")
            yield from self._remark(at, f"refused: {error}")
            return
        before, after = self._played(written)
        repeated = bool(self._undone) and self._undone[-1][0] == written and not after
        if not after:
            self._say("ok")
            if not repeated:
                yield from self._remark(at, f"move {text[:40]!r} does not fit what stood there")
                self._doubt(at)
            return
        self._say(*self._consent(text, written, before, after))
        self._goes_on(at)
        self._undone.append((written, before))
        self._stands = after
        self._seen = None
        yield from self._show_moved(written, at)
        if len(after) > 1:
            self._doubt(at)

    def _played(self, written: Written) -> tuple[tuple[Position, ...], tuple[Position, ...]]:
        """Of the positions that may have stood there those from which the move goes, and what they become."""
        for stood in ((self._seen,) if self._seen is not None else (), self._stands):
            made = [(one, readings(one, written, self._manner.captures)) for one in stood]
            before = tuple(one for one, found in made if found)
            after = tuple(dict.fromkeys(each for _, found in made for each in found))
            if after:
                return before, after[:MOST_STANDS]
        return (), ()

    def _consent(
        self, text: str, written: Written, before: tuple[Position, ...], after: tuple[Position, ...]
    ) -> tuple[str, ...]:
        start, end = 1 << written.squares[0], 1 << _end(written, after[0])
        crowned = all(not one.kings & start for one in before) and all(one.kings & end for one in after)
        if crowned and self._manner.promote and not written.crowned:
            return "promote", f"{text}{self._manner.promote}"
        return ("ok",)

    def _undo(self, text: str, at: float) -> Iterator[Told]:
        """A move was taken back."""
        fen = self._fen(text)
        if fen is not None:
            yield from self._went_to(fen, read_turn(text), at)
            return
        try:
            written = read_text(text, self._geometry)
        except MoveTextError as error:
            self._say("nok")
            yield from self._remark(at, f"refused: {error}")
            return
        self._say("ok")
        ends = written.squares[0], written.squares[-1]
        alike = [made for made, _ in self._undone if (made.squares[0], made.squares[-1]) == ends]
        if not alike:
            yield from self._remark(at, f"undo {text[:40]!r}: no such move was made")
            self._doubt(at)
            return
        made, before = self._undone.pop()
        while made is not alike[-1]:
            made, before = self._undone.pop()
        self._goes_on(at)
        self._stands, self._seen = before, None
        if "poll" not in self._due and not (self._can_tell and self._told_state):
            yield from self._show(_common(before), at)
        self._poll_soon(at)

    def _went_to(self, fen: Marks, turn: Side | None, at: float) -> Iterator[Told]:
        """The round is at another position: the board's sensors, where it has any, do not say it."""
        self._say("ok")
        self._goes_on(at)
        self._match(fen)
        if self._seen is not None:
            self._stands, self._seen = (self._seen,), None
        if turn is not None:
            self._stands = tuple(one._replace(turn=turn) for one in self._stands)
        if not self._can_tell:
            yield from self._show(fen, at)
        self._poll_soon(at)

    def _goes_on(self, at: float) -> None:
        """The round is at another position than it was begun with."""
        self._spoke = at
        self._begun = None
        self._overtaken = self._overtaken or "begin" in self._due

    def _crowned(self, text: str, at: float) -> Iterator[Told]:
        """A board that says by itself that a man was crowned."""
        try:
            end = 1 << read_text(text, self._geometry).squares[-1]
        except MoveTextError as error:
            yield from self._remark(at, f"refused: {error}")
            return
        self._stands = tuple(one._replace(kings=one.kings | end & one.occupied) for one in self._stands)

    def _clock(self, text: str, at: float) -> Iterator[Told]:
        times = text.split()
        if not self._manner.clock:
            return
        if len(times) != 2 or not all(each.isdecimal() and len(each) < 10 for each in times):
            yield from self._not_understood(f"time {text}", at)
            return
        white, black = (int(each) / 1000 for each in times)
        yield ClockShown(at, white, black)

    def _not_understood(self, line: str, at: float, why: str = "not understood") -> Iterator[Told]:
        """It may have been anything: a move, or what the board says when it starts, with the round forgotten."""
        self._bad += 1
        yield from self._remark(at, f"{why}: {line[:60]!r}")
        yield Condition(at, {"bad_lines": self._bad})
        if self._phase == "playing":
            self._poll_soon(at)
            self._due.setdefault("doubt", max(at + QUIET_SECONDS, self._begun_anew + DOUBT_SECONDS))

    # --- during a round

    def _go_on_asking(self, at: float) -> None:
        if GET_STATE in self._questions.affirmed:
            self._due["poll"] = at + self._ask_seconds
        else:
            self._watch_later(at)

    @property
    def _ask_seconds(self) -> float:
        """Less often where the board says each change anyway."""
        streams = self._questions.affirmed & set(STREAMS)
        return max(CHECK_SECONDS, self._manner.ask_seconds) if streams else self._manner.ask_seconds

    def _poll_soon(self, at: float) -> None:
        if "poll" in self._due:
            self._due["poll"] = at

    def _poll(self, at: float) -> Iterator[Told]:
        if at >= self._heard + SILENT_SECONDS:
            yield Hopeless(at, "silent", {"seconds": SILENT_SECONDS})
            return
        if at >= self._renews_at:
            self._set_out()  # it answers, and does not say what stands there
            self._begin_anew(at)
        self._say(GET_STATE)
        self._due["poll"] = at + max(self._ask_seconds, min(BEGIN_SECONDS, at - self._heard))

    def _watch(self, at: float) -> Iterator[Told]:
        if self._answers and at >= self._heard + SILENT_SECONDS:
            yield Hopeless(at, "silent", {"seconds": SILENT_SECONDS})
            return
        if at >= self._renews_at:
            self._set_out()
            self._begin_anew(at)
        elif self._answers and at >= self._heard + WATCH_SECONDS:
            self._say("feature", FEATURES[0])
        self._watch_later(at)

    def _watch_later(self, at: float) -> None:
        """When the board is to be asked next, if it says nothing."""
        asks = self._heard + WATCH_SECONDS
        if asks <= at:
            asks = at + BEGIN_SECONDS  # it has just been
        self._due["watch"] = min(asks, self._renews_at) if self._answers else self._renews_at

    @property
    def _renews_at(self) -> float:
        """When the round is begun anew, if the board says nothing of it."""
        return max(self._spoke, self._begun_anew) + self._renew_seconds

    def _doubt(self, at: float) -> None:
        """What stands there is not sure: the board is asked, soon."""
        if "poll" in self._due:
            self._due["poll"] = at
        else:
            self._due.setdefault("doubt", max(at, self._begun_anew + DOUBT_SECONDS))

    def _set_out(self) -> None:
        """What has to be said before a round; also to a board that has forgotten what it was asked for."""
        for feature in FEATURES if self._phase == "playing" else ():
            if feature in self._questions.affirmed:
                self._say("feature", feature)
        if self._manner.variant:
            self._say("set_variant", self._manner.variant)
        if SIDE in self._questions.affirmed:
            self._say(SIDE, "?")

    def _begin_anew(self, at: float) -> None:
        self._begun_anew = at
        self._overtaken = False
        self._begins = 1
        self._say_begin(self._presumed)
        self._due["begin"] = at + BEGIN_SECONDS

    def _adopt(self, at: float) -> None:
        """The round goes on from what the board has shown for a while."""
        if self._can_tell or self._is_in_a_hand(self._seen):
            return
        if self._seen is not None:
            self._stands, self._seen = (self._seen,), None
        self._begin_anew(at)

    def _is_in_a_hand(self, seen: Position | None) -> bool:
        """Whether one piece is missing in what is seen, and nothing else is otherwise."""
        if seen is None:
            return False
        gone = [(one.white & ~seen.white | one.black & ~seen.black).bit_count() for one in self._stands]
        came = [seen.white & ~one.white | seen.black & ~one.black for one in self._stands]
        return any(one == 1 and not other for one, other in zip(gone, came, strict=True))

    # --- what stands there

    @property
    def _stands(self) -> tuple[Position, ...]:
        return self._memory.stands

    @_stands.setter
    def _stands(self, stands: tuple[Position, ...]) -> None:
        self._memory.stands = stands

    @property
    def _presumed(self) -> Position:
        """Of what may stand there the position with most taken off: a board that has more on it says so."""
        fewest = min(self._stands, key=lambda one: one.occupied.bit_count())
        return fewest if self._seen is None or self._is_in_a_hand(self._seen) else self._seen

    @property
    def _agreed(self) -> Marks:
        """What a board means that agrees, and does not say with what."""
        return _common(self._stands) if self._begun is None else marks_of(self._begun)

    @property
    def _can_tell(self) -> bool:
        """The board says by itself, or when asked, what stands on it."""
        return bool(self._questions.affirmed & {*STREAMS, GET_STATE})

    def _show_moved(self, written: Written, at: float) -> Iterator[Told]:
        """Behind a move: what the board has told of it stays; what it has not is what the move makes of it."""
        told, self._told_state = self._told_state, False
        if "poll" in self._due:
            self._due["poll"] = at  # it says itself what the move has come to
            return
        marks = _common(self._stands)
        if told and self._can_tell and self._marks is not None:
            ends = written.squares[0], _end(written, self._stands[0])
            piece = PIECE if PIECE in self._marks else ""
            moved = {square: piece if piece and marks[square] != EMPTY else marks[square] for square in ends}
            marks = tuple(moved.get(square, mark) for square, mark in enumerate(self._marks))
        yield from self._show(marks, at)

    def _show(self, marks: Marks, at: float) -> Iterator[Told]:
        self._marks = marks
        if "steady" in self._due:
            return
        size = self._geometry.size
        shown = "".join(marks).lower()
        if not self._manner.colours:
            shown = shown.replace("w", PIECE).replace("b", PIECE)
        rows = "/".join(shown[begin : begin + size] for begin in range(size * (size - 1), -1, -size))
        if rows != self._shown:
            self._shown = rows
            yield Shown(at, rows)

    def _position(self, marks: Marks) -> Position:
        """`marks`, all of known colour; who was a king and stands where it stood is one, and who is on its last row."""
        was = self._stands[0]
        white = sum(1 << square for square, mark in enumerate(marks) if mark in "wW")
        black = sum(1 << square for square, mark in enumerate(marks) if mark in "bB")
        kings = sum(1 << square for square, mark in enumerate(marks) if mark in "WB")
        kings |= was.kings & (white & was.white | black & was.black)
        kings |= white & self._variant.last_rows[0] | black & self._variant.last_rows[1]
        mask = self._geometry.playable_mask
        return Position(self._variant, was.turn, white & mask, black & mask, kings & mask)

    def _from(self, known: Shown | None) -> Position | None:
        """What was shown before this program ran; None where colours are not known."""
        if known is None or set(known.rows) & {PIECE, UNKNOWN}:
            return None
        marks = _marks(known.rows)
        if len(marks) != self._geometry.size**2:
            return None
        self._memory.stands = (initial(self._variant),)
        position = self._position(marks)
        return position._replace(turn=_turn((*known.before, known.rows), position.turn))

    def _fen(self, text: str) -> Marks | None:
        try:
            return read_fen(text, self._geometry) if set(text) & set("/:,") else None
        except FenError:
            return None

    # --- what is said

    def _remark(self, at: float, text: str) -> Iterator[Remark]:
        if at >= self._remarks_since + REMARK_SECONDS:
            self._remarks, self._remarks_since = 0, at
        self._remarks += 1
        if self._remarks <= REMARKS:
            yield Remark(at, text)

    def _say_begin(self, position: Position) -> None:
        self._begun = position
        self._say("begin", write_fen(position, self._manner.fen, self._manner.squares))

    def _say(self, *words: str) -> None:
        self._out += f"{' '.join(words)}\n".encode("ascii")


def _end(written: Written, after: Position) -> int:
    """Where the piece stands: the last of the squares, or the second where those behind it are what was taken."""
    last = written.squares[-1]
    return last if after.occupied >> last & 1 else written.squares[1]


def _agrees(position: Position, marks: Marks) -> bool:
    """Whether `position` has a piece of that colour wherever `marks` has one, and none elsewhere."""
    return all(
        mark == UNKNOWN or (mark != EMPTY and stands != EMPTY if mark == PIECE else mark.lower() == stands.lower())
        for stands, mark in zip(marks_of(position), marks, strict=True)
    )


def _alike(one: str, other: str) -> bool:
    """Whether two marks may be of the same."""
    pieces = EMPTY not in (one, other)
    return UNKNOWN in (one, other) or one.lower() == other.lower() or (pieces and PIECE in (one, other))


def _marks(rows: str) -> Marks:
    """By square, of a `see` text."""
    return tuple("".join(reversed(rows.split("/"))))


def _turn(shown: Sequence[str], first: Side) -> Side:
    """Whose turn it is behind what was shown: not that of the side whose piece came down last; `first` if none did."""
    for before, after in zip(shown[-2::-1], shown[:0:-1], strict=True):
        came = {now for was, now in zip(before, after, strict=False) if was == EMPTY} - {EMPTY}
        if came in ({"w"}, {"b"}):
            return Side.BLACK if came == {"w"} else Side.WHITE
    return first


def _common(stands: Sequence[Position]) -> Marks:
    """What all of them have; squares on which they differ are not known."""
    return tuple(
        marks[0] if len({mark.lower() for mark in marks}) == 1 else UNKNOWN
        for marks in zip(*map(marks_of, stands), strict=True)
    )

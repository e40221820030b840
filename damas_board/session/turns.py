"""The end of a turn: the player presses the lever, or the next one begins, and what stands there is a move.

How it works. What no rule allows waits for stillness, since it may still become a legal move. But a player who presses
the lever has said that this is the move, and so has the opponent who lifts a piece of the own side from a board that
stood still. Captured pieces that then still stand were left standing. The other way round, a piece that is lifted may
itself be a victim of the capture before it, read as a longer one; then nobody has begun.
"""

from __future__ import annotations

import math

from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move
from damas_board.rules.side import Side
from damas_board.session.alerts import PIECES_ASTRAY
from damas_board.session.witness import Witness
from damas_board.tracking.astray import left_behind
from damas_board.tracking.chains import Chain, Step
from damas_board.tracking.offences import offences
from damas_board.tracking.sight import Sight, put_back
from damas_board.tracking.touches import Touch


class Turns:
    """Tells when a turn is over, by what `witness` sees."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._scorer = witness.scorer
        self._record = witness.record
        self._chains = witness.chains
        self._view = witness.view

    def lifted(self, touch: Touch) -> None:
        """A piece was lifted: if it is the next player's, the move before it is complete."""
        owner = self._record.position.side_at(touch.square)
        if owner is None:
            return
        other = self._view.touches.last_change(touch.square)
        if other is None or other <= touch.since:  # else the board was never what it would be with the piece put back
            self.complete(put_back(self._view.sight, touch.square), touch.due, lifted=touch.square)
        last = self._scorer.last
        if last is not None and owner is self._record.position.turn and owner is last.side.other:
            if self._may_be_taken(touch.square):
                return
            self._scorer.judge_crowns(touch.due)
            self._scorer.confirm(touch.due)

    def reply_begun(self, at: float) -> bool:
        """The board has rested with one piece in the air: if it is the next player's, the move before it is complete.

        Whether that made a ply.
        """
        handled = self._view.touches.handled
        if not handled or not handled[-1].lifted or self._ends_here(self._view.sight):
            return False
        square, position = handled[-1].square, self._record.position
        if position.side_at(square) is not position.turn.other:
            return False
        if not self.complete(put_back(self._view.sight, square), at, lifted=square):
            return False
        self._scorer.confirm(at)
        return True

    def complete(self, sight: Sight, at: float, lifted: int | None = None, by: Side | None = None) -> bool:
        """`by` has pressed the lever, or the next player has begun: what stands there is a move. Whether one is.

        A lever says nothing of a move of the other side, who may be in the middle of it: clocks are pressed late.

        With `lifted`, the next player's piece, the rest of the board has to have stood still before: captured pieces
        are still coming off as long as the player has not clearly stopped (FMJD Annex 1, 4.12).
        """
        witness, settings = self._witness, self._witness.settings
        if witness.gap or self._scorer.silent or self._ends_here(sight) or witness.explained_by_doubt():
            return False
        position = self._record.position
        other = None if lifted is None else self._view.touches.last_change(lifted)
        still = math.inf if other is None else round(at - other, 6)
        if lifted is not None and self._may_have_been_taken(lifted):
            return False
        standing = [
            (move, left)
            for move, left in witness.captures.legal(position).standing(sight)
            if lifted is None or not move.captured_mask >> lifted & 1
        ]
        if standing and by is position.turn.other:
            return False
        whole = {position.after(move) for move, _ in standing}
        if len(whole) == 1 and (lifted is None or position.side_at(lifted) is position.turn.other):
            if still < settings.rest_seconds:
                return False
            self._leave_standing(*standing[0], at)
            return True
        if standing or still < settings.settle_seconds or witness.going_back():
            return False
        chains = offences(self._chains, sight, self._view, witness.captures, witness.confirmed)
        if lifted is not None:
            chains = [c for c in chains if c.position.pieces(c.position.turn) >> lifted & 1]
        if by is not None:
            chains = [c for c in chains if c.steps and c.steps[-1].side is by]
        return witness.believe_irregular(chains, at, complete=True)

    def _leave_standing(self, move: Move, still: int, at: float) -> None:
        """Records a capture some of whose captured pieces still stand, and tells so."""
        position = self._record.position
        down = self._view.touches.came_down.get(move.end)
        whole = Step(position, move, position.after(move), at, down, True)
        self._witness.believe(Chain(False, position, (whole,)), at)
        if self._scorer.silent:
            return
        ply, number = self._record.plies[-1], len(self._record.plies)
        ply.left = still
        squares = tuple(squares_of(still))
        self._scorer.tell(self._witness.umpire.alert(at, "left_on_board", side=ply.side, squares=squares, ply=number))
        self._chains.keep_astray(left_behind(position, move, still, self._view, at, revises=True))

    def _ends_here(self, sight: Sight) -> bool:
        """Whether the board is complete, apart from pieces astray of which it was told."""
        told = bool(self._witness.umpire.alerts.of(*PIECES_ASTRAY, ply=len(self._record.plies)))
        return any(
            not chain.open_ended or (told and chain.revises and len(chain.steps) == 1 and chain.astray)
            for chain in self._chains.ending_at(sight)
        )

    def _may_be_taken(self, square: int) -> bool:
        """Whether the piece there may still come off as a victim of the last ply, read as a longer capture."""
        last = self._record.plies[-1]
        return not last.sealed and any(
            square in move.captured for move, _ in self._chains.followers(last.before) if move.start == last.move.start
        )

    def _may_have_been_taken(self, lifted: int) -> bool:
        """Whether the piece lifted from there is a victim of what the board shows, however odd a capture that is."""
        heads = {chain.position for chain in self._chains.alive if not chain.open_ended or chain.astray}
        return any(self._witness.captures.may_take(head, self._view.sight, lifted) for head in heads)

"""A board that has stood too long on something that is no position of the game."""

from __future__ import annotations

from damas_board.regulations.policy import AlertKind
from damas_board.rules.geometry import squares_of
from damas_board.session.witness import GHOST, Witness
from damas_board.tracking.astray import complete_but_for_missing, missing_from, without
from damas_board.tracking.belief import best


def stood_too_long(witness: Witness, at: float) -> None:
    """Believes what only so long a stillness can tell, or tells what is wrong: the set-up, missing pieces, a sensor."""
    if witness.scorer.silent:
        return
    if witness.waiting.state is not None:
        _wrong_setup(witness, at)
        return
    if _stands_though_early(witness, at) or explained(witness):
        return
    haunted = witness.haunted and tell_ghosts(witness, at, stood=True)
    if not haunted and not _believed(witness, at):
        _tell_mismatch(witness, at)


def _stands_though_early(witness: Witness, at: float) -> bool:
    """Records a capture that looks under way though nothing of it remains: its piece came down before it was lifted."""
    if witness.under_way is None or witness.haunted:
        return False
    chain = witness.belief(at).as_it_stands(witness.chains.ending_at(witness.view.sight))
    if chain is not None:
        witness.believe(chain, at)
    return chain is not None


def _wrong_setup(witness: Witness, at: float) -> None:
    """Tells that the game cannot begin from what stands there; a table without sensors shows nothing at all."""
    if not witness.view.sight.known:
        return
    if witness.waiting.state == "setting_up" and not witness.shows_record(rested=True):
        pieces = witness.record.position.occupied.bit_count()
        quarter = not witness.view.sight.occupied and witness.eyes.light.bit_count() == pieces
        kind: AlertKind = "wrong_orientation" if quarter else "wrong_setup"
        reason = GHOST if witness.ghosts() else None
        witness.scorer.alert_once(at, kind, tuple(squares_of(witness.off)), reason)


def explained(witness: Witness) -> bool:
    """Whether the board needs no putting right: it agrees, as far as can be told; or a turn is under way."""
    position = witness.record.position
    off = witness.off & ~witness.left_standing()
    in_hand = position.pieces(position.turn) & ~witness.view.sight.occupied
    return (
        not off
        or witness.explained_by_doubt()
        or witness.under_way is not None
        or witness.going_back()
        or witness.taken_up_again(off)
        or (off & ~in_hand == 0 and off.bit_count() == 1)
    )


def tell_ghosts(witness: Witness, at: float, *, stood: bool = False) -> bool:
    """Tells pieces that the board's own wiring shows; whether the board is haunted, and so accuses nobody.

    `stood`: it has stood for long, so that what has changed since the first telling is told as well.
    """
    ghosts = witness.ghosts(again=stood)
    if not ghosts and not (witness.haunted and witness.off):
        return False
    alerts = witness.umpire.alerts
    told = [*alerts.of("board_mismatch"), *(a for a in alerts.dismissed if a.kind == "board_mismatch")]
    if not witness.haunted or stood:
        witness.scorer.show_board("mismatch", at, GHOST)
    if ghosts and not any(alert.evidence.get("reason") == GHOST for alert in told):
        witness.scorer.alert_coming(at, "board_mismatch", squares=tuple(squares_of(ghosts)), reason=GHOST)
    witness.haunted = True
    return True


def _believed(witness: Witness, at: float) -> bool:
    """Records what the board shows apart from missing pieces; whether nothing is left to be told."""
    belief, ending = witness.belief(at), witness.chains.ending_at(witness.view.sight)
    chain = best(belief.finished(ending)) or belief.as_it_stands(ending)
    if (chain is None or chain.irregular) and witness.accuses_nobody(at):
        return False
    chain = chain or complete_but_for_missing(witness.chains, witness.view, at)
    if chain is not None:
        witness.believe(chain, at)
        if not witness.off or witness.scorer.silent:
            return True
    return _pieces_missing(witness, at) or explained(witness)


def _pieces_missing(witness: Witness, at: float) -> bool:
    """Tells pieces that were taken off though nothing captured them; whether there are any."""
    scorer, recorded, last = witness.scorer, witness.recorded, witness.scorer.last
    missing = missing_from(witness.record.position, witness.view, at)
    if recorded is None or last is None or missing is None or witness.gap or witness.accuses_nobody(at):
        return False
    for gone in missing.removed:
        witness.chains.keep_astray(without(recorded, gone, witness.view))
    if not missing.accused:
        return False
    number, squares = len(witness.record.plies), tuple(squares_of(missing.accused))
    if not set(witness.geometry.names(squares)) <= witness.told_astray():
        scorer.tell(witness.umpire.alert(at, "removed_wrongly", side=last.side, squares=squares, ply=number))
    scorer.show_board("mismatch", at)
    return True


def _tell_mismatch(witness: Witness, at: float) -> None:
    """Tells what to put right; a piece that nobody can have put there is a sensor's."""
    off, last = witness.off, witness.last_move
    captured = 0 if last is None else last.captured_mask
    if off and not off & (off - 1) and off & ~witness.record.position.occupied & ~captured:
        witness.distrust(off.bit_length() - 1, at)
        return
    if tell_ghosts(witness, at, stood=True):
        return
    if witness.accuses_nobody(at):
        witness.lose_track()
        witness.umpire.hands.forget()
        witness.anchor()
    witness.scorer.show_board("mismatch", at)
    witness.scorer.alert_once(at, "board_mismatch", tuple(squares_of(off)))

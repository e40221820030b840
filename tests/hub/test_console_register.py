"""The register of warnings as the archive makes it: by player, over the meeting, in SQLite and in PostgreSQL."""

from __future__ import annotations

from typing import Any

from hub.streams import envelopes, started

from damas_board.hub.archive import Archive
from damas_board.hub.console.register import Register
from damas_board.regulations import shipped

MEETING = "autumn"


def raised(game: str, number: int, kind: str, side: str | None, **more: Any) -> dict[str, Any]:
    told = {"event": "alert", "id": f"{game}-a{number}", "kind": kind, "severity": "irregular", "side": side}
    return {**told, "squares": ["c3"], "ply": number, "article": "000 art. 1", "evidence": {"trail": []}, **more}


def closed(game: str, number: int, how: str, at: float) -> dict[str, Any]:
    return {"event": "alert_closed", "id": f"{game}-a{number}", "how": how, "at": at}


def decided(id_: str, do: str, at: float, note: str | None = None, **more: Any) -> dict[str, Any]:
    told = {"event": "command", "id": id_, "do": do, "outcome": "done", "reason": None, "by": "ana via hub"}
    return {**told, "note": note, "at": at, **more}


def test_recurrences_are_counted_over_the_meeting_and_decisions_stand_with_their_alerts(url: str) -> None:
    with Archive.open(url) as archive:
        first = [
            started("g-1", white="Maria", black="Rui", round="1", table="4"),
            raised("g-1", 1, "touch_move", "white"),
            decided("c1", "stands", 5.0, "she had touched it"),
            closed("g-1", 1, "stands", 5.0),
            raised("g-1", 2, "touch_move", "white"),
            raised("g-1", 4, "wavering", "black", severity="note"),
            decided("c9", "stands", 6.0, outcome="refused", reason="not_arbiters", arguments={"alert": "g-1-a2"}),
            decided("c10", "dismiss", 7.0, arguments={"alert": "g-1-a4"}),
            closed("g-1", 4, "dismissed", 7.0),
            decided("c2", "dismiss", 7.0, arguments={"alert": "a2"}),
            closed("g-1", 2, "dismissed", 7.0),
            raised("g-1", 3, "board_lost", None, severity="warning"),
            decided("c3", "rewind", 9.0, outcome="refused", reason="no_such_ply"),
            decided("c4", "result", 10.0, "agreed", arguments={"result": "1-1"}),
            decided("c5", "hold", 11.0),
        ]
        second = [
            started("g-2", white="Eva", black="Maria", round="2"),
            raised("g-2", 1, "touch_move", "black"),
            raised("g-2", 2, "held_piece", "white", severity="note"),
        ]
        nameless = [{**started("g-3"), "players": None}, raised("g-3", 1, "touch_move", "black")]
        for game, bodies in (("g-1", first), ("g-2", second), ("g-3", nameless)):
            archive.take(MEETING, envelopes(game, bodies))
        register = Register(archive, MEETING, shipped)
        told = register.shown("en")
        blocks = {(block["player"], block["side"], block["game"]): block["alerts"] for block in told["players"]}
        assert {
            key: [(one["id"], one["occurrence"], one["closed"]) for one in alerts] for key, alerts in blocks.items()
        } == {
            ("Maria", None, None): [
                ("g-1-a1", 1, "stands"),
                ("g-1-a2", 0, "dismissed"),
                ("g-2-a1", 2, None),
            ],
            ("Rui", None, None): [("g-1-a4", 0, "dismissed")],
            (None, None, None): [("g-1-a3", 0, None)],
            ("Eva", None, None): [("g-2-a2", 1, None)],
            (None, "black", "g-3"): [("g-3-a1", 1, None)],
        }
        stands = blocks["Maria", None, None][0]
        assert (stands["round"], stands["table"], stands["article"]) == ("1", "4", "000 art. 1")
        assert (stands["text"], stands["ts"]) == ("a touched piece was not played", "2026-01-31T18:30:02.000Z")
        assert [one["text"] for one in stands["told"]] == ['command of ana via hub: stands, done: "she had touched it"']
        assert [(one["do"], one["note"]) for one in told["decisions"]] == [("result", "agreed")]
        assert told["decisions"][0]["text"] == 'command of ana via hub: result result=1-1, done: "agreed"'
        dismissed = [one["id"] for one in blocks["Maria", None, None][1]["told"]]
        assert dismissed == ["c9", "c2"], "those that name it, though others were given at the same moment"
        assert [one["id"] for one in blocks["Rui", None, None][0]["told"]] == ["c10"]
        assert blocks["Maria", None, None][1]["closed_by"] == "c2"
        portuguese = register.shown("pt")["players"][0]["alerts"][0]
        assert portuguese["text"] == "a peça tocada não foi jogada"

        archive.take(MEETING, envelopes("g-2", [*second, closed("g-2", 1, "dismissed", 20.0)]))
        (maria, *_) = register.shown("en")["players"]
        assert [one["occurrence"] for one in maria["alerts"]] == [1, 0, 0]
        assert Register(archive, "spring", shipped).shown("en") == {"players": [], "decisions": []}

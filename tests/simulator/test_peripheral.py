"""The board in software that speaks the chess-peripheral protocol, as a host hears it."""

from __future__ import annotations

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import initial
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL
from simulator.clock import VirtualClock
from simulator.games import invented
from simulator.levels import level
from simulator.peripheral import GET_STATE, STREAM, PeripheralBoard
from simulator.player import Player

START = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"


class Host:
    def __init__(self, variant=BRAZILIAN, **board: object) -> None:
        self.clock = VirtualClock()
        self.board = PeripheralBoard(variant, self.clock, **board)
        self.board.stand(initial(variant))

    def say(self, line: str) -> list[str]:
        self.board.receive(f"{line}\n".encode())
        return self.hear(1.0)

    def hear(self, seconds: float) -> list[str]:
        until, heard = self.clock.now() + seconds, b""
        while (due := self.board.deadline) <= until:
            self.clock.set(max(due, self.clock.now()))
            self.board.advance()
            heard += self.board.data_to_send()
        self.clock.set(until)
        return [line.strip() for line in heard.decode("latin-1").splitlines()]


def place(name: str, host: Host) -> int:
    return host.board.square_map.place(host.board._variant.geometry.square(name))


def move(host: Host, start: str, end: str) -> None:
    level_of = host.board.pieces[place(start, host) - 1]
    host.board.lift(place(start, host))
    host.board.place(place(end, host), level_of)


def test_what_it_cannot_do_it_says() -> None:
    host = Host(features=frozenset({GET_STATE}), variants=frozenset({"draughts_brazilian"}))
    assert host.say("feature get_state") == ["ok"]
    assert host.say("feature unheard_of") == ["nok"]
    assert host.say("variant draughts_brazilian") == ["ok"]
    assert host.say("variant standard") == ["nok"]
    assert host.say("get_state") == [f"state {START}"]
    assert host.say("dance") == ["err Unknown command"]
    assert host.say("begin nonsense") == ["err Unsupported position"]
    assert Host(answers=False).say("feature get_state") == []


def test_a_round_begins_with_sync_where_it_stands_so_and_with_what_stands_there_else() -> None:
    host = Host()
    assert host.say(f"begin {START}") == [f"sync {START}"]
    assert host.say("begin W:We3:Ba7") == [f"unsync {START}"]
    assert Host(deaf=True).say("begin W:We3:Ba7") == ["sync W:We3:Ba7"]
    assert Host(tells="occupancy").say(f"begin {START}")[0].startswith("sync ?a1,c1")


def test_a_move_is_said_when_the_pieces_have_rested_and_taken_back_when_it_is_refused() -> None:
    host = Host()
    host.say(f"begin {START}")
    move(host, "c3", "d4")
    assert host.hear(0.1) == []
    assert host.hear(0.3) == ["move c3d4"]
    assert host.say("nok") == []
    assert host.board.refused == ["move c3d4"]
    assert host.board.position == initial(BRAZILIAN)


def test_what_nothing_explains_is_said_and_then_each_change_until_it_agrees() -> None:
    host = Host()
    host.say(f"begin {START}")
    host.board.lift(place("c3", host))
    assert host.hear(1.0) == []
    assert host.hear(1.0)[0].startswith("unsync W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,g3:")
    host.board.place(place("e5", host))
    assert host.hear(0.1)[0].startswith("state ")
    host.board.lift(place("e5", host))
    host.board.place(place("c3", host))
    assert host.hear(1.0)[-1] == f"sync {START}"


def test_with_its_stream_it_says_every_change() -> None:
    host = Host()
    assert host.say(f"feature {STREAM}") == ["ok"]
    host.say(f"begin {START}")
    move(host, "c3", "d4")
    said = [line.split(" ")[0] for line in host.hear(1.0)]
    assert said == ["state", "state", "move"]


def test_moves_are_written_in_its_own_way() -> None:
    start = "W:W33,50:B8,10,17,20,28,29"
    written = []
    for board in (
        {},
        {"captures": "path", "sign": "x"},
        {"captures": "victims", "sign": "-"},
        {"numbers": False},
        {"promotes": "k"},
    ):
        host = Host(INTERNATIONAL, **board)
        host.say(f"begin {start}")
        host.board.stand(host.board.position)
        (capture,) = legal_moves(host.board.position)
        host.board.play(capture)
        written.append(host.hear(0.5)[-1])
    assert written == ["move 3304", "move 33x24x15x4", "move 33-4-29-20-10", "move f4h10", "move 3304k"]


def test_without_its_cable_it_says_nothing_and_forgets_the_round() -> None:
    host = Host(banner="boot v1")
    host.say(f"begin {START}")
    host.board.unplug()
    move(host, "c3", "d4")
    assert host.hear(3.0) == []
    host.board.plug()
    assert host.board.position is None
    assert host.hear(0.1) == ["boot v1"]


def test_whole_games_can_be_played_on_it_by_hand() -> None:
    clock = VirtualClock()
    board = PeripheralBoard(INTERNATIONAL, clock)
    game = invented(INTERNATIONAL, 1, 30)
    player = Player(board, clock, level("clean"), 1)
    player.set_up(game.start)
    for at in player.steps(game):
        clock.set(max(at, clock.now()))
    *_, last = game.positions()
    host = Host(INTERNATIONAL)
    host.board.stand(last)
    assert board.pieces == host.board.pieces

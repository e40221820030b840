"""What comes from outside, format by format: how it is read, from what to begin, and which errors are documented.

`read` takes any bytes and lets only errors through that are not documented; hypothesis (`test_formats.py`) and atheris
(`bounded.py`) both call it. A new format is one more entry.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from damas_board import regulations
from damas_board.broker.connect import ConnectError, read_connect
from damas_board.broker.packets import PacketError, checked
from damas_board.cli.frame_text import FrameText
from damas_board.config.shapes import File
from damas_board.decoding import cobs, wire
from damas_board.decoding.conversation import Conversation
from damas_board.decoding.dgt.clock import ClockWatch
from damas_board.decoding.dgt.codes import marks_of, table_of
from damas_board.decoding.dgt.conversation import DgtTalk
from damas_board.decoding.dgt.fields import marks_at, square_map
from damas_board.decoding.dgt.fields import rows as dgt_rows
from damas_board.decoding.dgt.frames import NEVER, WRITES_MEMORY, FrameReader
from damas_board.decoding.dgt.reading import Setting as DgtSetting
from damas_board.decoding.dgt.reports import ClockSaid, Dump, report
from damas_board.decoding.intel_hex import IntelHexError, read_intel_hex, write_intel_hex
from damas_board.decoding.talk import Shown
from damas_board.messages.access import User, may_publish, may_receive, may_subscribe
from damas_board.messages.envelope import EnvelopeError, decode, encode
from damas_board.messages.json_text import JsonError, read_json
from damas_board.messages.names import clean, public_name
from damas_board.messages.publication import PublicCopy
from damas_board.messages.recording import RecordingError, header_object, input_object, read_header, read_inputs
from damas_board.messages.requests import RequestError, read_command, read_request
from damas_board.messages.rounds import RoundError, read_round, round_object
from damas_board.messages.stream import Follower, Record, StreamError, fold
from damas_board.messages.topics import Kind, TopicError, parse, topic
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import candidates, read_move
from damas_board.notation.pdn import read_games, write_game
from damas_board.notation.time_control import read_time_control, write_time_control
from damas_board.regulations.tables import TableError, key_lines, read_table
from damas_board.rules.position import initial
from damas_board.session.session import Session

BRAZILIAN = regulations.shipped("br-cbjd")
VARIANTS = tuple({r.variant.name: r.variant for r in map(regulations.shipped, regulations.names())}.values())
START = ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w."
TS = '"ts": "2026-01-31T18:30:00Z"'


@dataclass(frozen=True)
class Format:
    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()
    """Pieces that mean something in it."""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _any_text(data: bytes) -> str:
    """Text as it can come out of JSON or a terminal, halves of surrogate pairs included."""
    return data.decode("utf-8", "surrogateescape")


def frames(data: bytes) -> None:
    """Bytes from a serial port, in two pieces: a decoder never raises, and a conversation goes on whatever comes."""
    with contextlib.suppress(cobs.CobsError):
        assert cobs.encode(cobs.decode(data)) is not None
    middle = len(data) // 2
    for decoder in (wire.board_decoder(), wire.command_decoder()):
        whole = decoder.feed(data[:middle]) + decoder.feed(data[middle:])
        assert len(whole) <= len(data)
    talk = Conversation(0.0)
    for number, piece in enumerate((data[:middle], data[middle:], b"\0")):
        talk.receive(piece, float(number))
        talk.tick(number + 0.5)
        talk.data_to_send()


def dgt(data: bytes) -> None:
    """Bytes from a DGT board, in two pieces: whatever they are, they are read, and nothing that is read is refused."""
    middle = len(data) // 2
    reader, watch = FrameReader(), ClockWatch("white", levers=True)
    for number, frame in enumerate(reader.feed(data[:middle]) + reader.feed(data[middle:])):
        said = report(frame)
        match said:
            case Dump(kind, codes):
                squares = square_map(kind, "left", "black-left")
                rows = dgt_rows(squares, marks_of(codes, table_of(codes), chess_board=kind == "all64"))
                table_of(codes, marks_at(squares, rows))
            case ClockSaid(message):
                watch.hear(message, float(number))
            case _:
                pass
    assert reader.dropped <= len(data)
    talk = DgtTalk(0.0, DgtSetting(), Shown(0.0, "/".join(["." * 10] * 10)))
    for number in range(0, len(data) + 40, 20):
        talk.receive(data[number : number + 20], float(number))
        talk.tick(number + 0.5)
        assert not {*WRITES_MEMORY, *NEVER} & {*talk.data_to_send()}


def payload_of_a_frame(data: bytes) -> None:
    """A payload with a right sum: what an evil board can send; whatever it is, it can be said on a line."""
    text = FrameText()
    text.of_board(HELLO)
    with contextlib.suppress(wire.MalformedError):
        text.of_board(wire.read_board_payload(data))
    if data:
        text.of_host(wire.read_host_payload(data))
    talk = Conversation(0.0)
    for number in range(0, len(data), 20):
        piece = data[number : number + 20]
        talk.receive(wire.frame(piece), float(number))
        talk.tick(number + 0.5)
        talk.data_to_send()


def intel_hex(data: bytes) -> None:
    try:
        image = read_intel_hex(_any_text(data))
    except IntelHexError:
        return
    assert read_intel_hex(write_intel_hex(image)) == image


def payload(data: bytes) -> None:
    with contextlib.suppress(JsonError):
        json.dumps(read_json(data), ensure_ascii=False, allow_nan=False).encode()
    try:
        envelope = decode(data)
    except EnvelopeError:
        return
    assert decode(encode(envelope)) == envelope


def command(data: bytes) -> None:
    for place in (topic(Kind.COMMAND_BOARD, "m", "ana", "b"), topic(Kind.COMMAND_GAME, "m", "ana", "g")):
        with contextlib.suppress(RequestError):
            found = read_command(place, data)
            json.dumps(dict(found.arguments), allow_nan=False)
            assert len(found.id) <= 64
    with contextlib.suppress(RequestError):
        read_request(topic(Kind.REQUEST, "m", "ana"), data)


def round_(data: bytes) -> None:
    with contextlib.suppress(JsonError, RoundError):
        planned = read_round(read_json(data), meeting="m")
        assert read_round(round_object(planned), meeting="m") == planned


def stream(data: bytes) -> None:
    """Lines of events: what a follower and the public copy make of them."""
    follower, record, public = Follower(kept=100), Record(), PublicCopy()
    for number, line in enumerate(data.split(b"\n")[:50]):
        try:
            envelope = decode(line)
        except EnvelopeError:
            continue
        with contextlib.suppress(StreamError):
            step = follower.take(envelope)
            record = Record() if step.restarted else record
            for event in step.events:
                record = fold(record, event)
        with contextlib.suppress(StreamError):
            public.take(envelope, float(number))


def topics(data: bytes) -> None:
    text = _any_text(data)
    with contextlib.suppress(TopicError):
        assert str(parse(text)) == text
    for user in (User("ana", "arbiter", "m"), User("gw", "gateway", "m", ("b",)), User("tv", "viewer", "m")):
        may_publish(user, text)
        may_receive(user, text)
        may_subscribe(user, text)


def packets(data: bytes) -> None:
    with contextlib.suppress(ConnectError):
        read_connect(data).renamed("ana/x")
    with contextlib.suppress(PacketError, IndexError if not data else PacketError):
        checked(data[0], data[1:])


def pdn(data: bytes) -> None:
    with contextlib.suppress(NotationError):
        for number, game in enumerate(read_games(io.BytesIO(data))):
            write_game(game)
            if number == 20:
                break


def fen(data: bytes) -> None:
    text = _any_text(data)
    for variant in VARIANTS:
        with contextlib.suppress(NotationError):
            position = read_fen(text, variant)
            assert read_fen(write_fen(position), variant) == position


def move(data: bytes) -> None:
    text = _any_text(data)
    for variant in VARIANTS:
        position = initial(variant)
        with contextlib.suppress(NotationError):
            candidates(position, text)
        with contextlib.suppress(NotationError):
            read_move(position, text)


def time_control(data: bytes) -> None:
    with contextlib.suppress(NotationError):
        control = read_time_control(_any_text(data))
        if control is not None:
            assert read_time_control(write_time_control(control)) == control


def configuration(data: bytes) -> None:
    text = _text(data)
    with contextlib.suppress(TableError):
        read_table(text, "x.toml", File)
        key_lines(text)


def regulation(data: bytes) -> None:
    with contextlib.suppress(TableError):
        regulations.parse(_text(data), "own", "own.toml")


def recording(data: bytes) -> None:
    """A recording, read, written again, and fed to a Session."""
    lines = iter(_any_text(data).split("\n")[:60])
    with contextlib.suppress(RecordingError):
        header = read_header(lines)
        json.dumps(header_object(header), ensure_ascii=False, allow_nan=False)
        session = None
        with contextlib.suppress(ValueError):  # a start that is no position is told so
            session = Session(header, BRAZILIAN)
        for item in read_inputs(lines):
            json.dumps(input_object(item), ensure_ascii=False, allow_nan=False)
            if session is not None and item.at < 1e6:
                with contextlib.suppress(ValueError):  # rows that are no board: the source of a gateway makes none
                    session.feed(item)


def names(data: bytes) -> None:
    text = _any_text(data)
    assert clean(clean(text)) == clean(text)
    clean(text).encode()
    public_name({"name": text, "public": text})


EVENT = {"schema": "damas.event/1", "ts": "2026-01-31T18:30:00Z", "board": "b", "game": "g", "epoch": 1}
STREAM = "\n".join(
    json.dumps({**EVENT, "seq": seq, **body})
    for seq, body in enumerate(
        (
            {"event": "game_started", "at": 0.0, "regulation": "br-cbjd", "fen": "W:Wc3:Bd6", "players": {}},
            {"event": "move", "at": 1.0, "ply": 1, "side": "white", "move": "c3-d4", "fen": "B:Wd4:Bd6", "revision": 1},
            {"event": "move_confirmed", "at": 2.0, "ply": 1, "revision": 2},
            {"event": "alert", "at": 3.0, "id": "g-a1", "kind": "held_piece", "severity": "note"},
            {"event": "alert_closed", "at": 4.0, "id": "g-a1", "how": "stands"},
            {"event": "clock", "at": 4.5, "white": 10.0, "black": None, "running": "white"},
            {"event": "moves_retracted", "at": 5.0, "from_ply": 1, "reason": "x", "revision": 3},
            {"event": "publication", "at": 5.5, "held": True},
            {"event": "game_over", "at": 6.0, "winner": "none", "result": "*", "ply": 0, "revision": 4},
        ),
        1,
    )
)
ROUND = {
    "round": "r-1",
    "regulation": "br-cbjd",
    "pairings": [
        {
            "table": "1",
            "board": "table-1",
            "game": "g-1",
            "white": {"name": "Ana"},
            "black": {"name": "Rui", "minor": True},
        }
    ],
    "publication": {"delay": 60.0, "hold": False, "boards": {"1": {"delay": 5.0}}},
}
HELLO = wire.Hello(0, 0, 1, (1, 0), 1, 32, 3, 0, 0x28, 2, 0, 1000, 10, 10, 7)
TALK = (
    HELLO,
    wire.Snapshot(1, 5, 1, b"\xff\x0f\xf0\xff\x00"),
    wire.Event(2, 9, 3, 0),
    wire.Heartbeat(2, 1000, 1, 0, 0),
    wire.Heartbeat(2, 1200, 1, 0, 0, 4990, frozenset({3, 34})),
    wire.Calibration(2, 1300, 31, 1, (wire.Thresholds(128, 8, 36), wire.Thresholds(127, 9, 40))),
)
PDN = b"""[Event "x"]
[White "A"]
[Black "B"]
[Result "*"]
[GameType "26,W,8,8,A0,0"]
[FEN "W:Wc3,Kd2:Be5,f6"]

1. c3-d4 {[%clock w0:01:00 B0:02:00] x} e5xc3 (1... f6 {y}) $1 2. d2xb4 /FEN "B:Wb4:Bf6"/ f6-e5 *
"""
JSON_WORDS = (
    b"NaN",
    b"Infinity",
    b"1e999",
    b"9" * 40,
    rb'"\ud800"',
    b"[" * 60,
    b"null",
    b"{}",
    b"-1",
    b"true",
    b'"\\u0000"',
)

FORMATS: Mapping[str, Format] = {
    "dgt": Format(
        dgt,
        (
            bytes.fromhex("860067" + "00010100" * 10 + "00" * 20 + "04000004" * 10),
            bytes.fromhex("8E00051C00 8D000A005958010009 0B 93000501029100083031303235"),
            bytes.fromhex("860043" + "07" * 16 + "00" * 32 + "01" * 16 + "A0000C550A1E020501030401"),
            bytes.fromhex("940035" + "01" * 20 + "00" * 10 + "07" * 20 + "8D000A0A1009002200 00"),
        ),
        tuple(bytes((id_, length >> 7, length & 0x7F)) for id_, length in ((0x86, 103), (0x8D, 10), (0x8F, 7939))),
    ),
    "frames": Format(frames, (b"".join(map(wire.encode_frame, TALK)), wire.encode_command(wire.AskHello(3)))),
    "payload_of_a_frame": Format(payload_of_a_frame, tuple(map(wire.board_payload, TALK))),
    "intel_hex": Format(
        intel_hex,
        (b":0100050022D8\n:043FFC00FFFFFFFFC5\n:00000001FF\n", b":020000040001F9\n:0100050022D8\n:00000001FF\n"),
        (b":", b"00", b"FF", b":00000001FF\n", "\u0663".encode(), b"\x0c"),
    ),
    "payload": Format(payload, (STREAM.split("\n")[1].encode(), b'{"schema": "x", ' + TS.encode() + b"}"), JSON_WORDS),
    "command": Format(
        command,
        (
            b'{"id": "c1", "do": "rewind", "ply": 3, "expires": "2026-01-31T18:30:00Z", "for": "Ana", "note": "n"}',
            b'{"id": "c1", "do": "new_game", "players": {"white": {"name": "A"}}, "regulation": "br-cbjd"}',
            b'{"id": "r1", "want": "since", "game": "g", "seq": 3}',
            b'{"id": "r1", "want": "evidence", "alert": "g-a3"}',
        ),
        JSON_WORDS,
    ),
    "round": Format(round_, (json.dumps(ROUND).encode(),), JSON_WORDS),
    "stream": Format(stream, (STREAM.encode(),), JSON_WORDS),
    "topics": Format(
        topics, (b"damas/v1/m/cmd/ana/board/b", b"damas/v1/m/+/#", b"$share/g/damas/v1/m/#"), (b"+", b"#", b"/")
    ),
    "packets": Format(
        packets,
        (
            b"\x00\x04MQTT\x04\xc2\x00\x05\x00\x01c\x00\x01u\x00\x01p",
            b"\x32\x00\x01a\x00\x01x",
            b"\x82\x00\x01\x00\x01a\x01",
        ),
    ),
    "pdn": Format(
        pdn,
        (PDN,),
        (b"{", b"}", b"(", b")", b'"', b"[", b"]", b'/FEN "', b"x", b"*", b"\r", b"\\", b"%", b"1-0", b"99999999999"),
    ),
    "fen": Format(
        fen,
        (b"W:Wc3,Kd2:Be5,f6", b"W:W31-50:B1-20", b"B:WK5,K10:B1-3.", b"start"),
        (b"K", b",", b"-", b":", b"W", b"B", b"1-99999999999", b"9" * 5000, "²".encode(), "٣".encode()),
    ),
    "move": Format(
        move, (b"c3-d4", b"32-28", b"e5xe1", b"a3xc5xe7", b"32x23x14"), (b"x", b"-", b":", "²".encode(), b"9" * 5000)
    ),
    "time_control": Format(
        time_control,
        (b"40/7200:3600+30", b"*60", b"15 min + 5", b"1:30:00", b"-"),
        (b"9" * 5000, "٣".encode(), b":", b"/", b"+"),
    ),
    "configuration": Format(
        configuration,
        (
            b'meeting = "m"\n[broker]\nkind = "embedded"\n[[board]]\nid = "b"\nport = "p"\nregulation = "br-cbjd"\n',
            b'meeting = "m"\nboard = [{id = "b", port = \'p\', regulation = """x"""}]\n[[user]]\nname = "a"\n',
        ),
        (
            b"[",
            b"{",
            b"[[",
            b'"""',
            b"'''",
            b"=",
            b".",
            b"nan",
            b"inf",
            b"9" * 5000,
            b"0x" + b"f" * 4000,
            b"1979-05-27",
        ),
    ),
    "regulation": Format(
        regulation,
        (b'title = "House"\nvariant = "brazilian"\n', b'title = "Own"\nbase = "br-cbjd"\n[variant]\nname = "x"\n'),
        (b"[", b"{", b'"""', b"9" * 5000, b"nan", b"[draw]", b"[variant]", b"[policy]", b"[match]"),
    ),
    "recording": Format(
        recording,
        (
            b'{"recording": 1, "board": "t", "regulation": "br-cbjd"}\n{"at": 0.0, "see": "' + START.encode() + b'"}\n'
            b'{"at": 1.0, "lever": "white"}\n{"at": 2, "command": {"do": "result", "id": "c", "result": "1-0"}}\n'
            b'{"at": 3, "clock": {"white": 1.0, "black": 2.0, "running": "black"}}\n{"at": 4, "tick": true}\n',
            b'{"recording": 1, "board": "t", "regulation": "br-cbjd", "start": "W:Wc3:Bd6", "players": {"white": 1}}\n'
            b'{"at": 0, "command": {"do": "move", "id": "c", "move": "c3-d4"}}\n'
            b'{"at": 1, "command": {"do": "set_position", "id": "d", "fen": "W:Wc3:Bd6"}}\n'
            b'{"at": 2, "command": {"do": "rewind", "id": "e", "ply": 0}}\n{"at": 3, "link": "lost", "reason": "x"}\n',
        ),
        (*JSON_WORDS, b'"at": ', b'"command": {', b'"see": "', b"mask", b"orient", b"count", b"set_clock", b"adjust"),
    ),
    "names": Format(names, (b"Ana Sousa", "João\u202e\u200bx\x1b[2J".encode()), ("\u0301".encode(), "\u202e".encode())),
}

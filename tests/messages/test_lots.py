"""The lots of a round: drawn again they are the same, and what the regulation says of them holds."""

from __future__ import annotations

import pytest

from damas_board.hub.lots import lots
from damas_board.messages.lots import LotsError, check_lots, drawn_round, read_openings
from damas_board.messages.rounds import Round, read_round
from damas_board.regulations import shipped

VARIANT = shipped("br-cbjd").variant
TABLE = read_openings("I = c3-d4 d6-c5\nc3-b4\nB:Wa1,d4:Bh8\n", VARIANT)


def planned(id_: str = "1", *, match: str | None = None, swapped: bool = False) -> Round:
    pairs = [("Ana", "Rui"), ("Eva", "Ivo"), ("Lia", "Noa")]
    body = {
        "round": id_,
        "regulation": "br-cbjd",
        "pairings": [
            {"table": str(n), "white": pair[swapped], "black": pair[not swapped], "match": match and f"{match}-{n}"}
            for n, pair in enumerate(pairs, 1)
        ]
        + [{"table": "4", "white": "Zé"}],
    }
    return read_round(body, meeting="open")


def whites(round_: Round) -> list[str]:
    return [pairing.white.name for pairing in round_.pairings]


def openings(round_: Round) -> list[tuple[str | None, str | None]]:
    return [(pairing.fen, pairing.opening) for pairing in round_.pairings]


def test_the_same_seed_draws_the_same_again_whoever_was_written_as_white_and_whatever_else_was_drawn() -> None:
    once = drawn_round(planned(), lots(7), openings=TABLE)
    assert drawn_round(once, lots(7), openings=TABLE) == once
    assert drawn_round(planned(swapped=True), lots(7), openings=TABLE) == once
    assert whites(drawn_round(planned(), lots(7))) == whites(once)
    assert openings(drawn_round(planned(), lots(7), colours=False, openings=TABLE)) == openings(once)
    assert len({tuple(whites(drawn_round(planned(), lots(seed)))) for seed in range(60)}) == 8
    assert once.pairings[3] == planned().pairings[3]


def test_one_opening_for_all_tables_or_each_its_own() -> None:
    for seed in range(10):
        assert len(set(openings(drawn_round(planned(), lots(seed), openings=TABLE, one=True))[:3])) == 1
    assert {len(set(openings(drawn_round(planned(), lots(s), openings=TABLE))[:3])) for s in range(30)} == {1, 2, 3}


def test_003_12_14_in_a_match_the_colours_alternate_and_both_begin_an_opening() -> None:
    first = drawn_round(planned("1", match="m"), lots(1), openings=TABLE)
    second = drawn_round(planned("2", match="m"), lots(2), openings=TABLE, earlier=[first])
    third = drawn_round(planned("3", match="m"), lots(3), openings=TABLE, earlier=[first, second])
    for table in range(3):
        one, two, three = (one.pairings[table] for one in (first, second, third))
        assert (two.white, two.black) == (one.black, one.white)
        assert three.white == one.white
        assert (one.fen, one.opening) == (two.fen, two.opening) != (three.fen, three.opening)


def test_an_opening_has_its_moves_where_they_are_known_and_else_the_position() -> None:
    assert [(one.name, one.moves) for one in TABLE] == [("I", "c3-d4 d6-c5"), ("c3-b4", "c3-b4"), (TABLE[2].name, None)]
    found = {one for seed in range(30) for one in openings(drawn_round(planned(), lots(seed), openings=TABLE))[:3]}
    assert found == {(None, "c3-d4 d6-c5"), (None, "c3-b4"), ("B:Wa1,d4:Bh8", None)}
    assert read_openings('{"all": {"a": "c3-b4", "b": "c3-d4"}, "standard": ["b"]}', VARIANT)[0].name == "b"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("", "table", None),
        ('{"a": 1}', "table", None),
        ('{"a":\n', "json", 2),
        ("c3-d4\n\nc3-c4", "opening", 3),
        ("I = W:Wz9:Ba1", "opening", 1),
    ],
)
def test_a_table_of_openings_that_is_none_is_told_with_its_line(text: str, key: str, line: int | None) -> None:
    with pytest.raises(LotsError) as caught:
        read_openings(text, VARIANT)
    assert (caught.value.key, caught.value.line) == (key, line)


def test_001_free_openings_are_not_drawn() -> None:
    check_lots(shipped("br-cbjd"))
    with pytest.raises(LotsError, match="001 O Início"):
        check_lots(shipped("pt-classicas"))
    with pytest.raises(LotsError, match="name one"):
        check_lots(None)

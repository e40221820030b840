"""What a person reads of an alert, by key, in English and in the two Portugueses of the texts; pure.

000 and 002 say *partida* for a game and *pedra* for a man, 001 and 003 *jogo* and *peão*: a regulation says which of
the two its readers know (`Regulation.words`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from damas_board.regulations.regulation import Words

_WORDS: dict[str, tuple[str, str]] = {
    "kind.missed_capture": (
        "a capture was obligatory and was not made",
        "a captura era obrigatória e não foi feita",
    ),
    "kind.short_capture": ("fewer pieces were captured than must be", "foram capturadas menos peças do que o devido"),
    "kind.low_value_capture": ("a capture of less value was made", "foi feita uma captura de menor valor"),
    "kind.wrong_side": ("the side not on move has moved", "jogou quem não tinha a vez"),
    "kind.opponent_piece_moved": ("a piece of the opponent was moved", "foi movida uma peça do adversário"),
    "kind.illegal_move": ("a piece went where it may not go", "uma peça foi para onde não pode ir"),
    "kind.left_on_board": ("a captured piece was left on the board", "ficou no tabuleiro uma peça capturada"),
    "kind.removed_wrongly": (
        "a piece was taken off that was not captured",
        "foi retirada uma peça que não foi capturada",
    ),
    "kind.lifted_during_capture": (
        "a captured piece came off before the capture was complete",
        "uma peça capturada saiu antes de a captura estar completa",
    ),
    "kind.touch_move": ("a touched piece was not played", "a peça tocada não foi jogada"),
    "kind.several_touched": ("several pieces were touched", "foram tocadas várias peças"),
    "kind.touched_unplayable": (
        "a piece was touched that could not move",
        "foi tocada uma peça que não se podia mover",
    ),
    "kind.touched_out_of_turn": (
        "a piece of the side not on move was touched",
        "foi tocada uma peça de quem não tinha a vez",
    ),
    "kind.taken_back": ("a complete move was taken back", "um lance completo foi desfeito"),
    "kind.destination_changed": (
        "a piece rested on a square and went on to another",
        "uma peça pousou numa casa e seguiu para outra",
    ),
    "kind.wavering": (
        "pieces were lifted and put back, or went on, again and again",
        "peças foram levantadas e repostas, ou seguiram para outra casa, repetidamente",
    ),
    "kind.held_piece": ("a piece was held for long", "uma peça foi sustida durante muito tempo"),
    "kind.not_crowned": ("a new king was not crowned", "uma nova dama não foi coroada"),
    "kind.crowned_wrongly": ("a man was crowned that is no king", "foi coroado um peão que não é dama"),
    "kind.wrong_setup": (
        "the board does not show the start position",
        "o tabuleiro não mostra a posição inicial",
    ),
    "kind.wrong_orientation": ("the board may be turned the wrong way", "o tabuleiro pode estar virado ao contrário"),
    "kind.misplaced_piece": ("a piece is not on a square of play", "uma peça não está numa casa"),
    "kind.board_mismatch": ("the board does not agree with the record", "o tabuleiro não corresponde ao registo"),
    "kind.sensor_suspect": ("a square of the board cannot be relied on", "não se pode confiar numa casa do tabuleiro"),
    "kind.board_lost": ("the board is not connected", "o tabuleiro está sem ligação"),
    "kind.clock_lost": ("the clock is not connected", "o relógio está sem ligação"),
    "kind.flag_fallen": ("a player's time is over", "esgotou-se o tempo de um jogador"),
    "kind.wrong_opening": ("the opening that was drawn was not played", "não foi jogada a abertura sorteada"),
    "severity.note": ("note", "nota"),
    "severity.warning": ("warning", "aviso"),
    "severity.irregular": ("irregularity", "irregularidade"),
    "how.stands": ("stands", "fica como está"),
    "how.rectified": ("put right", "retificado"),
    "how.dismissed": ("dismissed", "arquivado"),
    "how.recovered": ("in order again", "de novo em ordem"),
    "decides.opponent": ("the opponent decides", "decide o adversário"),
    "decides.arbiter": ("the arbiter decides", "decide o árbitro"),
    "until.reply": ("until the opponent has replied", "até o adversário responder"),
    "until.game_over": ("until the game is over", "até ao fim do jogo"),
    "consequence.rectified_or_stands": ("put right, or left as it stands", "retifica-se ou fica como está"),
    "consequence.rectified": (
        "put right from the move where it happened",
        "retifica-se desde o lance em que aconteceu",
    ),
    "consequence.loses_game": ("the game is lost", "perde o jogo"),
    "consequence.touched_is_played": ("the touched piece is played", "joga-se a peça tocada"),
    "consequence.first_touched_is_played": ("the piece touched first is played", "joga-se a primeira peça tocada"),
    "consequence.opponent_names_piece": (
        "the opponent says which of the touched pieces is played",
        "o adversário designa qual das peças tocadas se joga",
    ),
    "consequence.punishable": ("may be punished", "é passível de punição"),
    "consequence.game_void": ("the game is void", "o jogo é nulo"),
    "consequence.out_of_play": ("does not count until it is put right", "não conta até ser reposta no seu lugar"),
    "consequence.is_king": ("is a king all the same", "vale como dama mesmo assim"),
    "reason.ghost": (
        "these squares look like ghosts: the board has no diodes, or one is reversed",
        "estas casas parecem fantasmas: o tabuleiro não tem díodos, ou um está ao contrário",
    ),
    "reason.unstable": (
        "the board says that this sensor is not still",
        "o tabuleiro diz que este sensor não está estável",
    ),
    "reason.sources_differ": (
        "the sensors and the camera contradict each other",
        "os sensores e a câmara contradizem-se",
    ),
    "reason.backwards": ("backwards", "para trás"),
    "reason.too_far": ("too far", "demasiado longe"),
    "reason.blocked": ("something stands in the way", "há uma peça no caminho"),
    "reason.not_diagonal": ("not along a diagonal", "fora da diagonal"),
    "reason.not_straight": ("not along a straight line", "fora da linha reta"),
    "reason.man_takes_king": ("a man took a king", "um peão tomou uma dama"),
    "reason.turned_back": ("it turned back in the capture", "voltou para trás na captura"),
    "reason.too_often": (
        "the same king moved too often in a row",
        "a mesma dama moveu-se demasiadas vezes seguidas",
    ),
}
"""English, and the Portuguese of Portugal."""

_BRAZIL: dict[str, str] = {
    "reason.sources_differ": "os sensores e a câmera se contradizem",
    "kind.crowned_wrongly": "foi coroada uma pedra que não é dama",
    "kind.held_piece": "uma peça foi segurada durante muito tempo",
    "kind.board_mismatch": "o tabuleiro não corresponde ao registro",
    "kind.board_lost": "o tabuleiro está sem conexão",
    "kind.clock_lost": "o relógio está sem conexão",
    "until.game_over": "até o fim da partida",
    "consequence.loses_game": "perde a partida",
    "consequence.game_void": "a partida é nula",
    "reason.man_takes_king": "uma pedra tomou uma dama",
}
"""Where the Portuguese of Brazil differs."""


@cache
def alert_words(language: str, words: Words | None = None) -> Mapping[str, str]:
    """The text by key (`kind.touch_move`, `how.stands`, ...) for a reader of `language` (`en`, `pt`, `pt-BR`, ...).

    `words` is the regulation's: which Portuguese a reader of `pt` is answered in; Portugal's where it says nothing.
    """
    english = {key: text for key, (text, _) in _WORDS.items()}
    if not language.lower().startswith("pt"):
        return MappingProxyType(english)
    portuguese = {key: text for key, (_, text) in _WORDS.items()}
    brazil = (words or language.replace("_", "-")).startswith("pt-BR")
    return MappingProxyType(portuguese | _BRAZIL if brazil else portuguese)

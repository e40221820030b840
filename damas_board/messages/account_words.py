"""What a person sees of an alert's account, by key, in English and in both Portugueses; pure.

An alert's own codes have their words in `messages/words.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from damas_board.regulations.regulation import Words

WORDS: Mapping[str, tuple[str, str]] = {
    "side.white": ("White", "Brancas"),
    "side.black": ("Black", "Pretas"),
    "side.arbiter": ("the arbiter", "o árbitro"),
    "piece.white.man": ("white man", "peão branco"),
    "piece.white.king": ("white king", "dama branca"),
    "piece.black.man": ("black man", "peão preto"),
    "piece.black.king": ("black king", "dama preta"),
    "piece.unknown": ("a piece", "uma peça"),
    "do.new_game": ("new_game", "jogo novo"),
    "do.start": ("start", "começar"),
    "do.pause": ("pause", "parar"),
    "do.resume": ("resume", "continuar"),
    "do.set_clock": ("set_clock", "acertar o relógio"),
    "do.result": ("result", "resultado"),
    "do.reopen": ("reopen", "o fim foi um engano"),
    "do.abort": ("abort", "abandonar o jogo"),
    "do.hold": ("hold", "não mostrar ao público"),
    "do.release": ("release", "mostrar ao público"),
    "do.move_to": ("move_to", "continuar noutro tabuleiro"),
    "do.adjust": ("adjust", "permitir compor peças"),
    "do.stands": ("stands", "fica como está"),
    "do.rectify": ("rectify", "retificar"),
    "do.dismiss": ("dismiss", "arquivar"),
    "do.count": ("count", "começar a contar"),
    "do.rewind": ("rewind", "voltar atrás"),
    "do.set_position": ("set_position", "indicar a posição"),
    "do.move": ("move", "introduzir um lance"),
    "do.mask": ("mask", "não confiar na casa"),
    "do.unmask": ("unmask", "voltar a confiar na casa"),
    "do.orient": ("orient", "dizer como está o tabuleiro"),
    "argument.alert": ("alert", "alerta"),
    "argument.ply": ("ply", "lance"),
    "argument.move": ("move", "lance"),
    "argument.fen": ("fen", "posição"),
    "argument.result": ("result", "resultado"),
    "argument.reason": ("reason", "motivo"),
    "argument.square": ("square", "casa"),
    "argument.board": ("board", "tabuleiro"),
    "argument.white": ("white", "brancas"),
    "argument.black": ("black", "pretas"),
    "argument.side": ("side", "lado"),
    "argument.seconds": ("seconds", "segundos"),
    "argument.turn": ("turn", "rotação"),
    "argument.law": ("law", "regra"),
    "argument.from_ply": ("from_ply", "a partir do lance"),
    "argument.regulation": ("regulation", "regulamento"),
    "outcome.done": ("done", "feito"),
    "outcome.refused": ("refused", "recusado"),
    "state.setting_up": ("not set up yet", "ainda por arrumar"),
    "state.mismatch": ("does not agree with the record", "não corresponde ao registo"),
    "state.resyncing": ("to be made to agree with the record", "a pôr de acordo com o registo"),
    "state.failed": ("stands still after a fault of this program", "parado por uma falha deste programa"),
    "state.ready": ("agrees with the record", "corresponde ao registo"),
    "state.in_play": ("agrees with the record", "corresponde ao registo"),
    "reason.port_missing": ("there is no such port", "não existe essa porta"),
    "reason.port_in_use": ("another program uses the port", "outro programa usa a porta"),
    "reason.port_denied": ("no permission to open the port", "falta permissão para abrir a porta"),
    "reason.port_failed": ("no serial port that can be used", "não é uma porta série que se possa usar"),
    "reason.board_missing": ("the board is at none of the ports", "o tabuleiro não está em nenhuma das portas"),
    "reason.flooding": ("the board says more than can be read", "o tabuleiro diz mais do que se consegue ler"),
    "reason.task_broke": ("this program's code for the board is started again", "o código do tabuleiro é reiniciado"),
    "reason.port_lost": ("the connection broke off", "a ligação caiu"),
    "reason.silent": ("the board says nothing any more", "o tabuleiro deixou de responder"),
    "reason.no_board": ("no board answers", "nenhum tabuleiro responde"),
    "reason.no_snapshot": ("the board does not say what stands on it", "o tabuleiro não diz o que está sobre ele"),
    "reason.board_restarted": ("the board restarted", "o tabuleiro reiniciou"),
    "reason.events_lost": ("events of the board were lost", "perderam-se eventos do tabuleiro"),
    "reason.gateway_not_running": ("the gateway was not running", "o gateway não estava a funcionar"),
    "reason.not_followed": (
        "it was not read after a fault of this program",
        "não foi lido depois de uma falha deste programa",
    ),
    "reason.source_broke": ("its driver broke", "o seu controlador falhou"),
    "account.title": ("Alert {id}: {kind}", "Alerta {id}: {kind}"),
    "account.grade": ("{severity}; {article}", "{severity}; {article}"),
    "account.article": ("{regulation}, {article}", "{regulation}, {article}"),
    "account.no_article": ("{regulation} names no article", "{regulation} não indica artigo"),
    "account.where": ("game {game}, board {board}", "jogo {game}, tabuleiro {board}"),
    "account.round": ("round {round}", "ronda {round}"),
    "account.table": ("table {table}", "mesa {table}"),
    "account.when": (
        "at {ts} (below: seconds before and after the alert)",
        "em {ts} (abaixo: segundos antes e depois do alerta)",
    ),
    "account.when.unknown": (
        "at {at} of the recording (below: seconds before and after the alert)",
        "aos {at} da gravação (abaixo: segundos antes e depois do alerta)",
    ),
    "account.about": ("ply {ply}; squares {squares}", "lance {ply}; casas {squares}"),
    "account.about.nothing": ("ply {ply}", "lance {ply}"),
    "account.whose": ("whose mistake it would be: {side}", "de quem seria o erro: {side}"),
    "account.also": ("it would also be: {kinds}", "também seria: {kinds}"),
    "account.why": ("why: {reason}", "porquê: {reason}"),
    "account.could_continue": ("could have gone on: {moves}", "podia ter continuado: {moves}"),
    "account.legal": ("legal would have been: {moves}", "seria legal: {moves}"),
    "account.proposed": ("proposed: {consequence}; {decides}, {until}", "proposto: {consequence}; {decides}, {until}"),
    "account.proposed.nothing": ("{decides}, {until}", "{decides}, {until}"),
    "account.lifted": ("{square} lifted ({piece})", "{square} levantada ({piece})"),
    "account.lifted.rested": (
        "{square} lifted again ({piece}), rested there for {rested}",
        "{square} levantada outra vez ({piece}), repousou lá {rested}",
    ),
    "account.not_down": (
        "{square} lifted or taken off ({piece}); it did not come down again",
        "{square} levantada ou retirada ({piece}); não voltou a ser pousada",
    ),
    "account.captured_off": ("{square} taken off ({piece}), captured", "{square} retirada ({piece}), tomada"),
    "account.put_back": ("{square} put back, in the air for {seconds}", "{square} reposta, no ar {seconds}"),
    "account.came_down": (
        "from {from_} down on {square}, in the air for {seconds}",
        "de {from_} pousada em {square}, no ar {seconds}",
    ),
    "account.came_down_one_of": (
        "down on {square}: the piece from one of {among}",
        "pousada em {square}: a peça de uma de {among}",
    ),
    "account.came_down_new": (
        "down on {square}: a piece that no square had lost",
        "pousada em {square}: uma peça que não saiu de nenhuma casa",
    ),
    "account.gone_unseen": ("{square} empty when the board was back", "{square} vazia quando o tabuleiro voltou"),
    "account.appeared_unseen": (
        "{square} occupied when the board was back",
        "{square} ocupada quando o tabuleiro voltou",
    ),
    "account.flickered.once": (
        "{square} read otherwise once, for {longest}: shorter than a touch",
        "{square} lida de outro modo uma vez, {longest}: menos do que um toque",
    ),
    "account.flickered": (
        "{square} read otherwise {times} times, for {longest} at most: shorter than a touch",
        "{square} lida de outro modo {times} vezes, {longest} no máximo: menos do que um toque",
    ),
    "account.crowned": ("{square} crowned", "{square} coroada"),
    "account.uncrowned": ("{square} without its crown", "{square} sem a coroa"),
    "account.lever": ("clock pressed: {side}", "relógio acionado: {side}"),
    "account.adjust": ('"I adjust" announced: {side}', '"componho" anunciado: {side}'),
    "account.link_lost": ("connection to the board lost{reason}", "ligação ao tabuleiro perdida{reason}"),
    "account.link_back": ("connection to the board back", "ligação ao tabuleiro restabelecida"),
    "account.move": ("recorded: {ply}. {move}{marks}", "registado: {ply}. {move}{marks}"),
    "account.move_revised": (
        "recorded anew: {ply}. {move}{marks} (was {was})",
        "registado de novo: {ply}. {move}{marks} (era {was})",
    ),
    "account.moves_retracted": (
        "taken out of the record: from ply {from_ply} on",
        "retirado do registo: do lance {from_ply} em diante",
    ),
    "account.mark.irregular": ("irregular", "irregular"),
    "account.mark.inferred": ("not seen as it was played", "não visto enquanto se jogava"),
    "account.mark.entered": ("entered by hand", "introduzido à mão"),
    "account.board": ("board: {state}{todo}", "tabuleiro: {state}{todo}"),
    "account.board.put": ("put {squares}", "pôr {squares}"),
    "account.board.clear": ("clear {squares}", "retirar {squares}"),
    "account.position_set": ("a position was set up: {fen}", "foi posta uma posição: {fen}"),
    "account.game_over": ("the game is over: {result} ({reason})", "o jogo acabou: {result} ({reason})"),
    "account.game_reopened": ("the game goes on again", "o jogo continua"),
    "account.raised": ("THIS ALERT", "ESTE ALERTA"),
    "account.other_alert": ("alert {short}: {what}", "alerta {short}: {what}"),
    "account.other_closed": ("alert {short} closed: {how}", "alerta {short} fechado: {how}"),
    "account.command": (
        "command of {by}: {do}{arguments}, {outcome}{note}",
        "comando de {by}: {do}{arguments}, {outcome}{note}",
    ),
    "account.nobody": ("somebody unnamed", "alguém sem nome"),
    "account.open": ("It is open.", "Está em aberto."),
    "account.closed": ("Closed: {how}.", "Fechado: {how}."),
    "account.closed_by_move": ("Closed: {how}; the reply was {move}.", "Fechado: {how}; a resposta foi {move}."),
    "account.closed_by_command": (
        "Closed: {how}; by the command {do} of {by}{note}.",
        "Fechado: {how}; pelo comando {do} de {by}{note}.",
    ),
}
"""English, and the Portuguese of Portugal."""

BRAZIL: Mapping[str, str] = {
    "piece.white.man": "pedra branca",
    "piece.black.man": "pedra preta",
    "do.new_game": "partida nova",
    "do.abort": "abandonar a partida",
    "do.move_to": "continuar em outro tabuleiro",
    "state.mismatch": "não corresponde ao registro",
    "state.resyncing": "sendo posto de acordo com o registro",
    "state.ready": "corresponde ao registro",
    "state.in_play": "corresponde ao registro",
    "account.where": "partida {game}, tabuleiro {board}",
    "account.round": "rodada {round}",
    "account.link_lost": "conexão com o tabuleiro perdida{reason}",
    "account.link_back": "conexão com o tabuleiro restabelecida",
    "account.move": "registrado: {ply}. {move}{marks}",
    "account.move_revised": "registrado de novo: {ply}. {move}{marks} (era {was})",
    "account.moves_retracted": "retirado do registro: do lance {from_ply} em diante",
    "account.game_over": "a partida acabou: {result} ({reason})",
    "account.game_reopened": "a partida continua",
}
"""Where the Portuguese of Brazil differs."""


@cache
def account_texts(language: str, words: Words | None = None) -> Mapping[str, str]:
    """The text by key for a reader of `language` (`en`, `pt`, `pt-BR`, ...); `words` as in `alert_words`."""
    if not language.lower().startswith("pt"):
        return MappingProxyType({key: text for key, (text, _) in WORDS.items()})
    brazil = (words or language.replace("_", "-")).startswith("pt-BR")
    portuguese = {key: text for key, (_, text) in WORDS.items()}
    return MappingProxyType({**portuguese, **(BRAZIL if brazil else {})})

"""What a person sees of the self-test of a board, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.check-board": (
        "a square-by-square self-test of a real board: one piece is put on each square, and what is wrong is named",
        "o autoteste de um tabuleiro real, casa a casa: pousa-se uma peça em cada uma, e diz-se o que está mal",
    ),
    "help.check.port": (
        "the board's port, as damas-board boards tells it",
        "a porta do tabuleiro, como damas-board boards a mostra",
    ),
    "help.check.connector": (
        "the corner of the connector, as seen from White (default: the first that fits the board)",
        "o canto do conector, visto das brancas (por omissão: o primeiro que serve ao tabuleiro)",
    ),
    "help.check.regulation": (
        "name the squares as this regulation does (default: the first that fits the board)",
        "dar às casas os nomes deste regulamento (por omissão: o primeiro que serve ao tabuleiro)",
    ),
    "help.check.report": (
        "write the report into this file, JSON; - is standard output",
        "escrever o relatório neste ficheiro, JSON; - é a saída padrão",
    ),
    "help.check.any_order": (
        "take the squares as they come, in any order",
        "aceitar as casas por qualquer ordem",
    ),
    "help.check.diodes": (
        "try the diode of every square, with three pieces (for a matrix; without, of one square only)",
        "testar o díodo de cada casa, com três peças (numa matriz; sem isto, só o de uma casa)",
    ),
    "help.check.no_buttons": ("leave the buttons out", "deixar os botões de fora"),
    "help.check.lang": ("speak this language", "falar esta língua"),
    "check.no_game": (
        "{port}: the board has {places} squares (geometry {geometry}), and the regulation or corner asked for needs"
        " others; leave --regulation or --connector out",
        "{port}: o tabuleiro tem {places} casas (geometria {geometry}), e o regulamento ou o canto pedido precisa de"
        " outras; retire --regulation ou --connector",
    ),
    "check.title": (
        "board {uid} at {port}: {places} squares of {size} x {size}, connector {connector}",
        "tabuleiro {uid} em {port}: {places} casas de {size} x {size}, conector {connector}",
    ),
    "check.corner.black-left": (
        "on Black's side, left as seen from White (black-left)",
        "do lado das pretas, à esquerda visto das brancas (black-left)",
    ),
    "check.corner.black-right": (
        "on Black's side, right as seen from White (black-right)",
        "do lado das pretas, à direita visto das brancas (black-right)",
    ),
    "check.corner.white-left": ("on White's side, left (white-left)", "do lado das brancas, à esquerda (white-left)"),
    "check.corner.white-right": (
        "on White's side, right (white-right)",
        "do lado das brancas, à direita (white-right)",
    ),
    "check.progress": ("{done} of {all}", "{done} de {all}"),
    "check.diodes": ("{done} of {all} diodes", "{done} de {all} díodos"),
    "check.left": ("not yet: {squares}", "faltam: {squares}"),
    "check.keys": (
        "Enter: {enter} · s: skip · r: the one before once more · q: end",
        "Enter: {enter} · s: saltar · r: repetir a anterior · q: terminar",
    ),
    "check.keys.only": (
        "s: skip · r: the one before once more · q: end",
        "s: saltar · r: repetir a anterior · q: terminar",
    ),
    "check.enter.put": ("it stands there", "está lá"),
    "check.enter.clear": ("there is no piece", "não há lá peça nenhuma"),
    "check.enter.free": ("name the rest one by one", "pedir as restantes uma a uma"),
    "check.enter.press": ("it is pressed", "está premido"),
    "check.enter.corners": ("they stand there", "estão lá"),
    "check.put": ("Put a piece on {square}.", "Pouse uma peça em {square}."),
    "check.hold": ("{square}: let it stand ...", "{square}: deixe-a estar ..."),
    "check.lift": ("{square}: seen. Take it off.", "{square}: vista. Levante-a."),
    "check.lift.nothing": (
        "{square} is still seen. Take the piece off; if there is none, press Enter.",
        "{square} continua a ser vista. Levante a peça; se lá não há nenhuma, prima Enter.",
    ),
    "check.other": (
        "Asked for is {square}, the board sees {other}. If the piece stands on {square}, just take it off;"
        " if not, put it on {square}.",
        "Pediu-se {square}, o tabuleiro vê {other}. Se a peça está em {square}, levante-a;"
        " se não está, ponha-a em {square}.",
    ),
    "check.clear": (
        "Take off what stands on {squares}. If nothing stands there, press Enter.",
        "Levante o que está em {squares}. Se não está lá nada, prima Enter.",
    ),
    "check.free": (
        "Put the piece on one square after the other, in any order.",
        "Pouse a peça numa casa após outra, por qualquer ordem.",
    ),
    "check.nothing.put": (
        "Nothing is seen there. If the piece stands in the middle of the square, press Enter.",
        "Não se vê nada. Se a peça está no meio da casa, prima Enter.",
    ),
    "check.said": ("It is waited for ...", "Espera-se por ela ..."),
    "check.press": ("Press the button {button}.", "Prima o botão {button}."),
    "check.nothing.press": (
        "Nothing is noticed. If it is pressed, press Enter; if there is none, press s.",
        "Não se nota nada. Se está premido, prima Enter; se não existe, prima s.",
    ),
    "check.corners": ("Put a piece on each of {squares}.", "Pouse uma peça em cada uma de {squares}."),
    "check.nothing.corners": (
        "If all three stand there, press Enter. No piece belongs on {square}.",
        "Se estão lá as três, prima Enter. Em {square} não deve estar nenhuma.",
    ),
    "check.still": (
        "Do not touch the board for a while: some squares may be read by themselves.",
        "Não toque no tabuleiro durante um momento: pode haver casas que se leem por si mesmas.",
    ),
    "check.off": ("Take all pieces off.", "Levante todas as peças."),
    "check.done": ("That was all.", "É tudo."),
    "check.again.early": ("Once more, let it stand for a second:", "Mais uma vez, deixe-a estar um segundo:"),
    "check.again.unseen": ("Once more, in the middle of the square:", "Mais uma vez, no meio da casa:"),
    "check.again.weak": ("Once more, and let go of it:", "Mais uma vez, e largue-a:"),
    "check.again.elsewhere": ("Once more:", "Mais uma vez:"),
    "check.again.together": ("Once more:", "Mais uma vez:"),
    "check.again.pressed": ("Once more:", "Mais uma vez:"),
    "check.broke_off": (
        "the board was not read for a moment; go on",
        "o tabuleiro não foi lido por momentos; continue",
    ),
    "check.button.clock_a": ("clock A", "relógio A"),
    "check.button.clock_b": ("clock B", "relógio B"),
    "check.button.adjust": ("adjust", "ajeito"),
    "check.wire.line": ("row {number} of the matrix", "linha {number} da matriz"),
    "check.wire.column": ("column {number} of the matrix", "coluna {number} da matriz"),
    "check.wire.multiplexer": ("multiplexer {number}", "multiplexador {number}"),
    "check.wire.channel": ("channel {number} of the multiplexers", "canal {number} dos multiplexadores"),
    "check.wire.pin": ("{wire} (pin {pin})", "{wire} (pino {pin})"),
    "check.wires.line": ("the rows of the matrix", "as linhas da matriz"),
    "check.wires.column": ("the columns of the matrix", "as colunas da matriz"),
    "check.wires.multiplexer": ("the multiplexers", "os multiplexadores"),
    "check.wires.channel": ("the channels of the multiplexers", "os canais dos multiplexadores"),
    "check.well": ("all is well: {squares} squares", "está tudo bem: {squares} casas"),
    "check.other_diodes": (
        "of the diodes only some were tried; --diodes tries every one",
        "só alguns díodos foram experimentados; com --diodes experimentam-se todos",
    ),
    "check.found.turned": (
        'the board is turned: its connector is at {connector}, not at {was}; write corner = "{connector}" in the'
        " configuration (here: --connector {connector})",
        'o tabuleiro está rodado: o conector está em {connector}, não em {was}; escreva corner = "{connector}" na'
        " configuração (aqui: --connector {connector})",
    ),
    "check.found.reversed": (
        "{wires} are connected in reverse order: the first is where the last belongs, and so on ({pins})",
        "{wires} têm os fios pela ordem inversa: o primeiro onde devia estar o último, e assim por diante ({pins})",
    ),
    "check.found.mirrored": (
        "the board is mirrored in a diagonal: its rows and columns are exchanged; no setting can put that right",
        "o tabuleiro está espelhado numa diagonal: linhas e colunas estão trocadas; nenhuma definição o corrige",
    ),
    "check.found.swapped": (
        "{wire} and {other_wire} have changed places: exchange their wires",
        "{wire} e {other_wire} trocaram de lugar: troque os fios",
    ),
    "check.found.moved": (
        "{wire} is seen as {other_wire}: the wires are in a wrong order",
        "{wire} lê-se como {other_wire}: os fios estão pela ordem errada",
    ),
    "check.found.crossed": (
        "{squares} have changed places: exchange their wires",
        "{squares} estão trocadas: troque os fios",
    ),
    "check.found.elsewhere": (
        "{squares} is seen as {others}: it is wired to the wrong place",
        "{squares} é vista como {others}: está ligada no sítio errado",
    ),
    "check.found.nothing": (
        "nothing is seen on any square: is there a magnet in the piece, strong enough? Else look at the plug and"
        " the supply of the sensors",
        "não se vê nada em casa nenhuma: a peça tem um íman, e com força bastante? Senão, veja a ficha e a alimentação"
        " dos sensores",
    ),
    "check.found.nothing.analogue": (
        "nothing is seen on any square: was the board calibrated, and is there a magnet in the piece, strong enough?"
        " Else look at the plug and the supply of the sensors",
        "não se vê nada em casa nenhuma: o tabuleiro foi calibrado, e a peça tem um íman, e com força bastante? Senão,"
        " veja a ficha e a alimentação dos sensores",
    ),
    "check.found.dead_wire": (
        "{wire} is dead ({squares}): its wire is broken, or not where it belongs",
        "{wire} não dá sinal ({squares}): o fio está partido, ou não está no seu lugar",
    ),
    "check.found.dead": (
        "{squares} is never seen: look at its contact, at the diode (its ring towards the row) and at the solder",
        "{squares} nunca é vista: veja o contacto, o díodo (o anel virado para a linha) e as soldaduras",
    ),
    "check.found.dead.analogue": (
        "{squares} is never seen: look at its sensor, at the wire to the multiplexer and at the solder; was the board"
        " calibrated?",
        "{squares} nunca é vista: veja o sensor, o fio até ao multiplexador e as soldaduras; o tabuleiro foi"
        " calibrado?",
    ),
    "check.found.reversed_diode": (
        "{squares} is never seen, and lets current pass backwards: its diode is the wrong way round",
        "{squares} nunca é vista, e deixa passar corrente ao contrário: o díodo está invertido",
    ),
    "check.found.stuck_wire": (
        "{wire} always reads occupied ({squares}): its wire touches another one",
        "{wire} dá sempre sinal ({squares}): o fio toca noutro",
    ),
    "check.found.stuck": (
        "{squares} reads occupied with nothing on it: its contact is closed, or its wires touch",
        "{squares} lê-se ocupada sem nada em cima: o contacto está fechado, ou os fios tocam-se",
    ),
    "check.found.weak": ("{squares} is weak: {figures}", "{squares} é fraca: {figures}"),
    "check.found.restless": (
        "{squares} reads occupied by itself for moments ({times} time(s) while nobody touched the board)",
        "{squares} lê-se ocupada por si mesma, por momentos ({times} vez(es) sem ninguém tocar no tabuleiro)",
    ),
    "check.found.joined": (
        "{wire} and {other_wire} touch: what stands at one is seen at both",
        "{wire} e {other_wire} tocam-se: o que está num lado vê-se nos dois",
    ),
    "check.found.together": (
        "{squares} are seen together: a magnet reaches both, or their wires touch",
        "{squares} veem-se juntas: o íman chega às duas, ou os fios tocam-se",
    ),
    "check.found.ghost": (
        "{squares} lets current pass backwards: its diode is missing or broken (with pieces on three corners {others}"
        " was seen as well)",
        "{squares} deixa passar corrente ao contrário: o díodo falta ou está avariado (com peças em três cantos viu-se"
        " também {others})",
    ),
    "check.found.no_diodes": (
        "diodes are missing, at {squares} and perhaps at all squares: with pieces on three corners of a rectangle the"
        " fourth was seen as well",
        "faltam díodos, em {squares} e talvez em todas as casas: com peças em três cantos de um retângulo viu-se também"
        " o quarto",
    ),
    "check.found.dead_button": (
        "the button {button} is never noticed",
        "o botão {button} nunca se nota",
    ),
    "check.found.swapped_button": (
        "the button {button} comes as {came}: exchange their wires",
        "o botão {button} aparece como {came}: troque os fios",
    ),
    "check.found.restarted": (
        "the board started again {times} time(s) meanwhile: look at its supply and cable",
        "o tabuleiro reiniciou {times} vez(es) entretanto: veja a alimentação e o cabo",
    ),
    "check.found.events_lost": (
        "the cable lost what the board said {times} time(s): look at the cable and the plug",
        "o cabo perdeu {times} vez(es) o que o tabuleiro dizia: veja o cabo e a ficha",
    ),
    "check.found.undecided": (
        "it did not become clear what is the matter with {squares}; test them again",
        "não ficou claro o que se passa com {squares}; teste de novo",
    ),
    "check.found.untried": ("not tried: {squares}", "por testar: {squares}"),
    "check.found.untried_buttons": ("buttons not tried: {buttons}", "botões por testar: {buttons}"),
    "check.found.untried_diodes": ("the diodes were not tried", "os díodos ficaram por testar"),
    "check.found.once_more": (
        "put once more, and then seen well: {squares}",
        "pousada mais uma vez, e depois bem vista: {squares}",
    ),
    "check.figure.unseen": ("{value} of {tries} times not seen", "{value} de {tries} vezes não foi vista"),
    "check.figure.gaps": ("lost {value} times while it stood", "perdida {value} vezes enquanto lá estava"),
    "check.figure.longest_gap": ("for up to {value} s", "até {value} s"),
    "check.figure.restless": (
        "{value} of {tries} times never still",
        "{value} de {tries} vezes sem sossegar",
    ),
    "check.figure.late": ("{value} of {tries} times late", "{value} de {tries} vezes tarde"),
    "check.figure.latest": ("by up to {value} s", "até {value} s"),
    "check.figure.slow": (
        "{value} of {tries} times only after a long while",
        "{value} de {tries} vezes só depois de muito tempo",
    ),
    "check.and": ("{first} and {last}", "{first} e {last}"),
}

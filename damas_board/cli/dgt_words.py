"""What a person sees of a DGT board at the command line, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.dgt": (
        "look at a DGT board: who it is, what stands there, what its own log says; set which squares it scans",
        "ver um tabuleiro DGT: quem é, o que está sobre ele, o que tem na memória; definir que casas lê",
    ),
    "help.dgt.look": (
        "who the board is, what stands on it and what its clock shows; changes nothing",
        "quem é o tabuleiro, o que está sobre ele e o que mostra o relógio; não altera nada",
    ),
    "help.dgt.log": (
        "what the board's own log says, an entry a line; or the moves since the start position, as a recording",
        "o que ficou na memória do próprio tabuleiro, uma entrada por linha; ou os lances desde a posição inicial, como"
        " gravação",
    ),
    "help.dgt.bus": (
        "which boards are on a line of several (bus mode), with lines for their tables; changes nothing",
        "que tabuleiros há numa linha de vários (modo barramento), com linhas para as mesas deles; não altera nada",
    ),
    "help.dgt.report": (
        "write all that a board says, byte by byte, into one file that can be sent to whoever mends this program",
        "escrever tudo o que um tabuleiro diz, byte a byte, num só ficheiro que se pode enviar a quem corrige este"
        " programa",
    ),
    "help.dgt.output": (
        "the report's file (default: dgt-report.txt; - is standard output)",
        "o ficheiro do relatório (por omissão: dgt-report.txt; - é a saída padrão)",
    ),
    "help.dgt.watch": (
        "how many seconds to watch what is played behind that (default: 30; 0: not at all)",
        "quantos segundos observar depois disso o que se joga (por omissão: 30; 0: nenhum)",
    ),
    "help.dgt.scan": (
        "set which squares the board scans; it is written into the board's own memory and stays there",
        "definir que casas o tabuleiro lê; fica escrito na memória do próprio tabuleiro",
    ),
    "help.dgt.port": (
        "the board's port, as /dev/ttyUSB0 or /dev/rfcomm0",
        "a porta do tabuleiro, como /dev/ttyUSB0 ou /dev/rfcomm0",
    ),
    "help.dgt.corner": (
        "where the board's connector is, as White sees it",
        "onde está o conector do tabuleiro, visto pelas brancas",
    ),
    "help.dgt.regulation": (
        "name the squares as this regulation does (default: one of a board of that size)",
        "dar às casas o nome que têm neste regulamento (por omissão: um para um tabuleiro desse tamanho)",
    ),
    "help.dgt.json": ("one JSON object", "um objeto JSON"),
    "help.dgt.bytes": (
        "show on stderr all bytes that are sent and received",
        "mostrar em stderr todos os bytes enviados e recebidos",
    ),
    "help.dgt.recording": (
        "write a recording for damas-board replay into FILE (- is standard output); its times are estimated",
        "escrever em FILE uma gravação para damas-board replay (- é a saída padrão); os tempos são estimados",
    ),
    "help.dgt.game": (
        "with --recording: the N-th game from the end, where pieces were set up again since (1 is the newest; default:"
        " the one that led to what stands there now)",
        "com --recording (gravação): o jogo N a contar do fim, se as peças já foram repostas (1 é o mais recente; por"
        " omissão: o que levou ao que está agora no tabuleiro)",
    ),
    "help.dgt.log_fields": (
        "how many bits the number of a field has in the log, 6 or 7 (default: 7)",
        "quantos bits tem o número de uma casa na memória, 6 ou 7 (por omissão: 7)",
    ),
    "help.dgt.which": (
        "playable: only the squares that are played on; all: every square",
        "playable: só as casas em que se joga; all: todas as casas",
    ),
    "help.dgt.squares": (
        "which squares the board calls those that are played on (default: those where pieces stand now)",
        "de que cor são para o tabuleiro as casas em que se joga (por omissão: aquelas onde há agora peças)",
    ),
    "help.dgt.write_memory": (
        "write without asking: whoever says this knows that it stays in the board",
        "escrever sem perguntar: quem o indica sabe que fica no tabuleiro",
    ),
    "dgt.asking": ("{port}: asking the board ...", "{port}: a interrogar o tabuleiro ..."),
    "dgt.port": ("port", "porta"),
    "dgt.serial_number": ("serial number", "número de série"),
    "dgt.long_serial_number": ("long serial number", "número de série longo"),
    "dgt.bus_address": ("address on a bus", "endereço num barramento"),
    "dgt.version": ("version", "versão"),
    "dgt.battery": ("battery", "bateria"),
    "dgt.clock": ("clock", "relógio"),
    "dgt.fields": ("fields", "casas lidas"),
    "dgt.pieces": ("piece codes", "códigos das peças"),
    "dgt.not_said": ("it does not say", "não o diz"),
    "dgt.no_battery": (
        "it does not say (only boards by Bluetooth do)",
        "não o diz (só os tabuleiros por Bluetooth o dizem)",
    ),
    "dgt.percent": ("{percent} %", "{percent} %"),
    "dgt.minutes_left": ("{minutes} min left", "mais {minutes} min"),
    "dgt.charging": ("charging", "a carregar"),
    "dgt.no_clock": ("none is connected", "nenhum ligado"),
    "dgt.no_times": ("it shows no times", "não mostra tempos"),
    "dgt.times": ("left {left}, right {right}", "esquerda {left}, direita {right}"),
    "dgt.runs": ("runs: {side}", "a andar: {side}"),
    "dgt.stands": ("stands still", "parado"),
    "dgt.left": ("left", "esquerda"),
    "dgt.right": ("right", "direita"),
    "dgt.clock_battery": ("its battery is low", "a bateria está fraca"),
    "dgt.fields_all": ("{count}, {pieces} pieces", "{count}, {pieces} peças"),
    "dgt.fields_halves": (
        'on the squares that it calls "black" {black}, on its "white" ones {white}',
        'nas casas a que chama "black" {black}, nas "white" {white}',
    ),
    "dgt.no_dump": ("it does not say what stands on it", "não diz o que está sobre ele"),
    "dgt.codes.current": ("those since 2011", "os posteriores a 2011"),
    "dgt.codes.before_2011": ("those before 2011", "os anteriores a 2011"),
    "dgt.codes.chess": (
        'a chess set\'s, or those of draughts pieces from before 2011 (then pieces = "before_2011")',
        'de peças de xadrez, ou de peças de damas anteriores a 2011 (nesse caso pieces = "before_2011")',
    ),
    "dgt.codes.unclear": (
        "not clear yet; it shows at a start position",
        "ainda não se sabe; vê-se numa posição inicial",
    ),
    "dgt.lines": ("these lines give it a table:", "estas linhas dão-lhe uma mesa:"),
    "dgt.log.wait": (
        "{port}: the log comes; that takes about eight seconds, more by Bluetooth ...",
        "{port}: a memória está a chegar; demora uns oito segundos, mais por Bluetooth ...",
    ),
    "dgt.log.none": ("{port}: the board does not send its log", "{port}: o tabuleiro não envia a memória"),
    "dgt.log.no_dump": (
        "{port}: the board does not say how many squares it has, so its log cannot be read",
        "{port}: o tabuleiro não diz quantas casas tem, por isso não se pode ler a memória",
    ),
    "dgt.log.empty": ("(empty)", "(vazia)"),
    "dgt.log.soon": ("at once", "logo a seguir"),
    "dgt.log.time": ("clock, {side}: {time}", "relógio, {side}: {time}"),
    "dgt.log.field": ("field {field}", "casa n.º {field}"),
    "dgt.log.tag": ("mark {tag}", "marca {tag}"),
    "dgt.mark.w": ("white man", "peão branco"),
    "dgt.mark.b": ("black man", "peão preto"),
    "dgt.mark.W": ("white king", "dama branca"),
    "dgt.mark.B": ("black king", "dama preta"),
    "dgt.mark.o": ("a piece, code {code}", "uma peça, código {code}"),
    "dgt.tag.power_up": ("switched on", "ligado"),
    "dgt.tag.end": ("end", "fim"),
    "dgt.tag.four_rows": ("a start position of draughts stands", "está posta uma posição inicial de damas"),
    "dgt.tag.empty_board": ("the board is empty", "o tabuleiro está vazio"),
    "dgt.tag.read_out": ("the log was read", "a memória foi lida"),
    "dgt.tag.begin_position": ("the start position stands", "está posta a posição inicial"),
    "dgt.tag.begin_position_turned": (
        "the start position stands, the other way round",
        "está posta a posição inicial, ao contrário",
    ),
    "dgt.tag.start": ("a game begins", "começa um jogo"),
    "dgt.tag.watchdog": ("restarted by itself", "reiniciou-se sozinho"),
    "dgt.log.no_game": (
        "{port}: the log does not lead from a start position of {regulation} to what stands there now; without a file"
        " to write its entries are shown",
        "{port}: a memória não leva de uma posição inicial de {regulation} ao que está agora no tabuleiro; sem ficheiro"
        " para escrever mostram-se as entradas",
    ),
    "dgt.log.not_so_many": (
        "{port}: the log has no game {game} from the end that begins with a start position of {regulation}",
        "{port}: a memória não tem o jogo {game} a contar do fim que comece com uma posição inicial de {regulation}",
    ),
    "dgt.log.game_alone": (
        "--game is of use with --recording only",
        "--game só serve com --recording (gravação)",
    ),
    "dgt.log.size": (
        "{port}: the board has {fields} squares, and {regulation} is played on {size} x {size}",
        "{port}: o tabuleiro tem {fields} casas, e {regulation} joga-se em {size} x {size}",
    ),
    "dgt.log.written": (
        "{count} readings since the start position; damas-board replay --pdn makes the game of the recording",
        "{count} leituras desde a posição inicial; damas-board replay --pdn faz o jogo a partir da gravação",
    ),
    "dgt.bus.asking": (
        "{port}: asking who is on the line; that takes some seconds ...",
        "{port}: a perguntar quem está na linha; demora alguns segundos ...",
    ),
    "dgt.bus.nobody": (
        "{port}: no board answers on this line; are they switched on, and is this their port?",
        "{port}: nenhum tabuleiro responde nesta linha; estão ligados, e é esta a porta deles?",
    ),
    "dgt.bus.found": (
        "{port}: {count} board(s) on this line",
        "{port}: {count} tabuleiro(s) nesta linha",
    ),
    "dgt.bus.risky": (
        "{addresses}: a question to such a board has a byte in it that is an order to write, or to leave the program,"
        " for a board that is not in bus mode; switch all boards of the line on before the program",
        "{addresses}: uma pergunta a um tabuleiro destes contém um byte que, para um tabuleiro fora do modo barramento,"
        " é uma ordem para escrever na memória ou deixar o programa; ligue todos os tabuleiros da linha antes do"
        " programa",
    ),
    "dgt.report.watch": (
        "{port}: watching for {seconds:g} s: make some moves, crown a man if you can, press the clock ...",
        "{port}: a observar durante {seconds:g} s: faça alguns lances, coroe um peão se puder, carregue no relógio ...",
    ),
    "dgt.report.written": (
        "{file}: written; the serial number of the board stands in it",
        "{file}: escrito; contém o número de série do tabuleiro",
    ),
    "dgt.scan.chess": (
        "{port}: the board {serial} has {count} fields; only a draughts board of 100 can be set",
        "{port}: o tabuleiro {serial} tem {count} casas; só um tabuleiro de damas de 100 se pode definir",
    ),
    "dgt.scan.unnamed": (
        "{port}: the board does not say its serial number; nothing is written to a board that is not known",
        "{port}: o tabuleiro não diz o número de série; não se escreve num tabuleiro que não se conhece",
    ),
    "dgt.scan.which": (
        "{port}: it does not show which squares are played on ({black} pieces on the board's black ones, {white} on its"
        " white ones); set up a start position, or say --squares black or white",
        "{port}: não se vê em que casas se joga ({black} peças nas casas pretas do tabuleiro, {white} nas brancas);"
        " ponha uma posição inicial, ou indique --squares black ou white",
    ),
    "dgt.scan.explained.all": (
        "The board {serial} shall scan all 100 squares.",
        "O tabuleiro {serial} passará a ler todas as 100 casas.",
    ),
    "dgt.scan.explained.black": (
        "The board {serial} shall scan only the 50 squares that it calls black; what stands on the others is not seen"
        " any more.",
        "O tabuleiro {serial} passará a ler só as 50 casas a que chama pretas; o que estiver nas outras deixa de se"
        " ver.",
    ),
    "dgt.scan.explained.white": (
        "The board {serial} shall scan only the 50 squares that it calls white; what stands on the others is not seen"
        " any more.",
        "O tabuleiro {serial} passará a ler só as 50 casas a que chama brancas; o que estiver nas outras deixa de se"
        " ver.",
    ),
    "dgt.scan.lasting": (
        "For that the order {order:#04x} is sent, and the board writes it into its own memory: it stays so without"
        " power, at other computers and for other programs, until another order of this kind (scan all is the usual"
        " one). This was never tried with a board at hand.",
        "Para isso envia-se a ordem {order:#04x}, que o tabuleiro escreve na própria memória: fica assim sem corrente,"
        " noutros computadores e para outros programas, até outra ordem destas (scan all é a habitual). Isto nunca foi"
        " experimentado com um tabuleiro à mão.",
    ),
    "dgt.scan.consent": (
        "Type the board's serial number to write it, or anything else to leave it: ",
        "Escreva o número de série do tabuleiro para o fazer, ou outra coisa para desistir: ",
    ),
    "dgt.scan.needs_consent": (
        "nobody is there to be asked; --write-memory says that it may be written",
        "não há a quem perguntar; --write-memory diz que se pode escrever",
    ),
    "dgt.scan.left": ("nothing was written", "nada foi escrito"),
    "dgt.scan.other_board": (
        "{port}: now the board {found} is there, and not {serial}; nothing was written",
        "{port}: agora está lá o tabuleiro {found}, e não {serial}; nada foi escrito",
    ),
    "dgt.scan.sent": ("The order was sent. The board now says:", "A ordem foi enviada. O tabuleiro diz agora:"),
}

"""What a person sees of the command line, by key, in English and Portuguese."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from damas_board.broker import errors as broker
from damas_board.cli import (
    archive_words,
    boards_words,
    calibrate_words,
    camera_words,
    check_board_words,
    dgt_words,
    flash_words,
    hub_words,
    preflight_words,
    restore_words,
    round_words,
    service_words,
    sniff_words,
    tell_words,
    watching_words,
)
from damas_board.messages import account_words
from damas_board.messages.recording import TEXTS as RECORDING_TEXTS
from damas_board.sinks import errors as sinks
from damas_board.sources import errors as sources

if TYPE_CHECKING:
    from damas_board.regulations.regulation import Words

Language = Literal["en", "pt"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_WORDS: dict[str, tuple[str, str]] = {
    "help.program": (
        "Reads a physical draughts board, keeps the game, helps the arbiter, relays everything over MQTT.",
        "Lê um tabuleiro de damas físico, regista a partida, ajuda o árbitro e transmite tudo por MQTT.",
    ),
    "help.command": ("COMMAND", "COMANDO"),
    "help.legal": ("the legal moves of a position, one a line", "os lances legais de uma posição, um por linha"),
    "help.legal.fen": (
        "a PDN FEN; start: the initial position; -: FENs from standard input, one a line "
        "(an empty line stands between the answers)",
        "um FEN de PDN; start: a posição inicial; -: FENs da entrada padrão, um por linha "
        "(uma linha vazia separa as respostas)",
    ),
    "help.legal.perft": (
        "print the number of move sequences of N moves instead",
        "mostrar em vez disso o número de sequências de N lances",
    ),
    "help.named_regulation": (
        "name of a shipped regulation, or a TOML file (default: {default})",
        "nome de um regulamento incluído, ou um ficheiro TOML (por omissão: {default})",
    ),
    "help.replay": (
        "turn a recording into events, one JSON object a line",
        "transformar uma gravação em eventos, um objeto JSON por linha",
    ),
    "help.replay.pdn": ("print the game as PDN instead", "mostrar em vez disso a partida em PDN"),
    "help.replay.file": ("a recording; - reads standard input", "uma gravação; - lê a entrada padrão"),
    "help.run": (
        "drive the boards of a configuration until Ctrl-C",
        "conduzir os tabuleiros de uma configuração até Ctrl-C",
    ),
    "help.run.config": ("a configuration, TOML", "uma configuração, TOML"),
    "help.mosquitto": (
        "write the files that make Mosquitto the broker of a configuration",
        "escrever os ficheiros que fazem do Mosquitto o broker de uma configuração",
    ),
    "help.mosquitto.folder": ("where the files go", "onde ficam os ficheiros"),
    "help.mosquitto.run_as": (
        "the system user that Mosquitto changes to when it is started by root (usually mosquitto)",
        "o utilizador do sistema para que o Mosquitto muda quando é iniciado por root (em geral mosquitto)",
    ),
    "help.mosquitto.certificate": ("the server's certificate, with tls = true", "o certificado, com tls = true"),
    "help.mosquitto.key": ("the key of the certificate", "a chave do certificado"),
    "mosquitto.embedded": (
        'kind = "embedded" needs no Mosquitto; write kind = "server", with host and the gateway\'s password',
        'kind = "embedded" não precisa de Mosquitto; escreva kind = "server", com host e a palavra-passe do gateway',
    ),
    "mosquitto.tls": (
        "tls = true needs --certificate and --key for Mosquitto",
        "tls = true precisa de --certificate e --key para o Mosquitto",
    ),
    "mosquitto.no_tls": (
        "--certificate and --key are of use with tls = true only",
        "--certificate e --key só servem com tls = true",
    ),
    "mosquitto.no_user": (
        "--run-as: this system has no user {user!r}",
        "--run-as: este sistema não tem o utilizador {user!r}",
    ),
    "mosquitto.root": (
        "{file}: only root can read it, and Mosquitto leaves root behind; name its user with --run-as (usually"
        " mosquitto), or it cannot open the file",
        "{file}: só root o pode ler, e o Mosquitto deixa de ser root; indique o utilizador dele com --run-as (em geral"
        " mosquitto), senão não o consegue abrir",
    ),
    "mosquitto.left_out": (
        "without a password in the configuration, and so left out: {users}",
        "sem palavra-passe na configuração, e por isso omitidos: {users}",
    ),
    "help.verbose": ("also tell what goes well", "dizer também o que corre bem"),
    "help.demo": (
        "a round on three simulated boards, with its live page; the records are compared with what was played",
        "uma ronda em três tabuleiros simulados, com a página em direto; os registos são comparados com o que se jogou",
    ),
    "help.demo.folder": (
        "where the files go (default: a new folder in demo-games)",
        "onde ficam os ficheiros (por omissão: uma pasta nova em demo-games)",
    ),
    "help.demo.speed": (
        "how many times as fast as time, up to 20 (default: 1 on a terminal, else {default})",
        "quantas vezes mais depressa do que o tempo, até 20 (por omissão: 1 num terminal, senão {default})",
    ),
    "help.demo.no_browser": ("open no browser", "não abrir o navegador"),
    "help.demo.once": ("end after the games", "terminar depois das partidas"),
    "help.speed": (
        "how many times as fast as time, up to 20 (default: {default})",
        "quantas vezes mais depressa do que o tempo, até 20 (por omissão: {default})",
    ),
    "help.seed": ("another number, other hands", "outro número, outras mãos"),
    "help.simulate": (
        "a virtual board on a pseudo-terminal or a TCP port that plays games",
        "um tabuleiro virtual num pseudo-terminal ou numa porta TCP que joga partidas",
    ),
    "help.simulate.files": (
        "PDN files, or names of shipped games; without any, a game is invented",
        "ficheiros PDN, ou nomes de partidas incluídas; sem nenhum, inventa-se uma partida",
    ),
    "help.simulate.variant": ("the variant of the games", "a variante das partidas"),
    "help.simulate.level": ("how people play and how well the board reads", "como se joga e quão bem o tabuleiro lê"),
    "help.simulate.fault": ("a fault of the board; may be given again", "uma avaria do tabuleiro; pode repetir-se"),
    "help.simulate.list_faults": ("list the faults and end", "listar as avarias e terminar"),
    "help.simulate.levels": (
        "2: the sensors tell occupied from empty; 5: colour and king too",
        "2: os sensores distinguem ocupado de vazio; 5: também cor e dama",
    ),
    "help.simulate.corner": ("the corner of the connector", "o canto do conector"),
    "help.simulate.port": ("where the port is to appear", "onde a porta deve aparecer"),
    "help.simulate.tcp": (
        "a TCP port on loopback instead (0: a free one)",
        "uma porta TCP local em vez disso (0: livre)",
    ),
    "help.simulate.uid": ("the board's identity", "a identidade do tabuleiro"),
    "help.simulate.speaks": (
        "a board of another maker instead: dgt, dgt-bus or peripheral",
        "em vez disso um tabuleiro de outro fabricante: dgt, dgt-bus ou peripheral",
    ),
    "help.simulate.clock": (
        "with --speaks dgt: a clock beside it that keeps this time, as 300+2",
        "com --speaks dgt: um relógio ao lado que conta este tempo, como 300+2",
    ),
    "help.simulate.pieces": (
        "with --speaks dgt or dgt-bus: the set of its pieces, as chess",
        "com --speaks dgt ou dgt-bus: o jogo de peças, como chess",
    ),
    "help.simulate.bluetooth": (
        "with --speaks dgt: it is joined by Bluetooth, at half the speed",
        "com --speaks dgt: está ligado por Bluetooth, a metade da velocidade",
    ),
    "simulate.no_such_board": (
        "--speaks {speaks}: there are no such boards for {variant}, which is played on {size} x {size}",
        "--speaks {speaks}: não há tabuleiros desses para {variant}, que se joga em {size} x {size}",
    ),
    "simulate.no_extra": (
        "{option} is of use with --speaks {speaks} only",
        "{option} só serve com --speaks {speaks}",
    ),
    "help.simulate.stay": ("stay after the last game", "ficar depois da última partida"),
    "fault.bounce": (
        "A contact opens and closes a few times when a piece is put down or lifted.",
        "Um contacto abre e fecha algumas vezes quando se pousa ou levanta uma peça.",
    ),
    "fault.dropout": (
        "Now and then a square with a piece on it reads empty for a moment.",
        "De vez em quando uma casa com peça lê-se vazia por um momento.",
    ),
    "fault.ghost": (
        "Now and then an empty square reads occupied for a moment.",
        "De vez em quando uma casa vazia lê-se ocupada por um momento.",
    ),
    "fault.stuck": (
        "One square always reads the same, whatever stands on it.",
        "Uma casa lê-se sempre da mesma forma, esteja lá o que estiver.",
    ),
    "fault.weak-square": (
        "One square reads a piece that was put down only after some seconds, and sometimes not at all.",
        "Uma casa só lê a peça pousada passados alguns segundos, e às vezes nunca.",
    ),
    "fault.no-diodes": (
        "The board has no diodes: where three corners of a rectangle are occupied, the fourth reads so too.",
        "O tabuleiro não tem díodos: com três cantos de um retângulo ocupados, o quarto lê-se ocupado também.",
    ),
    "fault.late-frames": (
        "Frames arrive late, by up to a second, in their order.",
        "As mensagens chegam atrasadas, até um segundo, pela sua ordem.",
    ),
    "fault.lost-bytes": (
        "Some bytes that the board sends never arrive.",
        "Alguns bytes que o tabuleiro envia nunca chegam.",
    ),
    "fault.reset": (
        "Now and then the board starts again, as after a dip of its supply.",
        "De vez em quando o tabuleiro recomeça, como depois de uma quebra de tensão.",
    ),
    "fault.unplugged": (
        "Now and then the cable is pulled out, and put in again some seconds later.",
        "De vez em quando o cabo sai, e volta alguns segundos depois.",
    ),
    "simulate.kinds": (
        "these games need boards of different kinds; play them in several runs",
        "estas partidas precisam de tabuleiros diferentes; jogue-as em várias vezes",
    ),
    "simulate.game": ("game {number} of {games}: {variant}", "partida {number} de {games}: {variant}"),
    "simulate.link_taken": (
        "{port}: is there already and not a port that a simulated board left behind; remove it, or name another",
        "{port}: já existe e não é uma porta deixada por um tabuleiro simulado; remova-o, ou indique outra",
    ),
    "simulate.link_refused": (
        "{port}: cannot be made there ({reason}); name another place",
        "{port}: não pode ser criada aí ({reason}); indique outro lugar",
    ),
    "speed": (
        "{text!r} is no speed; give a number above 0, up to 20",
        "{text!r} não é uma velocidade; dê um número acima de 0, até 20",
    ),
    "run.on": (
        "{boards} board(s) of {meeting} are followed; the broker is {broker}. Ctrl-C ends.",
        "{boards} tabuleiro(s) de {meeting} a ser seguidos; o broker é {broker}. Ctrl-C termina.",
    ),
    "run.off": ("ended; everything is in {journal}", "terminado; está tudo em {journal}"),
    "demo.begins": (
        "{tables} simulated boards play at {speed} times the pace of time ...",
        "{tables} tabuleiros simulados jogam a {speed} vezes a velocidade do tempo ...",
    ),
    "demo.folder": (
        "a demonstration was played in {folder} before; name another folder",
        "já se jogou uma demonstração em {folder}; indique outra pasta",
    ),
    "demo.look": (
        "Look at it:            {url}\nThe console behind it: {url}console/",
        "Veja aqui:            {url}\nA consola por detrás: {url}console/",
    ),
    "demo.login.arbiter": (
        "    as the arbiter:    name {role}, password {password}",
        "    como árbitro:     nome {role}, palavra-passe {password}",
    ),
    "demo.login.organiser": (
        "    as the organiser:  name {role}, password {password}",
        "    como organizador: nome {role}, palavra-passe {password}",
    ),
    "demo.watch": (
        "Watch for a touched piece at table 1, a missed capture at table 2, a pulled cable at table 3.",
        "Repare numa peça tocada na mesa 1, numa captura omitida na mesa 2, num cabo desligado na mesa 3.",
    ),
    "demo.stays": (
        "The pages stay at {url} until Ctrl-C.",
        "As páginas ficam em {url} até Ctrl-C.",
    ),
    "demo.link.up": ("connected", "ligado"),
    "demo.link.down": ("NO LINK", "SEM LIGAÇÃO"),
    "demo.link.unknown": ("...", "..."),
    "demo.alert": ("{board}  alert {alert}", "{board}  alerta {alert}"),
    "demo.settled": ("{board}  settled {alert}", "{board}  resolvido {alert}"),
    "demo.revised": ("{board}  revised: ... {moves}", "{board}  corrigido: ... {moves}"),
    "demo.no_moves": ("no moves", "sem lances"),
    "demo.outcome": (
        "{board}: {title}: {plies} plies, {verdict}",
        "{board}: {title}: {plies} lances, {verdict}",
    ),
    "demo.equal": ("recorded as played", "registados como jogados"),
    "demo.differs": ("RECORDED OTHERWISE after {right}", "REGISTADOS DE OUTRO MODO depois de {right}"),
    "demo.summary": (
        "{games} games, {plies} plies; {equal} games recorded as played",
        "{games} partidas, {plies} lances; {equal} partidas registadas como jogadas",
    ),
    "demo.files": ("games: {folder}; journal: {journal}", "partidas: {folder}; diário: {journal}"),
    "help.pdn": ("look at PDN game files", "examinar ficheiros de partidas PDN"),
    "help.pdn.check": ("replay every game of the files", "reproduzir todas as partidas dos ficheiros"),
    "help.pdn.file": ("a PDN file; - reads standard input", "um ficheiro PDN; - lê a entrada padrão"),
    "help.pdn.variant": (
        "the variant of all games (default: what the file says, else what replays)",
        "a variante de todas as partidas (por omissão: a que o ficheiro indica, senão a que se deixa reproduzir)",
    ),
    "help.pdn.json": ("one JSON object a game", "um objeto JSON por partida"),
    "help.pdn.convert": (
        "write the games anew as PDN 3.0; what cannot be read is told and left out",
        "escrever as partidas de novo em PDN 3.0; o que não se consegue ler é indicado e fica de fora",
    ),
    "help.pdn.output": ("where to; - is standard output", "para onde; - é a saída padrão"),
    "help.pdn.show": ("print a game, or a position of it", "mostrar uma partida, ou uma posição dela"),
    "help.pdn.game": ("which game of the file (default: 1)", "que partida do ficheiro (por omissão: 1)"),
    "help.pdn.ply": (
        "the board after N moves of either side instead; 0: the start",
        "em vez disso o tabuleiro depois de N lances de qualquer lado; 0: o início",
    ),
    "help.pdn.svg": (
        "draw the board as SVG (without --ply: at the end)",
        "desenhar o tabuleiro em SVG (sem --ply: no fim)",
    ),
    "pdn.cut": (
        "{file}: game {index}: left out after {plies} plies: line {line}, column {column}: {reason}",
        "{file}: partida {index}: fica de fora depois de {plies} lances: linha {line}, coluna {column}: {reason}",
    ),
    "pdn.left_out": (
        "{file}: game {index}: left out: line {line}, column {column}: {reason}",
        "{file}: partida {index}: fica de fora: linha {line}, coluna {column}: {reason}",
    ),
    "pdn.lost": ("{file}: game {index}: not kept: {lost}", "{file}: partida {index}: não fica: {lost}"),
    "pdn.lost.result": (
        "the Result tag, {said} (the moves end with {ended}: both say {written} now)",
        "a etiqueta Result, {said} (os lances acabam com {ended}: ambos dizem agora {written})",
    ),
    "pdn.lost.variations": ("variations: {count}", "variantes: {count}"),
    "pdn.lost.marks": ("marks like $1 or !?: {count}", "sinais como $1 ou !?: {count}"),
    "pdn.lost.tags": ("tags given again: {count}", "etiquetas repetidas: {count}"),
    "pdn.lost.words": ("words that are no part of PDN: {count}", "palavras que não são PDN: {count}"),
    "pdn.lost.regulation": (
        "the Regulation tag, {regulation} (read by other rules)",
        "a etiqueta Regulation, {regulation} (lido por outras regras)",
    ),
    "pdn.written": ("{file}: {games} games written", "{file}: {games} partidas escritas"),
    "pdn.same_file": (
        "{file}: would be overwritten while it is read; give another file after -o",
        "{file}: seria escrito enquanto é lido; dê outro ficheiro depois de -o",
    ),
    "pdn.no_game": (
        "{file}: there is no game {index}; the file has {games}",
        "{file}: não há partida {index}; o ficheiro tem {games}",
    ),
    "pdn.no_ply": (
        "{file}: game {index}: there is no ply {ply}; give 0 to {plies}",
        "{file}: partida {index}: não há lance {ply}; dê 0 a {plies}",
    ),
    "pdn.after": ("ply {ply} of {plies}: {move}", "lance {ply} de {plies}: {move}"),
    "pdn.position": ("ply {ply} of {plies}", "lance {ply} de {plies}"),
    "pdn.good": (
        "{file}: game {index}: {variant}, {plies} plies",
        "{file}: partida {index}: {variant}, {plies} lances",
    ),
    "pdn.bad": (
        "{file}: game {index}: {variant}, {plies} plies, then line {line}, column {column}: {reason}",
        "{file}: partida {index}: {variant}, {plies} lances, depois linha {line}, coluna {column}: {reason}",
    ),
    "pdn.no_games": ("there is no game in this file", "não há partidas neste ficheiro"),
    "pdn.some_bad": (
        "{bad} of {all} games could not be replayed to their end; the first: {first}",
        "{bad} de {all} partidas não puderam ser reproduzidas até ao fim; a primeira: {first}",
    ),
    "help.regulation": ("look at regulations", "examinar regulamentos"),
    "help.regulation.check": (
        "say whether regulation files can be used",
        "dizer se ficheiros de regulamento podem ser usados",
    ),
    "help.regulation.file": ("a regulation, TOML", "um regulamento, TOML"),
    "help.regulation.list": ("list the shipped regulations", "listar os regulamentos incluídos"),
    "help.regulation.show": (
        "print the file of a shipped regulation",
        "mostrar o ficheiro de um regulamento incluído",
    ),
    "help.regulation.name": ("name of a shipped regulation", "nome de um regulamento incluído"),
    "regulation.good": (
        "{file}: ok: {title}; variant {variant}, {laws} draw laws",
        "{file}: bom: {title}; variante {variant}, {laws} leis de empate",
    ),
    "help.draw": (
        "draw the colours and the openings of a match",
        "sortear as cores e as aberturas de um encontro entre dois jogadores",
    ),
    "help.draw.players": ("the names of the two players", "os nomes dos dois jogadores"),
    "help.draw.public": (
        "their names for the public, which may be initials",
        "os seus nomes para o público, que podem ser iniciais",
    ),
    "help.draw.under_age": (
        "they are minors: without a name for the public they have their initials there (a school's rules may say so)",
        "são menores: sem nome para o público têm lá as iniciais (as regras de uma escola podem dizê-lo)",
    ),
    "help.draw.games": ("how many games, an even number", "quantas partidas, um número par"),
    "help.draw.seed": (
        "the number that decides; the same number draws the same (default: a new one)",
        "o número que decide; o mesmo número sorteia o mesmo (por omissão: um novo)",
    ),
    "help.draw.openings": (
        "a table of openings to draw from, JSON: names and FENs",
        "uma tabela de aberturas a sortear, JSON: nomes e FEN",
    ),
    "help.draw.white": (
        "who has White in the first game, where that may be agreed on",
        "quem tem as brancas na primeira partida, onde isso se pode combinar",
    ),
    "help.draw.by": ("who draws", "quem sorteia"),
    "help.draw.keep": ("add the draw to this file", "acrescentar o sorteio a este ficheiro"),
    "help.draw.again": (
        "why the same players are drawn again",
        "porque se repete o sorteio dos mesmos jogadores",
    ),
    "draw.count": (
        "{count} games are no match here; give a multiple of {games}",
        "{count} partidas não fazem aqui um encontro; dê um múltiplo de {games}",
    ),
    "draw.many": ("{count} games are too many; at most {most}", "{count} partidas são demasiadas; no máximo {most}"),
    "draw.seed": (
        "{seed} is no seed; give a whole number, 0 or more",
        "{seed} não é uma semente; dê um inteiro, 0 ou mais",
    ),
    "draw.empty": ("{option} needs words that are not blank", "{option} precisa de palavras que não sejam espaços"),
    "draw.same": ("{name!r} cannot play against {name!r}", "{name!r} não pode jogar contra {name!r}"),
    "draw.free": (
        "openings are free under {regulation} ({article}); leave --openings out",
        "as aberturas são livres em {regulation} ({article}); retire --openings",
    ),
    "draw.lot": (
        "the colours are drawn under {regulation} ({article}); leave --white out",
        "as cores são sorteadas em {regulation} ({article}); retire --white",
    ),
    "draw.nobody": ("{name!r} does not play; playing are {names}", "{name!r} não joga; jogam {names}"),
    "draw.table": (
        "{file}: is no table of openings; it must be a JSON object of names and FENs, or a line for each opening",
        "{file}: não é uma tabela de aberturas; tem de ser um objeto JSON de nomes e FEN, ou uma linha por abertura",
    ),
    "draw.kept": (
        "{file}: line {line} is no draw; give another file",
        "{file}: a linha {line} não é um sorteio; dê outro ficheiro",
    ),
    "draw.drawn": (
        "{file}: line {line} is the draw of these players; say with --again why it is repeated",
        "{file}: a linha {line} é o sorteio destes jogadores; diga com --again porque se repete",
    ),
    "help.journal": ("a journal, which may be in use", "um diário, que pode estar a ser usado"),
    "help.config": (
        "a configuration, whose journal is read",
        "uma configuração, cujo diário é lido",
    ),
    "help.evidence": (
        "show an alert's evidence: an account of what happened, and that part of the recording",
        "mostrar as provas de um alerta: um relato do que aconteceu e essa parte da gravação",
    ),
    "help.evidence.alert": (
        "the id of an alert; where there is one game, a3 is enough",
        "o id de um alerta; onde só há uma partida, basta a3",
    ),
    "help.evidence.file": (
        "a recording; - reads standard input",
        "uma gravação; - lê a entrada padrão",
    ),
    "help.evidence.out": (
        "write ALERT.jsonl (the recording) and ALERT.txt (the account) into this folder",
        "escrever ALERT.jsonl (a gravação) e ALERT.txt (o relato) nesta pasta",
    ),
    "help.evidence.recording": (
        "print the recording instead, which replay accepts",
        "mostrar em vez disso a gravação, que replay aceita",
    ),
    "evidence.source": (
        "give one of RECORDING, --journal FILE, --config CONFIG.toml",
        "dê um de RECORDING, --journal FILE, --config CONFIG.toml",
    ),
    "evidence.none": (
        "there is no alert {alert!r}; no alert was raised there",
        "não há alerta {alert!r}; não foi levantado nenhum",
    ),
    "evidence.unknown": (
        "there is no alert {alert!r}; there are for instance {near}",
        "não há alerta {alert!r}; há por exemplo {near}",
    ),
    "help.register": (
        "list a meeting's alerts, recurrences and decisions by player and round",
        "listar os alertas, reincidências e decisões de um torneio por jogador e ronda",
    ),
    "help.register.round": ("only this round", "só esta ronda"),
    "help.register.player": ("only this player", "só este jogador"),
    "help.register.notes": (
        "also alerts that are mere notes, refused commands, and routine ones (pause, adjust, ...)",
        "também os alertas que são simples notas, os comandos recusados e os de rotina (pause, adjust, ...)",
    ),
    "help.register.json": ("one JSON object a line", "um objeto JSON por linha"),
    "register.source": (
        "give one of --journal FILE, --config CONFIG.toml",
        "dê um de --journal FILE, --config CONFIG.toml",
    ),
    "register.empty": ("nothing is registered", "não há nada registado"),
    "register.no_round": (
        "no game is of a round {asked!r}",
        "não há partidas de uma ronda {asked!r}",
    ),
    "register.no_player": (
        "no player {asked!r} is in these games",
        "não há um jogador {asked!r} nestas partidas",
    ),
    "register.near": ("; there is for instance: {near}", "; há por exemplo: {near}"),
    "register.nobody": ("Nobody's", "De ninguém"),
    "register.unnamed": ("{side} of {game}", "{side} de {game}"),
    "register.open": ("open", "em aberto"),
    "register.others": ("Other decisions", "Outras decisões"),
    "register.again": (" (occurrence {occurrence} of this player)", " ({occurrence}.ª ocorrência deste jogador)"),
    "at": ("at {at} s: {message}", "aos {at} s: {message}"),
    "stdin": ("standard input", "entrada padrão"),
    "line": ("line {line}: {message}", "linha {line}: {message}"),
    "depth": ("{text!r} is no depth; give a whole number, 0 or more", "{text!r} não é uma profundidade; dê um inteiro"),
    "no_regulation": (
        "there is no regulation {name!r}{nearest}; shipped are: {names}",
        "não existe o regulamento {name!r}{nearest}; incluídos: {names}",
    ),
    "nearest": (" (did you mean {name!r}?)", " (queria dizer {name!r}?)"),
    "not_utf8": ("{file}: byte {byte} is not UTF-8 text", "{file}: o byte {byte} não é texto UTF-8"),
    "errno.2": ("no such file", "o ficheiro não existe"),
    "errno.13": ("permission denied", "sem permissão"),
    "errno.17": ("is there already", "já existe"),
    "errno.20": ("is no directory, one is needed", "não é uma pasta, é preciso uma"),
    "errno.21": ("is a directory, a file is needed", "é uma pasta, é preciso um ficheiro"),
    "errno.28": ("no space is left there", "já não há espaço"),
    "errno.30": ("can only be read there", "ali só se pode ler"),
}

_ERRORS: dict[str, str] = {
    **restore_words.ERRORS,
    **watching_words.ERRORS,
    "port_missing": "{port}: a porta não existe; o tabuleiro está ligado?",
    "port_in_use": "{port}: a porta está a ser usada por outro programa",
    "port_denied": "{port}: sem permissão para abrir a porta; no Linux o utilizador tem de estar no grupo dialout",
    "port_failed": "{port}: não é uma porta série que se possa usar ({reason})",
    "port_foreign": "{port}: está ali ligado um tabuleiro de outro tipo; é de outra mesa, ou o nome dele o diz",
    "port_lost": "{port}: a ligação caiu; o cabo ainda está ligado?",
    "no_board": "{port}: nenhum tabuleiro responde nesta porta (perguntou-se durante {seconds:g} s)",
    "no_snapshot": "{port}: o tabuleiro responde, mas não disse em {seconds:g} s o que está sobre ele",
    "silent": "{port}: o tabuleiro não diz nada há {seconds:g} s",
    "version_refused": "{port}: o tabuleiro fala o protocolo {theirs} (firmware {firmware}), este programa o {ours}; "
    "instale o firmware que pertence a este programa",
    "variant_refused": "{port}: o tabuleiro não joga {variant}; escreva em variant, em [board.adapter], o nome que ele"
    " dá ao que se joga",
    "board_missing": "nenhuma porta tem o tabuleiro {uid}; está ligado? (damas-board boards mostra os que há)",
    "flooding": "{port}: o tabuleiro diz mais do que se consegue ler ({inputs} entradas à espera)",
    "wrong_board": "{port}: o tabuleiro é {found}, mas espera-se {expected}",
    "wrong_geometry": "{port}: o tabuleiro tem {found}, mas esperam-se {expected}",
    "odd_rows": "{port}: o que o seu adaptador diz não é a imagem de um tabuleiro de {size} x {size} casas: {rows}",
    "wrong_fields": "{port}: o tabuleiro tem {found} casas, mas o regulamento da mesa joga-se em {expected}; dê à mesa"
    " o regulamento do tabuleiro, ou outra porta",
    "no_dgt_board": "{port}: nenhum tabuleiro DGT responde nesta porta (perguntou-se durante {seconds:g} s); está"
    " ligado, e é esta a sua porta? (damas-board boards mostra as portas)",
    "no_bus_board": "{port}: o tabuleiro {address} não responde nesta linha; está ligado, e é esse o número de série na"
    " sua caixa?",
    "bus_conflict": "{port}: outra mesa já tem o tabuleiro {address}, ou outro timeout, poll ou lower_lines, com outro"
    " nome desta porta; escreva a mesma porta em todas as mesas de uma linha",
    "not_dgt": "{port}: o que vem desta porta não é o que um tabuleiro DGT diz ({bytes} bytes sem sentido); está ali"
    " outro aparelho, ou um com outra velocidade?",
    "wrong_senses": '{port}: a configuração diz senses = "{senses}", mas o tabuleiro distingue {levels} níveis,'
    ' ou seja, só ocupado de vazio; escreva senses = "occupancy"',
    "journal_place": "diário {path}: não pode ser criado ({reason}); escolha um lugar onde se possa escrever",
    "journal_in_use": "diário {path}: está a ser usado por outro programa; feche-o, ou escolha outro ficheiro",
    "journal_unreadable": "diário {path}: não é um diário, ou está danificado ({reason}); ponha-o de lado e comece um"
    " novo",
    "journal_read_only": "diário {path}: não se pode escrever ({reason}); escolha um lugar onde se possa escrever",
    "journal_failed": "diário {path}: não pode ser usado ({reason})",
    "journal_foreign": "diário {path}: é uma base de dados de outro programa; escolha outro ficheiro",
    "journal_format": "diário {path}: tem o formato {found}, este programa escreve o {ours}; use o programa que o fez",
    "journal_damaged": "diário {path}: está danificado ({damage}); damas-board run põe-no de lado e reconstrói-o até"
    " onde se consegue ler",
    "no_game": "diário {path}: não há partida {game!r}; as mais recentes são: {known}",
    "journal_closed": "diário {path}: está fechado",
    "pdn_folder": "as partidas não podem ser escritas em {path} ({reason}); escolha um lugar onde se possa escrever",
    "metrics_place": "os números não podem ser servidos em {host}:{port} ({reason}); escolha outro endereço ou porta",
    "broker_login": "o broker {broker} recusa a entrada de {login} ({reason}); verifique o nome e a palavra-passe",
    "broker_away": "o broker {broker} não responde ({reason}); está a funcionar? o endereço e a porta estão certos?",
    "gateway_twice": "broker {broker}: outro gateway está ligado como {login}; pare-o, ou dê a este um nome próprio"
    " (gateway = ...)",
    "port_taken": "o broker embutido não pode escutar em {host}:{port}, a porta está a ser usada por outro programa;"
    " feche esse programa, ou escolha outra porta",
    "cannot_listen": "o broker embutido não pode escutar em {host}:{port} ({reason}); escolha outro endereço ou porta",
}
"""The Portuguese of the texts of errors that have keys."""

ERROR_TEXTS: Mapping[str, str] = {**sources.TEXTS, **sinks.TEXTS, **broker.TEXTS}
"""Their English."""

_RECORDING: dict[str, str] = {
    "empty": "a gravação está vazia; a primeira linha tem de ser o cabeçalho",
    "no_json": "não é JSON ({error}); uma gravação tem um objeto JSON por linha",
    "no_object": "não é um objeto JSON; uma gravação tem um objeto JSON por linha",
    "no_header": 'a primeira linha não é um cabeçalho: não tem "recording": 1',
    "other_format": "o formato de gravação {found!r} não é conhecido; este programa lê o {ours}",
    "header_needs": "o cabeçalho precisa de {key!r}, um texto",
    "goes_back": "o tempo anda para trás, de {last:g} para {at:g}",
    "no_time": 'uma entrada precisa de "at", um número de segundos',
    "no_input": "não é uma entrada conhecida; espera-se uma de {known}",
    "no_input_near": "não é uma entrada conhecida; queria dizer {near!r}?",
}
"""The Portuguese of what is wrong with a recording most often; the rest is said in English."""

_WORDS |= {f"recording.{key}": (RECORDING_TEXTS[key], portuguese) for key, portuguese in _RECORDING.items()}
_WORDS |= {f"error.{key}": (ERROR_TEXTS[key], portuguese) for key, portuguese in _ERRORS.items()}
_BRAZIL: dict[str, str] = {}
for _area in (
    account_words,
    archive_words,
    boards_words,
    calibrate_words,
    camera_words,
    check_board_words,
    dgt_words,
    flash_words,
    preflight_words,
    restore_words,
    hub_words,
    round_words,
    service_words,
    sniff_words,
    tell_words,
    watching_words,
):
    _WORDS |= _area.WORDS
for _area in (account_words, camera_words, hub_words, round_words, watching_words):
    _BRAZIL |= _area.BRAZIL


LOG_LINES: Mapping[str, str] = {
    **restore_words.LOG_LINES,
    **watching_words.LOG_LINES,
    "%s: alert %s": "%s: alerta %s",
    "broker %s: %s; the outbox waits on disk": "broker %s: %s; o que há para enviar espera no disco",
    "broker %s: cannot be reached (%s); play goes on without it": "broker %s: não responde (%s); joga-se sem ele",
    "broker %s: connected as %s": "broker %s: ligado como %s",
    "broker %s: another gateway is there as %s; stop one, or give it a name of its own": (
        "broker %s: há outro gateway ligado como %s; pare um deles, ou dê-lhe um nome próprio"
    ),
    "%s %s is not encrypted: every machine on the way can read passwords and give commands": (
        "%s %s não é cifrado: qualquer máquina no caminho pode ler as palavras-passe e dar comandos"
    ),
    "journal %s: cannot be written (%s); play goes on, free the disk": "diário %s: não se pode escrever (%s); o jogo "
    "continua, liberte espaço no disco",
    "journal %s: can be written again": "diário %s: já se pode escrever outra vez",
    "game %s is not written as PDN: %s": "a partida %s não foi escrita em PDN: %s",
    "game %s is written as PDN after all": "a partida %s foi afinal escrita em PDN",
    "board not back yet: %s": "o tabuleiro ainda não voltou: %s",
    **boards_words.LOG_LINES,
}
"""The Portuguese of entries of the log that whoever sits at the boards meets, by their English."""


def log_line(text: str) -> str:
    """The text of an entry of the log in the person's language, where it is known."""
    return LOG_LINES.get(text, text) if language() == "pt" else text


def language(environment: Mapping[str, str] | None = None) -> Language:
    """The person's language: DAMAS_LANG, else what the system says, else English.

    LANGUAGE is a list, of which the first language that there is here counts; a plain C locale makes it void.
    """
    known = os.environ if environment is None else environment
    locale = next((known[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if known.get(name)), "")
    wanted = [] if locale in ("C", "POSIX") else known.get("LANGUAGE", "").split(":")
    for text in (known.get("DAMAS_LANG", ""), *wanted):
        for spoken in LANGUAGES:
            if text.lower().startswith(spoken):
                return spoken
    return "pt" if locale.lower().startswith("pt") and not known.get("DAMAS_LANG") else "en"


def known(key: str) -> bool:
    return key in _WORDS


def word(key: str, words: Words | None = None, /, **values: object) -> str:
    """The text for `key` in the person's language, with `values` filled in.

    `words` says which Portuguese, as a regulation does (`Regulation.words`); Portugal's where it says nothing.
    """
    english, portuguese = _WORDS[key]
    if words == "pt-BR":
        portuguese = _BRAZIL.get(key, portuguese)
    text = portuguese if language() == "pt" else english
    return text.format(**values) if values else text

"""What a person sees of installing the services of a machine, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.service": (
        "let this machine run a configuration by itself, as services of systemd",
        "fazer com que esta máquina execute sozinha uma configuração, como serviços do systemd",
    ),
    "help.service.install": (
        "write the unit, the rule for serial ports and, where the broker is here, Mosquitto's files",
        "escrever a unidade, a regra das portas série e, se o broker está aqui, os ficheiros do Mosquitto",
    ),
    "help.service.uninstall": (
        "remove the files that install wrote; games and journals stay",
        "remover os ficheiros que install escreveu; as partidas e os diários ficam",
    ),
    "help.service.hub": (
        "for damas-board hub instead of damas-board run",
        "para damas-board hub em vez de damas-board run",
    ),
    "help.service.output": (
        "a folder in place of the root of the file system; needs no root",
        "uma pasta em vez da raiz do sistema de ficheiros; não precisa de root",
    ),
    "help.service.dry_run": (
        "print the files instead of writing them; those with secrets are only named",
        "mostrar os ficheiros em vez de os escrever; os que têm segredos são só indicados",
    ),
    "help.service.user": (
        "the system user that the service runs as (default: %(default)s, made for it)",
        "o utilizador do sistema com que o serviço corre (por omissão: %(default)s, criado para isso)",
    ),
    "help.service.mosquitto": (
        "whether Mosquitto on this machine is the broker (default: if [broker] host is this machine)",
        "se o Mosquitto desta máquina é o broker (por omissão: se [broker] host é esta máquina)",
    ),
    "mosquitto.bridge": (
        "{file}: a second Mosquitto, the bridge; start it as well: mosquitto -c {file}",
        "{file}: um segundo Mosquitto, a ponte; inicie-o também: mosquitto -c {file}",
    ),
    "service.secret": ("# (holds secrets: not shown)", "# (contém segredos: não se mostra)"),
    "service.same_name": (
        "{one} and {other} have the same name, under which the service would get both; rename one",
        "{one} e {other} têm o mesmo nome, com que o serviço receberia ambos; mude o nome a um",
    ),
    "service.not_root": (
        "only root can write into /etc: use sudo, or name a folder with --output",
        "só root pode escrever em /etc: use sudo, ou indique uma pasta com --output",
    ),
    "service.no_owner": (
        "this machine has no user {user}; install Mosquitto first: apt install mosquitto",
        "esta máquina não tem o utilizador {user}; instale primeiro o Mosquitto: apt install mosquitto",
    ),
    "service.hidden_program": (
        "{path}: a service sees neither homes nor /tmp; install the program elsewhere, for instance in /opt",
        "{path}: um serviço não vê pastas pessoais nem /tmp; instale o programa noutro lugar, por exemplo em /opt",
    ),
    "service.hidden_config": (
        "{path}: a service sees neither homes nor /tmp; put the configuration elsewhere, for instance in"
        " /etc/damas-board",
        "{path}: um serviço não vê pastas pessoais nem /tmp; ponha a configuração noutro lugar, por exemplo em"
        " /etc/damas-board",
    ),
    "service.hidden_file": (
        "{path}: a service sees neither homes nor /tmp; put it beside the configuration",
        "{path}: um serviço não vê pastas pessoais nem /tmp; ponha-o junto da configuração",
    ),
    "service.read_only": (
        '{key}: a service cannot write {path}; write {key} = "{example}"',
        '{key}: um serviço não pode escrever {path}; escreva {key} = "{example}"',
    ),
    "service.environment": (
        "{key}: a service does not have your environment; use password_file, and for a database a login that needs no"
        " password",
        "{key}: um serviço não tem o seu ambiente; use password_file, e numa base de dados um utilizador que não"
        " precise de palavra-passe",
    ),
    "service.no_hub": ("{file}: there is no [hub]", "{file}: não há [hub]"),
    "service.no_boards": (
        "{file}: there is no [[board]]; for a hub alone, give --hub",
        "{file}: não há nenhum [[board]]; para um hub sozinho, dê --hub",
    ),
    "service.would_fail": (
        "it will not work yet: {problem}",
        "ainda não vai funcionar: {problem}",
    ),
    "service.next": ("What comes next, as root:", "O que se segue, como root:"),
}

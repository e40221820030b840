"""What a person sees of the hub: archive, publication, feeds, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

from damas_board.hub.errors import TEXTS

_ERRORS: Mapping[str, str] = {
    "public_store": "publicação {path}: não pode ser usada ({reason}); escolha um lugar onde se possa escrever",
    "public_store_in_use": "publicação {path}: está a ser usada por outro hub ({reason}); só um pode publicar",
    "public_store_format": "publicação {path}: tem o formato {found}, este programa escreve o {ours}; use o programa"
    " que a fez",
    "hub_login": "o broker recusa a entrada do hub {user} ({reason}); verifique o nome e a palavra-passe",
    "hub_broker_away": "o broker não responde ao hub {user}; está a funcionar? o endereço e a porta estão certos?",
    "hub_port_taken": "o hub não pode escutar em {host}:{port}, a porta está a ser usada por outro programa; feche esse"
    " programa, ou escolha outra porta",
    "hub_cannot_listen": "o hub não pode escutar em {host}:{port} ({reason}); escolha outro endereço ou porta",
}

WORDS: Mapping[str, tuple[str, str]] = {
    "help.hub": (
        "archive a meeting, and serve what of it is public: feeds, games, standings",
        "arquivar um torneio e servir o que dele é público: transmissões, partidas, classificação",
    ),
    "hub.on": (
        "the hub of {meeting} archives; the broker is {broker}.{pages} Ctrl-C ends.",
        "o hub de {meeting} está a arquivar; o broker é {broker}.{pages} Ctrl-C termina.",
    ),
    "hub.pages": (" What is public is at {url}.", " O que é público está em {url}."),
    "hub.off": (
        "the hub has ended; everything that it heard is archived",
        "o hub terminou; tudo o que ouviu está arquivado",
    ),
    "hub.none": ("{file}: there is no [hub]", "{file}: não há [hub]"),
    "hub.embedded": (
        "{file}: the broker is embedded, so damas-board run starts the hub; for a hub of its own write"
        ' [broker] kind = "server", and a [[user]] for it',
        "{file}: o broker está embutido, por isso é damas-board run que inicia o hub; para um hub à parte escreva"
        ' [broker] kind = "server", e um [[user]] para ele',
    ),
    **{f"error.{key}": (TEXTS[key], portuguese) for key, portuguese in _ERRORS.items()},
}
BRAZIL: Mapping[str, str] = {
    "error.hub_login": "o broker recusa a entrada do hub {user} ({reason}); verifique o nome e a senha",
}
"""Where Brazil says it otherwise."""

"""What other machines can reach must be encrypted, unless the file says in so many words that it need not be."""

from __future__ import annotations

import logging
from ipaddress import IPv6Address, ip_address

_log = logging.getLogger(__name__)


def on_this_machine(host: str) -> bool:
    """Whether only programs of this machine can be at `host`, or reach what listens there.

    A name other than `localhost` is not looked up: what it means may be another machine tomorrow.
    """
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback


def exposed(where: str, host: str, *, encrypted: bool, plain_text: bool, remedy: str) -> str | None:
    """Why what listens or is spoken to at `host` is refused; None where it is encrypted, or stays on this machine.

    `where` names it as the file does (`[broker] listen`), `remedy` says what would encrypt it. With `plain_text` it is
    not refused either, but said in the log each time.
    """
    if encrypted or on_this_machine(host):
        return None
    if plain_text:
        _log.warning(
            "%s %s is not encrypted: every machine on the way can read passwords and give commands", where, host
        )
        return None
    return (
        f'"{host}" is beyond this machine, and without encryption passwords and commands travel in clear; {remedy},'
        " or write plain_text = true if you trust every machine on that network"
    )

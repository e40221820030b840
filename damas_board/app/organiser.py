"""The organiser's desk of the command line: one login of the configuration, at its broker."""

from __future__ import annotations

import aiomqtt

from damas_board.broker.client import Address, client
from damas_board.hub import desk
from damas_board.sinks.errors import BrokerError

_LOGIN_REFUSED = (4, 5, 134, 135)


class Desk(desk.Desk):
    """`async with Desk(...) as desk:` connected; BrokerError where that is not possible."""

    def __init__(self, address: Address, meeting: str, round_: str | None = None) -> None:
        """`round_`: once it is known, other rounds are not waited for."""
        super().__init__(lambda: client(address), address.user, meeting, round_)
        self._address = address

    def broken(self, error: aiomqtt.MqttError) -> BrokerError:
        broker = f"{self._address.host}:{self._address.port}"
        code = getattr(error, "rc", None)
        if getattr(code, "value", code) in _LOGIN_REFUSED:
            return BrokerError("broker_login", broker=broker, login=self._address.user, reason=str(error))
        return BrokerError("broker_away", broker=broker, reason=str(error))

"""The gateway: where sources, Sessions, the journal and the broker meet. Time and asyncio live here and at the edge."""

from damas_board.app.board import BoardSetup, SessionLike
from damas_board.app.clock import Clock
from damas_board.app.gateway import Gateway, mqtt_relay, new_session
from damas_board.app.regulation import regulation_of

__all__ = ["BoardSetup", "Clock", "Gateway", "SessionLike", "mqtt_relay", "new_session", "regulation_of"]

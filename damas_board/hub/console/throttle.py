"""How often a wrong login is answered: a few times at once, then with growing waits, for a name and for an address.

An attempt counts as wrong from its beginning, so that many at the same time gain nothing, and is taken back where it
was right. Whoever tries a person's name in vain must not keep that person out: from an address where the name has been
right before, only what was wrong from there counts.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable

FREE = 5
"""Wrong logins that are answered at once; each further one is waited for twice as long, up to the longest."""
FREE_OF_ADDRESS = 20
"""The same of one address, which a whole hall may have."""
FIRST_SECONDS = 2.0
LONGEST_SECONDS = 60.0
FORGOTTEN_SECONDS = 3600.0
MOST_REMEMBERED = 2000


class Throttle:
    """`now` is a clock that never goes back, in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """By key: how often, and when last."""
        self._right: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Names and the addresses where they were right."""

    def seconds(self, name: str, address: str) -> float:
        """How long such a login must wait yet; 0 where it may come."""
        return max(self._left(key, free) for key, free in self._keys(name, address))

    def begun(self, name: str, address: str) -> None:
        """Such a login is looked at."""
        for key, _ in self._keys(name, address):
            self._wrong[key] = (self._times(key) + 1, self._now())
            self._wrong.move_to_end(key)
        while len(self._wrong) > MOST_REMEMBERED:
            self._wrong.popitem(last=False)

    def right(self, name: str, address: str) -> None:
        """It was right."""
        for key, _ in self._keys(name, address):
            self._wrong.pop(key, None)
        self._right[name, network(address)] = None
        while len(self._right) > MOST_REMEMBERED:
            self._right.popitem(last=False)

    def _keys(self, name: str, address: str) -> tuple[tuple[str, int], tuple[str, int]]:
        place = network(address)
        of_name = f"name {name} {place}" if (name, place) in self._right else f"name {name}"
        return (of_name, FREE), (f"address {place}", FREE_OF_ADDRESS)

    def _times(self, key: str) -> int:
        times, last = self._wrong.get(key, (0, 0.0))
        return times if self._now() - last < FORGOTTEN_SECONDS else 0

    def _left(self, key: str, free: int) -> float:
        times = self._times(key)
        if times < free:
            return 0.0
        wait = min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** min(times - free, 30))
        return max(0.0, self._wrong[key][1] + wait - self._now())


def network(address: str) -> str:
    """The address as one counts it: of IPv6 its network, all of which one person may have."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped is None:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return str(known)

"""How often a wrong login is answered: a few times at once, then with growing waits, for a name from an address and for
an address.

An attempt counts as wrong from its beginning, so that many at the same time gain nothing, and is taken back where it
was right. Whoever tries a person's name in vain must not keep that person out: what is wrong elsewhere makes nobody
wait, unless it comes so often that it comes from many addresses; and where the name has been right before, only what
was wrong with it there counts, also after a new start of the hub (`changes`, `resume`).
"""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

FREE = 5
"""Wrong logins that are answered at once; each further one is waited for twice as long, up to the longest."""
FREE_OF_ADDRESS = 20
"""The same of one address, which a whole hall may have."""
OF_NAME, NAME_SECONDS = 30, 6.0
"""The same of a name from all addresses where it has not been right: so many at once, then one in so many seconds."""
FIRST_SECONDS = 2.0
LONGEST_SECONDS = 60.0
FORGOTTEN_SECONDS = 3600.0
MOST_REMEMBERED = 2000
KNOWN_SECONDS = 30 * 86400.0
"""Where a name was right last so long ago, it is no longer known to have been."""


class Throttle:
    """`now` is a clock that never goes back, `wall` the time of day; in seconds."""

    def __init__(self, now: Callable[[], float], wall: Callable[[], float] = time.time) -> None:
        self._now = now
        self._wall = wall
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """By key: how often, and when last."""
        self._right: OrderedDict[bytes, float] = OrderedDict()
        """By name and address, hashed: when the name was right there last, by the wall clock."""
        self._changed: set[bytes] = set()
        self._elsewhere: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By name: how many were wrong where it has not been right, as of when; they are forgotten one by one."""

    def seconds(self, name: str, address: str) -> float:
        """How long such a login must wait yet; 0 where it may come."""
        wait = max(self._left(key, free) for key, free in self._keys(name, address))
        if _place(name, address) in self._right:
            return wait
        return max(wait, (self._level(name) - OF_NAME + 1) * NAME_SECONDS)

    def begun(self, name: str, address: str) -> None:
        """Such a login is looked at."""
        for key, _ in self._keys(name, address):
            self._wrong[key] = (self._times(key) + 1, self._now())
            self._wrong.move_to_end(key)
        if _place(name, address) not in self._right:
            self._elsewhere[name] = (self._level(name) + 1, self._now())
            self._elsewhere.move_to_end(name)
        for known in (self._wrong, self._elsewhere):
            while len(known) > MOST_REMEMBERED:
                known.popitem(last=False)

    def right(self, name: str, address: str) -> None:
        """It was right."""
        for key, _ in self._keys(name, address):
            self._wrong.pop(key, None)
        if _place(name, address) not in self._right:
            self._elsewhere[name] = (max(0.0, self._level(name) - 1), self._now())
        self._know(_place(name, address), self._wall())
        self._forget()

    def _know(self, place: bytes, last: float) -> None:
        self._right[place] = last
        self._right.move_to_end(place)
        self._changed.add(place)

    def _forget(self) -> None:
        old = self._wall() - KNOWN_SECONDS
        while self._right and (len(self._right) > MOST_REMEMBERED or next(iter(self._right.values())) <= old):
            self._changed.add(self._right.popitem(last=False)[0])

    def changes(self) -> tuple[tuple[tuple[bytes, float], ...], tuple[bytes, ...]]:
        """The places where names were right, by their hashes and when last, as they are to be kept, and those no more;
        once."""
        changed, self._changed = sorted(self._changed), set()
        known = tuple((place, self._right[place]) for place in changed if place in self._right)
        return known, tuple(place for place in changed if place not in self._right)

    def resume(self, known: Iterable[tuple[bytes, float]]) -> None:
        """Take up what was kept, in the order of the times."""
        for place, last in known:
            self._know(place, last)
        self._forget()

    def _keys(self, name: str, address: str) -> tuple[tuple[str, int], ...]:
        place = network(address)
        of_address = () if _place(name, address) in self._right else ((f"address {place}", FREE_OF_ADDRESS),)
        return (f"name {name} {place}", FREE), *of_address

    def _level(self, name: str) -> float:
        wrong, since = self._elsewhere.get(name, (0.0, 0.0))
        return max(0.0, wrong - (self._now() - since) / NAME_SECONDS)

    def _times(self, key: str) -> int:
        times, last = self._wrong.get(key, (0, 0.0))
        return times if self._now() - last < FORGOTTEN_SECONDS else 0

    def _left(self, key: str, free: int) -> float:
        times = self._times(key)
        if times < free:
            return 0.0
        wait = min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** min(times - free, 30))
        return max(0.0, self._wrong[key][1] + wait - self._now())


def _place(name: str, address: str) -> bytes:
    return hashlib.sha256(f"{network(address)} {name}".encode(errors="surrogatepass")).digest()


def network(address: str) -> str:
    """The address as one counts it: of IPv6 its network, all of which one person may have."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped is None:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return str(known)

"""The files that a browser is given as they are: pages, scripts, styles; read once, from the package.

A page's address is in `PLACES`; everything else is `/assets/{name}`. Scripts are ES modules without a build step, and
nothing in them is made of what a person entered: what the pages show comes as JSON and is put in as text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas_board.hub import file_words
from damas_board.hub.live_words import BRAZIL, WORDS
from damas_board.hub.page_words import LANGUAGES, catalogue
from damas_board.hub.pages import HTML, JSON, Page, packed
from damas_board.hub.qr import qr_routes
from damas_board.hub.web import PUBLIC_HEADERS, answered, not_found

TYPES: Mapping[str, str] = {
    "html": HTML,
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
PLACES: Mapping[str, str] = {
    "/": "live.html",
    "/r/{round}": "live.html",
    "/g/{game}": "live.html",
    "/t/{table:path}": "live.html",
    "/embed/g/{game}": "embed.html",
    "/embed/t/{table:path}": "embed.html",
    "/overlay/g/{game}": "overlay.html",
    "/overlay/t/{table:path}": "overlay.html",
    "/board": "board.html",
    "/qr": "qr.html",
}
"""The public pages: which file is at which address. What stands in the address is read by the page's script."""


@cache
def assets() -> Mapping[str, Page]:
    """The files by name."""
    folder = resources.files("damas_board.hub") / "assets"
    found = {}
    for entry in folder.iterdir():
        kind = TYPES.get(entry.name.rpartition(".")[2])
        if kind is not None:
            body = entry.read_bytes()
            found[entry.name] = Page(body, kind, _etag(body), packed(body))
    return found


def asset(name: str, request: Request, headers: Mapping[str, str] = PUBLIC_HEADERS) -> Response:
    """One of the files, as an answer to a request."""
    found = assets().get(name)
    return not_found() if found is None else answered(found, request, headers)


def public_routes() -> list[BaseRoute]:
    """The public pages and what they load."""

    def serving(name: str | None) -> Callable[[Request], Awaitable[Response]]:
        async def serve(request: Request) -> Response:
            return asset(name or request.path_params["name"], request)

        return serve

    async def said(request: Request) -> Response:
        found = _said().get(request.path_params["language"])
        return not_found() if found is None else answered(found, request)

    places = [Route(place, serving(name), methods=["GET"]) for place, name in PLACES.items()]
    files = [Route("/assets/{name}", serving(None), methods=["GET"]), Route("/words/{language}.json", said)]
    return [*places, *qr_routes(), *files]


@cache
def _said() -> Mapping[str, Page]:
    words, brazil = {**WORDS, **file_words.WORDS}, {**BRAZIL, **file_words.BRAZIL}
    return {name: words_page(catalogue(name, words, brazil)) for name in LANGUAGES}


def words_page(found: Mapping[str, str]) -> Page:
    """The words of a page in one language, as JSON."""
    body = json.dumps(found, ensure_ascii=False).encode()
    return Page(body, JSON, _etag(body), packed(body))


def _etag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'

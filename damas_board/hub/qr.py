"""QR codes that open a table's game: `/qr/{table}.svg`, for the address under which the code itself was asked.

So a code that was printed from the page that telephones reach opens that page, whatever stands before this server. The
sheet of all tables is the page /qr.
"""

from __future__ import annotations

import io
from urllib.parse import quote

import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas_board.hub.web import PUBLIC_HEADERS, not_found

LONGEST_TABLE = 60
LONGEST_HOST = 253
BORDER = 4
"""Modules of white around a code: without them it is not found by a camera."""


def qr_routes() -> list[BaseRoute]:
    """The codes, as pictures."""

    async def code(request: Request) -> Response:
        table, host = request.path_params["table"], request.headers.get("host", "")
        if not 0 < len(table) <= LONGEST_TABLE or not 0 < len(host) <= LONGEST_HOST:
            return not_found()
        address = f"{_scheme(request)}://{host}/t/{quote(table, safe='')}"
        return Response(drawn(address), 200, {**PUBLIC_HEADERS, "Vary": "Host, X-Forwarded-Proto"}, "image/svg+xml")

    return [Route("/qr/{table:path}.svg", code, methods=["GET"])]


def drawn(address: str) -> bytes:
    """The code of an address as SVG, black on white in any theme."""
    found = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        found, kind="svg", border=BORDER, dark="#000", light="#fff", xmldecl=False, omitsize=True, svgclass=None
    )
    return found.getvalue()


def _scheme(request: Request) -> str:
    """As the browser sees it: what stands before this server may have ended TLS."""
    forwarded = request.headers.get("x-forwarded-proto", "")
    return forwarded if forwarded in ("http", "https") else request.url.scheme

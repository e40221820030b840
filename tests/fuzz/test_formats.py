"""Any bytes, in every format that comes from outside: read, or refused with a documented error."""

from __future__ import annotations

import pytest
from fuzz.formats import FORMATS, Format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

EXAMPLES = 60


@st.composite
def broken(draw: st.DrawFn, format_: Format) -> bytes:
    """A seed with some pieces cut out, doubled, put elsewhere, or replaced by noise or by words that mean something."""
    data = bytearray(draw(st.sampled_from(format_.seeds)))
    noise = st.binary(min_size=1, max_size=6)
    if format_.words:
        noise |= st.sampled_from(format_.words)
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 8)))
        match draw(st.integers(0, 3)):
            case 0:
                del data[start:end]
            case 1:
                data[start:end] = draw(noise)
            case 2:
                data[start:start] = draw(noise) * draw(st.sampled_from((1, 2, 100)))
            case _:
                data[start:start] = data[draw(st.integers(0, len(data))) :][: draw(st.integers(0, 60))]
    return bytes(data)


@pytest.mark.parametrize("name", FORMATS)
def test_every_seed_is_read(name: str) -> None:
    for seed in FORMATS[name].seeds:
        FORMATS[name].read(seed)
    FORMATS[name].read(b"")


@pytest.mark.parametrize("name", FORMATS)
def test_whatever_comes_is_read_or_refused(name: str) -> None:
    format_ = FORMATS[name]

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(broken(format_) | st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
    def run(data: bytes) -> None:
        format_.read(data)

    run()


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_whatever_comes_is_read_or_refused_for_long(name: str) -> None:
    format_ = FORMATS[name]

    @settings(max_examples=3000, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(broken(format_) | st.binary(max_size=2000))
    def run(data: bytes) -> None:
        format_.read(data)

    run()

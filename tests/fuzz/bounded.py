"""Fuzzing with atheris, bounded: `python tests/fuzz/bounded.py FORMAT... [-runs=N] [-max_total_time=S]`.

Each format runs in a process of its own, `all` is every one. Exit status 0: nothing was found; else the input that was
found is named, and belongs into `test_found.py`. Without atheris (it has wheels for some versions of Python only) it
says so: an error in CI, elsewhere no fault.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DEFAULTS = ("-runs=20000", "-max_total_time=20", "-max_len=4096", "-timeout=20", "-rss_limit_mb=1024")
TESTS = Path(__file__).parents[1]


def fuzz(name: str, options: list[str]) -> None:
    """One format, in this process; ends it."""
    import atheris

    sys.path.insert(0, str(TESTS))
    with atheris.instrument_imports(include=["damas_board"]):
        from fuzz.formats import FORMATS
    format_ = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(format_.seeds):
            (Path(folder) / str(number)).write_bytes(seed)
        words = Path(folder) / "words"
        escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in format_.words if len(word) <= 100)
        words.write_text("".join(f'"{word}"\n' for word in escaped), "ascii")
        dictionary = [f"-dict={words}"] if format_.words else []
        chosen = [*dictionary, f"-artifact_prefix={folder}/", *DEFAULTS, *options, folder]
        atheris.Setup([sys.argv[0], *chosen], format_.read)
        atheris.Fuzz()


def main(arguments: list[str]) -> int:
    names = [each for each in arguments if not each.startswith("-")]
    options = [each for each in arguments if each.startswith("-")]
    if importlib.util.find_spec("atheris") is None:
        sys.stderr.write(f"atheris is not there for Python {sys.version_info.major}.{sys.version_info.minor}\n")
        return 1 if os.environ.get("CI") else 0
    if len(names) == 1 and names[0] != "all":
        fuzz(names[0], options)
        return 0
    sys.path.insert(0, str(TESTS))
    from fuzz.formats import FORMATS

    failed = []
    for name in FORMATS if names in ([], ["all"]) else names:
        run = subprocess.run([sys.executable, __file__, name, *options], capture_output=True, text=True, timeout=600)
        sys.stdout.write(f"{name}: {'nothing found' if run.returncode == 0 else 'FOUND'}\n")
        if run.returncode:
            failed.append(name)
            sys.stderr.write(run.stderr[-4000:])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

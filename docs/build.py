"""Writes the generated documents of this folder: `python docs/build.py`."""

from pathlib import Path

from regulations_page import page

from damas_board.messages.schemas import documents

HERE = Path(__file__).parent

for name, text in (documents() | {"regulations.md": page()}).items():
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
for stray in {path.relative_to(HERE).as_posix() for path in HERE.glob("schemas/*.json")} - set(documents()):
    (HERE / stray).unlink()

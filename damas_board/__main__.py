"""Runs the command line as `python -m damas_board`."""

import sys

from damas_board.cli import main

if __name__ == "__main__":
    sys.exit(main())

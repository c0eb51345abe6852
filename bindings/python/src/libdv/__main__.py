"""``python -m libdv``: the command line."""

from libdv.cli import main

main()

"""libdv for Python against pyroaring and pyiceberg, in one process: see ``python -m libdv_bench --help``."""

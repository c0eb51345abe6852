"""Fixtures for every test: no test may leave a native object behind."""

from __future__ import annotations

import gc
import signal
import time
from typing import TYPE_CHECKING

import pytest

import libdv

if TYPE_CHECKING:
    from collections.abc import Iterator


def live_handles_settled(expected: int) -> int:
    """The live handles after garbage collection; other threads get a moment to end."""
    for _ in range(50):
        if libdv.live_handles() == expected:
            break
        gc.collect()
        time.sleep(0.01)
    return libdv.live_handles()


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_is_heard() -> None:
    """A shell starts what runs in its background with SIGINT ignored, and Python leaves it so."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def no_leaked_handles() -> Iterator[None]:
    """Every object that a test makes is freed at its end."""
    before = libdv.live_handles()
    yield
    assert live_handles_settled(before) == before

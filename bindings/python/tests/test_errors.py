"""The exceptions: one class per status, and the built-in ones that a caller expects."""

from __future__ import annotations

import pickle

import pytest

import libdv
from libdv import DeletionVector, Status, errors

BUILTIN = {
    Status.DV_INVALID_ARGUMENT: (libdv.DvInvalidArgument, ValueError),
    Status.DV_CORRUPT: (libdv.DvCorrupt, ValueError),
    Status.DV_MISMATCH: (libdv.DvMismatch, ValueError),
    Status.DV_UNSUPPORTED: (libdv.DvUnsupported, NotImplementedError),
    Status.DV_LIMIT: (libdv.DvLimit, OverflowError),
    Status.DV_IO: (libdv.DvIOError, OSError),
    Status.DV_TOO_SMALL: (libdv.DvTooSmall, BufferError),
    Status.DV_STATE: (libdv.DvState, RuntimeError),
    Status.DV_NO_MEMORY: (libdv.DvNoMemory, MemoryError),
    Status.DV_FORKED: (libdv.DvForked, RuntimeError),
    Status.DV_INTERNAL: (libdv.DvInternal, RuntimeError),
}


@pytest.mark.parametrize("status", [status for status in Status if status], ids=lambda s: s.name)
def test_every_status_has_its_exception(status: Status) -> None:
    error = errors.error_for(status, "what happened")
    own, builtin = BUILTIN[status]
    assert type(error) is own
    assert isinstance(error, builtin)
    assert isinstance(error, libdv.DvError)
    assert (error.status, error.message, str(error)) == (status, "what happened", "what happened")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.status, again.message) == (own, status, "what happened")


def test_a_status_of_a_later_library() -> None:
    error = errors.error_for(99, "new")
    assert type(error) is libdv.DvError
    assert (error.status, str(error)) == (99, "new")
    assert pickle.loads(pickle.dumps(error)).status == 99


def test_a_message_says_what_was_read_and_where() -> None:
    blob = bytearray(DeletionVector([1]).serialize())
    blob[5] ^= 1
    with pytest.raises(libdv.DvCorrupt, match=r"magic.*byte 4|byte 4.*magic") as info:
        DeletionVector.deserialize(blob)
    assert "\n" not in info.value.message
    assert info.value.__cause__ is None

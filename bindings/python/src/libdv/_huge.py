"""Memory of many megabytes in huge pages.

To touch fresh memory for the first time costs more than to write what goes there: a fault for each page of 4 KiB. What
``malloc`` maps does not begin where a huge page does, so that its ends stay small pages. This memory does.
"""

from __future__ import annotations

import mmap
import sys
from typing import Final

PAGE: Final = 1 << 21
"""The size of a huge page, in bytes."""


def huge_memory(size: int) -> mmap.mmap | None:
    """Cleared memory of at least ``size`` bytes, freed with the last view of it; ``None`` where there is no such thing.

    Raises:
        MemoryError: There is not that much memory.
    """
    if sys.platform != "linux":
        return None
    try:
        whole = (size + PAGE - 1) // PAGE * PAGE  # the kernel aligns what is a multiple
        memory = mmap.mmap(-1, whole, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError) as error:
        raise MemoryError(f"cannot map {size} bytes: {error}") from error
    try:
        memory.madvise(mmap.MADV_HUGEPAGE)
    except (OSError, AttributeError):  # a kernel without them
        return None
    return memory

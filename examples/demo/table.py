"""The data of the demo: a Parquet file of orders, and two predicates to delete by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

COUNTRIES = ("AT", "BR", "CH", "DE", "FR", "IN", "JP", "KE", "NZ", "US")
DELETED_FIRST = pc.field("country") == "NZ"
DELETED_LATER = pc.field("amount") < 50


def make_parquet(path: Path, rows: int) -> pa.Table:
    """Write orders to a Parquet file, the same ones every time, and read them back."""
    random = np.random.default_rng(2022)
    table = pa.table(
        {
            "order": np.arange(rows, dtype=np.int64),
            "country": np.array(COUNTRIES)[random.integers(0, len(COUNTRIES), rows)],
            "amount": random.integers(0, 1000, rows),
        }
    )
    pq.write_table(table, path)
    return pq.read_table(path)


def matching(table: pa.Table, predicate: pc.Expression) -> npt.NDArray[np.int64]:
    """The positions of the rows for which a predicate holds."""
    positions = table.append_column("position", pa.array(np.arange(table.num_rows, dtype=np.int64)))
    found: npt.NDArray[np.int64] = positions.filter(predicate)["position"].to_numpy()
    return found

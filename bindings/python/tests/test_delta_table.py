"""A real Delta table: deltalake makes it, libdv deletes rows, polars and deltalake's query engine see the rest."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import deltalake
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import libdv
from libdv import DeletionVector, DeltaDescriptor, DeltaDVWriter, read_delta_dv

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ROWS = 5000


class Table:
    """A Delta table on disk, and the ids that it should still have."""

    def __init__(self, root: Path, partitioned: bool = False) -> None:
        self.root = root
        self.left = set(range(ROWS))
        data = pa.table({"id": pa.array(range(ROWS)), "day": [f"2024-01-0{i % 3 + 1}" for i in range(ROWS)]})
        deltalake.write_deltalake(
            str(root),
            data,
            partition_by=["day"] if partitioned else None,
            configuration={"delta.enableDeletionVectors": "true"},
        )

    @property
    def _log(self) -> list[Path]:
        return sorted((self.root / "_delta_log").glob("*.json"))

    def files(self) -> dict[str, Any]:
        """The ``add`` action of every data file that the log leaves."""
        adds: dict[str, Any] = {}
        for entry in self._log:
            actions = [json.loads(line) for line in entry.read_text().splitlines() if line]
            for action in actions:
                if "remove" in action:
                    adds.pop(action["remove"]["path"])
            adds.update({action["add"]["path"]: action["add"] for action in actions if "add" in action})
        return adds

    def data(self, path: str) -> pa.Table:
        """A data file as it stands, with the rows that are deleted."""
        return pq.ParquetFile(self.root / unquote(path)).read()

    def vector(self, add: Any, filesystem: Any = None) -> DeletionVector:
        """The vector of a data file, empty if it has none."""
        found = add.get("deletionVector")
        return DeletionVector() if found is None else read_delta_dv(found, self.root, filesystem)

    def delete(self, ids: set[int], inline: bool) -> None:
        """Delete rows: every touched file is removed and added again with a vector, in one commit."""
        now = int(time.time() * 1000)
        actions: list[Any] = [{"commitInfo": {"timestamp": now, "operation": "DELETE", "operationParameters": {}}}]
        path = libdv.delta_dv_path()
        touched: list[tuple[Any, DeletionVector]] = []
        for add in self.files().values():
            hit = np.flatnonzero(np.isin(self.data(add["path"])["id"].to_numpy(), list(ids)))
            if len(hit):
                vector = self.vector(add)
                vector.add_many(hit)
                touched.append((add, vector))
        descriptors = self._write(path, [vector for _, vector in touched], inline)
        for (add, vector), descriptor in zip(touched, descriptors, strict=True):
            assert descriptor.cardinality == len(vector)
            kept = {key: value for key, value in add.items() if value is not None}
            remove = {
                "path": add["path"],
                "deletionTimestamp": now,
                "dataChange": True,
                "extendedFileMetadata": True,
                "partitionValues": add["partitionValues"],
                "size": add["size"],
                **({"deletionVector": add["deletionVector"]} if add.get("deletionVector") else {}),
            }
            actions.append({"remove": remove})
            actions.append({"add": {**kept, "dataChange": True, "deletionVector": descriptor.to_dict()}})
        entry = self.root / "_delta_log" / f"{len(self._log):020}.json"
        entry.write_text("".join(json.dumps(action) + "\n" for action in actions))
        self.left -= ids

    def _write(self, path: str, vectors: list[DeletionVector], inline: bool) -> list[DeltaDescriptor]:
        if inline:
            return [DeltaDescriptor.inline(vector) for vector in vectors]
        with DeltaDVWriter(self.root / path) as writer:
            return [DeltaDescriptor.for_file(path, writer.write(vector)) for vector in vectors]

    def check(self) -> None:
        """Polars, deltalake's query engine, and libdv with pyarrow return exactly the rows left."""
        expected = sorted(self.left)
        assert pl.scan_delta(str(self.root)).select("id").collect()["id"].sort().to_list() == expected
        builder = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(self.root)))
        assert pa.table(builder.execute("select id from t order by id").read_all())["id"].to_pylist() == expected
        assert self.filtered() == expected

    def filtered(self, filesystem: Any = None) -> list[int]:
        """The ids of the data files, filtered by their vectors with pyarrow."""
        parts = []
        for path, add in self.files().items():
            data = self.data(path)
            mask = self.vector(add, filesystem).keep_mask(0, data.num_rows)
            parts.append(data.select(["id"]).filter(mask.to_arrow()))
        return sorted(pc.unique(pa.concat_tables(parts)["id"]).to_pylist())


@pytest.mark.parametrize("inline", [False, True], ids=["file", "inline"])
@pytest.mark.parametrize("partitioned", [False, True], ids=["whole", "partitioned"])
def test_rows_deleted_by_libdv_are_gone(tmp_path: Path, inline: bool, partitioned: bool) -> None:
    table = Table(tmp_path / "table", partitioned)
    table.check()
    table.delete({0, 7, 4999, *range(1000, 1100)}, inline)
    table.check()
    table.delete({1, 7, *range(1050, 1500)}, inline)
    table.check()
    assert sum(add["deletionVector"]["cardinality"] for add in table.files().values()) == ROWS - len(table.left)


def test_inline_and_file_take_turns(tmp_path: Path) -> None:
    table = Table(tmp_path / "t")
    for turn in range(4):
        table.delete(set(range(turn * 10, turn * 10 + 7)), inline=bool(turn % 2))
        table.check()


def test_every_row_of_a_file(tmp_path: Path) -> None:
    table = Table(tmp_path / "t")
    table.delete(set(range(ROWS)), inline=False)
    table.check()


def test_deltalake_sees_the_same_vectors(tmp_path: Path) -> None:
    table = Table(tmp_path / "t", partitioned=True)
    table.delete(set(range(0, ROWS, 7)), inline=False)
    seen = pa.table(deltalake.DeltaTable(str(table.root)).deletion_vectors().read_all())
    assert seen.num_rows == len(table.files()) == 3
    for path, selection in zip(seen["filepath"].to_pylist(), seen["selection_vector"].to_pylist(), strict=True):
        [add] = [add for name, add in table.files().items() if path.endswith(name)]
        vector = table.vector(add)
        deleted = [row for row, kept in enumerate(selection) if not kept]
        assert deleted == list(vector)


def test_a_vector_read_through_filesystems(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    table = Table(tmp_path / "t")
    table.delete({1, 2, 3}, inline=False)
    for filesystem in (fsspec.filesystem("file"), pa.fs.LocalFileSystem()):
        assert table.filtered(filesystem) == sorted(table.left)

"""Iceberg tables that the Java tests made, with deletes that libdv wrote and Iceberg committed, seen by pyiceberg.

``LIBDV_TABLES`` names the folder where the Java tests left the catalog, the tables, and the ids that are left in each.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlparse

import pyarrow.parquet as pq
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table.deletion_vector import deletion_vectors_from_puffin_file
from pyiceberg.table.puffin import PuffinFile

import libdv

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyiceberg.manifest import DataFile
    from pyiceberg.table import Table

FOLDER = Path(os.environ["LIBDV_TABLES"])
EXPECTED = {path.stem: json.loads(path.read_bytes()) for path in FOLDER.glob("*.json")}
EXPECTED["mixed"] = [row for row in range(6_000) if row % 3 and row % 2]


def test_the_java_tests_left_their_tables() -> None:
    assert set(EXPECTED) == {"evolved", "mixed", "partitioned", "unpartitioned"}


@pytest.fixture(scope="module")
def catalog() -> Iterator[SqlCatalog]:
    catalog = SqlCatalog("libdv", uri=f"sqlite:///{FOLDER}/catalog.db", warehouse=f"{FOLDER}/warehouse")
    yield catalog
    catalog.close()


@pytest.fixture(params=sorted(EXPECTED))
def table(request: pytest.FixtureRequest, catalog: SqlCatalog) -> Table:
    return catalog.load_table(f"db.{request.param}")


def expected(table: Table) -> list[int]:
    """The ids that are left, as the Java tests know them."""
    ids: list[int] = EXPECTED[table.name()[-1]]
    return ids


def path(location: str) -> Path:
    """The file of a location."""
    return Path(urlparse(location).path)


def read_with_libdv(entry: DataFile, data_file: str) -> libdv.DeletionVector:
    """The vector of a data file in the Puffin file that pyiceberg's scan plan names.

    pyiceberg 0.12 drops an entry's content offset and size, and takes the entries of one Puffin file for one another,
    so the footer has to tell which vector it is.
    """
    with libdv.PuffinFile(path(entry.file_path)) as puffin:
        [index] = [i for i, blob in enumerate(puffin) if blob.referenced_data_file == data_file]
        return puffin.read(index)


def read_with_pyiceberg(entry: DataFile, data_file: str) -> list[int]:
    """The positions of the same vector, by pyiceberg's own reader."""
    puffin = PuffinFile(path(entry.file_path).read_bytes())
    [vector] = [dv for dv in deletion_vectors_from_puffin_file(puffin) if dv.referenced_data_file == data_file]
    positions: list[int] = vector.to_vector().to_pylist()
    return positions


def test_pyiceberg_returns_the_rows_that_are_left(table: Table) -> None:
    assert sorted(table.scan().to_arrow()["id"].to_pylist()) == expected(table)


def test_libdv_reads_the_vectors_that_pyiceberg_plans(table: Table) -> None:
    rows, deleted = 0, 0
    for task in table.scan().plan_files():
        rows += task.file.record_count
        assert len(task.delete_files) <= 1
        for entry in task.delete_files:
            vector = read_with_libdv(entry, task.file.file_path)
            assert list(vector) == read_with_pyiceberg(entry, task.file.file_path)
            deleted += len(vector)
    assert rows - deleted == len(expected(table))
    assert deleted > 0


def test_the_same_rows_by_libdv_and_pyarrow_alone(table: Table) -> None:
    left: list[int] = []
    for task in table.scan().plan_files():
        data = pq.read_table(path(task.file.file_path), columns=["id"], partitioning=None)
        for entry in task.delete_files:
            data = data.filter(read_with_libdv(entry, task.file.file_path).keep_mask(0, data.num_rows).to_arrow())
        left += data["id"].to_pylist()
    assert sorted(left) == expected(table)

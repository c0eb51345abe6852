"""A Delta table with deletion vectors, read with PyArrow; and rows deleted from it with a commit of our own.

usage: delta_table.py DIRECTORY   (an empty one: the table goes there)
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import deltalake
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from libdv import DeletionVector, DeltaDescriptor, DeltaDVWriter, delta_dv_path, read_delta_dv

if TYPE_CHECKING:
    from typing import Any


def commits(root: Path) -> list[Path]:
    """The commits of the table's log, as long as there is no checkpoint."""
    return sorted((root / "_delta_log").glob("*.json"))


def data_files(root: Path) -> list[dict[str, Any]]:
    """The ``add`` action of each data file that the log leaves."""
    adds: dict[str, Any] = {}
    for commit in commits(root):
        actions = [json.loads(line) for line in commit.read_text().splitlines()]
        for removed in (action["remove"] for action in actions if "remove" in action):
            del adds[removed["path"]]
        adds |= {action["add"]["path"]: action["add"] for action in actions if "add" in action}
    return list(adds.values())


# [read]
def read_data_file(root: Path, add: dict[str, Any]) -> tuple[pa.Table, DeletionVector]:
    """Read one data file and its deletion vector, which is empty where there is none."""
    rows = pq.read_table(root / unquote(add["path"]))
    descriptor = add.get("deletionVector")
    return rows, read_delta_dv(descriptor, root) if descriptor else DeletionVector()


def read_table(root: Path) -> pa.Table:
    """Read the rows of the table that are not deleted."""
    parts = []
    for add in data_files(root):
        rows, deleted = read_data_file(root, add)
        parts.append(rows.filter(deleted.keep_mask(0, rows.num_rows).to_arrow()))
    return pa.concat_tables(parts)


# [read]


# [delete]
def delete(root: Path, predicate: pc.Expression) -> None:
    """Delete rows: one file with the vectors of all data files that have such rows, and one commit."""
    now, actions, vector_file = int(time.time() * 1000), [], delta_dv_path()
    with DeltaDVWriter(root / vector_file) as writer:
        for add in data_files(root):
            rows, deleted = read_data_file(root, add)
            before = len(deleted)
            numbered = rows.append_column("position", pa.array(range(rows.num_rows)))
            deleted.add_many(numbered.filter(predicate)["position"])
            if len(deleted) == before:
                continue
            old = {"path": add["path"], "deletionTimestamp": now, "dataChange": True}
            if add.get("deletionVector"):
                old["deletionVector"] = add["deletionVector"]
            descriptor = DeltaDescriptor.for_file(vector_file, writer.write(deleted))
            actions += [{"remove": old}, {"add": add | {"deletionVector": descriptor.to_dict()}}]
    commit = root / "_delta_log" / f"{len(commits(root)):020}.json"
    with commit.open("x") as log:  # whoever comes second must not overwrite the first
        log.writelines(json.dumps(action) + "\n" for action in actions)


# [delete]


def main(root: Path) -> None:
    """Make a table with deltalake, delete from it with libdv, and read it with both and with Polars."""
    properties = {"delta.enableDeletionVectors": "true"}
    deltalake.write_deltalake(root, pa.table({"id": range(1000)}), configuration=properties)
    deltalake.write_deltalake(root, pa.table({"id": range(1000, 2000)}), mode="append")

    delete(root, pc.field("id") < 100)
    delete(root, pc.field("id") >= 1500)

    ours = read_table(root)["id"]
    query = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(root)).execute("select id from t").read_all()
    print(f"{len(ours)} rows are left")
    for name, theirs in (("deltalake", pa.table(query)["id"]), ("Polars", pl.read_delta(str(root))["id"].to_arrow())):
        same = sorted(ours.to_pylist()) == sorted(theirs.to_pylist())
        print(f"{name} reads {'the same' if same else 'OTHER'} rows")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

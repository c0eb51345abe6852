"""The command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import libdv
from libdv.cli.commands import libdv as command
from tests import golden
from tests.processes import python


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], terminal_width=200)


def path(name: str) -> str:
    return str(golden.GOLDEN / name)


def test_inspect_a_puffin_file() -> None:
    result = run("inspect", path("iceberg/theta_zstd_between.puffin"))
    assert result.exit_code == 0, result.output
    for text in ("puffin (guessed)", "s3://bucket/t/a.parquet", "apache-datasketches-theta-v1", "zstd", "good"):
        assert text in result.output
    assert run("inspect", path("iceberg/multi_3_files.puffin")).output.count("s3://") == 3


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("iceberg/pos5.dv", "dv-blob"),
        ("delta/spark_keys.bin", "delta-dv"),
        ("iceberg/pyroaring/pos5.roaring64", "roaring-64"),
        ("mumbling/pos5.bin", "mumbling"),
    ],
)
def test_every_format(name: str, form: str) -> None:
    result = run("inspect", path(name))
    assert result.exit_code == 0
    assert f"{form} (guessed)" in result.output
    assert f"{form} (as told)" in run("inspect", path(name), "--format", form).output
    found = json.loads(run("inspect", path(name), "--json").output)
    assert found == libdv.inspect(path(name))
    assert found["format"] == form


def test_a_fault_has_an_exit_code() -> None:
    result = run("inspect", path("hostile/iceberg/crc_bit_flip.dv"))
    assert result.exit_code == 1
    assert "DV_CORRUPT" in result.output
    assert "CRC" in result.output
    assert json.loads(run("inspect", path("hostile/iceberg/crc_bit_flip.dv"), "--json").output)["fault"]


def test_names_of_a_file_have_no_power_over_the_terminal(tmp_path: Path) -> None:
    with libdv.DVWriter() as writer:
        writer.add("\x1b[31mred\x07 [bold]x[/bold]", [1])
        writer.flush(tmp_path / "x.puffin")
    result = run("inspect", str(tmp_path / "x.puffin"))
    assert "\x1b" not in result.output
    assert "\x07" not in result.output
    assert "[bold]x[/bold]" in result.output


@pytest.mark.parametrize("name", ["iceberg/small_sparse.dv", "iceberg/small_sparse.puffin"])
def test_read(name: str) -> None:
    [entry] = [e for e in golden.files("iceberg-dv-blob") if e["file"] == "iceberg/small_sparse.dv"]
    expected = [str(position) for position in golden.positions(entry)]
    assert run("read", path(name)).output.splitlines() == expected
    assert run("read", path(name), "--count").output.strip() == str(len(expected))
    assert run("read", path(name), "--limit", "2").output.splitlines() == expected[:2]
    assert run("read", path(name), "--limit", "0").output == ""
    assert run("read", path(name), "--start", expected[1], "--end", expected[3]).output.splitlines() == expected[1:3]


def test_read_every_vector_of_every_format() -> None:
    [entry] = [e for e in golden.files("delta-dv-file") if e["file"] == "delta/spark_keys.bin"]
    for index, dv in enumerate(entry["dvs"]):
        output = run("read", path(entry["file"]), "--index", str(index)).output
        assert list(map(int, output.split())) == golden.positions(dv).tolist()
    assert run("read", path("mumbling/pos5.bin")).output == "5\n"
    assert run("read", path("iceberg/pyroaring/pos5.roaring64")).output == "5\n"
    assert len(run("read", path("iceberg/full_1m.dv")).output.splitlines()) == 1_000_000


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", path("iceberg/pos5.dv"), "--index", "1"),
        ("read", path("hostile/iceberg/crc_bit_flip.dv")),
        ("read", path("iceberg/pos5.dv"), "--start", "-1"),
        ("read", "/no/such/file"),
        ("inspect", "/no/such/file"),
        ("inspect", path("iceberg/pos5.dv"), "--format", "other"),
    ],
    ids=str,
)
def test_failures(arguments: Any) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error" in result.output
    assert "Traceback" not in result.output


def test_an_unknown_format_is_said_to_be_one(tmp_path: Path) -> None:
    file = tmp_path / "other"
    file.write_bytes(b"hello")
    result = run("read", str(file))
    assert result.exit_code == 2
    assert "unknown format" in result.output
    assert "68656c6c6f" in result.output


def command_line(*arguments: str, stdout: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "libdv", *arguments], stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=60
    )


OUTPUTS = [("inspect",), ("inspect", "--json"), ("read",), ("read", "--count")]


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = command_line(*arguments, path("iceberg/full_1m.dv"), stdout=full)
    assert done.returncode == 2
    assert done.stderr == "Error: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_a_reader_that_went_away_is_no_news(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = command_line(*arguments, path("iceberg/full_1m.dv"), stdout=writer)
    finally:
        os.close(writer)
    assert done.returncode == 1
    assert done.stderr == ""


def test_version_and_help() -> None:
    assert libdv.__version__ in run("--version").output
    assert "libdv.so" in run("--version").output
    assert "inspect" in run("--help").output


def test_it_runs_as_a_module() -> None:
    out = python(
        f"""
        import runpy, sys
        sys.argv = ["libdv", "read", {path("iceberg/pos5.dv")!r}]
        try:
            runpy.run_module("libdv", run_name="__main__")
        except SystemExit as stop:
            assert not stop.code, stop.code
        """
    )
    assert out == "5"


def test_without_its_packages_it_says_what_to_install() -> None:
    python(
        """
        import sys
        sys.modules["click"] = None
        from libdv.cli import main
        try:
            main()
        except SystemExit as stop:
            assert "libdv[cli]" in stop.code and "click" in stop.code, stop.code
        else:
            raise SystemExit(1)
        """
    )
    assert "libdv.cli" in sys.modules

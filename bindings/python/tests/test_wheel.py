"""The wheel carries the library, says its platform, and works without the checkout."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import libdv

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, PROJECT],
        check=True,
        timeout=110,
        env={**os.environ, "LIBDV_LIBRARY": str(libdv.library_path()), "PIP_NO_INDEX": "1"},
    )
    [made] = folder.iterdir()
    return made


def test_its_name_says_the_platform(wheel: Path) -> None:
    tag = rf"libdv-0\.1\.0-py3-none-(many)?linux_(\d+_\d+_)?{platform.machine()}\.whl"
    assert re.fullmatch(tag, wheel.name), wheel.name


def test_its_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.read("libdv/_native/libdv.so") == libdv.library_path().read_bytes()
        assert archive.read("libdv-0.1.0.dist-info/licenses/LICENSE") == (PROJECT.parents[1] / "LICENSE").read_bytes()
        assert b"\nLicense-File: LICENSE\n" in archive.read("libdv-0.1.0.dist-info/METADATA")
    assert "libdv/py.typed" in names
    assert "libdv/__init__.py" in names
    assert not [name for name in names if "test" in name or "__pycache__" in name]


def test_it_works_alone(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "LIBDV_LIBRARY"}
    code = (
        "import libdv, multiprocessing as m\n"
        "if __name__ == '__main__':\n"
        "    assert list(libdv.DeletionVector([3, 1])) == [1, 3]\n"
        "    with m.get_context('fork').Pool(1) as p:\n"
        "        assert list(p.map(libdv.DeletionVector, [[5]])[0]) == [5]\n"
        "    print(libdv.library_path())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "libdv" / "_native" / "libdv.so")

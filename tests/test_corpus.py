from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import corpus


def wheel(folder: Path, content: bytes = b"x = 1\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "sglang-0.0.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("sglang/a.py", "sglang/srt/b.py", "sglang/data.json", "other/c.py"):
            archive.writestr(name, content)
    return path


def test_only_python_files_of_the_package_are_unpacked(tmp_path: Path) -> None:
    corpus.unpack(wheel(tmp_path / "w"), tmp_path / "out")
    names = [str(p.relative_to(tmp_path / "out")) for p in tmp_path.glob("out/**/*") if p.is_file()]
    assert sorted(names) == ["sglang/a.py", "sglang/srt/b.py"]


def test_two_at_once_give_one_whole_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPC_LINT_CORPUS", str(tmp_path / "cache"))
    monkeypatch.setattr(corpus, "fetch", lambda release, folder: wheel(folder))
    with ThreadPoolExecutor(4) as pool:
        trees = set(pool.map(corpus.tree, ["0.0.0"] * 4))
    assert trees == {tmp_path / "cache/0.0.0"}
    assert [p.name for p in (tmp_path / "cache").iterdir()] == ["0.0.0"]
    assert (tmp_path / "cache/0.0.0/sglang/srt/b.py").read_bytes() == b"x = 1\n"


def test_a_wheel_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = hashlib.sha256(wheel(tmp_path / "w").read_bytes()).hexdigest()
    monkeypatch.setitem(corpus.SHA256, "0.0.0", good)
    monkeypatch.setattr(corpus, "pip_download", lambda release, folder: wheel(folder, b"evil"))
    with pytest.raises(RuntimeError, match=f"not {good}"):
        corpus.fetch("0.0.0", tmp_path / "d")


def test_an_unknown_release_is_an_error_that_lists_the_known() -> None:
    done = subprocess.run([sys.executable, corpus.__file__, "9.9"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "0.5.10" in done.stderr

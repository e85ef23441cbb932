"""Released sources of sglang, by version and hash, in a cache outside the repository.

usage: python tests/corpus.py RELEASE...    prints the folder of each release, fetched on first use
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SHA256 = {
    "0.5.4": "342b370145e33f232bef21b73da119d4a96202a0386ebcd54cdbf46a11fbeda3",
    "0.5.9": "8a936c4d25fea605f44254e533cff2144c73ceffbc1f8738aba393461bbb64d1",
    "0.5.10": "ac8855a5d57dac8831fee526bca5212f1ae451f378e2ab08b3baecbc4deb4076",
    "0.5.11": "fe0748beaff218d3e16c9018a5e19f018db06fc3c7ac4f90d2f93da1cf074b6f",
    "0.5.12": "4ed786a38655851fd055ef57380c34d29b87753b53f63457309f51e5bf48c2e6",
    "0.5.17": "575e38f5683624ded3b4bb267f637a098e5ed37d13a1d1ff5ea09bd781a04d16",
    "0.5.18": "e97b585dd2d5db2802599feba47c84cce972f5e1231a6816fef996200207b5cf",
    "0.5.23": "00b3cd5b265ac76c64185fbb6b95424f324ddd9f428d0306b77bc9db9d859937",
}

_PIP_DOWNLOAD = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
# Only unpacked, never installed: the platform named here need not be that of this machine.
_ANY_MACHINE = [
    *("--only-binary=:all:", "--python-version", "3.11", "--implementation", "cp", "--platform", "any"),
    *("--platform", "manylinux_2_34_x86_64", "--platform", "manylinux_2_17_x86_64"),
]


def cache() -> Path:
    """The folder that holds the releases."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("IPC_LINT_CORPUS") or Path(home) / "ipc-lint" / "corpus")


def tree(release: str) -> Path:
    """The folder that holds ``sglang/`` as released; complete as soon as it exists."""
    target = cache() / release
    if target.is_dir():
        return target
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache(), prefix=f".{release}-") as scratch:
        unpacked = Path(scratch) / "tree"
        unpack(fetch(release, Path(scratch)), unpacked)
        try:
            unpacked.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was faster, with the same bytes
                raise
    return target


def fetch(release: str, folder: Path) -> Path:
    """Download the wheel of a release into ``folder``; it must have the pinned hash."""
    wheel = pip_download(release, folder)
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != SHA256[release]:
        raise RuntimeError(f"{wheel.name} has sha256 {found}, not {SHA256[release]}")
    return wheel


def pip_download(release: str, folder: Path) -> Path:
    """The wheel of a release, from wherever pip gets its packages."""
    command = [sys.executable, *_PIP_DOWNLOAD, *_ANY_MACHINE, "--dest", str(folder), f"sglang=={release}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"cannot fetch sglang {release}:\n{done.stderr}")
    (wheel,) = folder.glob("sglang-*.whl")
    return wheel


def unpack(wheel: Path, folder: Path) -> None:
    """Unpack just the Python files of the package."""
    with zipfile.ZipFile(wheel) as archive:
        wanted = [n for n in archive.namelist() if n.startswith("sglang/") and n.endswith(".py")]
        archive.extractall(folder, wanted)


def main(releases: list[str]) -> None:
    """Print the folder of each release."""
    unknown = [release for release in releases if release not in SHA256]
    if unknown or not releases:
        sys.exit(f"{__doc__}\nreleases: {', '.join(SHA256)}")
    for release in releases:
        print(tree(release))


if __name__ == "__main__":
    main(sys.argv[1:])

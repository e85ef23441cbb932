"""Where the programs come from that are measured.

Some are in the project's environment. The others are pinned, each in an environment of its own, so that
none meets the project's; these lie in the cache beside the releases and are installed on first use.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from benchmarks.measure import Failed, last_line
from tests import corpus


@dataclass(frozen=True)
class Present:
    """A package of the project's environment."""

    package: str

    def __str__(self) -> str:
        return f"{self.package} {metadata.version(self.package)}"

    def programs(self) -> Path:
        """The folder of its programs."""
        return Path(sysconfig.get_path("scripts"))


@dataclass(frozen=True)
class Peer:
    """A package that is kept apart, by name and version."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"

    @property
    def home(self) -> Path:
        """The environment that holds it; another Python makes another one."""
        python = f"py{sys.version_info.major}.{sys.version_info.minor}"
        return corpus.cache() / "peers" / f"{self.package}-{self.version}-{python}"

    def programs(self) -> Path:
        """The folder of its programs, installed if need be."""
        complete = self.home / "complete"
        if not complete.exists():
            self._step(sys.executable, "-m", "venv", "--clear", str(self.home))
            pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            self._step(str(self.home / "bin" / "python"), *pip, f"{self.package}=={self.version}")
            complete.touch()
        return self.home / "bin"

    def _step(self, *words: str) -> None:
        """Run one command of the installation."""
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise Failed(str(self), f"cannot be installed: {last_line(done.stdout)}")

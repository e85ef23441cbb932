"""What is in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from stat import S_ISREG

from ipc_lint.model import Problem


def read_files(
    files: Iterable[str], contents: Mapping[str, bytes], look: Callable[[str, bytes], None]
) -> tuple[dict[str, bytes], list[Problem]]:
    """What is in some files, but for those whose ``contents`` are given; and what could not be read.

    ``look`` sees each file right when its bytes are at hand: later they would have to be fetched again.
    """
    data: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path in files:
        if path in contents:
            data[path] = contents[path]
            look(path, data[path])
            continue
        try:
            if not S_ISREG(os.stat(path).st_mode):  # a pipe would never end
                problems.append(Problem(path, "is not a regular file"))
                continue
            with open(path, "rb") as file:
                data[path] = file.read()
            look(path, data[path])
        except OSError as error:
            problems.append(Problem(path, error.strerror or str(error)))
    return data, problems

"""Where results are kept, if no folder is named."""

from __future__ import annotations

import os

from ipc_lint.files.project import is_marked

NAME = ".ipc_lint_cache"


def folder_for(root: str) -> str:
    """The cache of a project: in its root if that is a checkout, else among the caches of the user.

    A tree that is nobody's checkout (an unpacked wheel, site-packages) stays as it is.
    """
    return (
        os.path.join(root, NAME) if is_marked(root) else os.path.join(_of_the_user(), "ipc-lint", "results")
    )


def _of_the_user() -> str:
    named = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", "")
    # The specification has it that a relative one counts as none.
    return named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), ".cache")

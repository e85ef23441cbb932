"""``python -m ipc_lint``."""

from ipc_lint.cli import main

main()

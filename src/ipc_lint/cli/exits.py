"""The exit codes."""

CLEAN, FOUND, INCOMPLETE, INTERRUPTED = 0, 1, 2, 130

"""TOML, by the standard library where it has it."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

parse = tomllib.loads
NotToml = tomllib.TOMLDecodeError

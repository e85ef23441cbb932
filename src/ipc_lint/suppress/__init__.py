"""Comments that silence findings: found in the source, applied, and written."""

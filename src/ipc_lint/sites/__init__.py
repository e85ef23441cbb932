"""Where verdicts stand in the source, located by libcst visitors."""

"""What the project says about a field, inferred from its name alone."""

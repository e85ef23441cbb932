"""The facts of all files joined, and what can be inferred from them; pure, reads no file."""

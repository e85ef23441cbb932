"""ipc-lint: find the places where a message loses its return address."""

__version__ = "0.1.0"

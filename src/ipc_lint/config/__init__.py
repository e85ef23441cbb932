"""The config file: what may stand in it, what does, and which one holds where."""

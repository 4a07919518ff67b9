"""The formatter: one canonical form of a text. `format` is its entry point."""

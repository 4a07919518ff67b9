"""How Dell's firmware spells settings, shared by the targets that write BIOS attributes. Not itself a target.

The plan has the names of its attributes and their texts. `locks.toml` has what locks them and in which order they are
written; `attributes` combines both.
"""

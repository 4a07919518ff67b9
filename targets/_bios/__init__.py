"""How Dell's firmware spells settings, shared by the targets that write BIOS attributes. Not itself a target.

`attributes.toml` is the vocabulary, with a table for each setting; `attributes` reads it and spells a plan with it.
"""

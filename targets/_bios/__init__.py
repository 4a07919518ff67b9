"""How Dell's firmware spells settings, shared by the targets that speak of BIOS attributes. Not itself a target.

`attributes.toml` is the vocabulary, a table a setting; `attributes` reads it and spells a plan by it.
"""

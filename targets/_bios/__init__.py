"""BIOS attributes, shared by the targets that write them. Not itself a target.

The plan has the names of its attributes, their texts and what locks them; `attributes` puts them in the order of
writing.
"""

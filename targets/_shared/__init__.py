"""Shared by the targets, and not itself a target.

`forms` has the base class of their models and the result of lowering; `data` reads the TOML beside their code;
`templates` renders their files.
"""

"""Shared by the targets, and not itself a target.

`target` has the shape of nearly all targets, `forms` the base class of their models and the result of lowering. `data`
reads the TOML beside their code, `templates` renders their files, and `identity` has what artifacts compare with a
server.
"""

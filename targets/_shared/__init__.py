"""What targets share, and no target by itself.

`forms` has the base of their models and the shape of what lowering gives; `data` reads the TOML beside their code;
`templates` makes their files.
"""

"""Fuzzers: one module for each reader of outside input.

Every run depends on its seed alone: the input, the damage, and the command that reads it. `readers` lists the readers;
`spoil` damages bytes, texts and JSON; `property` runs a command and states what must be true, whatever it reads.

Every run is made from its seed alone: what is read, how it is spoilt, which command reads it. `readers` lists them;
`spoil` changes bytes, texts and JSON; `property` runs a command and says what must hold, whatever it reads.
"""

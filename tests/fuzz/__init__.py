"""Fuzzers: one module for each reader of outside input.

    make fuzz                          ten minutes, all readers in turn
    make fuzz FUZZ="--seconds 3600 policy knowledge"
    make fuzz FUZZ="--seed 1234 --runs 1 policy"      the run that a report names

Every run depends on its seed alone: the input, the damage, and the command that reads it. `readers` lists the readers;
`spoil` changes bytes, texts and JSON; `property` runs a command and states what must be true, whatever it reads.
"""

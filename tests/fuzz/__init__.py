"""Fuzzers: one module for each reader of what comes from outside.

    make fuzz                          ten minutes, all readers in turn
    make fuzz FUZZ="--seconds 3600 policy knowledge"
    make fuzz FUZZ="--seed 1234 --runs 1 policy"      the run that a report names

Every run is made from its seed alone: what is read, how it is spoilt, which command reads it. `readers` lists them;
`spoil` changes bytes, texts and JSON; `property` runs a command and says what must hold, whatever it reads.
"""

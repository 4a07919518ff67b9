"""A twin of a controller: what a BIOS and the service in front of it make of requests and restarts, for rehearsals.

Everything here is written from what makers, DMTF and users of controllers have documented, and from captured services.
Nothing is taken from the code that applies or verifies settings, so that a rehearsal can contradict it: this package
imports neither the reading of registries that planning uses, nor anything that speaks to a controller
(docs/decisions/0064).

    entries   attributes and dependencies of a registry, and what services leave out of theirs
    rules     a registry, executed: what is refused, what is locked, and what is in effect after a restart
"""

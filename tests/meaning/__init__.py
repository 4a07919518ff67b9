"""The meaning of the language, written a second time from the manual.

Each function says in its docstring which section of `docs/language.md` it restates. Nothing of the compiler is imported
but its parser and the forms of the syntax tree; `test_meaning.py` checks that. The method differs on purpose: sets of
names instead of bit masks, definitions tried by brute force instead of incremental narrowing. Where the manual and
this package say the same and the compiler says something else, the compiler is wrong.

    knowledge.py   Knowledge: what the files declare, as plain forms
    conditions.py  Conditions: when they hold, and which of two is narrower
    facts.py       Facts and intent: implied, narrowed, contradictory, assumed
    scope.py       Out of scope: how far a source speaks beyond what it studied
    offers.py      options: which offer counts
    presets.py     preset: what a governing value fixes, frees, or leaves unknown
    possible.py    Narrow: which values can still be
    advice.py      Which recommendation is stronger
    plan.py        Cascade, Presets, Hazards, What is written: the whole
"""

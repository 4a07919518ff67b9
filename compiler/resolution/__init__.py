"""Narrow, then cascade.

    facts first, then hard constraints and the policy's `set`s, then the knowledge base, one setting at a time

`ground` selects the knowledge that is relevant for the facts and weighs its recommendations; `narrow` removes
impossible values; `cascade` decides setting by setting; `solution` is the result. `hazards` evaluates that result,
`decisions` and `advisories` write it down. `conflict` explains why there is no solution, and `repair` finds changes
that give one; `resolve` runs all of it in order.
"""

"""Narrow, then cascade.

    facts first, then hard constraints and the user's words, then the knowledge base, one setting at a time

`ground` reads the knowledge base in the light of the facts and weighs its recommendations; `narrow`
removes values that cannot be; `cascade` decides setting by setting; `solution` is what they come to.
`hazards` looks at what came out, `explain_decisions` and `remarks` write it down; `conflict` explains why nothing
could be, `repair` finds ways out; `resolve` is all of it in order.
"""

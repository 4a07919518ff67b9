"""The checks of the knowledge base, each with its codes.

`ties`: K01 and K05. `assumptions`: K01 and K04 of assumptions. `undecided`: K02 and K03. `unused`: K04 and K09.
`policies`: K06 and K08. `hazards`: K10, and K04 of hazards. `effects`: K11, and K09 of effects. `profiles`: K12.
`contradictions`: K13. `contradicted`: K23. `scopes`: K14 and K15. `facts`: K16. `evidence`: K17, K19, and K09 of
sources. `measurements`: K09 of these. `goals`: K18. `consequences`: K24. `hardware`: K25. `families`: K26. `spellings`
and `services`: K21. `words`: K21, and K09 of aliases. `possible` says which facts can be true together. `repeated`: K09
of statements that a site repeats. `satisfiable` finds where conditions can be met. The structure (K07) is checked when
the knowledge base is built. A finding names its places in the files and, where possible, a policy that demonstrates it.
"""

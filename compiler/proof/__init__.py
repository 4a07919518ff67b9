"""The knowledge base, proven: what holds for every policy that anybody can write.

The same meaning as in `resolution`, for all contexts at once. A context is what a policy can state and
what follows from it; contexts that no condition can tell apart are one *situation*. Situations are
numbered, and whatever is true of some of them is one integer with a bit for each: conditions are
bitwise "and", choices "or", narrowing the same clause rule on whole integers. One pass decides every
situation, and the lowest bit of a mask that should be zero is a counterexample.

`reachable` finds the combinations of facts, `situations` merges them, `resolution.sets` narrows and
decides them, `checks` ask the questions (K01 to K11), `prove` asks them all. `difference` compares two
knowledge bases.
"""

"""Proofs about the knowledge base: properties of every policy that anybody can write.

The proof decides all contexts at once. A context is what a policy can state and what follows from it. Contexts that no
condition distinguishes form one *situation*. Situations are numbered, and a property of some of them is one integer
with a bit for each (`proof.sets`). One pass decides every situation, and the lowest bit of a set that should be
empty is a counterexample.

`reachable` enumerates the combinations of facts, `situations` merges them, `analysis` decides the components of the
knowledge base, `checks` have the questions (K01 to K25), and `prove` runs them all. Each part of the proof reads an
`extract` of the knowledge base, and the `memory` has the parts that are proven already. `difference` compares two
knowledge bases.
"""

"""Narrow, then cascade, for all situations at once.

Read each module beside its namesake in `resolution`: the same steps in the same order, where a truth
value has become the set of situations in which it holds. That the two agree on every situation is
tested, not assumed.
"""

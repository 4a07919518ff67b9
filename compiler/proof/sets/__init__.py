"""Resolution of many situations at once: narrow, then cascade, on sets of situations.

Each module here does the steps of the module of the same name in `resolution`, in the same order, with the set of
situations in which something is true in place of a truth value. Both share the weighing of recommendations and the
clauses. The tests prove that both decide every situation in the same way.
"""

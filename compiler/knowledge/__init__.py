"""The knowledge base: what papers and hardware say, indexed for resolution.

`model` has its records, `build` makes them from the trees of the knowledge files, and `load` finds these files and
keeps the result in a cache.
"""

"""The knowledge base: what the papers and the hardware say, indexed for resolution.

`model` has its forms, `build` makes them from the trees of the knowledge files, `load` finds those
files and keeps the result in a cache that follows them.
"""

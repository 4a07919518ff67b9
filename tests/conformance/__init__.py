"""Do the papers' recommendations come out of the compiler?

There is one file for each paper. It contains the paper's tables as printed, in the paper's own words and independent of
the standard library, so that mistakes there are found here. `WORDS` of a file translates the paper's words into ours.
If a plan differs from a table on purpose, the test names the cell and the reason.
"""

"""Does what the papers recommend come out of the compiler?

One file a paper. Each holds the paper's tables as the paper prints them, in its own words and apart from the
standard library, so that a slip there is seen here. `WORDS` of a file says what the paper's words are in ours.
Where a plan differs from a table on purpose, the test names the cell and the reason.
"""

"""Captures: what servers show of themselves, stored as it was read.

INVARIANT: a capture has readings, not meanings. What a reading means is knowledge, so an old capture gains from new
knowledge.
"""

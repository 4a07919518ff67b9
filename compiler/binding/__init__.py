"""Names to meaning: which statements count for a plan (`levels`), and what they say of it (`context`)."""

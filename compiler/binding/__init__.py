"""From names to meaning: which statements apply to a plan (`levels`), and what they state (`context`)."""

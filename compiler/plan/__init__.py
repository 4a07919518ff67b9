"""The plan: its form, its judgement for a given date, and its JSON."""

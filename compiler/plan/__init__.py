"""The plan: its form, how it is judged on a day, and its JSON."""

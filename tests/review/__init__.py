"""Reviewing a change: the output of `diff`, `waivers` and `check` for people and programs, and the hooks into
forges."""

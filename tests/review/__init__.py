"""Reviewing a change: what `diff`, `waivers` and `check` say of it, to people and to machines, and the hooks into forges."""

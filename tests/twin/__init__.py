"""The twin of a controller, by plain requests. What other clients make of it is in `tests/idrac` and `tests/controllers`."""

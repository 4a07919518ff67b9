"""Fleets: the plans of all hosts of an inventory, and what is written for them together."""

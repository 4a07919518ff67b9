"""The spelling: one folder a target, each found by the compiler without a list to edit."""

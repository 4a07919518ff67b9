"""Shared by several tests: commands, goldens, cases."""

"""The house rules: what a machine can check of how the project is built."""

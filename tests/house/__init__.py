"""The house rules: those rules about the structure of the project that a machine can check."""

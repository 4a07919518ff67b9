"""Setpoint: a policy language for server tuning, and its compiler."""

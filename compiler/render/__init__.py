"""Presentation of plans and diagnostics as text, JSON and Markdown. Nothing is decided here."""

"""What several tests need: commands, goldens, cases."""

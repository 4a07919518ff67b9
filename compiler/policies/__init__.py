"""Many policies at once: the files that a command line names, what they hold, and what there is to say of it."""

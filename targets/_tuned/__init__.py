"""The tuned options of a plan, shared by several targets, in the form that its release of tuned reads.

    Plan --lower--> Profile or Ktune

`spelling.toml` has the option of each setting. Target `tuned` makes the profile's files; a module that has the options
as data uses them directly.
"""

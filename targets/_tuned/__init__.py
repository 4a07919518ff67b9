"""tuned's options as several targets have need of them: those of a plan, in the form that its release of tuned takes.

    Plan --lower--> Profile or Ktune

`spelling.toml` has the option of each setting. Target `tuned` makes the profile's files; a module that holds the options
as data takes them from here.
"""

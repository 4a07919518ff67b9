"""Divide what somebody else has written down into entries: boot lines, sysctls, profiles, lists of BIOS settings, in
whatever carries them.

    text --form_of--> form --a reader--> Entries, lines that nobody reads, profiles

`read` finds out what a file is and asks the reader of its form: `boot_lines`, `tuned`, `firmware` with `commands` and
`nested`, `manifests` with `documents` and `resources`, `scripts`, `guides`. What words and assignments look like is the
same in all of them (`lines`, `modprobe`). `templates` and `conditions` say for whom lines are, and `makers` whose
servers a text shows. Which keys, commands and words carry settings is a table of the library (`carried`). Nothing is
judged here: what an entry means, and what is wrong with it, is for the audit.
"""

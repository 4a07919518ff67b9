"""Check settings that somebody else has written down: a boot line, sysctls, a tuned profile, a list of BIOS settings.

    Entries --recognise--> Readings --judge--> findings, goals --export--> a policy

The room `entries` divides texts into names and values. `recognise` reads the spellings of the knowledge
base backwards, from text to value. `words` finds what is wrong with single entries, `together` what is wrong with all
of them, by planning a policy with a `set` for each. `goals` compares them with the plan for each goal, and `export`
writes the policy. No module here knows a name that a file can have: what each means is knowledge.
"""

"""Adoption: a policy that describes servers as they are, from captures of them.

Verification answers whether a server has a value; here it is asked for each value that a setting can have (`found`), so
that a policy that was adopted is verified without differences. Every intent is planned for the server, and the one that
gives most of what was found is the policy's (`intents`). What it does not give becomes a `set` with an open reason
(`rest`), as far as the knowledge base allows. Servers that differ get blocks of their own (`arranged`), and `written`
is the text.
"""

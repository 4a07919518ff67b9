"""Setpoint's compiler: from a policy to a plan, and from a plan to artifacts.

    Source --parse--> File --bind--> Context --resolve--> Plan --lower, emit--> Artifact

The rooms on the way: `language` (text to tree and back), `knowledge` (the papers and the hardware,
indexed), `binding` (names to meaning), `resolution` (narrow, then cascade), `targets` (outside: the
spelling of artifacts). Beside it: `proof` (that the knowledge is sound, for every policy), `comparison`
(what a change changes), `diagnostics` (findings, as data), `render` (words for all of these) and `cli`.
No processor, vendor, paper or rule is named here: those are in `stdlib`.
"""

assert __name__ == "setpoint.compiler", "import it as setpoint.compiler"

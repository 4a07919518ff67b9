"""Setpoint's compiler: from a policy to a plan, and from a plan to artifacts.

    path --read--> Program --bind--> Context --resolve--> Plan --judge--> Judged --lower--> Bundle --write--> files

`pipeline` has these stages. Their packages are `language` (text to tree, and the formatter), `knowledge` (what papers
and hardware say), `binding` (names to meaning), `resolution` (narrow, then cascade), `plan` (the plan and its
judgement) and `lowering` (plans to files, by the targets, which lie outside).

Other packages feed the stages: `inventory` (the hosts of a site), `captures` (what servers show), `registries` and
`fitting` (what one server's firmware offers). Others apply them: `policies` (to many files), `fleet` (to the hosts of
an inventory), `comparison` (to both sides of a change), `audit` (to settings that are no policy, which `entries`
reads), `verification` (to what servers show), `adoption` (from what servers show back to a policy), `rollout` (a bundle
to a server, and back) and `proof` (to all policies at once). `twin` is a controller to rehearse with, and shares
nothing with the others. `diagnostics` are findings as data, `render` presents them, `files` reads and writes, and
`cli`, `lsp` and `playground` are for people.

No processor, vendor, paper or rule is named here: those are in `stdlib`.
"""

SUFFIX = ".tune"
"""The ending of the names of files in the language."""

assert __name__ == "setpoint.compiler", "import it as setpoint.compiler"

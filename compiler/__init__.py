"""Setpoint's compiler: from a policy to a plan, and from a plan to artifacts.

    Source --parse--> File --bind--> Context --resolve--> Plan --lower, emit--> Artifact

Each arrow is one room: `language` (text to tree and back), `knowledge` (the papers and the hardware,
indexed), `binding` (names to meaning), `resolution` (narrow, then cascade), `targets` (outside: the
spelling of artifacts). No processor, vendor, paper or rule is named here: those are in `stdlib`.
"""

assert __name__ == "setpoint.compiler", "import it as setpoint.compiler"

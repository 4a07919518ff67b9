"""Diagnostics in colour, for a terminal.

The colour is put on a text that is ready otherwise: on the severity and code that open a diagnostic, on the arrow and
the marks of its excerpt, and on its help. Whatever users and files contribute has been made harmless before (`visible`),
so no sequence in the result is theirs.
"""

import re

RESET = "\x1b[0m"
RED, YELLOW, BLUE, CYAN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;36m"
SEVERITIES = {"error": RED, "warning": YELLOW}

_PARTS = re.compile(
    r"^(?P<severity>error|warning)\[[EKW]\d+\](?=: )"
    r"|^ *(?P<arrow>-->)(?= )"
    r"|^ *\| *(?P<mark>\^+|-+)(?= |$)"
    r"|^(?P<help>help)(?=: )",
    re.MULTILINE,
)


def painted(text: str) -> str:
    """A text of diagnostics with colours; taken away again, they leave the text as it was."""
    severity = ""

    def paint(found: re.Match[str]) -> str:
        nonlocal severity
        if found["severity"]:
            severity = SEVERITIES[found["severity"]]
            return f"{severity}{found[0]}{RESET}"
        part = next(name for name in ("arrow", "mark", "help") if found[name])
        colour = {
            "arrow": BLUE,
            "mark": severity if (found["mark"] or "").startswith("^") else BLUE,
            "help": CYAN,
        }
        start = found.start(part) - found.start()
        return f"{found[0][:start]}{colour[part]}{found[0][start:]}{RESET}"

    return _PARTS.sub(paint, text)

"""Diagnostics in colour, for a terminal.

Colours are added to the finished text: to the severity and code that open a diagnostic, to the arrow and the marks of
its excerpt, and to its help. Text from users and files has already been made safe (`visible`), so it cannot contain
control sequences.
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
    """A text of diagnostics with colours; without the colours it equals the original text."""
    severity = ""

    def paint(match: re.Match[str]) -> str:
        nonlocal severity
        if match["severity"]:
            severity = SEVERITIES[match["severity"]]
            return f"{severity}{match[0]}{RESET}"
        part = next(name for name in ("arrow", "mark", "help") if match[name])
        colour = {
            "arrow": BLUE,
            "mark": severity if (match["mark"] or "").startswith("^") else BLUE,
            "help": CYAN,
        }
        start = match.start(part) - match.start()
        return f"{match[0][:start]}{colour[part]}{match[0][start:]}{RESET}"

    return _PARTS.sub(paint, text)

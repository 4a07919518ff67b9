"""Parts of statements as they are written: in one canonical form, for messages and to compare what statements say; and texts in quotes."""

import re

from setpoint.compiler.language.syntax import Condition, Expect


def condition_text(condition: Condition) -> str:
    """A condition: `turbo not on or off`."""
    return (
        f"{condition.name.text} {'not ' * condition.negated}{' or '.join(v.text for v in condition.values)}"
    )


def expect_text(expect: Expect) -> str:
    """What a policy expects: `turbo off from dell-11g-hpc under goal any`."""
    source = f" from {expect.source.text}" if expect.source else ""
    under = f" under {', '.join(map(condition_text, expect.under))}" if expect.under else ""
    return ", ".join(map(condition_text, expect.conditions)) + source + under


_ESCAPE = re.compile(r'\\(["\\])')


def unquote(text: str) -> str:
    """The text of a string literal: without its quotes, and with `\\"` and `\\\\` resolved.

    Before any other character a backslash stands for itself.
    """
    return _ESCAPE.sub(r"\1", text[1:-1])


def quote(text: str) -> str:
    """A text as a string literal on one line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

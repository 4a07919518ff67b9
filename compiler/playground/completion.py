"""The words that fit at the cursor, as an editor proposes them: settings and values of this server, facts, open
hazards."""

import string
from typing import Any

from setpoint.compiler.diagnostics.source import place_of
from setpoint.compiler.lsp.completion import suggestions
from setpoint.compiler.playground.session import Asked, Session

MOST_WORDS = 50
"""How many words a page gets; who writes on gets the others."""

IN_WORDS = string.ascii_letters + string.digits + "_.+-"
"""The characters of words."""


def complete(session: Session, asked: Asked) -> dict[str, Any]:
    """The words that can follow `before`, the typed part of a word, and the number of further words.

    The typed part can be anywhere in a word, so that the number of a processor finds it. `whole` says whether the typed
    part is a word itself.
    """
    document = session.opened(asked.files, asked.today).document
    written = asked.before[len(asked.before.rstrip(IN_WORDS)) :]
    possible = suggestions(document, *place_of(asked.before, len(asked.before)))
    having = [
        suggestion
        for suggestion in possible
        if written.lower() in suggestion.word and suggestion.word != written
    ]
    having.sort(key=lambda suggestion: not suggestion.word.startswith(written.lower()))
    words = [{"word": suggestion.word, "about": suggestion.about} for suggestion in having]
    return {
        "written": written,
        "words": words[:MOST_WORDS],
        "more": max(0, len(words) - MOST_WORDS),
        "whole": any(suggestion.word == written for suggestion in possible),
    }

"""What a word of a file means: a setting as the plan has it, and everything else as the catalogue describes it."""

from setpoint.compiler.knowledge.load import trees
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.render.catalogue import entry_text, names
from setpoint.compiler.render.explanation import explanation

WIDTH = 100
"""The width of a text, in characters."""


def hover(document: Document, line: int, column: int) -> str:
    """What is to be known of the word at a place; "" if nothing is."""
    token = document.token_at(line, column)
    if token is None:
        return ""
    knowledge = document.knowledge
    if token.text in knowledge.settings:
        explained = [
            explanation(planned.knowledge, planned.context, planned.plan, token.text, WIDTH)
            for planned in document.plans(line, column)
            if planned.plan is not None and planned.context is not None
        ]
        if explained:
            return "\n".join(dict.fromkeys(explained))
    if token.text in names(knowledge):
        return entry_text(knowledge, trees(), token.text, WIDTH)
    return ""

"""A block of the language is added to a copy of the code, as CONTRIBUTING says, and everything that reads blocks serves
it.

What serves it is asked in the copy, by a program that is below: it knows the block, and nothing of how it was added.
"""

from pathlib import Path

from house.test_contributing import asked, follow, project

RECIPE = "Add a block of the language"

MOST_MODULES = 5
"""How many modules of the compiler a block with a name and fields may touch. It was 15."""

__all__ = ["project"]

ASKED = """
import json, os, pickle, sys
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.load import measurements, standard, trees
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.highlighting import TuneLexer
from setpoint.compiler.language.parse import parse
from setpoint.compiler.lsp.colours import coloured
from setpoint.compiler.lsp.completion import suggestions
from setpoint.compiler.lsp.definition import definitions
from setpoint.compiler.lsp.document import Document
from setpoint.compiler.lsp.hover import hover
from setpoint.compiler.lsp.symbols import symbols
from setpoint.compiler.proof.checks.evidence import unknown_places, uncited_sources
from setpoint.compiler.proof.extract import extract
from setpoint.compiler.proof.knowledge_diff import changes_by_kind
from setpoint.docs.hooks.reference import pages_of_statements

STATED = '''incident loose-cable of lab at "Ticket 12" {
    title "A fan was lost";
    when workload comm-bound;
    because "its cable was loose";
}
'''
SOURCE = 'source lab { title "Lab"; publisher "Lab"; contents "Ticket 12"; }\\n'

def errors(text):
    try:
        tree = parse(SourceText("lab.tune", text))
        build([*(LayeredFile(each, "stdlib") for each in trees()), LayeredFile(tree, "site")])
    except SetpointError as error:
        return [[each.code, each.message] for each in error.diagnostics]
    return []

knowledge = standard()
is_read_when_asked_for = "incidents" not in vars(knowledge)
library = knowledge._replace(measurements=measurements())
(tree,) = [each for each in trees() if each.name.endswith("lab-incidents.tune")]
text = open("setpoint/" + tree.name).read()
path = os.path.realpath("lab.tune")
document = Document(path, {path: text})
line = text.split("\\n")[1]
wrong = Document(path, {path: text[:text.index("title", text.index("incident l"))]})
with_another_place = library._replace(
    sources={**library.sources, "lab-incidents": library.sources["lab-incidents"]._replace(contents=("Ticket 1",))}
)
print(json.dumps({
    "formatted": format_source(SourceText("a.tune", STATED.replace("\\n    ", " "))),
    "misread": errors(SOURCE + "incident loose-cable { }"),
    "checked": errors(SOURCE + STATED.replace("title", "note").replace("workload comm-bound", "colour red")),
    "twice": errors(SOURCE + STATED + STATED),
    "stored": [is_read_when_asked_for, [each.name for each in knowledge.incidents]],
    "cited": [
        [each.code for each in uncited_sources(kb) if "lab-incidents" in each.message]
        for kb in (library, library._replace(incidents=()))
    ],
    "placed": [each.code for each in unknown_places(with_another_place) if "Ticket 12" in each.message],
    "proven": len(extract(library).incidents),
    "compared": [[each.kind, list(each.added)] for each in changes_by_kind(library._replace(incidents=()), library)],
    "page": pages_of_statements(library, trees())["sources/lab-incidents.md"].split("## ")[1:],
    "completed": [each.word for each in suggestions(wrong, len(wrong.lines), 200)],
    "begun": [each.about for each in suggestions(document, len(document.lines), 1) if each.word == "incident"],
    "hovered": hover(document, 2, line.index("lost") + 1).split("\\n")[0],
    "coloured": [[token.text, kind] for token, kind in coloured(document) if token.text == "incident"],
    "in pages": [value for kind, value in TuneLexer().get_tokens(line) if str(kind) == "Token.Keyword"],
    "defined": [[each.file, each.line] for each in definitions(document, 2, line.index("lost") + 1)],
    "outlined": [[each.kind, each.name.text] for each in symbols(SourceText("a.tune", text))],
}))
"""


def test_few_modules_change_for_a_block(project: Path) -> None:
    touched = set(follow(RECIPE, project))
    assert len([path for path in touched if path.startswith("compiler/")]) <= MOST_MODULES


def test_everything_that_reads_blocks_serves_a_new_one(project: Path) -> None:
    follow(RECIPE, project)
    assert asked(project, ASKED) == {
        "formatted": 'incident loose-cable of lab at "Ticket 12" {\n    title "A fan was lost";\n    when workload comm-bound;\n'
        '    because "its cable was loose";\n}\n',
        "misread": [["E0101", "expected `of`, found `{`"]],
        "checked": [
            ["K07", "incident `loose-cable` lacks `title`"],
            ["K07", "an incident has no field `note`"],
            ["E0201", "unknown fact or setting `colour`"],
        ],
        "twice": [["K07", "incident `loose-cable` is declared twice"]],
        "stored": [True, ["lost-fan"]],
        "cited": [[], ["K09"]],
        "placed": ["K19"],
        "proven": 0,  # no part of the proof is made again for it
        "compared": [["incident", ["lost-fan"]]],
        "page": [
            "Incidents\n\n| place | name | statement |\n| --- | --- | --- |\n| Ticket 12 | `lost-fan` "
            "| A fan was lost under full load where platform poweredge-14g, workload comm-bound |\n"
        ],
        "completed": ["because", "title", "when"],
        "begun": ['incident NAME of SOURCE at "PLACE" { … }'],
        "hovered": "incident lost-fan [lab-incidents, Ticket 12]",
        "coloured": [["incident", "keyword"]],
        "in pages": ["incident", "of", "at"],
        "defined": [["stdlib/sources/lab-incidents.tune", 2]],
        "outlined": [["source", "lab-incidents"], ["incident", "lost-fan"]],
    }

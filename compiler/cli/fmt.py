"""`setpoint fmt`: the canonical form of a file."""

import sys

from setpoint.compiler.cli import DIFFERENCE, OK
from setpoint.compiler.cli.arguments import Options
from setpoint.compiler.cli.common import PATHS, show, status_of, verb
from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.language.formatting.format import format_source
from setpoint.compiler.language.program import read
from setpoint.compiler.policies.paths import rooted_files
from setpoint.compiler.render.visible import visible


@verb(
    "fmt",
    "Rewrite files in their canonical form; comments are kept.",
    "fmt --check policies",
    {
        **PATHS,
        "--check": "change nothing; exit 3 if a file would change",
    },
)
def run(options: Options) -> int:
    """Rewrite files in their canonical form; with --check only list those that would change."""
    findings: list[Diagnostic] = []
    changed = False
    for path in rooted_files(options.paths):
        text = ""
        try:
            text = read(path)
            formatted = format_source(SourceText(path, text))
        except SetpointError as error:
            show(error.diagnostics, {path: text})
            findings += error.diagnostics
            continue
        if formatted == text:
            continue
        changed = True
        if not options.check:
            write_text(path, formatted)
        sys.stdout.write(f"{visible(path)}\n")
    return status_of(findings) or (DIFFERENCE if changed and options.check else OK)

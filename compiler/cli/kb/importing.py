"""`setpoint kb import`: knowledge of a server from its BIOS attribute registry."""

import os
import sys

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.common import verb, write_output
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.registries.coverage import coverage_lines, coverage_of
from setpoint.compiler.registries.importing import NOTHING_READ, imported
from setpoint.compiler.registries.read import read_bios, read_registry, read_system
from setpoint.compiler.registries.words import is_usable, library_words
from setpoint.compiler.registries.write import knowledge_text, summary
from setpoint.compiler.render.visible import visible


@verb(
    "kb import",
    "Write knowledge of a server from its BIOS attribute registry: the settings that it offers, its profiles, what "
    "locks what, and the names of attributes and values.",
    "kb import registry.json",
    {
        "registry REGISTRY": "the registry, a file in DMTF's AttributeRegistry form",
        "--current FILE": "the server's Bios resource, with its current values",
        "--system FILE": "the server's ComputerSystem resource, with its model and BIOS version (default: those of the registry)",
        "--platform NAME": "the name of the server (default: that of the product)",
        "-o FILE": argument("the file to write, a new one (default: standard output)", dest="output"),
        "--coverage": "write no knowledge: show which of the attributes for tuning are settings of the library, and which are not",
    },
)
def run_import(options: Options) -> int:
    """Write the knowledge in a registry, and a summary on the error stream."""
    if options.platform and not is_usable(options.platform):
        options.error(f"--platform {options.platform}: not a name such as `server-2`")
    if options.output and os.path.lexists(options.output):
        options.error(f"-o {options.output}: exists already, and may have been reviewed")
    registry = read_registry(options.registry)
    bios = read_bios(options.current) if options.current else NOTHING_READ
    system = read_system(options.system) if options.system else None
    knowledge = imported(standard(), registry, bios, system, options.platform)
    if options.coverage:
        lines = coverage_lines(coverage_of(knowledge, library_words()), knowledge)
        sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))
        return OK
    text = knowledge_text(knowledge)
    write_output(options.output, text)
    name = os.path.basename(options.output) or knowledge.platform.name
    sys.stderr.write("".join(f"{visible(f'{name}: {line}')}\n" for line in summary(knowledge)))
    return OK

"""Knowledge from files: a site's own together with the standard library, or a complete knowledge base.

Files that declare facts of the standard library are a complete knowledge base: another version of the standard library,
or an unrelated one. All other files extend the standard library.
"""

from collections.abc import Mapping

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.load import measurements, standard, with_site
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.program import program_of_file
from setpoint.compiler.language.syntax import Block, File
from setpoint.compiler.record import NamedTuple, distinct


@distinct
class LoadedKnowledge(NamedTuple):
    """A knowledge base, the texts that it was read from (none for the standard library), and its files."""

    knowledge: Knowledge
    sources: dict[str, str]
    files: tuple[str, ...]


def knowledge_of(files: Mapping[str, str]) -> LoadedKnowledge:
    """The knowledge base of these files, each with the folder that its includes must stay in ("" for its own).

    Without files it is the standard library. Raises SetpointError with all errors.
    """
    if not files:
        return LoadedKnowledge(standard()._replace(measurements=measurements()), {}, ())
    declared: dict[str, File] = {}
    sources: dict[str, str] = {}
    findings: list[Diagnostic] = []
    for path, root in files.items():
        try:
            program = program_of_file(path, root)
        except SetpointError as error:
            findings.extend(error.diagnostics)
            sources.update(error.sources)
            continue
        sources.update(program.sources)
        declared.update((file.name, file) for file in program.site)
    try:
        if findings:
            raise SetpointError(*findings)
        trees = tuple(declared.values())
        whole = _is_complete(trees)
        knowledge = build(LayeredFile(tree, "stdlib") for tree in trees) if whole else with_site(trees)
    except SetpointError as error:
        error.sources = sources
        raise
    return LoadedKnowledge(knowledge, sources, tuple(files))


def _is_complete(trees: tuple[File, ...]) -> bool:
    facts = {s.name.text for tree in trees for s in tree.body if isinstance(s, Block) and s.kind == "fact"}
    return bool(facts & set(standard().kinds))

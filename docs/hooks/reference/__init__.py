"""The reference part of the manual, generated from the knowledge base: one page for each source and setting, one for
each kind of name.

    settings.md  settings/NAME.md  names.md  facts.md  hazards.md  constraints.md  rules.md  evidence.md  servers.md
    sources/NAME.md  index.md

A reader with a paper finds its tables here as the paper prints them; a reader with a name from a plan finds the
statements about it. Nothing on these pages is written by hand, and none of them is in git: the manual makes them when
it is built (decision 0076). `python -m setpoint.docs.hooks.reference FOLDER` writes them.
"""

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import File
from setpoint.docs.hooks.reference.evidence import compared, evidence_page
from setpoint.docs.hooks.reference.facts import facts_page
from setpoint.docs.hooks.reference.limits import constraints_page, hazards_page
from setpoint.docs.hooks.reference.lists import index_page, rules_page
from setpoint.docs.hooks.reference.servers import listed_servers, servers_page
from setpoint.docs.hooks.reference.settings import names_page, setting_pages, settings_page
from setpoint.docs.hooks.reference.sources import source_pages


def pages(knowledge: Knowledge, trees: tuple[File, ...]) -> dict[str, str]:
    """Every page by its path below the reference folder.

    Args:
        knowledge: The knowledge base, with its measurements.
        trees: The files that it was made from, which have the tables as they are printed.
    """
    return {**pages_of_statements(knowledge, trees), "evidence.md": evidence_page(knowledge, compared())}


def pages_of_statements(knowledge: Knowledge, trees: tuple[File, ...]) -> dict[str, str]:
    """The pages that show what is stated: all but that of evidence, for which thousands of plans are made. Arguments as
    of `pages`."""
    return {
        "index.md": index_page(knowledge),
        "settings.md": settings_page(knowledge),
        "names.md": names_page(knowledge),
        **setting_pages(knowledge),
        "facts.md": facts_page(knowledge),
        "hazards.md": hazards_page(knowledge),
        "constraints.md": constraints_page(knowledge),
        "rules.md": rules_page(knowledge),
        "servers.md": servers_page(knowledge, listed_servers()),
        **source_pages(knowledge, trees),
    }

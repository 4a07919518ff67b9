"""A page for each kind of server, with what is set under each goal.

The compiler makes the plans when the manual is built: they are too many to store, and take two seconds.
"""

from functools import cache

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import planned, read_text
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.render.reference.platforms import Plans, layout, platform_pages

PLATFORM, GOAL = "platform", "goal"
"""The facts that the pages and the columns are about."""


@cache
def plans() -> Plans:
    """The plan for each platform and goal."""
    platforms, goals = (standard().values[fact] for fact in (PLATFORM, GOAL))
    in_order = [goal.name for goal in sorted(goals.values(), key=lambda goal: goal.span)]
    return Plans(PLATFORM, GOAL, {each: {goal: _plan(each, goal) for goal in in_order} for each in platforms})


def _plan(platform: str, goal: str) -> Plan:
    (each,) = planned(read_text(f"{GOAL} {goal}; {PLATFORM} {platform};"), standard())
    if each.plan is None:
        raise ValueError(f"{platform} has no plan for {goal}: {each.findings.errors[0].message}")
    return each.plan


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill the place of these pages in the navigation."""
    for section in config.nav or []:
        for title, entries in section.items():
            if entries == ["platforms/index.md"]:
                section[title] = [*entries, *(page.path for page in layout(standard(), plans()))]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for path, text in platform_pages(standard(), plans()).items():
        files.append(File.generated(config, path, content=text))
    return files

"""A page for each kind of server, with what is set under each goal.

The compiler makes the plans when the manual is built: they are too many to store, and take two seconds.
"""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from server_plans import plans

from setpoint.compiler.knowledge.load import standard
from setpoint.docs.hooks.reference.platforms import layout, platform_pages


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill the place of these pages in the navigation."""
    for section in config.nav or []:
        for title, entries in section.items():
            if entries == ["platforms/index.md"]:
                section[title] = [*entries, *(page.path for page in layout(standard(), plans()))]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages. The first one takes the place of a page that only those see who read the sources."""
    for path, text in platform_pages(standard(), plans()).items():
        if in_sources := files.get_file_from_path(path):
            files.remove(in_sources)
        files.append(File.generated(config, path, content=text))
    return files

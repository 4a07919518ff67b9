"""The reference, made when the manual is built: a page for each source and setting, and the lists of them.

The repository has short pages in the place of those that other pages link to; they say where a reader of the sources
finds the same. The pages of settings are in no list of the navigation, which each page would have all of: the pages on
settings and their names lead to them.
"""

from functools import cache

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from setpoint.compiler.knowledge.load import measurements, standard, trees
from setpoint.docs.hooks.reference import pages

FOLDER = "reference"


@cache
def made() -> dict[str, str]:
    """The text of each page, by its path."""
    texts = pages(standard()._replace(measurements=measurements()), trees())
    return {f"{FOLDER}/{path}": text for path, text in texts.items()}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages, those in the repository replaced."""
    for path, text in made().items():
        if in_sources := files.get_file_from_path(path):
            files.remove(in_sources)
        files.append(File.generated(config, path, content=text))
    return files

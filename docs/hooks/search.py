"""Search finds settings and servers by the names that people use.

A policy writes `smt`; a menu has Logical Processor, and people say Hyper-Threading. The index of the search gets these names as tags of
the section of each setting: they are those by which the compiler recognises a setting in its messages.
"""

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.lookup import setting_phrases

PAGE = "reference/settings.html#"


@event_priority(-100)
def on_post_build(config: MkDocsConfig) -> None:
    """Add the names to the index, after the search has written it."""
    path = Path(config.site_dir) / "search" / "search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    knowledge = standard()
    phrases = setting_phrases(knowledge)
    for entry in index["docs"]:
        page, _, name = entry["location"].partition("#")
        if f"{page}#" == PAGE and name in phrases:
            entry["title"] = f"{name}: {knowledge.settings[name].title}"
            entry["tags"] = list(dict.fromkeys(text.strip() for text in phrases[name]))
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

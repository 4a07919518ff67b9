"""Search finds settings and servers by the names that people use.

A policy writes `smt`; a menu has Logical Processor, and people say Hyper-Threading. The index of the search gets these names as tags of
the section of each setting: they are those by which the compiler recognises a setting in its messages. The page of a kind of server has the
names of its models.
"""

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from server_plans import plans

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.lookup import setting_phrases
from setpoint.docs.hooks.reference.platforms import layout, names

PAGE = "reference/settings.html"


@event_priority(-100)
def on_post_build(config: MkDocsConfig) -> None:
    """Add the names to the index, after the search has written it."""
    path = Path(config.site_dir) / "search" / "search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    knowledge = standard()
    phrases = setting_phrases(knowledge)
    servers = {
        page.path.replace(".md", ".html"): [
            name for value in (page.platform, *page.models) for name in names(value)
        ]
        for page in layout(knowledge, plans())
    }
    for entry in index["docs"]:
        page, _, name = entry["location"].partition("#")
        if page == PAGE and name in phrases:
            entry["title"] = f"{name}: {knowledge.settings[name].title}"
            entry["tags"] = list(dict.fromkeys(text.strip() for text in phrases[name]))
        elif page in servers and not name:
            entry["tags"] = servers[page]
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

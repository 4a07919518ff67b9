"""Search finds settings and servers by the names that people use.

A policy writes `smt`; a menu has Logical Processor, a script LogicalProc, and people say Hyper-Threading. The index of
the search gets these names as tags of the page of each setting: they are those by which the compiler recognises a
setting in its messages, and those that interfaces have for it. The page of a kind of server has the names of its
models.
"""

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from server_plans import plans

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.lookup import setting_phrases
from setpoint.docs.hooks.reference.platforms import layout, names

PAGES = "reference/settings/"


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
        page, _, section = entry["location"].partition("#")
        name = page.removeprefix(PAGES).removesuffix(".html")
        if page.startswith(PAGES) and name in phrases and not section:
            entry["title"] = f"{name}: {knowledge.settings[name].title}"
            spelled = (word for spelling in knowledge.spellings.get(name, ()) for word in spelling.names)
            entry["tags"] = list(dict.fromkeys(text.strip() for text in (*phrases[name], *spelled)))
        elif page in servers and not section:
            entry["tags"] = servers[page]
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

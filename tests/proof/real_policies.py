"""Random policies on the standard library, as facts and `set`s."""

from hypothesis import strategies as st

from support.policies import vocabulary

SERVERS = ("cpu", "platform")


@st.composite
def real_policies(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str]]:
    """Facts, one of them usually identifying the server, and up to three `set`s of anything."""
    knowledge = vocabulary()
    server = draw(st.sampled_from(SERVERS))
    facts = {}
    for name, kind in knowledge.kinds.items():
        values = knowledge.variables[name].values
        stated = kind.required or name == server or (name not in SERVERS and draw(st.integers(0, 2)) == 0)
        if stated:
            facts[name] = draw(st.sampled_from(values))
    chosen = draw(st.lists(st.sampled_from(sorted(knowledge.settings)), max_size=3, unique=True))
    return facts, {name: draw(st.sampled_from(knowledge.variables[name].named)) for name in chosen}

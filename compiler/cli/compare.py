"""`setpoint compare`: what two intents give a server, side by side, whatever the names of their policies.

`setpoint diff` pairs policies by name, since it shows the effect of a change. This command compares two intents: what
is different if this server is tuned for throughput instead of latency? Neither is before the other, so text and
Markdown show them in two columns. Each is a policy file, a bundle, `REV:PATH`, or the text of a policy.
"""

import os
import sys
from tempfile import TemporaryDirectory

from setpoint.compiler.cli import DIFFERENCE, IN_ERROR, OK
from setpoint.compiler.cli.arguments import Options, argument, forms
from setpoint.compiler.cli.common import ROOT, TODAY, WITH_REGISTRIES, page_width, today_of, together, verb
from setpoint.compiler.cli.pager import write_form
from setpoint.compiler.cli.sides import side_named
from setpoint.compiler.comparison.differences import intents_compared
from setpoint.compiler.comparison.entries import PlannedPolicy
from setpoint.compiler.comparison.sides import Side, side
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.render.difference_json import comparison_json
from setpoint.compiler.render.side_by_side import side_by_side_markdown, side_by_side_text
from setpoint.compiler.render.visible import visible


@verb(
    "compare",
    "Show what two intents give a server, whatever their policies are called. A and B are policy files, "
    "bundles, REV:PATH as git writes it, or the text of a policy. With an inventory, what they give its hosts: "
    "`setpoint compare site.tune new.tune --inventory hosts.csv`.",
    "compare 'goal latency; platform r740' 'goal efficiency; platform r740'",
    {
        "a A": "one intent",
        "b B": "the other",
        "--policy NAME": "this policy of A",
        "--with NAME": argument("this policy of B", dest="other"),
        **forms("json", "markdown", "text"),
        **WITH_REGISTRIES,
        **ROOT,
        **TODAY,
    },
)
def run(options: Options) -> int:
    """Compare two intents; exit 0 if a server gets the same settings, 3 if not, 1 if one of them is in error."""
    today = today_of(options)
    if options.inventory:
        from setpoint.compiler.cli.compare_inventory import on_hosts  # only needed for an inventory

        return on_hosts(options, today, {word: _is_text(word) for word in (options.a, options.b)})
    first, a = _entry(options, options.a, options.policy, today)
    other, b = _entry(options, options.b, options.other, today)
    if a.errors or b.errors:
        for word, entry in ((options.a, a), (options.b, b)):
            sys.stderr.writelines(visible(f"setpoint: {word}: {p.text}") + "\n" for p in entry.errors)
        return IN_ERROR
    comparison = intents_compared(first, a, other, b)
    titles = (a.policy, b.policy) if a.policy != b.policy else ("A", "B")  # as on the command line
    write_form(
        options,
        text=lambda: side_by_side_text(comparison, titles, page_width()),
        json=lambda: comparison_json(comparison),
        markdown=lambda: side_by_side_markdown(comparison, titles),
    )
    return DIFFERENCE if comparison.differences else OK


def _entry(options: Options, word: str, policy: str, today: str) -> tuple[Side, PlannedPolicy]:
    """The side that a word names, and the selected policy of it."""
    chosen = _of_text(word, today) if _is_text(word) else side_named(word, options.root, today)
    if chosen.unread and not chosen.entries:
        raise together(chosen.unread)
    names = [name for name in chosen.entries if policy in ("", name)]
    if len(names) != 1:
        known = ", ".join(sorted(chosen.entries)) or "no policy"
        options.error(f"{word}: choose one policy with --policy or --with; it has: {known}")
    return chosen, chosen.entries[names[0]].planned()


def _is_text(word: str) -> bool:
    """Whether a word is the text of a policy: no file has this name, and it is not a name without spaces."""
    return any(c.isspace() for c in word) and not os.path.lexists(word)


def _of_text(text: str, today: str) -> Side:
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "policy.tune")
        write_text(path, text)
        return side(path, "", today)

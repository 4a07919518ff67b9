"""Pictures of how a value is decided, where a page asks for one.

A page has a comment with a setting and a policy: `<!-- how turbo is decided: goal efficiency; platform r720 -->`. The
picture is drawn from the plan of that policy when the manual is built.
"""

import re
from typing import Any

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import planned, read_text
from setpoint.docs.hooks.reference.decision_picture import decision_picture

ASKED = re.compile(r"<!-- how (?P<setting>[\w-]+) is decided: (?P<policy>[^>]+) -->")


def on_page_content(html: str, **_: Any) -> str:
    """Put each picture into its place."""

    def drawn(asked: re.Match[str]) -> str:
        (target,) = planned(read_text(asked["policy"]), standard())
        decision = target.plan.setting(asked["setting"]) if target.plan else None
        if target.plan is None or decision is None:
            raise ValueError(f"no plan has this: {asked[0]}")
        return f'<figure class="decision">{decision_picture(target.plan, decision)}</figure>'

    return ASKED.sub(drawn, html)

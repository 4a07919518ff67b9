"""The report: the plan in Markdown, for reviewers of a change, and as a page with its measurements. It sets nothing
itself."""

from setpoint.compiler.lowering.target import Artifact, Emission, coverage_of, targets
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.html import Page, plans_html
from setpoint.compiler.render.markdown import plan_markdown


class Report:
    """`report.md` and `report.html`, at the top of the bundle."""

    name = "report"
    title = "Report in Markdown and HTML"
    layers: tuple[str, ...] = ()

    def unsupported_reason(self, plan: Plan) -> str:
        """Nothing: every plan can be reported."""
        return ""

    def emit(self, plan: Plan) -> Emission:
        """The report in Markdown, as one file."""
        return Emission((Artifact("report.md", plan_markdown(judge(plan), by_hand(plan))),), frozenset(), {})

    def emit_page(self, page: Page) -> tuple[Artifact, ...]:
        """The page that `plan --format html` prints."""
        return (Artifact("report.html", plans_html([page])),)


def by_hand(plan: Plan) -> tuple[Decision, ...]:
    """The settings that no other target expresses, so that somebody has to set them."""
    others = [coverage_of(name, plan) for name, target in targets().items() if target.layers]
    expressed = frozenset(
        setting for coverage in others if coverage is not None for setting in coverage.expressed
    )
    return tuple(d for d in plan.applied if d.setting not in expressed)


TARGET = Report()

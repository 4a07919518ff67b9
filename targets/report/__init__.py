"""The report: the plan in Markdown, for reviewers of a change. It sets nothing itself."""

from setpoint.compiler.lowering.target import Artifact, Emission, coverage_of, targets
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.render.markdown import plan_markdown


class Report:
    """`report.md`, at the top of the bundle."""

    name = "report"
    title = "Report in Markdown"
    layers: tuple[str, ...] = ()

    def unsupported_reason(self, plan: Plan) -> str:
        """Nothing: every plan can be reported."""
        return ""

    def emit(self, plan: Plan) -> Emission:
        """The report, as one file."""
        return Emission((Artifact("report.md", plan_markdown(judge(plan), by_hand(plan))),), frozenset(), {})


def by_hand(plan: Plan) -> tuple[Decision, ...]:
    """The settings that no other target expresses, so that somebody has to set them."""
    others = [coverage_of(name, plan) for name, target in targets().items() if target.layers]
    expressed = frozenset(setting for found in others if found is not None for setting in found.expressed)
    return tuple(d for d in plan.written if d.setting not in expressed)


TARGET = Report()

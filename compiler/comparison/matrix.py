"""A matrix: the settings of a server under each value of one fact, such as each goal.

Each column is a plan of its own: that of a policy in which the value replaces what the policy states of the fact, on a
level below all others, as expectations of other facts do. A value that contradicts the others has no plan, and is left
out with its error.
"""

from collections.abc import Iterable

from setpoint.compiler.binding.levels import Level, Subject
from setpoint.compiler.budget import grant
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import Fact, Name
from setpoint.compiler.pipeline import Selection, plan_subject
from setpoint.compiler.plan.matrix import Matrix


def matrix(
    subject: Subject, knowledge: Knowledge, selection: Selection, fact: str, values: Iterable[str]
) -> Matrix:
    """The plans of a subject under each of these values of a fact."""
    plans = Matrix(fact, {}, {})
    for value in values:
        stated = Fact(Name(fact, span=subject.span), Name(value, span=subject.span), span=subject.span)
        level = Level("variation", "", (stated,))
        grant()  # so many values does the library have, or does the command line name
        planned = plan_subject(subject._replace(levels=(*subject.levels, level)), knowledge, selection)
        if planned.judged is None:
            plans.failed[value] = tuple(planned.findings.errors)
        else:
            plans.columns[value] = planned.judged
    return plans

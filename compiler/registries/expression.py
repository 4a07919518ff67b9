"""The conditions of a dependency, combined and evaluated.

The schema says of `MapTerms` that several terms "should be evaluated in array order, meaning they are evaluated
left-to-right when displayed as a logic expression" (DMTF DSP8010, AttributeRegistry.v1_4_0): AND does not take
precedence over OR. It does not say on which of two conditions their term is written, and services differ. All of their
forms become one, a postfix expression:

* a condition with a term joins what is before it (`A, B OR, C AND` is `(A OR B) AND C`);
* if the first condition has a term, each joins what follows it (`A OR, B AND, C` is the same);
* a condition with several terms, or without one among others, is postfix already (`A, B, C "OR,AND"` is
  `A AND (B OR C)`);
* what no term joins are alternatives: of a service that writes no terms at all, one true condition is enough.

A condition on a value that nobody knows is neither true nor false. An expression is true or false only if that does not
depend on the unknown ones.
"""

from collections.abc import Callable, Iterable

from setpoint.compiler.registries.model import AttributeComparison, Scalar

AND, OR = "AND", "OR"

Truth = bool | None
"""Whether an expression is true; None if that is unknown."""


def postfix(
    conditions: Iterable[tuple[AttributeComparison, tuple[str, ...]]],
) -> tuple[AttributeComparison | str, ...]:
    """The postfix expression of conditions, each with its terms."""
    given = list(conditions)
    if given[0][1]:  # each term joins what follows: move it there
        given = [
            (condition, given[place - 1][1] if place else ()) for place, (condition, _) in enumerate(given)
        ]
    expression: list[AttributeComparison | str] = []
    depth = 0
    for condition, terms in given:
        expression.append(condition)
        depth += 1
        for term in terms[: depth - 1]:
            expression.append(term)
            depth -= 1
    return (*expression, *(OR for _ in range(depth - 1)))


def evaluate(
    expression: Iterable[AttributeComparison | str], truth: Callable[[AttributeComparison], Truth]
) -> Truth:
    """The value of a postfix expression."""
    stack: list[Truth] = []
    for term in expression:
        if isinstance(term, AttributeComparison):
            stack.append(truth(term))
            continue
        right, left = stack.pop(), stack.pop()
        stack.append(both(left, right) if term == AND else either(left, right))
    return stack.pop()


def both(left: Truth, right: Truth) -> Truth:
    """Whether two things are both true."""
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def either(left: Truth, right: Truth) -> Truth:
    """Whether one of two things is true."""
    if left or right:
        return True
    return None if left is None or right is None else False


def compare(operator: str, value: Scalar, wanted: Scalar) -> Truth:
    """The result of a comparison; None if the two cannot be compared in this way."""
    if operator in ("EQU", "NEQ"):
        same = value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
        return same == (operator == "EQU")
    if isinstance(value, str | bool | None) or isinstance(wanted, str | bool | None):
        return None
    return {
        "GTR": value > wanted,
        "GEQ": value >= wanted,
        "LSS": value < wanted,
        "LEQ": value <= wanted,
    }[operator]

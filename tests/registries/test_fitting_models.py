"""A registry is accepted if it is of a model that the policy is for, by its name or by its family; the plan is for this
model."""

from __future__ import annotations

import pytest

from registries.test_fitting import R740, Registry, attempt, plan, server
from setpoint.compiler.fitting.server import Server


def of_product(*products: str) -> Server:
    """The captured R740, as servers that call themselves otherwise."""

    def change(registry: Registry) -> None:
        registry["SupportedSystems"] = [{"ProductName": each, "FirmwareVersion": "1.0"} for each in products]

    return server(R740, change)


@pytest.mark.parametrize(
    ("stated", "product", "value", "compared"),
    [
        ("r740", "PowerEdge R740", "r740", ("PowerEdge R740",)),
        ("poweredge-14g", "PowerEdge R740", "r740", ("PowerEdge R740",)),  # described: the plan is for it
        ("poweredge-14g", "PowerEdge M640", "poweredge-14g", ("PowerEdge M640",)),  # by its family
        ("poweredge-14g", "POWEREDGE M640", "poweredge-14g", ("POWEREDGE M640",)),
        ('"PowerEdge M640"', "PowerEdge M640", "poweredge-14g", ("PowerEdge M640",)),
        ("m640", "PowerEdge M640", "poweredge-14g", ("PowerEdge M640",)),  # the registry has the brand
        ("poweredge-11g", "PowerEdge M710", "m710", ()),  # its title: no source shows what it reports
        ("m710", "PowerEdge M710", "m710", ()),
        ("m710", "Unheard-of 1", "m710", ()),  # for all that is known, what an M710 reports
    ],
)
def test_the_plan_is_for_the_model_of_the_registry(
    stated: str, product: str, value: str, compared: tuple[str, ...]
) -> None:
    made = plan(f"goal latency; platform {stated};", of_product(product))
    (mine,) = (each for each in made.identity if each.kind == "product")
    assert (mine.value, mine.names) == (value, compared)
    assert made.registry is not None
    assert made.registry.product == product


def test_what_follows_from_the_family_of_the_model_is_known() -> None:
    done = attempt("goal latency; platform poweredge-14g;", of_product("PowerEdge M640"))
    assert {each.name: each.value for each in done.facts}["cpu"] == "skylake-or-cascade-lake"
    (finding,) = (each for each in done.findings if each.code == "W0201")
    assert finding.message.startswith(
        "`PowerEdge M640` is not described: planned as a Dell PowerEdge of the 14th"
    )


def test_the_brand_of_a_model_is_not_asked_for_if_the_registry_has_it() -> None:
    (alone,) = (
        each for each in attempt("goal latency; platform m640;", None).findings if each.code == "W0201"
    )
    done = attempt("goal latency; platform m640;", of_product("PowerEdge M640"))
    (fitted,) = (each for each in done.findings if each.code == "W0201")
    assert [len(alone.help), len(fitted.help)] == [2, 1]


@pytest.mark.parametrize(
    ("stated", "product", "suggested"),
    [
        ("poweredge-14g", "PowerEdge R750", "`platform r750;`"),
        ("poweredge-14g", "PowerEdge R650xs", '`platform "PowerEdge R650xs";`'),  # another generation
        ("poweredge-14g", "ProLiant DL380 Gen10", '`platform "ProLiant DL380 Gen10";`'),  # another maker
        ("r740", "PowerEdge M640", '`platform "PowerEdge M640";`'),  # another model
        ('"PowerEdge M640"', "PowerEdge FC640", '`platform "PowerEdge FC640";`'),  # of the same family
        ('"PowerEdge M640"', "PowerEdge R740", "`platform r740;`"),
        ("m640", "PowerEdge FC640", '`platform "PowerEdge FC640";`'),
        ("m710", "PowerEdge R740", "`platform r740;`"),
        ("m710", "PowerEdge M640", '`platform "PowerEdge M640";`'),
        ("poweredge-14g", "Unheard-of 1", "the server's platform"),
    ],
)
def test_a_registry_of_another_model_is_refused(stated: str, product: str, suggested: str) -> None:
    (error,) = attempt(f"goal latency; platform {stated};", of_product(product)).findings.errors
    assert error.code == "E0506"
    assert f"it is of `{product}`, and the policy is for platform" in error.message
    assert error.help[0] == f"state {suggested}" + (", if that is the server" if "`" in suggested else "")


def test_of_the_policy_and_the_family_the_narrower_counts() -> None:
    done = attempt("goal latency; platform poweredge-14g; cpu cascade-lake;", of_product("PowerEdge M640"))
    assert {each.name: each.value for each in done.facts}["cpu"] == "cascade-lake"


def test_a_registry_of_several_models_is_of_each_of_them() -> None:
    """A policy for their generation stays one for the generation, since it is not known which of them it is."""
    made = plan("goal latency; platform poweredge-14g;", of_product("PowerEdge R740", "PowerEdge R640"))
    (mine,) = (each for each in made.identity if each.kind == "product")
    assert mine.value == "poweredge-14g"
    assert attempt("goal latency; platform r640;", of_product("PowerEdge R740", "PowerEdge R640")).plan

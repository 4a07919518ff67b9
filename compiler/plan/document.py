"""The form of a plan's JSON as models, which check foreign input, and from which the JSON Schema is generated.

The models are made of the tables of `fields.py`. Unknown fields are ignored, since a later version may add some.
"""

from functools import cache
from typing import Annotated, Any, Literal

import pydantic
from pydantic import BaseModel, ConfigDict, ValidationError, create_model, model_validator

from setpoint.compiler.knowledge.interfaces import INTERFACES, TYPES
from setpoint.compiler.plan.fields import FINDING, PLAN, SPELLED
from setpoint.compiler.plan.form import (
    REQUIRED,
    Data,
    Each,
    JsonField,
    JsonKind,
    Named,
    Nullable,
    Pairs,
    Part,
    Plain,
)


class PlanForm(BaseModel):
    """A part of the document; its fields have the names of the JSON."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class SpelledForm(PlanForm):
    """A spelled value. Artifacts contain its names and texts, so they must be what a knowledge file could have said."""

    @model_validator(mode="after")
    def _has_the_form_of_its_interface(self) -> "SpelledForm":
        spelled = self.model_dump(by_alias=True)
        interface = INTERFACES.get(spelled["interface"])
        if interface is None:
            return self
        text, is_absent = spelled["text"], spelled["absent"]
        texts = [*([text] if text is not None and not is_absent else []), *spelled["texts"].values()]
        forms = (
            [interface.text, *([TYPES[spelled["type"]]] if spelled["type"] else [])]
            if interface.has_texts
            else []
        )
        wrong = [name for name in spelled["names"] if not interface.name.fullmatch(name)]
        wrong += [text for text in texts if not all(form.fullmatch(text) for form in forms)]
        if wrong or not spelled["names"] or (is_absent and not interface.has_absence):
            raise ValueError(f"not a name or a text of {interface.title}: {(*wrong, '')[0]!r}")
        return self


class NotAPlanError(ValueError):
    """Data that does not have the form. The message says where it differs, and how."""


def checked_plan(data: Any) -> Data:
    """The data of a plan, with the defaults of what is left out. Raises NotAPlanError."""
    try:
        return _checked(PLAN, data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise NotAPlanError(f"at {_path(first['loc'])}: {first['msg'][:200]}") from None


def checked_finding(data: Any) -> Data:
    """The data of a finding, with the defaults of what is left out. Raises ValueError."""
    return _checked(FINDING, data)


def _checked(part: Part, data: Any) -> Data:
    return model(part).model_validate(data).model_dump(by_alias=True)


def _path(location: tuple[int | str, ...]) -> str:
    """A place in the data as a JSON Path: `$.settings.smt.because[0]`."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)


@cache
def model(part: Part) -> type[PlanForm]:
    """The model of a table."""
    fields: dict[str, Any] = {
        f"{field.key}_": (_type(field.kind), _described(field)) for field in part.fields
    }
    base = SpelledForm if part is SPELLED else PlanForm
    return create_model(part.name, __base__=base, __doc__=part.about, **fields)


def _described(field: JsonField) -> Any:
    """What pydantic knows of a field, apart from its type."""
    default = ... if field.default is REQUIRED else field.default
    return pydantic.Field(default, alias=field.key, description=field.about or None)


def _type(kind: JsonKind) -> Any:
    """The type that a kind of field has for pydantic."""
    match kind:
        case Plain(type, texts, least, pattern, format):
            extra: Any = {"format": format} if format else None
            limits = pydantic.Field(ge=least, pattern=pattern, json_schema_extra=extra)
            return Annotated[Literal[texts] if texts else type, limits]
        case Nullable(inner):
            return _type(inner) | None
        case Each(inner, least):
            list_type: Any = list[_type(inner)]  # type: ignore[misc]
            return list_type if least is None else Annotated[list_type, pydantic.Field(min_length=least)]
        case Pairs(type):
            return dict[str, type]  # type: ignore[valid-type]
        case Named(inner):
            return dict[str, model(inner)]  # type: ignore[misc]
        case Part():
            return model(kind)
    return bool


def schema() -> Data:
    """The JSON Schema of the form."""
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A Setpoint plan, version 2"}
    json_schema = model(PLAN).model_json_schema(by_alias=True)
    return {**title, **{key: value for key, value in json_schema.items() if key != "title"}}

"""The models that targets lower plans to: checked when they are made, and reporting which settings they express.

Everything that becomes code in an artifact has a type whose pattern leaves nothing to quote. Names and values of BIOS
attributes can be any printable text: they become data only, and each target quotes them for its format. Types that
several targets use are here; those of a single one are with its model.

A `Form` is declared as a model of Pydantic is, and checked as strictly. It is made from plans, never from what others
wrote, and a bundle has hundreds of them, of some thirty kinds: to import Pydantic and to have it build their validators
took more than everything else that a bundle takes. The checks of a form are made of its annotations with the first one.
"""

import re
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from setpoint.compiler.knowledge.interfaces import INTERFACES, SHOWN_IN, TextForm
from setpoint.compiler.knowledge.redfish import REPORTED
from setpoint.compiler.lowering.target import Artifact, Emission, PlanCoverage, Procedure
from setpoint.compiler.record import NamedTuple

Check = Callable[[Any], bool]
"""Whether a field can have a value."""

REQUIRED: Any = object()
"""The default of a field that has none."""


def matching(pattern: str) -> Check:
    """A text of this pattern, as a whole; the pattern is compiled if there is such a text, and then kept."""
    return lambda text: re.fullmatch(pattern, text) is not None


def having(form: TextForm) -> Check:
    """A text of this form."""
    return lambda text: bool(form.fullmatch(text))


def not_empty(value: tuple[Any, ...]) -> bool:
    """At least one part."""
    return bool(value)


class _Field:
    def __init__(self, name: str, default: Any) -> None:
        self.name, self.default = name, default


def field(*, name: str, default: Any = REQUIRED) -> Any:
    """A field that has another name in documents."""
    return _Field(name, default)


def _check(hint: Any) -> Check:
    """The check of an annotation."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        of_type, more = _check(parts[0]), parts[1:]
        if len(more) == 1:  # nearly all, and there are many of them
            (only,) = more
            return lambda value: of_type(value) and only(value)
        return lambda value: of_type(value) and all(check(value) for check in more)
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in parts
    if origin in (Union, UnionType):
        several = list(map(_check, parts))
        return lambda value: any(check(value) for check in several)
    if origin is dict:
        key, content = map(_check, parts)
        return lambda value: isinstance(value, dict) and all(key(k) and content(v) for k, v in value.items())
    if origin is tuple and parts[1:] == (...,):
        part = _check(parts[0])
        return lambda value: isinstance(value, tuple) and all(map(part, value))
    if origin is tuple:
        checks = list(map(_check, parts))
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(checks)
            and all(check(part) for check, part in zip(checks, value, strict=True))
        )
    if hint in (bool, int, NoneType):  # True is no number
        return lambda value: type(value) is hint
    return lambda value: isinstance(value, hint)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Form:
    """A model that is immutable, whose fields are as annotated, and that has no others.

    Raises ValueError where it is made with anything else.
    """

    _checks: ClassVar[Mapping[str, Check]]
    _names: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        fields = {name: field for name, field in vars(cls).items() if isinstance(field, _Field)}
        cls._names = {**cls._names, **{name: field.name for name, field in fields.items()}}
        for name, field in fields.items():
            if field.default is REQUIRED:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)

    def __init__(self, **values: Any) -> None:
        kind = type(self)
        if "_checks" not in vars(kind):
            hints = get_type_hints(kind, include_extras=True)
            kind._checks = {n: _check(hint) for n, hint in hints.items() if get_origin(hint) is not ClassVar}
        if unknown := values.keys() - kind._checks.keys():
            raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
        own = vars(self)
        for name, check in kind._checks.items():
            value = values[name] if name in values else getattr(kind, name, REQUIRED)
            if not check(value):
                raise ValueError(f"{kind.__name__}.{name} cannot be {value!r}")
            own[name] = value
        self.check()

    def check(self) -> None:
        """Check what fields have to do with each other. Raises ValueError."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
        )

    def replaced(self, **values: Any) -> Self:
        """The same with other values."""
        return type(self)(**{name: vars(self)[name] for name in self._checks} | values)

    def document(self) -> dict[str, Any]:
        """It as JSON data, without fields that are None."""
        fields = ((self._names.get(name, name), vars(self)[name]) for name in self._checks)
        return {name: _data(value) for name, value in fields if value is not None}


def _data(value: Any) -> Any:
    """A value of a form as JSON data."""
    if isinstance(value, Form):
        return value.document()
    if isinstance(value, dict):
        return {name: _data(part) for name, part in value.items()}
    return [_data(part) for part in value] if isinstance(value, tuple) else value


WORD = r"^[A-Za-z0-9_][A-Za-z0-9_.+-]*$"

PolicyName = Annotated[str, matching(r"^[A-Za-z0-9_.+-]+$")]

AttributeName = Annotated[str, having(INTERFACES["attribute"].name)]
"""A BIOS attribute: `ProcTurboMode`, `Processors_C-States`. It needs quoting."""

AttributeText = Annotated[str, having(INTERFACES["attribute"].text)]
"""The text of an attribute's value. It needs quoting."""

AttributeValue = bool | int | AttributeText
"""The value of a BIOS attribute, of the type that JSON has for it. A text needs quoting."""

Word = Annotated[str, matching(WORD)]
"""A plain word to every shell, such as the name of a setting."""

KernelPath = Annotated[str, matching(f"^{SHOWN_IN.pattern}$")]
"""A file in which the running system shows a setting, or files, by a pattern of the shell."""

ReportedWord = Annotated[str, matching(r"^[A-Za-z][A-Za-z0-9]*$")]
"""A word that only some services say: the key of a message, a name of a property, a value."""

Meaning = Annotated[str, matching(f"^({'|'.join(REPORTED)})$")]
"""What such a word means (`compiler/knowledge/redfish.py`)."""

Uri = Annotated[str, matching(r"^/redfish/v1(/[A-Za-z0-9_.-]+)+/?$")]

Sentence = Annotated[str, matching(r"^[A-Za-z0-9_.,+` -]*$")]
"""Why a target has nothing to do, for an error message; "" if it has something."""

Reason = Annotated[str, matching(r"^[^\n\r]+\)$")]
"""Half a sentence on one line, closed by a bracket: see `setpoint.targets._linux.reason`."""


Model = TypeVar("Model")


class Lowered(NamedTuple, Generic[Model]):
    """A target's model (None if it has nothing to do), the settings that it expresses, and those that it leaves out.

    `left_out` maps a setting's name to the reason, in a sentence. `carries` names the targets whose files it has
    carried out.
    """

    model: Model | None
    expressed: frozenset[str]
    left_out: dict[str, str]
    carries: frozenset[str] = frozenset()

    def emission(
        self,
        artifacts: Callable[[Model], tuple[Artifact, ...]],
        procedure: Callable[[tuple[Artifact, ...]], Procedure | None],
    ) -> Emission:
        """The emission with the files that `artifacts` makes of the model, and how they are used; without files if
        there is no model."""
        files = artifacts(self.model) if self.model is not None else ()
        return Emission(files, self.expressed, self.left_out, procedure(files) if files else None)

    @property
    def coverage(self) -> PlanCoverage:
        """The settings, without files."""
        return PlanCoverage(self.expressed, self.left_out, self.model is not None, self.carries)

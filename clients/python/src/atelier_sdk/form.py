"""The form of a published app: which fields it has, which control each gets, and what a run is given of what people fill in.

Asks nothing of the network.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field as default
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from .types import App, Inputs, Overrides


@dataclass
class Field:
    """One field of a form."""

    #: The name under which a run takes the value; "" for fields of whole nodes, which go by node and field.
    id: str
    node_id: str
    field: str
    #: select, toggle, number, slider, area, file, color, json, line; thing and things are ids of the library.
    kind: str
    label: str
    hint: str = ""
    #: The published value; None when there is none.
    value: Any = None
    #: The published value as the control shows it: the JSON of a choice, "on" or "" of a toggle.
    text: str = ""
    #: What a select offers.
    options: List[Any] = default(default_factory=list)
    #: Bounds of numbers; a slider always has them.
    min: Optional[float] = None
    max: Optional[float] = None
    #: Only whole numbers.
    whole: bool = False
    required: bool = False
    #: 0 for no bound.
    max_length: int = 0
    #: The kind of file that a file field takes: image, video or audio.
    accept: Optional[str] = None

    @property
    def key(self) -> str:
        """What the field is called among the controls of a page."""
        return self.id or f"{self.node_id}.{self.field}"


@dataclass
class Text:
    """A text of the publisher, in Markdown."""

    text: str


@dataclass
class Group:
    title: str
    parts: List[Union[Field, Text]]


Part = Union[Field, Text, Group]


@dataclass
class Form:
    """An app with its form."""

    name: str
    description: str
    version: int
    #: What a run costs.
    estimated_credits: float
    #: Runs of an account in a day; None for no limit.
    max_runs_per_user_per_day: Optional[int]
    parts: List[Part]

    @property
    def fields(self) -> List[Field]:
        """All fields, groups entered."""
        return fields_of(self.parts)

    def values(self, texts: Mapping[str, str]) -> Tuple[Inputs, Overrides]:
        """What a run is given of the texts in the controls; see values_of."""
        return values_of(self.parts, texts)


class FieldError(ValueError):
    """A field was filled in with what it does not take."""

    def __init__(self, field: Field, message: str):
        super().__init__(message)
        self.field = field


def form_of(app: App, types: Mapping[str, Any]) -> Form:
    """The form of an app, by the descriptors of its types of nodes."""
    parts = parts_of(app["snapshotSettings"]["presentationSettings"]["inputItems"], app["snapshotNodes"], types)
    return Form(app["name"], app["description"], app["version"], app["estimatedCredits"], app["maxRunsPerUserPerDay"], parts)


def parts_of(items: Iterable[Any], nodes: Iterable[Mapping[str, Any]], types: Mapping[str, Any]) -> List[Part]:
    """What the items of an app show before a run. Items that are not understood are left out."""
    return _walk(items, {node["id"]: node for node in nodes}, types, True)


def fields_of(parts: Iterable[Part]) -> List[Field]:
    """All fields of a form, groups entered."""
    out: List[Field] = []
    for part in parts:
        if isinstance(part, Field):
            out.append(part)
        elif isinstance(part, Group):
            out += fields_of(part.parts)
    return out


def _walk(items: Iterable[Any], nodes: Mapping[str, Any], types: Mapping[str, Any], groups: bool) -> List[Any]:
    out: List[Any] = []
    for item in items:
        if not isinstance(item, dict):
            continue
        kind, node = item.get("type"), nodes.get(item.get("nodeId") or "")
        if kind == "field" and node:
            found = field_of(item.get("id") or "", node, item.get("field") or "", item.get("allowedValues"), _schema(types, node))
            found.label = item.get("label") or found.label
            found.hint = item.get("help") or found.hint
            found.required = found.required or bool(item.get("required"))
            out.append(found)
        elif kind == "richtext" and item.get("content"):
            out.append(Text(item["content"]))
        elif kind == "group" and groups:
            out.append(Group(item.get("title") or "", _walk(item.get("items") or [], nodes, types, False)))
        elif kind == "node" and node:
            title = (types.get(node["type"]) or {}).get("label") or node["type"]
            out.append(Group(title, _fields_of_node(node, _schema(types, node))))
    return out


def _schema(types: Mapping[str, Any], node: Mapping[str, Any]) -> Any:
    return (types.get(node["type"]) or {}).get("inputSchema")


# What is not filled in by hand: keys, schedules, whole animations.
_NOT_BY_HAND = ("credential", "schedule", "parameters", "workflow", "motion")


def _fields_of_node(node: Mapping[str, Any], schema: Any) -> List[Any]:
    properties = (schema or {}).get("properties") or {}
    out = []
    for name in (schema or {}).get("x-order") or sorted(properties):
        if name in properties and properties[name].get("x-control") not in _NOT_BY_HAND:
            found = field_of(f"{node['id']}.{name}", node, name, None, schema)
            found.id = ""
            out.append(found)
    return out


def field_of(id: str, node: Mapping[str, Any], field: str, allowed_values: Optional[List[Any]], input_schema: Any) -> Field:
    """Decides how a field is edited.

    allowedValues are a select; then the inputSchema of the type of node decides where it describes the field; else it is
    inferred from the published value and the name.
    """
    if field.startswith("slot:"):
        return _slot_of(id, node, field)
    property = ((input_schema or {}).get("properties") or {}).get(field) or {}
    described = any(property.get(key) for key in ("type", "enum", "format", "x-control"))
    schema = property if described else {}
    value = _value_at(node["data"], field)
    if value is None:
        value = schema.get("default")
    control = schema.get("x-control")
    out = Field(
        id, node["id"], field, "line", property.get("title") or name_in_words(field), hint=schema.get("description") or "", value=value,
        options=list(allowed_values or schema.get("enum") or []), min=schema.get("minimum"), max=schema.get("maximum"),
        whole=schema.get("type") == "integer", required=described and field in ((input_schema or {}).get("required") or []),
        max_length=schema.get("maxLength") or 0, accept=control if control in _FILES else None,
    )
    if allowed_values:
        out.kind = "select"
    else:
        out.kind = _described(schema, node["type"]) if described else _inferred(node["type"], field, value)
    return _finished(out)


_FILES = ("image", "video", "audio")
_THINGS = ("character", "creature", "object", "location", "face", "preset", "voice")


def _described(schema: Mapping[str, Any], node_type: str) -> str:
    """The control of a field that an inputSchema describes."""
    control, kind = schema.get("x-control"), schema.get("type")
    if schema.get("enum"):
        return "select"
    if control in _THINGS:
        return "things" if kind == "array" else "thing"
    if kind == "boolean":
        return "toggle"
    if kind in ("number", "integer"):
        return "slider" if control == "slider" and "minimum" in schema and "maximum" in schema else "number"
    if control == "color":
        return "color"
    if control in _FILES or (schema.get("format") == "uri" and node_type.startswith("upload-")):
        return "file"
    if kind in ("array", "object") or control == "json":
        return "json"
    return "area" if schema.get("format") == "textarea" else "line"


_SLIDERS = ("duration", "intensity", "strength", "scale", "temperature")
_AREAS = ("prompt", "description", "text", "content", "caption", "message")


def _inferred(node_type: str, field: str, value: Any) -> str:
    """The control of a field that no schema describes, by the rules of the API, in their order."""
    name = _last_name(field)
    if isinstance(value, bool):
        return "toggle"
    if isinstance(value, (int, float)):
        return "slider" if name.lower().endswith(_SLIDERS) else "number"
    if isinstance(value, str):
        if name in _AREAS:
            return "area"
        if value.startswith(("https://", "http://")) and node_type.startswith("upload-"):
            return "file"
    elif isinstance(value, (list, dict)):
        return "json"
    return "line"


def _slot_of(id: str, node: Mapping[str, Any], field: str) -> Field:
    """A slot of an animation: a color, a number or a text."""
    name = field[len("slot:"):]
    plan = node["data"].get("motionPlan") or {}
    slot = (plan.get("slots") or {}).get(name) or {}
    values = plan.get("slotValues") or {}
    out = Field(id, node["id"], field, "line", name_in_words(name), value=values[name] if name in values else slot.get("value"))
    if slot.get("type") == "color":
        out.kind, out.value = "color", _hex_of(out.value)
    elif slot.get("type") == "number":
        out.kind = "number"
    return _finished(out)


def _finished(field: Field) -> Field:
    field.text = _text_of(field)
    if field.kind == "slider" and (field.min is None or field.max is None):
        field.min, field.max = _bounds_of(field.value if isinstance(field.value, (int, float)) else 0)
    return field


def _bounds_of(value: float) -> Tuple[float, float]:
    """Bounds for a number of which only its value is known."""
    most = next((bound for bound in (1, 2, 10, 100, 1000) if value <= bound / 1.25 or value == bound), 2 * value)
    return (2 * value if value < 0 else 0, most)


def _text_of(field: Field) -> str:
    if field.value is None:
        return ""
    if field.kind == "select":
        return _json(field.value)
    if field.kind == "toggle":
        return "on" if field.value is True else ""
    if field.kind == "json":
        return json.dumps(field.value, indent=2, ensure_ascii=False)
    return field.value if isinstance(field.value, str) else _json(field.value)


def read_field(field: Field, typed: str) -> Tuple[bool, Any]:
    """What was filled in: whether it differs from the published value, and the value that a run is given. Raises FieldError."""
    if field.kind == "toggle":
        return (typed != "") != (field.value is True), typed != ""
    text, published = _line_ends(typed), _line_ends(field.text)
    written = field.kind in ("line", "area")
    if field.required and not text.strip() and (field.text == "" or written):
        raise FieldError(field, f"{field.label} is needed.")
    if text == published:
        return False, None
    if text == "" and not written:
        return field.value is not None, None  # emptied: the default of the node counts
    if field.kind == "select":
        for option in field.options:
            if _json(option) == text:
                return True, option
        raise FieldError(field, f"Choose one of the values for {field.label}.")
    if field.kind in ("number", "slider"):
        return True, _number_of(field, text)
    if field.kind in ("json", "things"):
        return True, _json_of(field, text)
    return True, text


def plain_value(field: Field, text: str) -> Any:
    """A value as people write it where there is no control, such as in a file of settings. Raises FieldError.

    A choice by its text, a toggle as true or false, a number, JSON, and everything else as it is.
    """
    if field.kind == "select":
        for option in field.options:
            if text in (option, _json(option)):
                return option
        offered = ", ".join(option if isinstance(option, str) else _json(option) for option in field.options)
        raise FieldError(field, f"{field.label} must be one of {offered}.")
    if field.kind == "toggle":
        if text.lower() not in ("true", "false"):
            raise FieldError(field, f"{field.label} must be true or false.")
        return text.lower() == "true"
    if field.kind in ("number", "slider"):
        return _number_of(field, text)
    if field.kind in ("json", "things"):
        return _json_of(field, text)
    return text


def _json_of(field: Field, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise FieldError(field, f"{field.label} is not JSON.") from None


def _number_of(field: Field, text: str) -> Union[int, float]:
    plain = text.replace(",", "").replace(" ", "").replace("−", "-")
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", plain) or not math.isfinite(float(plain)):
        raise FieldError(field, f"{field.label} must be a number.")
    value = float(plain)
    if value.is_integer():
        return int(value)
    if field.whole:
        raise FieldError(field, f"{field.label} must be a whole number.")
    return value


def values_of(parts: Iterable[Part], texts: Mapping[str, str]) -> Tuple[Inputs, Overrides]:
    """What a run is given of the texts in the controls, by the key of each field: inputs and input_overrides.

    Only what differs from the published values is sent, so that a run that changes nothing but slots costs nothing. Raises
    FieldError.
    """
    inputs: Inputs = {}
    overrides: Overrides = {}
    for field in fields_of(parts):
        changed, value = read_field(field, texts.get(field.key, field.text))
        if not changed:
            continue
        if field.id:
            inputs[field.id] = value
        else:
            overrides.setdefault(field.node_id, {})[field.field] = value
    return inputs, overrides


def name_in_words(field: str) -> str:
    """A name in words: "aspectRatio" becomes "Aspect ratio", "values.name" becomes "Name"."""
    words = re.sub(r"(?<!^)[A-Z]", lambda letter: " " + letter.group().lower(), re.sub("[_-]", " ", _last_name(field)))
    return words[:1].upper() + words[1:]


def _last_name(field: str) -> str:
    return field.rpartition(".")[2]


def _value_at(data: Any, field: str) -> Any:
    """The value of a field; a dot leads into an object."""
    if field in data:
        return data[field]
    head, dot, rest = field.partition(".")
    inner = data.get(head)
    return _value_at(inner, rest) if dot and isinstance(inner, dict) else None


def _hex_of(value: Any) -> Any:
    """Four numbers from 0 to 1 as #rrggbb; a text stays as it is."""
    if not isinstance(value, list) or len(value) < 3:
        return value
    part = lambda one: math.floor(min(1, max(0, one if isinstance(one, (int, float)) else 0)) * 255 + 0.5)
    return "#" + "".join(f"{part(one):02x}" for one in value[:3])


def _json(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")

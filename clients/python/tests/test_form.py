import json
import pathlib
import unittest

from atelier_sdk.form import Field, FieldError, Group, Text, field_of, fields_of, parts_of, plain_value, read_field, values_of

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "testdata"


def vectors(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def shown(part):
    """What the vectors say of a part."""
    if isinstance(part, Group):
        return {"type": "group", "title": part.title, "parts": [shown(inner) for inner in part.parts]}
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    out = {"type": "field", "nodeId": part.node_id, "field": part.field, "kind": part.kind, "label": part.label}
    more = {"id": part.id, "hint": part.hint, "required": part.required}
    return {**out, **{name: value for name, value in more.items() if value}}


class Forms(unittest.TestCase):
    def test_controls(self):
        every = vectors("controls.json")
        self.assertGreater(len(every), 40)
        for v in every:
            with self.subTest(v["name"]):
                field = field_of("x", {"id": "n", "type": v["nodeType"], "data": v["data"]}, v["field"], v["allowedValues"], v["inputSchema"])
                want = dict(v["control"])
                want["options"] = want["options"] or []
                for bound in ("min", "max"):
                    want[bound] = float(want[bound]) if want[bound] else None
                got = {name: getattr(field, name) for name in ("kind", "label", "hint", "value", "text", "options", "min", "max", "whole", "required")}
                self.assertEqual({**got, "maxLength": field.max_length}, want)
                for typed in v.get("typed", []):
                    if typed["refused"]:
                        with self.assertRaises(FieldError, msg=typed["text"]):
                            read_field(field, typed["text"])
                        continue
                    changed, value = read_field(field, typed["text"])
                    self.assertEqual(changed, typed["changed"], typed["text"])
                    if changed:
                        self.assertEqual(value, typed["value"], typed["text"])

    def test_forms(self):
        for v in vectors("forms.json"):
            with self.subTest(v["name"]):
                types = {one["type"]: one for one in v["nodeTypes"]}
                self.assertEqual([shown(part) for part in parts_of(v["inputItems"], v["snapshotNodes"], types)], v["parts"] or [])

    def test_values(self):
        first, second = vectors("forms.json")[:2]
        types = {one["type"]: one for one in first["nodeTypes"]}
        parts = parts_of(first["inputItems"], first["snapshotNodes"], types)
        self.assertEqual(values_of(parts, {}), ({}, {}))
        self.assertEqual(values_of(parts, {"topic": "a fox", "shape": '"16:9"', "sky": "#0080ff"}), ({"topic": "a fox", "shape": "16:9"}, {}))
        with self.assertRaises(FieldError) as caught:
            values_of(parts, {"named": " "})
        self.assertEqual(caught.exception.field.id, "named")
        whole = parts_of(second["inputItems"], first["snapshotNodes"], types)
        self.assertEqual([field.key for field in fields_of(whole)[:2]], ["paint.prompt", "paint.aspectRatio"])
        self.assertEqual(values_of(whole, {"paint.seed": "5"}), ({}, {"paint": {"seed": 5}}))
        self.assertIsInstance(parts[1], Field)

    def test_values_as_people_write_them(self):
        field = lambda kind, *options: Field("x", "n", "f", kind, "Label", options=list(options))
        self.assertEqual(plain_value(field("select", "16:9", 2), "16:9"), "16:9")
        self.assertEqual(plain_value(field("select", "16:9", 2), "2"), 2)
        self.assertIs(plain_value(field("toggle"), "True"), True)
        self.assertEqual(plain_value(field("number"), "1.5"), 1.5)
        self.assertEqual(plain_value(field("json"), "[1]"), [1])
        self.assertEqual(plain_value(field("area"), "7"), "7")
        for kind, text in (("select", "x"), ("toggle", "yes"), ("number", "x"), ("json", "[")):
            with self.assertRaises(FieldError):
                plain_value(field(kind), text)


if __name__ == "__main__":
    unittest.main()

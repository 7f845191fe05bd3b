"""Makes the form of an app, and reads results, of what was fetched elsewhere: nothing but the client asks the network."""

from atelier_sdk import Atelier, main_result, result_of, results_of
from atelier_sdk.form import field_of, fields_of, form_of, name_in_words, parts_of, read_field, values_of

atelier = Atelier()
app = atelier.apps.get("greeting")
nodes = app["snapshotNodes"]

# Without descriptors of the nodes, controls are inferred from the published values.
form = form_of(app, {})
parts = parts_of(app["snapshotSettings"]["presentationSettings"]["inputItems"], nodes, {})
print(len(parts) == len(form.parts), values_of(parts, {"name": "Ada"}))
name = fields_of(parts)[0]
print(name.kind, read_field(name, "Ada"))
who = next(node for node in nodes if node["id"] == "who")
print(field_of("name", who, "text", ["Ada", "Grace"], None).kind, name_in_words("aspectRatio"))

run = atelier.apps.run("greeting", {"name": "Ada"}).run
results = results_of(run["execution"], nodes)
print(len(results), main_result(app, results).text, result_of("line", {"text": "Hello"}).kind)

picture = atelier.nodes.run("qr-code", {"text": "https://example.org"}).result
print(len(picture.bytes()), "bytes")

rows, cursor = atelier.jobs.list(limit=1).page()
print(len(rows), cursor is not None)

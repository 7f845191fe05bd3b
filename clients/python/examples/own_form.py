"""Shows an app as a form of one's own, and runs it with what was filled in."""

from atelier_sdk import Atelier
from atelier_sdk.form import plain_value

atelier = Atelier()

for app in atelier.apps.list():
    print(app["slug"], app["name"])
app = atelier.apps.get("greeting")
form = atelier.apps.form("greeting")
print(f"{app['name']}, {form.estimated_credits} credits")
for field in form.fields:
    print(field.key, field.kind, field.label, field.text)

# What the controls of a page would hold, by the key of each field.
inputs, overrides = form.values({"name": "Grace", "mood": '"solemn"'})
print(atelier.apps.run("greeting", inputs, input_overrides=overrides).result.text)

# Where there are no controls, such as in a file of settings, values are read as people write them.
settings = {"name": "Hedy", "mood": "solemn"}
plain = {field.id: plain_value(field, settings[field.id]) for field in form.fields}
print(atelier.apps.run("greeting", plain).result.text)

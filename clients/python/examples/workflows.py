"""Makes a workflow, runs it, publishes it as an app, and tidies up."""

from atelier_sdk import Atelier, RunFailedError

atelier = Atelier()

made = atelier.workflows.create({
    "name": "Shout",
    "nodes": [
        {"id": "word", "type": "text", "data": {"text": "hello"}},
        {"id": "shout", "type": "template-text", "data": {"template": "{{word}}!", "values": {}}},
    ],
    "edges": [{"id": "1", "source": "word", "target": "shout", "targetHandle": "values.word"}],
})
atelier.workflows.update(made["id"], {"name": "Shout it"})
print(atelier.workflows.get(made["id"])["name"])

print(atelier.workflows.run(made["id"], {"word.text": "ahoy"}).result.text)

execution_id = atelier.workflows.start(made["id"], input_overrides={"word": {"text": "hey"}})
for state in atelier.executions.follow(execution_id):
    print(state["completedNodes"], state["totalNodes"])
print(atelier.executions.get(execution_id)["nodeStates"]["shout"]["output"]["text"])
for run in atelier.workflows.runs(made["id"]):
    print(run["createdAt"], run["status"])

app = atelier.workflows.publish(made["id"], {
    "name": "Shout",
    "slug": f"shout-{made['id'][-12:]}",
    "thumbnailNodeId": "shout",
    "presentationSettings": {"inputItems": [{"type": "field", "id": "word", "nodeId": "word", "field": "text", "allowedValues": None}]},
})
print(atelier.apps.run(app["slug"], {"word": "land"}).result.text)
atelier.request("DELETE", f"/v1/apps/{app['id']}")
atelier.workflows.delete(made["id"])

# A run that takes long can be cancelled; waiting for it then raises.
slow = atelier.workflows.create({"name": "Slow", "nodes": [{"id": "wait", "type": "delay", "data": {"seconds": 600}}]})
running = atelier.workflows.start(slow["id"])
atelier.executions.cancel(running)
try:
    atelier.executions.wait(running)
except RunFailedError as failure:
    print(failure.code)
atelier.workflows.delete(slow["id"])
print(atelier.workflows.list().take(1)[0]["name"])

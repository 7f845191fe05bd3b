"""Starts a run in one place and follows it in another, as a queue and a page would."""

from atelier_sdk import Atelier

atelier = Atelier()

# A draft has an id before anything is paid: keep it, then start it. The key makes a repeat the same request.
run_id = atelier.apps.draft("greeting")
atelier.apps.start("greeting", {"name": "Ada"}, run_id=run_id, idempotency_key=f"greeting-{run_id}")

for run in atelier.apps.follow("greeting", run_id):
    print(run["status"])

ended = atelier.apps.get_run("greeting", run_id)
print(atelier.apps.results("greeting", ended).result.text)

# The same in one call, for a run whose states are of no interest.
print(atelier.apps.wait("greeting", run_id).result.kind)

for run in atelier.apps.runs("greeting", limit=10):
    print(run["createdAt"], run["status"])
atelier.apps.archive("greeting", run_id)
print(atelier.apps.runs("greeting", archived=True).take(1)[0]["id"] == run_id)

"""Runs a published app, shows how far it is, and keeps the picture."""

from atelier_sdk import Atelier

atelier = Atelier()  # ATELIER_URL and ATELIER_TOKEN


def progress(run):
    print(run["execution"]["completedNodes"], "of", run["execution"]["totalNodes"])


made = atelier.apps.run("poster", {"topic": "a fox"}, on_progress=progress)
print(made.run["creditsUsed"], "credits,", len(made.results), "results")
made.result.save("fox.png")
print(f"fox.png: {made.result.kind}, {len(atelier.files.download(made.result.url))} bytes")

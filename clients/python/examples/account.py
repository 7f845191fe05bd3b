"""Who the token is, what there is to spend, requests that the SDK has no word for, and errors."""

from atelier_sdk import Atelier, AtelierError

with Atelier() as atelier:
    print(atelier.me()["displayName"], "has", atelier.credits.balance()["available"], "credits")
    for movement in atelier.credits.transactions().take(3):
        print(movement["kind"], movement["amount"])

    project = atelier.request("POST", "/v1/projects", body={"name": "From the SDK"})["data"]
    for one in atelier.list("/v1/projects", limit=1):
        print(one["name"])
    atelier.request("DELETE", f"/v1/projects/{project['id']}")

    try:
        atelier.apps.run("greeting", {"mood": "angry"})
    except AtelierError as refusal:
        if refusal.code != "validation_error":
            raise
        print(f"{refusal.field}: {refusal.message}")

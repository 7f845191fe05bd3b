"""Verifies a signed event, as a route of any web framework does that hands out the bytes of the body."""

import hashlib
import hmac
import json
import time

from atelier_sdk.webhook import WebhookError, verify

secret = "whsec_of_the_example"


def receive(headers, body):
    try:
        event = verify(headers, body, secret)
    except WebhookError as refused:
        print(refused.code)
        return 400
    if event["type"] == "job.completed":
        print("done:", event["data"]["job"]["id"])
    return 204


# What the service sends:
body = json.dumps({"id": "e", "type": "job.completed", "createdAt": "2026-09-01T08:30:00.000Z", "data": {"job": {"id": "j", "status": "completed"}}}).encode()
stamp = str(int(time.time()))
signature = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
print(receive({"Service-Signature": f"t={stamp},v1={signature}"}, body), receive({"service-signature": f"t={stamp},v1=00"}, body))

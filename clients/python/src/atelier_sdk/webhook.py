"""For receivers: verifies the signed events that the service sends, and reads them.

    event = verify(request.headers, body, secret)

The body must be the bytes as they arrived. JSON that was read and written again has other bytes, and no signature fits it.
"""

from __future__ import annotations

import datetime
import hashlib
import hmac
import json
import re
import time
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

#: Carries the time of sending and the signatures.
SIGNATURE_HEADER = "Service-Signature"
#: How far the time of sending may be from now, either way, in seconds.
DEFAULT_TOLERANCE_SECONDS = 300
#: The longest signature header that is looked at.
_MAX_HEADER = 4096
#: How many v1 signatures are compared; the service sends two at most.
_MAX_SIGNATURES = 16


class WebhookError(Exception):
    """An event was not accepted. The message is for a log and holds no secret.

    code is one of missing_secret, crypto_unavailable, missing_header, malformed_header, signature_mismatch,
    timestamp_outside_tolerance and invalid_payload, in the order in which they are looked at.
    """

    def __init__(self, code: str, detail: str):
        super().__init__(f"{code}: {detail}")
        self.code = code


def verify(
    signature: Union[str, None, Mapping[str, Any]],
    body: Union[bytes, bytearray, memoryview, str],
    secrets: Union[str, None, Iterable[Optional[str]]],
    *,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
) -> Dict[str, Any]:
    """Verifies an event by its signature (the header, or all headers) and the exact bytes of its body, with one secret or several.

    Raises WebhookError.
    """
    keys = [key for key in ([secrets] if isinstance(secrets, str) else secrets or []) if key]
    if not keys:
        raise WebhookError("missing_secret", "there is no signing secret to verify with")
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise TypeError("verify needs the body as it arrived, as bytes or text, and not what was read from it")
    content = body.encode() if isinstance(body, str) else bytes(body)
    stamp, signatures = _parse(_header_of(signature))
    fitting = False
    for key in keys:
        right = hmac.new(key.encode(), stamp.encode() + b"." + content, hashlib.sha256).digest()
        for one in signatures:
            fitting |= hmac.compare_digest(right, one)
    if not fitting:
        raise WebhookError("signature_mismatch", "no signature fits the body; it must be the exact bytes that arrived")
    age = abs(now() - int(stamp))
    if not age <= tolerance_seconds:
        raise WebhookError("timestamp_outside_tolerance", f"sent {age:.0f} s from now; at most {tolerance_seconds} s are accepted")
    return _read(content)


def _header_of(signature: Union[str, None, Mapping[str, Any]]) -> str:
    if signature is None or isinstance(signature, str):
        return signature or ""
    for name, value in signature.items():
        if name.lower() == SIGNATURE_HEADER.lower():
            return value if isinstance(value, str) else ",".join(value or [])
    return ""


def _parse(header: str) -> Tuple[str, List[bytes]]:
    """Reads one t and at least one v1, in any order; what else is there is passed over."""

    def malformed(detail: str) -> WebhookError:
        return WebhookError("malformed_header", detail)

    if not header.strip(" \t"):
        raise WebhookError("missing_header", f"the request has no {SIGNATURE_HEADER}")
    if len(header) > _MAX_HEADER:
        raise malformed(f"the header is longer than {_MAX_HEADER} bytes")
    stamp: Optional[str] = None
    signatures: List[bytes] = []
    for part in header.split(","):
        name, _, value = part.strip(" \t").partition("=")
        if name == "t":
            if stamp is not None:
                raise malformed("t is there twice")
            if not re.fullmatch("[0-9]{1,11}", value):
                raise malformed("t is no time in seconds")
            stamp = value
        elif name == "v1":
            if len(signatures) == _MAX_SIGNATURES:
                raise malformed(f"there are more than {_MAX_SIGNATURES} signatures")
            signatures.append(bytes.fromhex(value) if re.fullmatch("[0-9a-fA-F]{64}", value) else b"")
    if stamp is None:
        raise malformed("there is no t")
    if not signatures:
        raise malformed("there is no v1")
    return stamp, signatures


def _read(body: bytes) -> Dict[str, Any]:
    """Reads a body whose signature was right."""

    def invalid(detail: str) -> WebhookError:
        return WebhookError("invalid_payload", detail)

    def no_number(text: str) -> Any:
        raise ValueError(text)

    try:
        event = json.loads(body.decode("utf-8"), parse_constant=no_number)
    except (ValueError, RecursionError):
        raise invalid("the body is no JSON") from None
    if not isinstance(event, dict):
        raise invalid("the body is no JSON object")
    for name in ("id", "type", "createdAt"):
        if not isinstance(event.get(name), str) or not event[name]:
            raise invalid(f"the event has no {name}")
    if not _is_time(event["createdAt"]):
        raise invalid("createdAt is no time")
    data = event.get("data")
    if not isinstance(data, dict):
        raise invalid("the event has no data")
    if event["type"] in ("job.completed", "job.failed") and not isinstance(data.get("job"), dict):
        raise invalid("the event has no job")
    if "omitted" in data and not isinstance(data["omitted"], list):
        raise invalid("data.omitted is no list")
    if event["type"] == "ping" and "webhookId" in data and not isinstance(data["webhookId"], str):
        raise invalid("data.webhookId is no text")
    return event


def _is_time(text: str) -> bool:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})", text):
        return False
    try:
        datetime.datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return False
    return True

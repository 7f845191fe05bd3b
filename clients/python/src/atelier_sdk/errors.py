"""What goes wrong: refusals by the service, broken connections, and runs that fail."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class AtelierError(Exception):
    """The service refused a request. Dispatch on code; the message is for people."""

    def __init__(self, status: int, details: Mapping[str, Any], retry_after: Optional[float] = None, request_id: Optional[str] = None):
        super().__init__(f"{details.get('code')}: {details.get('message')}")
        self.status = status
        #: One of the codes that the service documents (atelier_sdk.codes), or one that is yet to come.
        self.code: str = str(details.get("code"))
        self.message: str = str(details.get("message"))
        #: The input at fault, where it is one.
        self.field: Optional[str] = details.get("field")
        #: The scope that the token lacks, at insufficient_scope.
        self.missing_scope: Optional[str] = details.get("missingScope")
        #: After how many seconds to try again, where the service said so.
        self.retry_after = retry_after
        #: X-Request-Id, by which an operator finds the request in the log.
        self.request_id = request_id
        #: All that the error object held.
        self.details = dict(details)


class ConnectionFailedError(Exception):
    """The service could not be reached, did not answer in time, or answered with something else than JSON."""


class RunFailedError(Exception):
    """A run, an execution or a job ended without a result. The message is what it says of the reason."""

    def __init__(self, ended: Mapping[str, Any], message: Optional[str], code: Optional[str]):
        super().__init__(message or "The run failed.")
        #: How it ended.
        self.ended = ended
        #: errorCode of the execution, or "failed"; "cancelled" when it was cancelled.
        self.code = code or "failed"

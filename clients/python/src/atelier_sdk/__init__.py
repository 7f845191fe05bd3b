"""Runs apps, workflows and nodes of an install of Atelier.

    from atelier_sdk import Atelier

    atelier = Atelier("https://atelier.example.org", token)
    atelier.apps.run("poster", {"topic": "a fox"})

In a notebook the result shows itself. AsyncAtelier is the same for async programs; atelier_sdk.form makes forms of apps,
atelier_sdk.webhook verifies signed events.
"""

from ._async_client import AsyncAtelier, AsyncPages
from ._client import Atelier, Pages
from ._version import version as __version__
from .errors import AtelierError, ConnectionFailedError, RunFailedError
from .results import AppResult, NodeResult, Result, WorkflowResult, main_result, result_of, results_of

__all__ = [
    "AppResult", "AsyncAtelier", "AsyncPages", "Atelier", "AtelierError", "ConnectionFailedError", "NodeResult", "Pages", "Result",
    "RunFailedError", "WorkflowResult", "__version__", "main_result", "result_of", "results_of",
]

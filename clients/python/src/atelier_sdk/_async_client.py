"""The client for async programs. _client.py is written from this file by scripts/sync.py: change this one."""

from __future__ import annotations

import asyncio
import email.utils
import json
import os
import re
import secrets
import time
import urllib.parse
import uuid
from typing import IO, Any, AsyncGenerator, AsyncIterator, Awaitable, Callable, Dict, Generic, List, Mapping, Optional, Tuple, TypeVar, Union, cast

from . import form as forms
from . import types as t
from ._version import version
from ._wire import AsyncAnswer, Body, Request, async_wire
from .errors import AtelierError, ConnectionFailedError, RunFailedError
from .results import AppResult, NodeResult, Result, WorkflowResult, main_result, result_of, results_of

Row = TypeVar("Row")

#: Seconds after attempts that are answered 429, and at least Retry-After.
WAITS_WHEN_LIMITED = (5.0, 10.0, 20.0)
#: Seconds after attempts that fail for the time being: 5xx and broken connections.
WAITS_WHEN_BROKEN = (1.0, 2.0, 4.0)
#: 5xx that no repeat mends.
LASTING = ("encryption_key_missing",)
#: A stream sends a sign of life every 15 seconds; one that is silent for longer does not come through.
LONGEST_SILENCE = 45.0
#: After as many streams without news, and those that cannot be had, the client polls.
MOST_SILENT_STREAMS = 2
#: Seconds between two polls, at least.
POLL_EVERY = 2.0


class AsyncTransport:
    """Sends requests and repeats them as the service asks clients to."""

    def __init__(self, base_url: Optional[str], token: Any, workspace: Optional[str], client: Optional[str], timeout: float, retries: int, longest_wait: float, sleep: Any, wire: Any):
        address = base_url or os.environ.get("ATELIER_URL", "")
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("https", "http") or not parts.netloc:
            raise ValueError("Atelier needs the address of an install: base_url, or ATELIER_URL")
        path = re.sub(r"/v1$", "", parts.path.rstrip("/"))
        self.base_url = f"{parts.scheme}://{parts.netloc}{path}"
        self._token = token if token is not None else os.environ.get("ATELIER_TOKEN")
        self._workspace = workspace
        self._client = client or f"sdk/{version}"
        self._timeout, self._retries, self._longest_wait = timeout, retries, longest_wait
        self.sleep: Callable[[float], Awaitable[None]] = sleep or asyncio.sleep
        self.wire = wire or async_wire()

    async def request(self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, body: Any = None, workspace: Optional[str] = None, idempotency_key: Optional[str] = None) -> Any:
        answer = await self.send(method, path, query=query, body=body, workspace=workspace, idempotency_key=idempotency_key)
        return self.json(await answer.read())

    def json(self, content: bytes) -> Any:
        try:
            return json.loads(content) if content else None
        except ValueError:
            raise ConnectionFailedError(f"{self.base_url} answers with something else than JSON: is it the address of an install?") from None

    async def send(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, body: Any = None, content: Optional[Tuple[Body, str]] = None,
        headers: Optional[Mapping[str, str]] = None, workspace: Optional[str] = None, idempotency_key: Optional[str] = None,
        retries: Optional[int] = None, timeout: Optional[float] = None,
    ) -> AsyncAnswer:
        """Sends a request and repeats it where that helps; answers with one of 2xx, or 304, unread."""
        key = (idempotency_key or str(uuid.uuid4())) if method == "POST" else None
        most = self._retries if retries is None else retries
        attempt = 0
        while True:
            wait: Optional[float] = None
            failure: Exception
            request = self._request(method, path, query, body, content, headers, workspace, key, timeout)
            try:
                answer = await self.wire.send(request)
                if answer.status < 300 or answer.status == 304:
                    return cast(AsyncAnswer, answer)
                refusal = _refusal(answer.status, answer.headers, await answer.read())
                wait = _wait_after(refusal, attempt)
                failure = refusal
            except ConnectionFailedError as problem:
                failure = problem
                # What a PATCH that broke off did is not known.
                if method != "PATCH" and attempt < len(WAITS_WHEN_BROKEN):
                    wait = WAITS_WHEN_BROKEN[attempt]
            if wait is None or attempt >= most or wait > self._longest_wait:
                raise failure
            await self.sleep(wait)
            attempt += 1

    def _request(
        self, method: str, path: str, query: Optional[Mapping[str, Any]], body: Any, content: Optional[Tuple[Body, str]],
        headers: Optional[Mapping[str, str]], workspace: Optional[str], key: Optional[str], timeout: Optional[float],
    ) -> Request:
        said = {"Accept": "application/json", "X-Service-Client": self._client, "User-Agent": f"atelier-sdk-python/{version}"}
        token = self._token() if callable(self._token) else self._token
        if token:
            said["Authorization"] = f"Bearer {token}"
        if workspace or self._workspace:
            said["X-Service-Workspace"] = str(workspace or self._workspace)
        if key is not None:
            said["Idempotency-Key"] = key
        sent: Optional[Body] = None
        if content is not None:
            sent, said["Content-Type"] = content
        elif body is not None:
            sent, said["Content-Type"] = Body(json.dumps(body, ensure_ascii=False, allow_nan=False).encode()), "application/json"
        said.update(headers or {})
        words = {name: ",".join(value) if isinstance(value, (list, tuple)) else json.dumps(value) if isinstance(value, bool) else str(value) for name, value in (query or {}).items() if value is not None}
        url = self.base_url + path + ("?" + urllib.parse.urlencode(words) if words else "")
        return Request(method, url, said, sent, timeout or self._timeout)


def _refusal(status: int, headers: Mapping[str, str], content: bytes) -> AtelierError:
    details: Any = None
    try:
        details = json.loads(content)["error"]
    except (ValueError, KeyError, TypeError):
        pass  # a proxy answered, before the service could
    if not isinstance(details, dict) or not isinstance(details.get("code"), str):
        details = {"code": f"http_{status}", "message": content[:200].decode("utf-8", "replace") or "no explanation"}
    return AtelierError(status, details, _seconds(headers.get("retry-after")), headers.get("x-request-id"))


def _seconds(text: Optional[str]) -> Optional[float]:
    """Retry-After in seconds; it is a number, or a date where a proxy wrote it."""
    if text is None:
        return None
    if re.fullmatch("[0-9]+", text.strip()):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _wait_after(refusal: AtelierError, attempt: int) -> Optional[float]:
    """Seconds to wait before a repeat; None where none helps."""
    asked = refusal.retry_after or 0.0

    def at_least(waits: Tuple[float, ...]) -> Optional[float]:
        return max(waits[attempt], asked) if attempt < len(waits) else None

    if refusal.status == 429:
        return at_least(WAITS_WHEN_LIMITED)
    if refusal.code == "idempotency_in_progress" and attempt > 0:
        return at_least(WAITS_WHEN_BROKEN)  # the request before it under the same key is still at work
    if refusal.status < 500 or refusal.code in LASTING:
        return None
    if refusal.status == 500:
        return at_least(WAITS_WHEN_BROKEN[:1])  # a fault: once
    return at_least(WAITS_WHEN_BROKEN)


def path_of(template: str, *values: str) -> str:
    """A path with values for its {}, each of them one segment."""
    for value in values:
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{value!r} is no id")
    return template.format(*(urllib.parse.quote(value, safe="") for value in values))


async def follow(transport: AsyncTransport, path: str, wrapped: bool, over: Callable[[Any], bool], stream: bool, poll_every: float) -> AsyncGenerator[Any, None]:
    """Yields what a path shows, at once and after each change, until it has ended: by its stream, and by polling where there is none."""
    seen = ""
    silent = 0 if stream else MOST_SILENT_STREAMS
    while silent < MOST_SILENT_STREAMS:
        try:
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": seen} if seen else {})}
            answer = await transport.send("GET", path + "/events", headers=headers, retries=0, timeout=LONGEST_SILENCE)
        except (AtelierError, ConnectionFailedError):
            break  # a poll says the same where it concerns the run, and not only the stream
        if answer.status == 204:
            await answer.close()
            state = await transport.request("GET", path)
            yield state["data"] if wrapped else state
            return
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            await answer.close()
            break
        silent += 1
        try:
            data: List[str] = []
            tag = seen
            while True:
                line = (await answer.line()).decode("utf-8", "replace")
                if line == "":
                    break
                name, _, text = line.rstrip("\r\n").partition(":")
                text = text[1:] if text.startswith(" ") else text
                if name == "data":
                    data.append(text)
                elif name == "id":
                    tag = text
                elif name == "" and text == "" and data:
                    state = json.loads("\n".join(data))
                    data, seen, silent = [], tag, 0
                    yield state
                    if over(state):
                        return
        except ConnectionFailedError:
            pass
        finally:
            await answer.close()
        await transport.sleep(1.0)
    # The tag of a stream's event is that of a poll.
    tag = f'"{seen}"' if seen else ""
    while True:
        answer = await transport.send("GET", path, headers={"If-None-Match": tag} if tag else {})
        content = await answer.read()
        if answer.status != 304:
            tag = answer.headers.get("etag", "")
            state = transport.json(content)
            state = state["data"] if wrapped else state
            yield state
            if over(state):
                return
        await transport.sleep(max(poll_every, POLL_EVERY))


class AsyncPages(Generic[Row]):
    """A list that is fetched page by page, as it is read."""

    def __init__(self, transport: AsyncTransport, path: str, query: Mapping[str, Any]):
        self._transport, self._path, self._query = transport, path, query

    async def page(self, cursor: Optional[str] = None) -> Tuple[List[Row], Optional[str]]:
        """One page, the first or that of a cursor, and the cursor of the next; None at the end."""
        answer = await self._transport.request("GET", self._path, query={**self._query, "cursor": cursor})
        return answer["data"], answer.get("nextCursor") or answer.get("next")

    async def take(self, most: int) -> List[Row]:
        """The rows from the beginning, at most as many as said."""
        out: List[Row] = []
        cursor: Optional[str] = None
        while len(out) < most:
            rows, cursor = await self.page(cursor)
            out += rows
            if cursor is None:
                break
        return out[:max(most, 0)]

    async def __aiter__(self) -> AsyncIterator[Row]:
        cursor: Optional[str] = None
        while True:
            rows, after = await self.page(cursor)
            for row in rows:
                yield row
            if after is None or after == cursor:
                return
            cursor = after


class AsyncAtelier:
    """A client of an install of Atelier.

    A token belongs where only its owner can read it: anyone who has it spends the credits of the account behind it.
    """

    def __init__(
        self, base_url: Optional[str] = None, token: Union[str, Callable[[], str], None] = None, *, workspace: Optional[str] = None, client: Optional[str] = None,
        timeout: float = 60.0, retries: int = 3, longest_wait: float = 60.0, sleep: Any = None, wire: Any = None,
    ):
        """base_url and token are ATELIER_URL and ATELIER_TOKEN of the environment unless given.

        workspace: in which everything is done and by which it is paid. client: what X-Service-Client says. timeout: seconds
        of silence until a request has failed. longest_wait: seconds until a repeat; longer ones are raised as errors.
        """
        self._transport = AsyncTransport(base_url, token, workspace, client, timeout, retries, longest_wait, sleep, wire)
        self.nodes = AsyncNodes(self._transport)
        self.apps = AsyncApps(self._transport, self.nodes)
        self.executions = AsyncExecutions(self._transport)
        self.workflows = AsyncWorkflows(self._transport, self.executions, self.nodes)
        self.jobs = AsyncJobs(self._transport, self.executions)
        self.nodes._jobs = self.jobs
        self.files = AsyncFiles(self._transport)
        self.credits = AsyncCredits(self._transport)

    async def me(self) -> t.Profile:
        """The account behind the token."""
        return (await self._transport.request("GET", "/v1/me"))["data"]

    async def request(self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, body: Any = None, idempotency_key: Optional[str] = None) -> Any:
        """Any other request, with the client's repeats and errors: the answer as it is, { data } and all."""
        return await self._transport.request(method, path, query=query, body=body, idempotency_key=idempotency_key)

    def list(self, path: str, *, query: Optional[Mapping[str, Any]] = None, limit: Optional[int] = None) -> AsyncPages[Any]:
        """Any other list, as rows: GET of a path that answers { data, nextCursor } or { data, next }."""
        return AsyncPages(self._transport, path, {**(query or {}), "limit": limit})

    async def close(self) -> None:
        await self._transport.wire.close()

    async def __aenter__(self) -> "AsyncAtelier":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class AsyncApps:
    """Published apps and their runs."""

    def __init__(self, transport: AsyncTransport, nodes: "AsyncNodes"):
        self._transport, self._nodes = transport, nodes

    async def get(self, slug: str) -> t.App:
        """A published app, by the last part of its address."""
        return await self._transport.request("GET", path_of("/v1/app/{}", slug))

    def list(self, *, limit: Optional[int] = None) -> AsyncPages[t.App]:
        """The apps of the selected space that the caller manages."""
        return AsyncPages(self._transport, "/v1/apps", {"limit": limit})

    async def form(self, slug: str) -> forms.Form:
        """The app as a form: its fields, which control each gets, and what is published in them."""
        app = await self.get(slug)
        return forms.form_of(app, await self._nodes.named(app["snapshotNodes"]))

    async def run(
        self, slug: str, inputs: Optional[t.Inputs] = None, *, input_overrides: Optional[t.Overrides] = None, version: Optional[int] = None, run_id: Optional[str] = None,
        on_progress: Optional[t.OnRun] = None, idempotency_key: Optional[str] = None, stream: bool = True, poll_every: float = POLL_EVERY,
    ) -> AppResult:
        """Runs an app, waits for its end and returns its results. Raises RunFailedError when it fails."""
        started = await self.start(slug, inputs, input_overrides=input_overrides, version=version, run_id=run_id, idempotency_key=idempotency_key)
        return await self.wait(slug, started["runId"], on_progress=on_progress, stream=stream, poll_every=poll_every)

    async def start(
        self, slug: str, inputs: Optional[t.Inputs] = None, *, input_overrides: Optional[t.Overrides] = None, version: Optional[int] = None, run_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.StartedRun:
        """Starts a run and returns at once."""
        body = _given(inputs=inputs, inputOverrides=input_overrides, version=version, runId=run_id)
        return await self._transport.request("POST", path_of("/v1/app/{}/run", slug), body=body, idempotency_key=idempotency_key)

    async def wait(self, slug: str, run_id: str, *, on_progress: Optional[t.OnRun] = None, stream: bool = True, poll_every: float = POLL_EVERY) -> AppResult:
        """Waits for the end of a run. Raises RunFailedError when it fails."""
        run: Any = None
        async for run in self.follow(slug, run_id, stream=stream, poll_every=poll_every):
            if on_progress:
                on_progress(run)
        if run["status"] != "completed":
            raise RunFailedError(run, run["execution"].get("errorMessage"), run["execution"].get("errorCode"))
        return await self.results(slug, run)

    def follow(self, slug: str, run_id: str, *, stream: bool = True, poll_every: float = POLL_EVERY) -> AsyncGenerator[t.Run, None]:
        """A run at once and after each change, until it has ended."""
        return follow(self._transport, path_of("/v1/app/{}/runs/{}", slug, run_id), False, lambda run: _over(run["execution"]["status"]), stream, poll_every)

    async def results(self, slug: str, run: t.Run) -> AppResult:
        """The results of a run that was read: the main one, and all."""
        app = await self.get(slug)
        results = results_of(run["execution"], app["snapshotNodes"], await self._nodes.kinds(app["snapshotNodes"]))
        return AppResult(run, main_result(app, results), results)

    async def get_run(self, slug: str, run_id: str) -> t.Run:
        """One own run."""
        return await self._transport.request("GET", path_of("/v1/app/{}/runs/{}", slug, run_id))

    def runs(self, slug: str, *, archived: Optional[bool] = None, limit: Optional[int] = None) -> AsyncPages[t.Run]:
        """Own runs of an app, newest first; the archived ones with archived."""
        return AsyncPages(self._transport, path_of("/v1/app/{}/runs", slug), {"archived": archived, "limit": limit})

    async def draft(self, slug: str) -> str:
        """Makes a draft: a run to be followed before start is given its id."""
        return (await self._transport.request("POST", path_of("/v1/app/{}/draft", slug)))["runId"]

    async def archive(self, slug: str, run_id: str) -> None:
        """Moves a run to the archive; nothing is destroyed."""
        await self._transport.request("DELETE", path_of("/v1/app/{}/runs/{}", slug, run_id))


class AsyncWorkflows:
    """Workflows."""

    def __init__(self, transport: AsyncTransport, executions: "AsyncExecutions", nodes: "AsyncNodes"):
        self._transport, self._executions, self._nodes = transport, executions, nodes

    def list(self, *, limit: Optional[int] = None) -> AsyncPages[t.Workflow]:
        """The workflows of the selected space."""
        return AsyncPages(self._transport, "/v1/workflows", {"limit": limit})

    async def get(self, id: str) -> t.Workflow:
        return (await self._transport.request("GET", path_of("/v1/workflows/{}", id)))["data"]

    async def create(self, workflow: Mapping[str, Any]) -> t.Workflow:
        """Makes a workflow of name, nodes and edges."""
        return (await self._transport.request("POST", "/v1/workflows", body=workflow))["data"]

    async def update(self, id: str, change: Mapping[str, Any]) -> t.Workflow:
        return (await self._transport.request("PATCH", path_of("/v1/workflows/{}", id), body=change))["data"]

    async def delete(self, id: str) -> None:
        await self._transport.request("DELETE", path_of("/v1/workflows/{}", id))

    async def publish(self, id: str, app: Mapping[str, Any]) -> t.App:
        """Publishes the current version of a workflow as an app."""
        return (await self._transport.request("POST", path_of("/v1/workflows/{}/publish", id), body=app))["data"]

    async def run(
        self, id: str, inputs: Optional[t.Inputs] = None, *, input_overrides: Optional[t.Overrides] = None, on_progress: Optional[t.OnExecution] = None,
        idempotency_key: Optional[str] = None, stream: bool = True, poll_every: float = POLL_EVERY,
    ) -> WorkflowResult:
        """Runs a workflow, waits for its end and returns its results. Raises RunFailedError when it fails."""
        execution_id = await self.start(id, inputs, input_overrides=input_overrides, idempotency_key=idempotency_key)
        execution = await self._executions.wait(execution_id, on_progress=on_progress, stream=stream, poll_every=poll_every)
        nodes = (await self.get(id))["nodes"]
        results = results_of(execution, nodes, await self._nodes.kinds(nodes))
        return WorkflowResult(execution, results[-1] if results else None, results)

    async def start(self, id: str, inputs: Optional[t.Inputs] = None, *, input_overrides: Optional[t.Overrides] = None, idempotency_key: Optional[str] = None) -> str:
        """Starts a run and returns at once with the id of its execution."""
        body = _given(inputs=inputs, inputOverrides=input_overrides)
        return (await self._transport.request("POST", path_of("/v1/workflows/{}/run", id), body=body, idempotency_key=idempotency_key))["executionId"]

    def runs(self, id: str, *, limit: Optional[int] = None) -> AsyncPages[t.Execution]:
        """The history of a workflow, newest first, without the states of its nodes."""
        return AsyncPages(self._transport, path_of("/v1/workflows/{}/executions", id), {"limit": limit})


class AsyncExecutions:
    """Runs of workflows."""

    def __init__(self, transport: AsyncTransport):
        self._transport = transport

    async def get(self, id: str) -> t.Execution:
        return (await self._transport.request("GET", path_of("/v1/workflow-executions/{}", id)))["data"]

    def follow(self, id: str, *, stream: bool = True, poll_every: float = POLL_EVERY) -> AsyncGenerator[t.Execution, None]:
        """An execution at once and after each change, until it has ended."""
        return follow(self._transport, path_of("/v1/workflow-executions/{}", id), True, lambda execution: _over(execution["status"]), stream, poll_every)

    async def wait(self, id: str, *, on_progress: Optional[t.OnExecution] = None, stream: bool = True, poll_every: float = POLL_EVERY) -> t.Execution:
        """Waits for the end of an execution. Raises RunFailedError when it fails."""
        execution: Any = None
        async for execution in self.follow(id, stream=stream, poll_every=poll_every):
            if on_progress:
                on_progress(execution)
        if execution["status"] != "completed":
            raise RunFailedError(execution, execution.get("errorMessage"), execution.get("errorCode"))
        return execution

    async def cancel(self, id: str) -> None:
        """Cancels an execution; what has finished stays and is paid."""
        await self._transport.request("POST", path_of("/v1/workflow-executions/{}/cancel", id))


class AsyncNodes:
    """The catalogue of nodes, and nodes that are run by themselves."""

    _jobs: "AsyncJobs"

    def __init__(self, transport: AsyncTransport):
        self._transport = transport
        self._known: Dict[str, Optional[t.NodeDescriptor]] = {}  # descriptors change with the install alone

    def list(self) -> AsyncPages[t.NodeDescriptor]:
        """The types of nodes of the install."""
        return AsyncPages(self._transport, "/v1/nodes", {})

    async def get(self, type: str) -> t.NodeDescriptor:
        """What a type of node does and takes."""
        return (await self._transport.request("GET", path_of("/v1/nodes/{}", type)))["data"]

    async def run(self, type: str, settings: Mapping[str, Any], *, on_progress: Optional[t.OnJob] = None, idempotency_key: Optional[str] = None) -> NodeResult:
        """Runs one node, waits for its end and returns its result. Raises RunFailedError when it fails."""
        started = await self.start(type, settings, idempotency_key=idempotency_key)
        job = await self._jobs.wait(started["jobId"], on_progress=on_progress)
        kinds = await self.kinds([{"type": type}])
        output = job["output_data"]
        result = result_of(job["node_id"], output, kinds[type]) if output else None
        return NodeResult(job, result, started.get("adjustments") or [], started.get("warnings") or [])

    async def start(self, type: str, settings: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Starts one node and returns at once: jobId, and adjustments and warnings where there are any."""
        return await self._transport.request("POST", path_of("/v1/{}", type), body=settings, idempotency_key=idempotency_key)

    async def named(self, nodes: List[Any]) -> Dict[str, Optional[t.NodeDescriptor]]:
        """The descriptors of the types of some nodes; of those that the install has no more there is none."""
        out: Dict[str, Optional[t.NodeDescriptor]] = {}
        for node in nodes:
            name = node["type"]
            if name not in self._known:
                try:
                    self._known[name] = await self.get(name)
                except AtelierError as refusal:
                    if refusal.code != "not_found":
                        raise
                    self._known[name] = None
            out[name] = self._known[name]
        return out

    async def kinds(self, nodes: List[Any]) -> Dict[str, Optional[str]]:
        """What the types of some nodes yield."""
        return {name: descriptor["outputType"] if descriptor else None for name, descriptor in (await self.named(nodes)).items()}


class AsyncJobs:
    """Jobs: each node of a run is one."""

    def __init__(self, transport: AsyncTransport, executions: AsyncExecutions):
        self._transport, self._executions = transport, executions

    def list(self, *, limit: Optional[int] = None) -> AsyncPages[t.Job]:
        """Own jobs, newest first."""
        return AsyncPages(self._transport, "/v1/jobs", {"limit": limit})

    async def get(self, id: str) -> t.Job:
        return (await self._transport.request("GET", path_of("/v1/jobs/{}", id)))["data"]

    async def status(self, ids: List[str]) -> List[t.JobState]:
        """Where jobs stand, up to 100 of them; unknown ids are left out."""
        return (await self._transport.request("GET", "/v1/jobs/status", query={"ids": ids}))["data"]

    async def wait(self, id: str, *, on_progress: Optional[t.OnJob] = None, stream: bool = True, poll_every: float = POLL_EVERY) -> t.Job:
        """Waits for the end of a job. Raises RunFailedError when it fails, and when it is cancelled."""
        job = await self.get(id)
        if on_progress:
            on_progress(job)
        if job["status"] not in _JOB_ENDS:
            # A change of a job is one of its execution, which can be followed by its stream.
            async for _ in self._executions.follow(job["execution_id"], stream=stream, poll_every=poll_every):
                job = await self.get(id)
                if on_progress:
                    on_progress(job)
                if job["status"] in _JOB_ENDS:
                    break
        if job["status"] != "completed":
            raise RunFailedError(job, " ".join(filter(None, [job["error_message"], job["error_hint"]])), job["status"])
        return job

    async def cancel(self, id: str) -> None:
        """Cancels a job that has not ended."""
        await self._transport.request("POST", path_of("/v1/jobs/{}/cancel", id))


class AsyncFiles:
    """Files."""

    def __init__(self, transport: AsyncTransport):
        self._transport = transport

    async def upload(self, file: Union[str, "os.PathLike[str]", bytes, IO[bytes]], *, name: Optional[str] = None, on_progress: Optional[t.OnUpload] = None, idempotency_key: Optional[str] = None) -> t.StoredFile:
        """Uploads a file of at most 100 MiB: a path, bytes, or an open file that can seek. Its url is what inputs for files take."""
        if isinstance(file, (str, os.PathLike)):
            with open(file, "rb") as opened:
                return await self.upload(opened, name=name or os.path.basename(file), on_progress=on_progress, idempotency_key=idempotency_key)
        boundary = secrets.token_hex(16)
        quoted = re.sub(r'["\r\n\\]', "_", name or "file")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\nContent-Type: application/octet-stream\r\n\r\n'
        body = Body(head.encode(), file, f"\r\n--{boundary}--\r\n".encode(), on_progress)
        answer = await self._transport.send("POST", "/v1/upload", content=(body, f"multipart/form-data; boundary={boundary}"), idempotency_key=idempotency_key)
        return self._transport.json(await answer.read())["data"]

    async def save(self, url: str) -> t.StoredFile:
        """Keeps a copy of a file that lies at an address."""
        return (await self._transport.request("POST", "/v1/save-to-storage", body={"url": url}))["data"]

    async def download(self, url: str) -> bytes:
        """Fetches the file of a result. No token is sent: addresses of files are secrets by themselves."""
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"{url} is no address of a file")
        answer = await self._transport.wire.send(Request("GET", url, {}))
        content = await answer.read()
        if answer.status != 200:
            raise ConnectionFailedError(f"{url} answers {answer.status}")
        return content


class AsyncCredits:
    """The credits of the account, or of the selected workspace."""

    def __init__(self, transport: AsyncTransport):
        self._transport = transport

    async def balance(self) -> t.Balance:
        return (await self._transport.request("GET", "/v1/credits/balance"))["data"]

    def transactions(self, *, limit: Optional[int] = None) -> AsyncPages[t.Transaction]:
        """Every movement of credits, newest first."""
        return AsyncPages(self._transport, "/v1/credits/transactions", {"limit": limit})


#: How jobs end.
_JOB_ENDS = ("completed", "failed", "cancelled")


def _over(status: str) -> bool:
    return status in ("completed", "failed")


def _given(**values: Any) -> Dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}

"""How requests travel: by urllib, in threads for async, and by httpx where it is installed."""

from __future__ import annotations

import asyncio
import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import IO, Any, AsyncIterator, Callable, Dict, Iterator, Mapping, Optional, Union

from .errors import ConnectionFailedError


class Body:
    """The content of a request: bytes, or a file between two pieces of a form, which is read again at each attempt."""

    def __init__(self, head: bytes, file: Union[bytes, IO[bytes]] = b"", tail: bytes = b"", told: Optional[Callable[[int, int], None]] = None):
        self.head, self.file, self.tail, self.told = head, file, tail, told
        if isinstance(file, bytes):
            self.size = len(file)
        else:
            self.start = file.tell()
            self.size = file.seek(0, 2) - self.start
        self.total = len(head) + self.size + len(tail)

    def __iter__(self) -> Iterator[bytes]:
        sent = 0
        for piece in self._pieces():
            yield piece
            sent += len(piece)
            if self.told:
                self.told(sent, self.total)

    def _pieces(self) -> Iterator[bytes]:
        yield self.head
        if isinstance(self.file, bytes):
            for start in range(0, len(self.file), 65536):
                yield self.file[start:start + 65536]
        else:
            self.file.seek(self.start)
            left = self.size
            while left > 0:
                piece = self.file.read(min(left, 65536))
                if not piece:
                    raise OSError("the file became shorter while it was sent")
                left -= len(piece)
                yield piece
        if self.tail:
            yield self.tail


@dataclass
class Request:
    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[Body] = None
    #: Seconds of silence until it has failed; None for no bound.
    timeout: Optional[float] = 60


class Answer:
    """An answer whose body is read, all at once or line by line."""

    def __init__(self, status: int, headers: Mapping[str, str], raw: Any):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers.items()}
        self._raw = raw

    def read(self) -> bytes:
        try:
            return self._raw.read()
        except (OSError, http.client.HTTPException) as problem:
            raise ConnectionFailedError(f"the answer broke off: {problem}") from problem
        finally:
            self.close()

    def line(self) -> bytes:
        """The next line; nothing at the end."""
        try:
            return self._raw.readline()
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as problem:
            raise ConnectionFailedError(f"the answer broke off: {problem}") from problem

    def close(self) -> None:
        self._raw.close()


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for one install, wherever that sends people."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


class Wire:
    """Sends requests by urllib."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(_NoRedirects)

    def send(self, request: Request) -> Answer:
        headers = dict(request.headers)
        if request.body is not None:
            headers["Content-Length"] = str(request.body.total)
        outgoing = urllib.request.Request(request.url, method=request.method, headers=headers, data=request.body)
        try:
            raw: Any = self._opener.open(outgoing, timeout=request.timeout)
        except urllib.error.HTTPError as refusal:
            raw = refusal
        except (OSError, http.client.HTTPException) as problem:
            reason = getattr(problem, "reason", problem)
            raise ConnectionFailedError(f"{request.method} {request.url}: {reason}") from problem
        return Answer(raw.status, dict(raw.headers.items()), raw)

    def close(self) -> None:
        self._opener.close()


class AsyncAnswer:
    """An answer of Wire, read in threads."""

    def __init__(self, answer: Answer):
        self.status, self.headers, self._answer = answer.status, answer.headers, answer

    async def read(self) -> bytes:
        return await asyncio.to_thread(self._answer.read)

    async def line(self) -> bytes:
        return await asyncio.to_thread(self._answer.line)

    async def close(self) -> None:
        await asyncio.to_thread(self._answer.close)


class ThreadWire:
    """Sends requests by urllib, in threads."""

    def __init__(self) -> None:
        self._wire = Wire()

    async def send(self, request: Request) -> AsyncAnswer:
        return AsyncAnswer(await asyncio.to_thread(self._wire.send, request))

    async def close(self) -> None:
        self._wire.close()


class HttpxAnswer:
    def __init__(self, answer: Any):
        self.status, self._answer = answer.status_code, answer
        self.headers = {name.lower(): value for name, value in answer.headers.items()}
        self._lines: Optional[AsyncIterator[str]] = None

    async def read(self) -> bytes:
        import httpx

        try:
            return await self._answer.aread()
        except httpx.HTTPError as problem:
            raise ConnectionFailedError(f"the answer broke off: {problem!r}") from problem
        finally:
            await self.close()

    async def line(self) -> bytes:
        import httpx

        lines = self._lines = self._lines or self._answer.aiter_lines()
        try:
            return (await lines.__anext__()).encode() + b"\n"
        except StopAsyncIteration:
            return b""
        except httpx.HTTPError as problem:
            raise ConnectionFailedError(f"the answer broke off: {problem!r}") from problem

    async def close(self) -> None:
        await self._answer.aclose()


class HttpxWire:
    """Sends requests by httpx."""

    def __init__(self) -> None:
        import httpx

        self._client = httpx.AsyncClient(follow_redirects=False)

    async def send(self, request: Request) -> HttpxAnswer:
        import httpx

        headers = dict(request.headers)
        content = None
        if request.body is not None:
            headers["Content-Length"] = str(request.body.total)
            content = _pieces(request.body)
        outgoing = self._client.build_request(request.method, request.url, headers=headers, content=content, timeout=request.timeout)
        try:
            return HttpxAnswer(await self._client.send(outgoing, stream=True))
        except httpx.HTTPError as problem:
            raise ConnectionFailedError(f"{request.method} {request.url}: {problem!r}") from problem

    async def close(self) -> None:
        await self._client.aclose()


async def _pieces(body: Body) -> AsyncIterator[bytes]:
    for piece in body:
        yield piece


def async_wire() -> Any:
    """httpx where it is installed, else threads."""
    try:
        return HttpxWire()
    except ImportError:
        return ThreadWire()

"""What runs yield, ready to be shown: in a notebook a result shows itself."""

from __future__ import annotations

import html
import json
import os
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from .types import App, Execution, Job, Output, Run, RunExecution

#: Where a result is looked for, in this order.
KEYS = ("url", "imageUrl", "videoUrl", "audioUrl", "resultUrl", "text")
#: The largest picture that is put into a notebook; larger ones are linked.
MOST_EMBEDDED = 10_000_000
MOST_ROWS = 100


@dataclass
class Result:
    """What a node yielded."""

    node_id: str
    #: image, video, audio, text or data.
    kind: str
    #: The address of the file; anyone who has it may fetch the file, without a token.
    url: Optional[str]
    text: Optional[str]
    #: All that the node yielded.
    output: Output = field(repr=False, default_factory=dict)

    def bytes(self) -> bytes:
        """Fetches the file."""
        if self.url is None:
            raise ValueError("this result has no file")
        if urllib.parse.urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"{self.url} is no address of a file")
        with urllib.request.urlopen(self.url, timeout=60) as answer:
            return answer.read()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Fetches the file and writes it."""
        content = self.bytes()
        with open(path, "wb") as file:
            file.write(content)

    def rows(self) -> List[Dict[str, Any]]:
        """The table of a result that is one: objects under data, rows or items; else nothing."""
        for key in ("data", "rows", "items"):
            found = self.output.get(key)
            if isinstance(found, list) and found and all(isinstance(row, dict) for row in found):
                return found
        return []

    def _content_type(self) -> str:
        said = str(self.output.get("contentType", ""))
        path = urllib.parse.urlsplit(self.url or "").path.lower()
        if said or self.kind != "image":
            return said
        return "image/png" if path.endswith(".png") else "image/jpeg" if path.endswith((".jpg", ".jpeg")) else ""

    def _embedded(self, content_type: str) -> Optional[bytes]:
        """The bytes of a picture of the type, so that a notebook keeps it."""
        if self.kind != "image" or self._content_type() != content_type or int(self.output.get("size") or 0) > MOST_EMBEDDED:
            return None
        try:
            content = self.bytes()
        except OSError:
            return None
        return content if len(content) <= MOST_EMBEDDED else None

    def _repr_png_(self) -> Optional[bytes]:
        return self._embedded("image/png")

    def _repr_jpeg_(self) -> Optional[bytes]:
        return self._embedded("image/jpeg")

    def _repr_html_(self) -> Optional[str]:
        if self.url and urllib.parse.urlsplit(self.url).scheme in ("http", "https"):
            address = html.escape(self.url, quote=True)
            if self.kind == "image":
                if self._content_type() in ("image/png", "image/jpeg"):
                    return None  # shown as a picture
                return f'<img src="{address}" alt="Result" style="max-width: 100%">'
            if self.kind == "video":
                return f'<video src="{address}" controls style="max-width: 100%"></video>'
            if self.kind == "audio":
                return f'<audio src="{address}" controls></audio>'
            return f'<a href="{address}">{address}</a>'
        if self.text is not None:
            return f'<div style="white-space: pre-wrap">{html.escape(self.text)}</div>'
        rows = self.rows()
        if rows:
            return _table(rows)
        return f"<pre>{html.escape(json.dumps(self.output, indent=2, ensure_ascii=False))}</pre>"


class _ShowsResult:
    """Shows itself as its result does."""

    result: Optional[Result]

    def _repr_html_(self) -> Optional[str]:
        return self.result._repr_html_() if self.result else None

    def _repr_png_(self) -> Optional[bytes]:
        return self.result._repr_png_() if self.result else None

    def _repr_jpeg_(self) -> Optional[bytes]:
        return self.result._repr_jpeg_() if self.result else None


@dataclass
class AppResult(_ShowsResult):
    """A run of an app that has completed."""

    run: Run = field(repr=False)
    #: The main result, as the app's page shows it.
    result: Optional[Result]
    #: Every output that is not empty, in the order of the workflow.
    results: List[Result] = field(repr=False)


@dataclass
class WorkflowResult(_ShowsResult):
    """A run of a workflow that has completed."""

    execution: Execution = field(repr=False)
    #: The last result in the order of the workflow.
    result: Optional[Result]
    results: List[Result] = field(repr=False)


@dataclass
class NodeResult(_ShowsResult):
    """A node that was run by itself."""

    job: Job = field(repr=False)
    result: Optional[Result]
    #: Numbers that were moved into their range.
    adjustments: List[Dict[str, Any]]
    warnings: List[str]


def result_of(node_id: str, output: Output, output_type: Optional[str] = None) -> Result:
    """Reads the output of a node; without its outputType the kind goes by what is there."""
    found = next((key for key in KEYS if isinstance(output.get(key), str) and output[key]), None)
    url = output[found] if found and found != "text" else None
    text = output["text"] if found == "text" else None
    kind = output_type or _guess(found, output)
    if url is None and kind in ("image", "video", "audio"):
        kind = "data"
    return Result(node_id, kind, url, text, output)


def _guess(found: Optional[str], output: Output) -> str:
    if found == "text":
        return "text"
    for kind in ("image", "video", "audio"):
        if found == f"{kind}Url" or (found and output.get(f"{kind}Url") == output[found]):
            return kind
        if str(output.get("contentType", "")).startswith(f"{kind}/"):
            return kind
    return "data"


def results_of(ended: Union[RunExecution, Execution], order: Iterable[Mapping[str, Any]], kinds: Mapping[str, Optional[str]] = {}) -> List[Result]:
    """The results of a run in the order of the workflow: every output that is not empty."""
    states = ended.get("nodeStates") or {}
    types = {node["id"]: node["type"] for node in order}
    out = []
    for node_id in list(types) + [node_id for node_id in states if node_id not in types]:
        output = states[node_id].get("output") if node_id in states else None
        if output:
            out.append(result_of(node_id, output, kinds.get(types.get(node_id, ""))))
    return out


def main_result(app: App, results: List[Result]) -> Optional[Result]:
    """The main result of a run of an app: that of its thumbnail node, else that of the last node of the workflow."""
    for result in results:
        if result.node_id == app.get("thumbnailNodeId"):
            return result
    return results[-1] if results else None


def _table(rows: List[Dict[str, Any]]) -> str:
    columns: List[str] = []
    for row in rows[:MOST_ROWS]:
        columns += [name for name in row if name not in columns]
    cell = lambda value: html.escape(value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False))
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell(row.get(name))}</td>" for name in columns) + "</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>{len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

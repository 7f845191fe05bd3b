"""Writes _client.py, the client that waits, from _async_client.py."""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "src" / "atelier_sdk"

RULES = [
    ("The client for async programs. _client.py is written from this file by scripts/sync.py: change this one.", "The client that waits. Written from _async_client.py by scripts/sync.py: change that one."),
    (r"AsyncGenerator\[([^\n]*?), None\]", r"Generator[\1, None, None]"),
    (r"AsyncGenerator", "Generator"),
    (r"AsyncIterator", "Iterator"),
    (r"Callable\[\[float\], Awaitable\[None\]\]", "Callable[[float], None]"),
    (r"Awaitable, ", ""),
    (r"__aiter__", "__iter__"),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"async_wire\(\)", "Wire()"),
    (r"AsyncAnswer, Body, Request, async_wire", "Answer, Body, Request, Wire"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"import asyncio\n", ""),
    (r"\bAsync([A-Z])", r"\1"),
    (r"\basync (def|for|with)", r"\1"),
    (r"\bawait ", ""),
]


def written() -> str:
    text = (FOLDER / "_async_client.py").read_text(encoding="utf-8")
    for pattern, replacement in RULES:
        text = re.sub(pattern if "\\" in pattern else re.escape(pattern), replacement, text)
    return text


if __name__ == "__main__":
    target = FOLDER / "_client.py"
    if sys.argv[1:] == ["--check"]:
        sys.exit(target.read_text(encoding="utf-8") != written() and "_client.py is out of date: python3 scripts/sync.py")
    target.write_text(written(), encoding="utf-8")

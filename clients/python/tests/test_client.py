"""How the client repeats, follows and reads, against a service made of answers; the examples are run against the real one."""

import asyncio
import inspect
import json
import pathlib
import re
import unittest

import atelier_sdk.form
import atelier_sdk.webhook
from atelier_sdk import (
    AsyncAtelier, Atelier, AtelierError, ConnectionFailedError, Result, RunFailedError, __version__, main_result, result_of, results_of,
)

FOLDER = pathlib.Path(__file__).resolve().parents[1]


class Answer:
    def __init__(self, status=200, body=b"", headers=None):
        self.status = status
        self.headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._lines = self._content.splitlines(keepends=True)

    def read(self):
        return self._content

    def line(self):
        return self._lines.pop(0) if self._lines else b""

    def close(self):
        pass


class Script:
    """A wire whose requests get these answers, one after another; it notes what was sent and how long the client waited."""

    def __init__(self, *answers):
        self.answers, self.sent, self.waits, self.bodies = list(answers), [], [], []

    def send(self, request):
        self.sent.append(request)
        self.bodies.append(b"".join(request.body) if request.body else b"")
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        pass

    def client(self, **options):
        return Atelier("https://atelier.example/", "svc_x", sleep=self.waits.append, wire=self, **options)

    def paths(self):
        return [request.url.replace("https://atelier.example", "") for request in self.sent]


def refusal(status, code, **headers):
    return Answer(status, {"error": {"code": code, "message": "No.", "field": "x"}}, {name.replace("_", "-"): value for name, value in headers.items()})


def run(status, completed=0):
    return {"id": "r", "status": status, "execution": {"status": status, "completedNodes": completed, "totalNodes": 2, "errorMessage": "It broke." if status == "failed" else None, "nodeStates": {}}}


def stream(*events):
    text = ": still here\n\n" + "".join(f"id: {tag}\nevent: run\ndata: {json.dumps(body)}\n\n" for tag, body in events)
    return Answer(200, text.encode(), {"Content-Type": "text/event-stream"})


STARTED = {"executionId": "e", "runId": "r", "status": "pending"}
BROKEN = ConnectionFailedError("reset")


class Requests(unittest.TestCase):
    def refused(self, code, work):
        with self.assertRaises(AtelierError) as caught:
            work()
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def test_what_every_request_says(self):
        script = Script(Answer(body={"data": {"id": "me"}}))
        self.assertEqual(script.client(workspace="w").me()["id"], "me")
        said = script.sent[0].headers
        self.assertEqual((said["Authorization"], said["X-Service-Client"], said["X-Service-Workspace"]), ("Bearer svc_x", f"sdk/{__version__}", "w"))
        self.assertNotIn("Idempotency-Key", said)
        self.assertIn(f'version = "{__version__}"', (FOLDER / "pyproject.toml").read_text())

    def test_429(self):
        script = Script(refusal(429, "rate_limited"), refusal(429, "rate_limited", Retry_After="12"), refusal(429, "rate_limited"), Answer(202, STARTED))
        self.assertEqual(script.client().apps.start("poster")["runId"], "r")
        self.assertEqual(script.waits, [5, 12, 20])
        self.assertEqual(len({request.headers["Idempotency-Key"] for request in script.sent}), 1)
        four = Script(*(refusal(429, "rate_limited", Retry_After="7", X_Request_Id="q") for _ in range(4)))
        told = self.refused("rate_limited", four.client().me)
        self.assertEqual((told.status, told.retry_after, told.request_id, told.field), (429, 7, "q", "x"))
        tomorrow = Script(refusal(429, "rate_limit_exceeded", Retry_After="40000"))
        self.refused("rate_limit_exceeded", lambda: tomorrow.client().apps.start("poster"))
        self.assertEqual(tomorrow.waits, [])

    def test_other_4xx_are_final(self):
        for status, code in ((400, "validation_error"), (401, "unauthorized"), (402, "insufficient_app_credits"), (404, "not_found"), (409, "idempotency_in_progress")):
            script = Script(refusal(status, code))
            self.refused(code, lambda: script.client().apps.start("poster"))

    def test_5xx(self):
        fault = Script(refusal(500, "internal_error"), refusal(500, "internal_error"))
        self.refused("internal_error", fault.client().me)
        self.assertEqual(fault.waits, [1])
        busy = Script(refusal(503, "service_unavailable", Retry_After="2"), Answer(502, b"<h1>Bad gateway</h1>"), refusal(503, "rate_limit_unavailable"), Answer(body={"data": {}}))
        busy.client().me()
        self.assertEqual(busy.waits, [2, 2, 4])
        self.refused("encryption_key_missing", Script(refusal(503, "encryption_key_missing")).client().me)

    def test_broken_connections(self):
        script = Script(BROKEN, refusal(409, "idempotency_in_progress"), Answer(202, STARTED))
        script.client().apps.start("poster")
        self.assertEqual(len({request.headers["Idempotency-Key"] for request in script.sent}), 1)
        change = Script(BROKEN)
        with self.assertRaises(ConnectionFailedError):
            change.client().workflows.update("w", {"name": "x"})
        with self.assertRaises(ConnectionFailedError):
            Script(BROKEN).client(retries=0).me()
        with self.assertRaises(ConnectionFailedError):
            Script(Answer(200, b"<html>")).client().me()
        with self.assertRaises(ConnectionFailedError) as caught:
            Atelier("http://127.0.0.1:9", "svc_x", retries=0).me()
        self.assertNotIn("svc_x", str(caught.exception))

    def test_paths(self):
        script = Script(Answer(body={}))
        script.client().apps.get("a/../b?c")
        self.assertEqual(script.paths(), ["/v1/app/a%2F..%2Fb%3Fc"])
        for name in ("", ".", ".."):
            with self.assertRaises(ValueError):
                script.client().apps.get(name)
        for address in ("ftp://atelier.example", "atelier.example", "/v1"):
            with self.assertRaises(ValueError):
                Atelier(address)

    def test_lists(self):
        for name in ("next", "nextCursor"):
            script = Script(Answer(body={"data": [1, 2], name: "c 1"}), Answer(body={"data": [3], name: None}))
            self.assertEqual(list(script.client().list("/v1/things", limit=2)), [1, 2, 3])
            self.assertEqual(script.paths(), ["/v1/things?limit=2", "/v1/things?limit=2&cursor=c+1"])
        self.assertEqual(Script(Answer(body={"data": [1, 2], "next": "c"})).client().jobs.list().take(2), [1, 2])

    def test_uploads(self):
        told = []
        script = Script(BROKEN, Answer(201, {"data": {"id": "f"}}))
        script.client().files.upload(b"hello", name='a"b\n.txt', on_progress=lambda *progress: told.append(progress))
        self.assertIn(b'filename="a_b_.txt"', script.bodies[1])
        self.assertIn(b"\r\n\r\nhello\r\n--", script.bodies[1])
        self.assertEqual(script.bodies[0], script.bodies[1])
        self.assertEqual(told[-1], (len(script.bodies[1]),) * 2)

    def test_tokens_may_be_asked_for(self):
        tokens = iter(["svc_app_1", "svc_app_2"])
        script = Script(Answer(body={"data": {}}), Answer(body={"data": {}}))
        atelier = Atelier("https://atelier.example", lambda: next(tokens), wire=script)
        atelier.me(), atelier.me()
        self.assertEqual([request.headers["Authorization"] for request in script.sent], ["Bearer svc_app_1", "Bearer svc_app_2"])


class Following(unittest.TestCase):
    def states(self, script, **options):
        return [f"{one['status']} {one['execution']['completedNodes']}" for one in script.client().apps.follow("poster", "r", **options)]

    def test_stream(self):
        script = Script(stream(("1", run("running")), ("2", run("running", 1))), stream(("3", run("completed", 2))))
        self.assertEqual(self.states(script), ["running 0", "running 1", "completed 2"])
        self.assertEqual(script.paths(), ["/v1/app/poster/runs/r/events"] * 2)
        self.assertEqual(script.sent[1].headers["Last-Event-ID"], "2")
        over = Script(stream(("1", run("running"))), Answer(204), Answer(body=run("completed", 2)))
        self.assertEqual(self.states(over), ["running 0", "completed 2"])

    def test_polling(self):
        for none in (Answer(200, b"{}", {"Content-Type": "application/json"}), refusal(429, "rate_limit_exceeded"), BROKEN):
            script = Script(none, Answer(200, run("running"), {"ETag": '"1"'}), Answer(304), Answer(body=run("completed", 2)))
            self.assertEqual(self.states(script), ["running 0", "completed 2"])
            self.assertEqual(script.waits, [2, 2])
            self.assertEqual(script.sent[2].headers["If-None-Match"], '"1"')
        silent = Script(stream(("1", run("running"))), stream(), stream(), Answer(body=run("completed", 2)))
        self.assertEqual(self.states(silent), ["running 0", "completed 2"])
        self.assertEqual(silent.sent[-1].headers["If-None-Match"], '"1"')
        self.assertEqual(self.states(Script(Answer(body=run("completed", 2))), stream=False), ["completed 2"])

    def test_a_run_that_fails(self):
        script = Script(Answer(202, STARTED), stream(("1", run("failed"))))
        with self.assertRaises(RunFailedError) as caught:
            script.client().apps.run("poster")
        self.assertEqual((str(caught.exception), caught.exception.ended["id"]), ("It broke.", "r"))

    def test_async(self):
        class Wire(Script):
            async def send(self, request):
                answer = Script.send(self, request)
                read, line, close = answer.read, answer.line, answer.close

                async def later(work):
                    return work()

                answer.read, answer.line, answer.close = lambda: later(read), lambda: later(line), lambda: later(close)
                return answer

        async def work():
            script = Wire(stream(("1", run("running"))), Answer(204), Answer(body=run("completed", 2)))

            async def sleep(seconds):
                script.waits.append(seconds)

            atelier = AsyncAtelier("https://atelier.example", "svc_x", wire=script, sleep=sleep)
            return [one["status"] async for one in atelier.apps.follow("poster", "r")]

        self.assertEqual(asyncio.run(work()), ["running", "completed"])


class Results(unittest.TestCase):
    def test_kinds(self):
        self.assertEqual(result_of("n", {"imageUrl": "i", "url": "u", "text": "t"}, "image").url, "u")
        self.assertEqual([result_of("n", output).kind for output in ({"imageUrl": "i", "url": "i"}, {"videoUrl": "v"}, {"text": "t"}, {"rows": []})], ["image", "video", "text", "data"])
        self.assertEqual(result_of("n", {}, "image").kind, "data")
        states = {"b": {"output": {"text": "2"}}, "a": {"output": {"text": "1"}}, "c": {"output": {}}, "d": {"output": None}}
        results = results_of({"nodeStates": states}, [{"id": name, "type": "x"} for name in "abcd"])
        self.assertEqual([result.node_id for result in results], ["a", "b"])
        self.assertEqual([main_result({"thumbnailNodeId": name}, results).text for name in ("a", None)], ["1", "2"])
        self.assertIsNone(main_result({"thumbnailNodeId": None}, []))

    def test_notebooks(self):
        shown = lambda output, kind=None: result_of("n", output, kind)._repr_html_()
        self.assertEqual(shown({"text": "<b>"}), '<div style="white-space: pre-wrap">&lt;b&gt;</div>')
        self.assertIn('<audio src="https://a.example/&quot;b"', shown({"audioUrl": 'https://a.example/"b'}))
        self.assertIn("<video", shown({"videoUrl": "https://a.example/b.mp4"}))
        self.assertIn("<img", shown({"imageUrl": "https://a.example/b.webp"}))
        self.assertIsNone(shown({"imageUrl": "https://a.example/b.png"}), "shown by its bytes")
        table = shown({"data": [{"name": "Ada", "age": 36}, {"name": "<Grace>"}]})
        self.assertIn("<th>age</th>", table)
        self.assertIn("<td>&lt;Grace&gt;</td><td></td>", table)
        self.assertIn("1 more rows", shown({"data": [{"n": 1}] * 101}))
        self.assertIn("<pre>", shown({"answer": 42}))
        self.assertTrue(shown({"imageUrl": "javascript:alert(1)"}, "image").startswith("<pre>"))
        with self.assertRaises(ValueError):
            Result("n", "image", "file:///etc/passwd", None).bytes()


class Sources(unittest.TestCase):
    def test_the_waiting_client_is_written_from_the_other(self):
        scope = {"__file__": str(FOLDER / "scripts" / "sync.py"), "__name__": "sync"}
        exec((FOLDER / "scripts" / "sync.py").read_text(encoding="utf-8"), scope)
        self.assertEqual(scope["written"](), (FOLDER / "src" / "atelier_sdk" / "_client.py").read_text(encoding="utf-8"), "python3 scripts/sync.py")

    def test_every_public_function_has_an_example(self):
        text = "\n".join(path.read_text(encoding="utf-8") for path in (FOLDER / "examples").glob("*.py"))
        atelier = Atelier("https://atelier.example")
        missing = []
        for area in ["", "apps.", "workflows.", "executions.", "nodes.", "jobs.", "files.", "credits."]:
            owner = getattr(atelier, area[:-1]) if area else atelier
            names = [name for name, _ in inspect.getmembers(type(owner), inspect.isfunction) if not name.startswith("_") and name != "close"]
            self.assertGreater(len(names), 1, area)
            missing += [area + name for name in names if not re.search(rf"atelier\.{re.escape(area + name)}\(", text)]
        for module in (atelier_sdk, atelier_sdk.form, atelier_sdk.webhook):
            functions = [name for name, found in inspect.getmembers(module, inspect.isfunction) if found.__module__.startswith("atelier_sdk") and not name.startswith("_")]
            missing += [name for name in functions if not re.search(rf"\b{name}\(", text)]
        for owner in (Result, atelier_sdk.Pages, atelier_sdk.form.Form):
            missing += [name for name, _ in inspect.getmembers(owner, inspect.isfunction) if not name.startswith("_") and f".{name}(" not in text]
        self.assertEqual(missing, [])

    def test_the_types_are_those_of_the_document(self):
        document = FOLDER.parents[1] / "openapi.json"
        from atelier_sdk.types import SCHEMAS

        schemas = json.loads(document.read_text(encoding="utf-8"))["components"]["schemas"]
        for name, typed in SCHEMAS.items():
            unknown = set(typed.__annotations__) - set(schemas[name]["properties"])
            self.assertEqual(unknown, set(), name)
            self.assertEqual(set(typed.__required_keys__) - set(schemas[name]["required"]), set(), name)


if __name__ == "__main__":
    unittest.main()

import base64
import json
import pathlib
import unittest

from atelier_sdk.webhook import WebhookError, verify

VECTORS = json.loads((pathlib.Path(__file__).resolve().parents[3] / "webhook" / "testdata" / "vectors.json").read_text(encoding="utf-8"))


class Webhooks(unittest.TestCase):
    def test_vectors(self):
        self.assertGreater(len(VECTORS), 60)
        for v in VECTORS:
            with self.subTest(v["name"]):
                body = base64.b64decode(v["bodyBase64"]) if v.get("bodyBase64") else v["body"].encode()
                clock = {"now": lambda: v["now"], **({"tolerance_seconds": v["toleranceSeconds"]} if v.get("toleranceSeconds") else {})}
                if v.get("error"):
                    with self.assertRaises(WebhookError) as caught:
                        verify(v["header"], body, v["secrets"], **clock)
                    self.assertEqual(caught.exception.code, v["error"])
                    self.assertNotIn("whsec_", str(caught.exception))
                    continue
                event = verify(v["header"], body, v["secrets"], **clock)
                self.assertEqual((event["id"], event["type"]), (v["id"], v["type"]))
                for headers in ({"service-signature": v["header"]}, {"Service-Signature": v["header"].split(",")}):
                    self.assertEqual(verify(headers, v["body"], v["secrets"], **clock), event)

    def test_misuse(self):
        first = VECTORS[0]
        for headers in ({}, {"service-signature": None}, None):
            with self.assertRaises(WebhookError) as caught:
                verify(headers, first["body"], first["secrets"], now=lambda: first["now"])
            self.assertEqual(caught.exception.code, "missing_header")
        with self.assertRaises(TypeError):
            verify(first["header"], json.loads(first["body"]), first["secrets"])
        with self.assertRaises(WebhookError) as caught:
            verify(first["header"], first["body"], first["secrets"], now=lambda: float("nan"))
        self.assertEqual(caught.exception.code, "timestamp_outside_tolerance")


if __name__ == "__main__":
    unittest.main()

"""Runs single nodes, and looks after jobs."""

from atelier_sdk import Atelier, RunFailedError

atelier = Atelier()

for kind in atelier.nodes.list():
    print(kind["type"], kind["estimatedCredits"])
print(atelier.nodes.get("qr-code")["label"])
print(atelier.nodes.named([{"type": "text"}])["text"]["label"], atelier.nodes.kinds([{"type": "qr-code"}]))

code = atelier.nodes.run("qr-code", {"text": "https://example.org"}, on_progress=lambda job: print(job["progress"]))
print(code.result.kind, code.result.url, code.job["credits_charged"])

table = atelier.nodes.run("csv-parse", {"text": "name,age\nAda,36\nGrace,85\n"})
print(table.result.rows())

job_id = atelier.nodes.start("delay", {"seconds": 600})["jobId"]
print(atelier.jobs.get(job_id)["status"])
print(len(atelier.jobs.status([job_id, code.job["id"]])), "jobs")
atelier.jobs.cancel(job_id)
try:
    atelier.jobs.wait(job_id)
except RunFailedError as failure:
    print(failure.code)
for job in atelier.jobs.list(limit=5).take(5):
    print(job["created_at"], job["job_type"], job["status"])

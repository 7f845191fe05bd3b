package frame

import (
	"cmp"
	"context"
)

// SampleApp is the app of examples, which an install need not have.
const SampleApp = "poster"

// FirstCall is a call to begin with, as a command line.
type FirstCall struct{ Title, Text, Command string }

// FirstCalls are the calls to begin with, those of the README, with a token filled in; without one its place is shown.
func FirstCalls(ctx context.Context, base, token, app string) []FirstCall {
	return []FirstCall{
		{t(ctx, "Set up the shell"), t(ctx, "The token is yours alone: keep it out of files that others see."),
			"API=" + base + "  TOKEN=" + cmp.Or(token, "svc_…")},
		{t(ctx, "Ask who you are"), t(ctx, "The account behind the token, with the workspaces that it may work in."),
			"curl $API/v1/me -H \"Authorization: Bearer $TOKEN\""},
		{t(ctx, "Read what an app wants"), t(ctx, "Its form, and what a run costs. This call needs no token."),
			"curl $API/v1/app/" + app},
		{t(ctx, "Run it"), t(ctx, "The answer comes at once, with the id of the run. A call that is sent again with the same key starts no second run. To have a class pay, add -H \"X-Service-Workspace: <id of the class>\"."),
			"curl -X POST $API/v1/app/" + app + "/run \\\n  -H \"Authorization: Bearer $TOKEN\" -H \"Idempotency-Key: $(uuidgen)\" \\\n  -H \"Content-Type: application/json\" -d '{\"inputs\": {\"topic\": \"a fox\"}}'"},
		{t(ctx, "Get the result"), t(ctx, "Ask until execution.status is completed or failed; every two seconds is often enough. The results are links to files."),
			"curl $API/v1/app/" + app + "/runs/<runId> -H \"Authorization: Bearer $TOKEN\""},
		{t(ctx, "Be told instead"), t(ctx, "Each job that ends is sent to an address of yours, signed, and again until it arrives."),
			"curl -X POST $API/v1/webhook-endpoints -H \"Authorization: Bearer $TOKEN\" \\\n  -H \"Content-Type: application/json\" -d '{\"url\": \"https://hooks.example.com/atelier\"}'"},
	}
}

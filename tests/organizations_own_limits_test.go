//go:build !race

package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"atelier/models/dbtest"

	"github.com/jackc/pgx/v5"
)

// sweptLimit is a limit that a person might want to raise for themselves.
type sweptLimit struct {
	name         string
	method, path string // body is { field: value }
	field        string
	mutation     string // of $in or $value
	stored       string // SQL of what is stored
	allowed      []string
	valid        map[string]bool // values that are taken, as JSON
}

// sweptValues are what everyone tries, as JSON.
var sweptValues = []string{
	`1`, `0`, `5`, `-1`, `-0.001`, `0.0001`, `1.0005`, `120`, `121`, `1e3`, `1e15`, `1e308`, `-1e308`, `1e400`, `9007199254740993`, `99999999999999999999`,
	`null`, `true`, `""`, `"5"`, `"NaN"`, `"Infinity"`, `"1e308"`, `[]`, `[5]`, `{}`, `{"value":5}`,
}

// TestRaisingOwnLimits sends every value to every limit as everyone, by REST
// and GraphQL: limits change by those alone who may change them, to values that
// make sense alone, and nothing fails.
func TestRaisingOwnLimits(t *testing.T) {
	t.Parallel()
	databaseURL := dbtest.NewURL(t)
	url := startOn(t, databaseURL, t.TempDir(), []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error").URL
	s := newStage(t, newCast(t, url, "school", 10))
	s.grant(20)
	conn, err := pgx.Connect(context.Background(), databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	token := s.pupil.get("/v1/api-tokens").want(200).text("data.0.id")
	mine := func(what string) map[string]bool {
		all := map[string]bool{}
		for _, value := range []string{`1`, `5`} {
			all[value] = true
		}
		switch what {
		case "cap":
			all[`0`], all[`null`], all[`120`], all[`121`], all[`1e3`] = true, true, true, true, true
		case "app":
			all[`null`], all[`120`], all[`121`] = true, true, true
		case "rate":
			all[`120`] = true
		}
		return all
	}
	for _, limit := range []sweptLimit{
		{"creditCap", "PATCH", "/v1/workspaces/" + s.room + "/members/" + s.pupil.id, "creditCap",
			`mutation($in: UpdateWorkspaceMemberInput!) { updateWorkspaceMember(workspaceId: $room, userId: $pupil, input: $in) { creditCap } }`,
			`SELECT coalesce((SELECT cap::text FROM member_budgets WHERE workspace_id = '` + s.room + `' AND user_id = '` + s.pupil.id + `'), 'none')`,
			[]string{"owner", "admin", "head", "owner's token"}, mine("cap")},
		{"delta", "POST", "/v1/orgs/" + s.org + "/workspaces/" + s.room + "/allocate", "delta",
			`mutation($value: Float!) { allocateCredits(organizationId: $org, workspaceId: $room, delta: $value) { pool } }`,
			`SELECT allocated::text FROM workspace_budgets WHERE workspace_id = '` + s.room + `'`,
			[]string{"owner", "owner's token"}, map[string]bool{`1`: true, `5`: true, `-1`: true, `-0.001`: true}},
		{"maxRunsPerUserPerDay", "PATCH", "/v1/apps/" + s.app, "maxRunsPerUserPerDay",
			`mutation($in: UpdateAppInput!) { updateApp(id: $app, input: $in) { maxRunsPerUserPerDay } }`,
			`SELECT coalesce(max_runs_per_user_per_day::text, 'none') FROM apps WHERE id = '` + s.app + `'`,
			[]string{"owner", "admin", "head", "owner's token"}, mine("app")},
		{"rateLimit", "PATCH", "/v1/api-tokens/" + token, "rateLimit",
			`mutation($in: UpdateApiTokenInput!) { updateApiToken(id: $own, input: $in) { rateLimit } }`,
			`SELECT rate_limit::text FROM api_tokens WHERE id = '` + token + `'`,
			[]string{"pupil"}, mine("rate")},
	} {
		t.Run(limit.name, func(t *testing.T) {
			everybody := s.everybody()
			everybody["operator"] = s.operator
			stored := func() (value string) {
				t.Helper()
				if err := conn.QueryRow(context.Background(), limit.stored).Scan(&value); err != nil {
					t.Fatal(err)
				}
				return value
			}
			for _, role := range append(slices.Clone(castOrder), "operator") {
				who := everybody[role]
				who.t = t
				for _, value := range sweptValues {
					for _, face := range []string{"REST", "GraphQL"} {
						before := stored()
						var r *reply
						if face == "REST" {
							r = who.do(limit.method, limit.path, fmt.Sprintf(`{%q: %s}`, limit.field, value))
						} else {
							query, _ := json.Marshal(limit.mutationFor(s, token))
							variables := fmt.Sprintf(`{"in": {%q: %s}, "value": %s}`, limit.field, value, value)
							r = who.do("POST", "/graphql", fmt.Sprintf(`{"query": %s, "variables": %s}`, query, variables))
						}
						after, status := stored(), r.Status
						if face == "GraphQL" && r.path("errors") != nil {
							number, _ := r.path("errors.0.extensions.status").(float64)
							status = int(number)
						}
						what := fmt.Sprintf("%s as %s sends %s: %d, %s before, %s after: %s", face, role, value, status, before, after, r.Body)
						may := slices.Contains(limit.allowed, role)
						switch {
						case status == 0 || status >= 500:
							t.Errorf("fails: %s", what)
						case before != after && may && face == "GraphQL" && value == `"5"` && after == "5":
							// the schema's library reads a numeral in quotes as the number
						case before != after && (!may || !limit.valid[value]):
							t.Errorf("changed: %s", what)
						case before != after && status >= 400:
							t.Errorf("refused and changed: %s", what)
						case may && !limit.valid[value] && status < 400 && value != `0` && face == "REST":
							t.Errorf("taken: %s", what)
						case may && limit.valid[value] && status >= 400 && face == "REST" && limit.field != "delta":
							t.Errorf("not taken: %s", what)
						}
					}
				}
			}
		})
	}
}

// mutationFor is the mutation with the ids that it names, its variables left as they are.
func (l sweptLimit) mutationFor(s *stage, token string) string {
	return strings.NewReplacer("$own", `"`+token+`"`, "$room", `"`+s.room+`"`, "$pupil", `"`+s.pupil.id+`"`, "$org", `"`+s.org+`"`, "$app", `"`+s.app+`"`).Replace(l.mutation)
}

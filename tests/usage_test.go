//go:build !race

package tests

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestUsage is contract 3, "Usage report rules", from outside.
func TestUsage(t *testing.T) {
	t.Parallel()
	c := newCast(t, startBehindProxy(t), "school", 20)
	pupil, head := c.pupil.on(t).in(c.room), c.head.on(t).in(c.room)
	free := object{"name": "Words", "nodes": []object{{"id": "w", "type": "text", "data": object{"text": "a"}}}, "edges": []object{}}
	for _, run := range []struct {
		who   client
		graph object
	}{{pupil, paint}, {pupil, free}, {head, paint}, {head, paint}} {
		flow := run.who.post("/v1/workflows", run.graph).want(201).text("data.id")
		run.who.post("/v1/workflows/"+flow+"/run?wait=true", object{}).want(200)
	}
	c.owner.on(t).do("PATCH", "/v1/workspaces/"+c.room, object{"name": "=cmd|' /C calc'!A0"}).want(200)
	t.Run("who and what", func(t *testing.T) { usageClauses(t, c) })
	t.Run("tables", func(t *testing.T) { usageTables(t, c) })
	t.Run("limit", func(t *testing.T) { usageLimit(t, c) })
}

func usageClauses(t *testing.T, c *cast) {
	org, room := "/v1/orgs/"+c.org+"/usage", "/v1/workspaces/"+c.room+"/usage"
	owner, today := c.owner.client, time.Now().UTC().Format(time.DateOnly)
	zero := func(t *testing.T, r *reply) { has(object{"data.totals.credits": 0})(t, r) }
	refused := func(name, address, field string) clause {
		return clause{name, owner, "GET", address, nil, 400, "validation_error", field, nil}
	}
	clauses := []clause{
		{"by day", owner, "GET", org, nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), "from", "to", "tz", "groupBy", "rows", "totals")
			holds(t, r.path("data.rows.0"), "key", "label", "credits", "settledCredits", "inFlightCredits")
			holds(t, r.path("data.totals"), "credits", "settledCredits", "inFlightCredits", "platformAbsorbedCredits", "appMarkupAbsorbedCredits")
			has(object{"data.groupBy": "day", "data.tz": "UTC", "data.to": today, "data.totals.credits": 6, "data.totals.settledCredits": 6, "data.rows.29.credits": 6, "data.rows.29.key": today})(t, r)
			if rows := r.list("data.rows"); len(rows) != 30 || r.path("nextCursor") != nil {
				t.Errorf("%d days", len(rows))
			}
		}},
		{"by workspace", owner, "GET", org + "?groupBy=workspace", nil, 200, "", "", has(object{"data.rows.0.key": c.room, "data.rows.0.credits": 6})},
		{"by member", c.admin.client, "GET", org + "?groupBy=member", nil, 200, "", "", has(object{"data.rows.0.key": c.head.id, "data.rows.0.credits": 4, "data.rows.1.credits": 2})},
		{"by model", owner, "GET", org + "?groupBy=model", nil, 200, "", "", has(object{"data.rows.0.label": "generate-image", "data.rows.0.credits": 6})},
		{"single runs", owner, "GET", org + "?groupBy=none&limit=1", nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.rows.0"), "runId", "createdAt", "userId", "workspaceId", "model", "credits", "settledCredits", "inFlightCredits")
			cursor := r.text("nextCursor")
			owner := c.owner.on(t)
			owner.get(org + "?groupBy=none&limit=3&cursor=" + cursor).want(200)
			owner.get(org+"?groupBy=none&tz=Asia/Tokyo&cursor="+cursor).wantError(400, "validation_error")
			owner.get(org+"?groupBy=day&cursor="+cursor).wantError(400, "validation_error")
		}},
		{"of a member", owner, "GET", org + "?userId=" + c.pupil.id, nil, 200, "", "", has(object{"data.totals.credits": 2})},
		{"of nobody", owner, "GET", org + "?userId=" + nowhere, nil, 200, "", "", zero},
		{"of a room", owner, "GET", org + "?workspaceId=" + c.room, nil, 200, "", "", has(object{"data.totals.credits": 6})},
		{"of a foreign room", owner, "GET", org + "?workspaceId=" + c.rivalRoom, nil, 404, "not_found", "", nil},
		{"long ago", owner, "GET", org + "?from=2011-12-29&to=2011-12-31&tz=Pacific/Apia", nil, 200, "", "", has(object{"data.rows.1.key": "2011-12-30", "data.rows.1.credits": 0, "data.rows.2.key": "2011-12-31"})},
		{"from alone", owner, "GET", org + "?from=2026-01-01", nil, 200, "", "", has(object{"data.to": "2026-01-30"})},
		{"to alone", owner, "GET", org + "?to=2026-01-30", nil, 200, "", "", has(object{"data.from": "2026-01-01"})},
		{"366 days", owner, "GET", org + "?from=2025-01-01&to=2026-01-01", nil, 200, "", "", nil},
		{"a member", c.pupil.client, "GET", org, nil, 403, "insufficient_role", "", nil},
		{"an outsider", c.rival.client, "GET", org, nil, 404, "not_found", "", nil},
		{"a member's own", c.pupil.client, "GET", room + "?groupBy=model", nil, 200, "", "", has(object{"data.totals.credits": 2})},
		{"a member's runs", c.pupil.client, "GET", room + "?groupBy=none", nil, 200, "", "", func(t *testing.T, r *reply) {
			has(object{"data.rows.0.model": "text", "data.rows.0.credits": 0, "data.rows.1.model": "generate-image", "data.rows.1.credits": 2, "data.rows.1.userId": c.pupil.id})(t, r)
		}},
		{"a member by member", c.pupil.client, "GET", room + "?groupBy=member", nil, 400, "validation_error", "groupBy", nil},
		{"a member of another", c.pupil.client, "GET", room + "?userId=" + c.head.id, nil, 403, "insufficient_role", "", nil},
		{"a workspace admin", c.head.client, "GET", room + "?groupBy=member", nil, 200, "", "", has(object{"data.totals.credits": 6})},
		{"a room by room", c.head.client, "GET", room + "?groupBy=workspace", nil, 400, "validation_error", "groupBy", nil},
		{"of another room", c.head.client, "GET", room + "?workspaceId=" + c.rivalRoom, nil, 404, "not_found", "", nil},
		{"outside the room", c.outside.client, "GET", room, nil, 404, "not_found", "", nil},
		{"a malformed cursor", owner, "GET", org + "?cursor=x", nil, 400, "validation_error", "cursor", nil},
		refused("367 days", org+"?from=2025-01-01&to=2026-01-02", "to"), refused("backwards", org+"?from=2026-01-02&to=2026-01-01", "from"),
		refused("no such day", org+"?from=2026-02-30", "from"), refused("a time", org+"?to=2026-02-03T00:00:00Z", "to"), refused("an empty day", org+"?from=", "from"),
		refused("no zone", org+"?tz=Mars", "tz"), refused("the machine's zone", org+"?tz=Local", "tz"), refused("an empty zone", org+"?tz=", "tz"),
		refused("a path", org+"?tz=../UTC", "tz"), refused("another grouping", org+"?groupBy=hour", "groupBy"), refused("another format", org+"?format=xml", "format"),
		refused("too many", org+"?groupBy=none&limit=201", "limit"), refused("no id", org+"?userId=x", "userId"), refused("no room", org+"?workspaceId=", "workspaceId"),
	}
	tryAll(t, clauses)
}

// usageTables compares tables with the same report in JSON.
func usageTables(t *testing.T, c *cast) {
	org, owner := "/v1/orgs/"+c.org+"/usage?groupBy=", c.owner.on(t)
	for _, group := range []string{"workspace", "member", "model", "day", "none"} {
		rows := owner.get(org + group).want(200).list("data.rows")
		table := owner.get(org + group + "&format=csv").want(200)
		if kind, how := table.Header.Get("Content-Type"), table.Header.Get("Content-Disposition"); kind != "text/csv; charset=utf-8" || !strings.HasPrefix(how, "attachment") {
			t.Errorf("%s: %s %s", group, kind, how)
		}
		if lines := bytes.Count(table.Body, []byte("\n")); bytes.Count(table.Body, []byte("\r\n")) != lines || lines != len(rows)+1 || bytes.HasPrefix(table.Body, []byte("\xef\xbb\xbf")) {
			t.Errorf("%s: %q", group, table.Body)
		}
		records, err := csv.NewReader(bytes.NewReader(table.Body)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			row := row.(map[string]any)
			for j, column := range records[0] {
				want := fmt.Sprint(row[column])
				if strings.HasPrefix(want, "=") {
					want = "'" + want
				}
				if records[i+1][j] != want || len(row) != len(records[0]) {
					t.Errorf("%s: %s is %q, in JSON %q", group, column, records[i+1][j], want)
				}
			}
		}
	}
	entries := owner.get("/v1/orgs/" + c.org + "/audit?limit=1").want(200)
	entries.is(object{"data.0.action": "usage.exported", "data.0.details.group.to": "none", "data.0.details.format.to": "csv"})
}

func usageLimit(t *testing.T, c *cast) {
	pupil, room := c.pupil.on(t), "/v1/workspaces/"+c.room+"/usage?format=csv"
	pupil.get("/v1/orgs/"+c.org+"/usage?format=csv").wantError(403, "insufficient_role")
	pupil.get(room+"&groupBy=member").wantError(400, "validation_error")
	limited := 0
	for range 12 { // a window may end in between
		if r := pupil.get(room); r.Status == 429 {
			if r.wantError(429, "rate_limit_exceeded"); r.Header.Get("Retry-After") == "" {
				t.Error("nothing says when to come again")
			}
			limited++
		} else {
			r.want(200)
		}
	}
	if limited == 0 {
		t.Log("the minute ended within the test")
	}
	if r := c.owner.on(t).get("/v1/orgs/" + c.org + "/audit?limit=1").want(200); r.text("data.0.workspaceId") != c.room {
		t.Errorf("%s", r.Body)
	}
}

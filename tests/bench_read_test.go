package tests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/web"
)

// benchAppRead is GET /v1/app/{slug} beside net/http and pgx by hand.
func benchAppRead(b testing.TB) {
	h := newTestServer(b)
	h.school().publish()
	bare := httptest.NewServer(http.HandlerFunc(h.readByHand))
	defer bare.Close()
	ours, theirs := get(b, h.server.URL+"/v1/app/poster", nil), get(b, bare.URL+"/poster", nil)
	o, r := alternate(times(1500),
		func() { fetch(b, manyConnections, ours(), 200) },
		func() { fetch(b, manyConnections, theirs(), 200) })
	var fromEach []func() *http.Request // one address may not ask as often as it could
	for client := range 16 {
		fromEach = append(fromEach, get(b, h.server.URL+"/v1/app/poster", http.Header{"X-Forwarded-For": {fmt.Sprintf("192.0.2.%d", client)}}))
	}
	o.rate, r.rate = rates(16, times(4),
		func(client int) { fetch(b, manyConnections, fromEach[client](), 200) },
		func(int) { fetch(b, manyConnections, theirs(), 200) })
	o.statements = h.tracer.perOperation(times(50), func() { fetch(b, manyConnections, ours(), 200) })
	o.allocs, o.bytes = perCall(h.server.Config.Handler, ours)
	r.allocs, _ = perCall(bare.Config.Handler, theirs)
	report(b, o.allocs, "allocs/op")
	report(b, r.allocs, "bare-allocs/op")
	row(b, "Public app read, 16 clients", o, r, "net/http + pgx, which remembers nothing: three statements")
}

// readByHand answers a published app with the three statements that the service makes for its first reader.
func (h *testServer) readByHand(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	var app struct {
		ID          string          `json:"id"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		IconURL     string          `json:"iconUrl"`
		Version     int             `json:"version"`
		Credits     int64           `json:"estimatedCredits"`
		Daily       *int            `json:"maxRunsPerUserPerDay"`
		Thumbnail   *string         `json:"thumbnailNodeId"`
		Nodes       json.RawMessage `json:"snapshotNodes"`
		Edges       json.RawMessage `json:"snapshotEdges"`
		Items       json.RawMessage `json:"inputItems"`
		Versions    []any           `json:"versions"`
	}
	err := h.DB.Pool.QueryRow(ctx, `SELECT id::text, name, description, icon_url, latest_version, max_runs_per_user_per_day
		FROM apps WHERE slug = $1 AND is_active AND deleted_at IS NULL`, r.URL.Path[1:]).
		Scan(&app.ID, &app.Name, &app.Description, &app.IconURL, &app.Version, &app.Daily)
	if err == nil {
		err = h.DB.Pool.QueryRow(ctx, `SELECT nodes, edges, input_items, thumbnail_node_id, estimated_cost FROM app_versions WHERE app_id = $1 AND version = $2`,
			app.ID, app.Version).Scan(&app.Nodes, &app.Edges, &app.Items, &app.Thumbnail, &app.Credits)
	}
	if err == nil {
		var rows pgx.Rows
		rows, err = h.DB.Pool.Query(ctx, `SELECT version, id, created_at FROM app_versions WHERE app_id = $1 ORDER BY version DESC`, app.ID)
		for err == nil && rows.Next() {
			var one struct {
				Version   int       `json:"version"`
				ID        [16]byte  `json:"id"`
				CreatedAt time.Time `json:"createdAt"`
			}
			err = rows.Scan(&one.Version, &one.ID, &one.CreatedAt)
			app.Versions = append(app.Versions, one)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(app)
}

// benchConsolePage is the overview of a school beside the same statements
// by pgx and the same bytes.
func benchConsolePage(b testing.TB) {
	h := newTestServer(b)
	s := h.school()
	cookie := (&http.Cookie{Name: web.SessionCookie(false), Value: s.owner.token}).String()
	ours := get(b, h.server.URL+"/orgs/"+s.school, http.Header{"Cookie": {cookie}})
	page := httptest.NewRecorder()
	var made []statement
	for range 2 { // the second one, when all is warm
		page = httptest.NewRecorder()
		made = h.tracer.during(func() { h.server.Config.Handler.ServeHTTP(page, ours()) })
	}
	if page.Code != 200 {
		b.Fatalf("the overview: %d %s", page.Code, page.Body)
	}
	bare := httptest.NewServer(h.replay(made, page.Body.Bytes()))
	defer bare.Close()
	theirs := get(b, bare.URL, nil)
	o, r := alternate(times(500),
		func() { fetch(b, manyConnections, ours(), 200) },
		func() { fetch(b, manyConnections, theirs(), 200) })
	o.rate, r.rate = rates(16, times(4),
		func(int) { fetch(b, manyConnections, ours(), 200) },
		func(int) { fetch(b, manyConnections, theirs(), 200) })
	o.statements = float64(len(made))
	o.allocs, o.bytes = perCall(h.server.Config.Handler, ours)
	report(b, o.allocs, "allocs/op")
	row(b, "Console: overview of a school, 16 clients", o, r, "net/http + pgx, same statements, same bytes")
}

// replay makes the statements of a request again, one after another, and
// answers with given bytes.
func (h *testServer) replay(made []statement, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, one := range made {
			rows, err := h.DB.Pool.Query(r.Context(), one.sql, one.args...)
			if err == nil {
				for rows.Next() {
					_, err = rows.Values()
				}
				rows.Close()
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		_, _ = w.Write(body)
	})
}

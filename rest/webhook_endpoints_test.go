package rest

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/mux"

	"atelier/graph"
	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/event"
)

// webhookFace is the face with one account that is signed in.
type webhookFace struct {
	*testing.T
	router  *mux.Router
	events  *event.Service
	account models.Actor
	// key is the Idempotency-Key of the calls, none when empty.
	key string
}

func newWebhookFace(t *testing.T) *webhookFace {
	db := dbtest.New(t)
	vault, err := models.NewVault([]byte("an encryption key of tests, 32 b"))
	if err != nil {
		t.Fatal(err)
	}
	events := &event.Service{DB: db, Vault: vault, AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}
	f := &webhookFace{T: t, router: mux.NewRouter(), events: events, account: models.Actor{Kind: models.BySession, UserID: uuid.New(), ConfirmedAt: time.Now()}}
	New(Config{Resolver: &graph.Resolver{Events: events}, DB: db, PublicURL: "http://localhost"}, f.router, f.router)
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO users (id, email, address, display_name, created_at, updated_at)
		VALUES ($1, 'a@example.com', 'a@example.com', 'A', now(), now())`, f.account.UserID)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// call answers the status and the body, which is compared in its exact form
// once ids, secrets and the like are read from it.
func (f *webhookFace) call(method, path, body string) (int, map[string]any) {
	f.Helper()
	request := httptest.NewRequest(method, "/v1/webhook-endpoints"+path, strings.NewReader(body))
	if f.key != "" {
		request.Header.Set("Idempotency-Key", f.key)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request = request.WithContext(WithIdentity(context.Background(), Identity{Actor: f.account}))
	answer := httptest.NewRecorder()
	f.router.ServeHTTP(answer, request)
	var got map[string]any
	if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
		f.Fatalf("%s %s: %v in %s", method, path, err, answer.Body)
	}
	return answer.Code, got
}

// want checks the status and that exactly these members are there.
func (f *webhookFace) want(method, path, body string, status int, members string) map[string]any {
	f.Helper()
	code, got := f.call(method, path, body)
	if code != status || keysOf(got) != members {
		f.Fatalf("%s %s %s: %d %v, want %d with %s", method, path, body, code, got, status, members)
	}
	return got
}

func (f *webhookFace) refused(method, path, body string, status int, code string) {
	f.Helper()
	got := f.want(method, path, body, status, "error")["error"].(map[string]any)
	if got["code"] != code || got["message"] == "" {
		f.Fatalf("%s %s %s: %v, want %s", method, path, body, got, code)
	}
}

func keysOf(object map[string]any) string {
	var keys []string
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return strings.Join(keys, " ")
}

const endpointMembers = "appId consecutiveFailures createdAt description disabledAt disabledReason events id isActive " +
	"previousSecretExpiresAt secretCreatedAt updatedAt url"

const deliveryMembers = "attempts createdAt durationMs endpointId error event id jobId nextAttemptAt requestBody " +
	"responseBody responseStatus status"

func TestWebhookEndpointRoutes(t *testing.T) {
	f := newWebhookFace(t)
	created := f.want("POST", "", `{"url":"https://example.com/hook","extra":1}`, 201, "data secret")
	endpoint := created["data"].(map[string]any)
	if keysOf(endpoint) != endpointMembers {
		t.Errorf("endpoint has %s", keysOf(endpoint))
	}
	if !strings.HasPrefix(created["secret"].(string), "whsec_") || endpoint["createdAt"] != "2026-03-02T09:00:00.000Z" ||
		endpoint["description"] != "" || endpoint["appId"] != nil || endpoint["isActive"] != true || endpoint["consecutiveFailures"] != 0.0 {
		t.Errorf("created %v", created)
	}
	id := "/" + endpoint["id"].(string)
	f.want("POST", "", `{"url":"https://example.com/2","description":null,"events":null}`, 201, "data secret")
	list := f.want("GET", "", "", 200, "data nextCursor")["data"].([]any)
	if len(list) != 2 || list[1].(map[string]any)["id"] != endpoint["id"] || keysOf(list[0].(map[string]any)) != endpointMembers {
		t.Errorf("list %v", list)
	}
	f.want("GET", id, "", 200, "data")
	changed := f.want("PATCH", id, `{"description":"x","isActive":false,"events":["job.failed"]}`, 200, "data")["data"].(map[string]any)
	if changed["description"] != "x" || changed["isActive"] != false || changed["disabledAt"] == nil || changed["disabledReason"] != nil {
		t.Errorf("changed %v", changed)
	}
	f.want("PATCH", id, `{"isActive":true}`, 200, "data")

	rotated := f.want("POST", id+"/rotate-secret", "", 200, "previousSecretExpiresAt secret")
	if rotated["previousSecretExpiresAt"] != "2026-03-03T09:00:00.000Z" {
		t.Errorf("rotated %v", rotated)
	}
	if rotated := f.want("POST", id+"/rotate-secret", `{"gracePeriodSeconds":0}`, 200, "previousSecretExpiresAt secret"); rotated["previousSecretExpiresAt"] != nil {
		t.Errorf("rotated at once %v", rotated)
	}
	f.want("POST", id+"/rotate-secret", `{"gracePeriodSeconds":null}`, 200, "previousSecretExpiresAt secret")

	ping := f.want("POST", id+"/test", "", 202, "data")["data"].(map[string]any)
	if keysOf(ping) != deliveryMembers || ping["event"] != "ping" || ping["jobId"] != nil || ping["status"] != "pending" {
		t.Errorf("ping %v", ping)
	}
	if body := ping["requestBody"].(string); !strings.Contains(body, `"data":{"webhookId":"`+endpoint["id"].(string)+`"}`) {
		t.Errorf("ping's body %s", body)
	}
	deliveries := f.want("GET", id+"/deliveries?status=pending&limit=1", "", 200, "data next")
	if len(deliveries["data"].([]any)) != 1 || deliveries["next"] != nil {
		t.Errorf("deliveries %v", deliveries)
	}
	f.want("GET", id+"/deliveries/"+ping["id"].(string), "", 200, "data")
	if got := f.want("DELETE", id, "", 200, "success"); got["success"] != true {
		t.Errorf("deleted %v", got)
	}
	f.refused("GET", id, "", 404, "not_found")
}

func TestWebhookEndpointRefusals(t *testing.T) {
	f := newWebhookFace(t)
	created := f.want("POST", "", `{"url":"https://example.com/hook"}`, 201, "data secret")["data"].(map[string]any)
	id := "/" + created["id"].(string)
	for _, c := range []struct{ method, path, body, code string }{
		{"POST", "", `{"url":"http://example.com"}`, "validation_error"},
		{"POST", "", `{}`, "validation_error"},
		{"POST", "", `{"url":5}`, "validation_error"},
		{"POST", "", `{"url":`, "validation_error"},
		{"POST", "", `{"url":"https://example.com/3","events":[]}`, "validation_error"},
		{"POST", "", `{"url":"https://example.com/3","events":"job.failed"}`, "validation_error"},
		{"PATCH", id, `{"events":[]}`, "validation_error"},
		{"PATCH", id, `{"events":null}`, "validation_error"},
		{"PATCH", id, `{"url":null}`, "validation_error"},
		{"PATCH", id, `{"isActive":null}`, "validation_error"},
		{"PATCH", id, `{"isActive":"no"}`, "validation_error"},
		{"PATCH", id, `{"description":null}`, "validation_error"},
		{"POST", id + "/rotate-secret", `{"gracePeriodSeconds":-1}`, "validation_error"},
		{"POST", id + "/rotate-secret", `{"gracePeriodSeconds":604801}`, "validation_error"},
		{"POST", id + "/rotate-secret", `{"gracePeriodSeconds":1.5}`, "validation_error"},
		{"GET", id + "/deliveries?status=lost", "", "validation_error"},
		{"GET", id + "/deliveries?limit=0", "", "validation_error"},
		{"GET", id + "/deliveries?limit=101", "", "validation_error"},
		{"GET", id + "/deliveries?cursor=x", "", "validation_error"},
		{"GET", "/nonsense", "", "validation_error"},
		{"GET", id + "/deliveries/nonsense", "", "validation_error"},
	} {
		f.refused(c.method, c.path, c.body, 400, c.code)
	}
	unknown := "/" + uuid.NewString()
	for _, c := range [][2]string{{"GET", unknown}, {"DELETE", unknown}, {"POST", unknown + "/test"}, {"POST", unknown + "/rotate-secret"},
		{"GET", unknown + "/deliveries"}, {"GET", unknown + "/deliveries/" + uuid.NewString()}, {"GET", id + "/deliveries/" + uuid.NewString()}} {
		f.refused(c[0], c[1], "", 404, "not_found")
	}
	f.refused("POST", "", `{"url":"https://EXAMPLE.com:443/hook"}`, 409, "url_taken")

	f.account.Kind, f.account.Scopes = models.ByOAuth, []models.Scope{models.ScopeExecute}
	f.refused("GET", "", "", 403, "insufficient_scope")
	f.account.Kind, f.account.WorkflowIDs = models.ByToken, []models.ID{uuid.New()}
	f.refused("GET", "", "", 403, "forbidden")
	f.account = models.Actor{Kind: models.BySession, UserID: f.account.UserID, ConfirmedAt: time.Now()}
	f.events.Vault = nil
	f.refused("GET", "", "", 503, "encryption_key_missing")
	f.account = models.Actor{Kind: models.Anonymous}
	f.refused("GET", "", "", 401, "unauthorized")
}

// A repeated creation gets the same secret again, which is kept encrypted.
func TestRepeatedCreationGetsTheSameSecret(t *testing.T) {
	f := newWebhookFace(t)
	f.key = "first"
	once := f.want("POST", "", `{"url":"https://example.com/hook"}`, 201, "data secret")
	again := f.want("POST", "", `{"url":"https://example.com/hook"}`, 201, "data secret")
	if once["secret"] != again["secret"] {
		t.Errorf("%v and %v", once, again)
	}
	var kept string
	if err := f.events.DB.Pool.QueryRow(t.Context(), `SELECT encode(answer, 'escape') FROM idempotency_keys`).Scan(&kept); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(kept, once["secret"].(string)) || strings.Contains(kept, "whsec_") {
		t.Errorf("kept as %s", kept)
	}
	f.refused("POST", "", `{"url":"https://example.com/other"}`, 409, "idempotency_key_reused")
	f.key = ""
	if list := f.want("GET", "", "", 200, "data nextCursor")["data"].([]any); len(list) != 1 {
		t.Errorf("%d endpoints", len(list))
	}
}

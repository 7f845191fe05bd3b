package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/mux"

	"atelier/graph"
	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// orgFace is the face of an install with organizations.
type orgFace struct {
	*orgtest.World
	router   *mux.Router
	resolver *graph.Resolver
}

func newOrgFace(t *testing.T) *orgFace {
	w := orgtest.New(t)
	credits := &credit.Service{DB: w.DB, Orgs: w.Orgs}
	credits.RegisterHooks()
	f := &orgFace{World: w, router: mux.NewRouter()}
	f.resolver = &graph.Resolver{Accounts: w.Accounts, Orgs: w.Orgs, Credits: credits, Install: generated.Install{Organizations: true}}
	New(Config{Resolver: f.resolver, DB: w.DB, PublicURL: "http://localhost", Organizations: true, Hosted: true}, f.router, f.router)
	return f
}

// call answers the status and the body of a request that ctx's actor makes.
func (f *orgFace) call(ctx context.Context, method, path, body string) (int, map[string]any) {
	f.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	ctx = WithIdentity(graph.WithLoaders(context.Background(), f.resolver), Identity{Actor: models.ActorFrom(ctx)})
	answer := httptest.NewRecorder()
	f.router.ServeHTTP(answer, request.WithContext(ctx))
	var got map[string]any
	if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
		f.Fatalf("%s %s: %v in %s", method, path, err, answer.Body)
	}
	return answer.Code, got
}

// data is the object of a successful answer.
func (f *orgFace) data(ctx context.Context, method, path, body string, status int) map[string]any {
	f.Helper()
	code, got := f.call(ctx, method, path, body)
	data, ok := got["data"].(map[string]any)
	if code != status || !ok {
		f.Fatalf("%s %s answered %d %v, expected %d", method, path, code, got, status)
	}
	return data
}

// refused checks a refusal's status and code.
func (f *orgFace) refused(ctx context.Context, method, path, body string, status int, code models.Code) {
	f.Helper()
	got, answer := f.call(ctx, method, path, body)
	problem, _ := answer["error"].(map[string]any)
	if got != status || problem["code"] != string(code) || problem["message"] == "" {
		f.Fatalf("%s %s answered %d %v, expected %d %s", method, path, got, answer, status, code)
	}
}

// holds checks the keys of an object, all of them.
func (f *orgFace) holds(object any, keys ...string) {
	f.Helper()
	var found []string
	for key := range object.(map[string]any) {
		found = append(found, key)
	}
	slices.Sort(found)
	slices.Sort(keys)
	if !slices.Equal(found, keys) {
		f.Fatalf("the object holds %v, expected %v", found, keys)
	}
}

func TestOrganizationRoutes(t *testing.T) {
	f := newOrgFace(t)
	ada, bob, out := f.Person("ada"), f.Person("bob"), f.Person("out")

	f.refused(ada, "POST", "/v1/orgs", `{"name":"North","kind":"school"}`, 400, models.CodeTermsRequired)
	f.refused(ada, "POST", "/v1/orgs", `{"kind":"school"}`, 400, models.CodeValidation)
	f.refused(ada, "POST", "/v1/orgs", `{"name":"North","kind":"club"}`, 400, models.CodeValidation)
	f.refused(context.Background(), "GET", "/v1/orgs", "", 401, models.CodeUnauthorized)
	o := f.data(ada, "POST", "/v1/orgs", `{"name":"North","kind":"school","acceptTerms":true,"settings":{"admin_access":"view","x":1},"future":1}`, 201)
	f.holds(o, "id", "name", "kind", "slug", "status", "settings", "effectiveSettings", "role", "memberStatus", "vocabulary", "createdAt", "updatedAt")
	if len(o["settings"].(map[string]any)) != 1 || o["effectiveSettings"].(map[string]any)["admin_access"] != "view" ||
		len(o["effectiveSettings"].(map[string]any)) != 10 || o["vocabulary"].(map[string]any)["workspaces"] != "Classes" || o["role"] != "owner" {
		t.Fatalf("organization %v", o)
	}
	each := "/v1/orgs/" + o["id"].(string)
	f.refused(out, "GET", each, "", 404, models.CodeNotFound)
	f.refused(f.Operator(), "GET", each, "", 404, models.CodeNotFound)
	f.refused(ada, "GET", "/v1/orgs/nonsense", "", 400, models.CodeValidation)
	changed := f.data(ada, "PATCH", each, `{"name":"South","settings":{"admin_access":null,"vocabulary_overrides":{"workspace":"Room"}}}`, 200)
	if changed["name"] != "South" || changed["effectiveSettings"].(map[string]any)["admin_access"] != "edit" || changed["vocabulary"].(map[string]any)["workspace"] != "Room" {
		t.Fatalf("organization %v", changed)
	}
	f.refused(ada, "PATCH", each, `{"name":null}`, 400, models.CodeValidation)

	room := f.data(ada, "POST", each+"/workspaces", `{"name":"Room 1"}`, 201)
	f.holds(room, "id", "organizationId", "name", "slug", "description", "settings", "effectiveSettings", "archived", "archivedAt", "role", "memberStatus", "createdAt", "updatedAt")
	id, _ := models.ParseID("id", room["id"].(string))
	organization, _ := models.ParseID("id", o["id"].(string))
	f.Assign(bob, &org.Workspace{ID: id, OrganizationID: organization}, org.WorkspaceRoleMember)

	_, members := f.call(ada, "GET", each+"/members?limit=200", "")
	rows := members["data"].([]any)
	f.holds(rows[0], "userId", "role", "status", "joinedAt", "email", "displayName", "avatarUrl")
	if len(rows) != 2 || members["nextCursor"] != nil {
		t.Fatalf("members %v", members)
	}
	f.refused(ada, "GET", each+"/members?limit=201", "", 400, models.CodeValidation)
	f.refused(bob, "GET", each+"/members", "", 403, models.CodeInsufficientRole)

	member := "/v1/orgs/" + o["id"].(string) + "/members/" + orgtest.ID(bob).String()
	if row := f.data(ada, "PATCH", member, `{"role":"admin"}`, 200); row["role"] != "admin" || row["displayName"] != "bob" {
		t.Fatalf("row %v", row)
	}
	f.refused(bob, "PATCH", each+"/members/"+orgtest.ID(ada).String(), `{"status":"suspended"}`, 400, models.CodeValidation)
	f.data(ada, "POST", each+"/transfer-ownership", fmt.Sprintf(`{"userId":"%s"}`, orgtest.ID(bob)), 200)
	f.refused(bob, "POST", each+"/leave", "", 409, models.CodeOwnerCannotLeave)
	f.refused(bob, "DELETE", each, "", 409, models.CodeHasActiveWorkspaces)
	if code, left := f.call(ada, "POST", each+"/leave", ""); code != 200 || left["success"] != true {
		t.Fatalf("%d %v", code, left)
	}
	_, log := f.call(bob, "GET", each+"/audit?limit=2", "")
	entry := log["data"].([]any)[0]
	f.holds(entry, "id", "workspaceId", "action", "targetType", "targetId", "details", "createdAt", "actor")
	if entry.(map[string]any)["action"] != "member.left" || log["nextCursor"] == nil {
		t.Fatalf("audit %v", log)
	}
}

func TestWorkspaceRoutes(t *testing.T) {
	f := newOrgFace(t)
	ada, pupil, late := f.Person("ada"), f.Person("pupil"), f.Person("late")
	room := f.Workspace(ada, f.School(ada, "North"), "Room")
	each := "/v1/workspaces/" + room.ID.String()

	if code, none := f.call(ada, "GET", each+"/join-code", ""); code != 200 || none["data"] != nil {
		t.Fatalf("%d %v", code, none)
	}
	f.refused(ada, "POST", each+"/join-code", `{"action":"disable"}`, 400, models.CodeValidation)
	f.refused(ada, "POST", each+"/join-code", `{"action":"burn"}`, 400, models.CodeValidation)
	code := f.data(ada, "POST", each+"/join-code", `{"action":"enable"}`, 200)
	f.holds(code, "code", "enabled", "rotatedAt", "rotatedBy")
	f.holds(code["rotatedBy"], "userId", "displayName")
	joined := f.data(pupil, "POST", "/v1/workspaces/join", fmt.Sprintf(`{"code":%q}`, code["code"]), 200)
	f.holds(joined, "organizationId", "workspaceId")
	f.refused(late, "POST", "/v1/workspaces/join", `{"code":"nonsense"}`, 400, models.CodeJoinCodeInvalid)
	f.refused(late, "POST", "/v1/workspaces/join", `{}`, 400, models.CodeValidation)

	_, seen := f.call(pupil, "GET", each+"/members", "")
	f.holds(seen["data"].([]any)[0], "userId", "role", "displayName", "avatarUrl", "addedAt")
	_, seen = f.call(ada, "GET", each+"/members", "")
	f.holds(seen["data"].([]any)[0], "userId", "role", "displayName", "avatarUrl", "addedAt", "status", "creditCap")
	member := each + "/members/" + orgtest.ID(pupil).String()
	if row := f.data(ada, "PATCH", member, `{"creditCap":2.5}`, 200); row["creditCap"] != 2.5 {
		t.Fatalf("row %v", row)
	}
	f.refused(ada, "PATCH", member, `{"creditCap":0.0001}`, 400, models.CodeValidation)
	f.refused(ada, "POST", each+"/members", fmt.Sprintf(`{"userId":"%s","role":"member"}`, orgtest.ID(late)), 400, models.CodeNotOrgMember)
	f.refused(ada, "POST", each+"/members", fmt.Sprintf(`{"userId":"%s","role":"member"}`, orgtest.ID(pupil)), 409, models.CodeAlreadyAMember)

	for range 2 {
		if archived := f.data(ada, "POST", each+"/archive", "", 200); archived["archived"] != true || archived["archivedAt"] == nil {
			t.Fatalf("workspace %v", archived)
		}
	}
	f.refused(ada, "PATCH", each, `{"name":"R"}`, 403, models.CodeWorkspaceArchived)
	for query, n := range map[string]int{"": 0, "?includeArchived=true": 1} {
		if _, list := f.call(ada, "GET", "/v1/workspaces"+query, ""); len(list["data"].([]any)) != n {
			t.Fatalf("list %q holds %v", query, list)
		}
	}
	f.data(ada, "POST", each+"/unarchive", "", 200)
	f.refused(pupil, "POST", each+"/archive", "", 403, models.CodeInsufficientRole)
	if status, removed := f.call(ada, "DELETE", member, ""); status != 200 || removed["success"] != true {
		t.Fatalf("%d %v", status, removed)
	}
}

func TestCreditRoutes(t *testing.T) {
	f := newOrgFace(t)
	ada, pupil, operator := f.Person("ada"), f.Person("pupil"), f.Operator()
	o := f.School(ada, "North")
	room := f.Workspace(ada, o, "Room")
	f.Assign(pupil, room, org.WorkspaceRoleMember)
	_, err := f.resolver.Credits.GrantCredits(operator, credit.GrantInput{OrganizationID: &o.ID, Amount: 100 * models.Credit, Reason: "Hello"})
	f.NoError(err)

	allocate := fmt.Sprintf("/v1/orgs/%s/workspaces/%s/allocate", o.ID, room.ID)
	for _, delta := range []string{"0", "0.0001", "100.001", "-1", `"5"`, "null", "1e400"} {
		f.refused(ada, "POST", allocate, `{"delta":`+delta+`}`, 400, models.CodeValidation)
	}
	f.refused(pupil, "POST", allocate, `{"delta":1}`, 403, models.CodeInsufficientRole)
	given := f.data(ada, "POST", allocate, `{"delta":40.5}`, 200)
	f.holds(given, "workspaceId", "allocated", "reserved", "spent", "headroom", "pool")
	if given["headroom"] != 40.5 || given["pool"] != 59.5 {
		t.Fatalf("allocation %v", given)
	}
	credits := f.data(ada, "GET", "/v1/orgs/"+o.ID.String()+"/credits", "", 200)
	f.holds(credits, "pool", "lifetimePurchased", "workspaces")
	f.holds(credits["workspaces"].([]any)[0], "workspaceId", "name", "archived", "allocated", "reserved", "spent", "headroom")

	budget := "/v1/workspaces/" + room.ID.String() + "/budget"
	own := f.data(pupil, "GET", budget, "", 200)
	f.holds(own, "headroom", "own")
	f.holds(own["own"], "reserved", "spent", "cap", "headroom")
	all := f.data(ada, "GET", budget, "", 200)
	f.holds(all, "allocated", "reserved", "spent", "headroom", "own", "members")
	f.holds(all["members"].([]any)[0], "userId", "displayName", "role", "reserved", "spent", "cap")

	user := orgtest.ID(pupil)
	_, err = f.resolver.Credits.GrantCredits(operator, credit.GrantInput{UserID: &user, Amount: 3 * models.Credit, Reason: "Hello"})
	f.NoError(err)
	balance := f.data(pupil, "GET", "/v1/credits/balance", "", 200)
	f.holds(balance, "balance", "reserved", "available")
	_, transactions := f.call(pupil, "GET", "/v1/credits/transactions", "")
	row := transactions["data"].([]any)[0]
	f.holds(row, "id", "kind", "amount", "balanceAfter", "description", "executionId", "createdAt")
	f.refused(pupil, "GET", "/v1/credits/transactions?limit=51", "", 400, models.CodeValidation)
}

package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/mux"

	"atelier/graph"
	"atelier/models"
	"atelier/models/org"
)

// rows is the list of a successful answer.
func (f *orgFace) rows(ctx context.Context, method, path, body string, status int) []any {
	f.Helper()
	code, got := f.call(ctx, method, path, body)
	list, ok := got["data"].([]any)
	if code != status || !ok {
		f.Fatalf("%s %s answered %d %v, expected %d", method, path, code, got, status)
	}
	return list
}

func TestInvitationRoutes(t *testing.T) {
	f := newOrgFace(t)
	ada, mina, tom := f.Person("ada"), f.Person("mina"), f.Person("tom")
	school := f.School(ada, "North")
	room := f.Workspace(ada, school, "Room")
	all := "/v1/orgs/" + school.ID.String() + "/invitations"

	sent := f.rows(ada, "POST", all, fmt.Sprintf(`{"emails":["Mina@Example.com","mina@example.com","x"],"workspaceId":"%s"}`, room.ID), 201)
	f.holds(sent[0], "email", "status", "link")
	f.holds(sent[1], "email", "status", "error")
	first := sent[0].(map[string]any)
	if len(sent) != 2 || first["email"] != "mina@example.com" || first["status"] != "link_only" || sent[1].(map[string]any)["error"] != "invalid_email" {
		t.Fatalf("rows %v", sent)
	}
	for body, field := range map[string]string{
		`{}`: "emails", `{"emails":[]}`: "emails", `{"emails":"a@example.com"}`: "emails", `{"emails":[null]}`: "emails",
		`{"emails":["a@example.com"],"orgRole":"owner"}`:        "orgRole",
		`{"emails":["a@example.com"],"workspaceRole":"admin"}`:  "workspaceRole",
		`{"emails":["a@example.com"],"workspaceId":"nonsense"}`: "workspaceId",
	} {
		code, got := f.call(ada, "POST", all, body)
		if problem, _ := got["error"].(map[string]any); code != 400 || problem["code"] != "validation_error" || !strings.Contains(fmt.Sprint(problem["message"]), field) {
			t.Errorf("%s: %d %v", body, code, got)
		}
	}
	f.refused(tom, "POST", all, `{"emails":["a@example.com"]}`, 404, models.CodeNotFound)
	f.refused(context.Background(), "POST", all, `{"emails":["a@example.com"]}`, 401, models.CodeUnauthorized)

	listed := f.rows(ada, "GET", all+"?status=open&workspaceId="+room.ID.String(), "", 200)
	f.holds(listed[0], "id", "email", "orgRole", "workspaceId", "workspaceRole", "state", "invitedBy", "createdAt", "expiresAt", "acceptedAt")
	invitation := listed[0].(map[string]any)
	f.holds(invitation["invitedBy"], "userId", "displayName")
	if invitation["state"] != "open" || invitation["workspaceRole"] != "member" || invitation["acceptedAt"] != nil {
		t.Fatalf("invitation %v", invitation)
	}
	f.refused(ada, "GET", all+"?status=lost", "", 400, models.CodeValidation)
	f.refused(ada, "GET", all+"?workspaceId=x", "", 400, models.CodeValidation)
	f.refused(ada, "GET", all+"?limit=0", "", 400, models.CodeValidation)

	each := "/v1/invitations/" + invitation["id"].(string)
	again := f.data(ada, "POST", each+"/resend", "", 200)
	f.holds(again, "email", "status", "link")
	link := again["link"].(string)
	token := link[strings.LastIndexByte(link, '/')+1:]
	byToken := "/v1/invitations/by-token/"
	f.refused(context.Background(), "GET", byToken+"nonsense", "", 404, models.CodeInvitationNotFound)
	found := f.data(context.Background(), "GET", byToken+token, "", 200)
	f.holds(found, "orgName", "kind", "vocabulary", "inviterName", "workspaceName", "email", "expiresAt", "state")
	if found["email"] != "m***@example.com" || found["vocabulary"].(map[string]any)["admins"] != "Teachers" || found["inviterName"] != "ada" {
		t.Fatalf("lookup %v", found)
	}

	accept := "/v1/invitations/" + token + "/accept"
	f.refused(context.Background(), "POST", accept, "", 401, models.CodeUnauthorized)
	f.refused(tom, "POST", accept, "", 400, models.CodeEmailMismatch)
	joined := f.data(mina, "POST", accept, "", 200)
	f.holds(joined, "organizationId", "workspaceId")
	if joined["organizationId"] != school.ID.String() || joined["workspaceId"] != room.ID.String() {
		t.Fatalf("joined %v", joined)
	}
	f.refused(mina, "POST", accept, "", 400, models.CodeInvitationAccepted)
	f.refused(ada, "DELETE", each, "", 400, models.CodeInvitationAccepted)
	f.refused(ada, "POST", each+"/resend", "", 400, models.CodeInvitationAccepted)
	f.refused(mina, "DELETE", each, "", 403, models.CodeInsufficientRole)
	f.refused(ada, "DELETE", "/v1/invitations/x", "", 400, models.CodeValidation)

	f.rows(ada, "POST", all, `{"emails":["late@example.com"]}`, 201)
	late := f.rows(ada, "GET", all+"?status=open", "", 200)[0].(map[string]any)
	for range 2 {
		if code, got := f.call(ada, "DELETE", "/v1/invitations/"+late["id"].(string), ""); code != 200 || got["success"] != true {
			t.Fatalf("%d %v", code, got)
		}
	}
}

// Accepting never refuses a stale selection (contract 3, "Acting in a workspace" 3).
func TestAcceptWithStaleHeader(t *testing.T) {
	f := newOrgFace(t)
	ada, mina := f.Person("ada"), f.Person("mina")
	school := f.School(ada, "North")
	batch, err := f.Orgs.Invitations().Create(ada, school.ID, org.CreateInvitationsInput{Emails: []string{"mina@example.com"}})
	f.NoError(err)
	link := *batch.Sends[0].Link
	path := "/v1/invitations/" + link[strings.LastIndexByte(link, '/')+1:] + "/accept"
	ask := func(selection string) int {
		request := httptest.NewRequest("POST", path, nil)
		identity := Identity{Actor: models.ActorFrom(mina), Workspace: &selection}
		answer := httptest.NewRecorder()
		f.router.ServeHTTP(answer, request.WithContext(WithIdentity(graph.WithLoaders(context.Background(), f.resolver), identity)))
		return answer.Code
	}
	if code := ask("nonsense"); code != http.StatusBadRequest {
		t.Errorf("a malformed selection: %d", code)
	}
	if code := ask(models.NewID(f.Clock.Now()).String()); code != http.StatusOK {
		t.Errorf("a stale selection: %d", code)
	}
}

func TestEmailRoutes(t *testing.T) {
	f := newOrgFace(t)
	nobody := context.Background()
	f.Accounts.Mail, f.Accounts.SessionKey = true, []byte("a key that only tests use, 32 b.")
	if code, got := f.call(nobody, "POST", "/auth/sign-up", `{"email":"new@example.com","password":"correct horse","displayName":"New"}`); code != 202 || got["success"] != true || len(got) != 1 {
		t.Fatalf("signing up answered %d %v", code, got)
	}
	answer := httptest.NewRecorder()
	f.router.ServeHTTP(answer, httptest.NewRequest("POST", "/auth/verify-email", strings.NewReader(`{"token":"x"}`)))
	if answer.Code != http.StatusNotFound {
		t.Fatalf("without mail there is %d", answer.Code)
	}

	with := &orgFace{World: f.World, router: mux.NewRouter(), resolver: f.resolver}
	New(Config{Resolver: f.resolver, DB: f.DB, PublicURL: "http://localhost", Mail: true}, with.router, with.router)
	with.refused(nobody, "POST", "/auth/verify-email", `{"token":"x"}`, 401, models.CodeUnauthorized)
	with.refused(nobody, "POST", "/auth/verify-email", `{}`, 400, models.CodeValidation)
	with.refused(nobody, "POST", "/auth/reset-password", `{"token":"x","password":"short"}`, 400, models.CodeValidation)
	with.refused(nobody, "POST", "/auth/reset-password", `{"token":"x","password":"long enough"}`, 401, models.CodeUnauthorized)
	f.Person("known")
	for _, email := range []string{"known@example.com", "unknown@example.com"} {
		if code, got := with.call(nobody, "POST", "/auth/forgot-password", `{"email":"`+email+`"}`); code != 202 || got["success"] != true {
			t.Fatalf("%s: %d %v", email, code, got)
		}
	}
	var pending struct{ ID models.ID }
	f.NoError(f.DB.Read(nobody).Raw(`SELECT id FROM sign_ups`).Scan(&pending).Error)
	letter, err := f.Accounts.Addresses().WriteSignUpLetter(nobody, pending.ID)
	f.NoError(err)
	session := with.data(nobody, "POST", "/auth/verify-email", `{"token":"`+letter.Token+`"}`, 200)
	f.holds(session, "user", "token", "expiresAt")
}

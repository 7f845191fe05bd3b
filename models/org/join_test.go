package org_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"

	"pgregory.net/rapid"
)

// pairs are the symbols that are misread or misheard (open points, "Join codes").
var pairs = []string{"0O", "0Q", "OQ", "1I", "1L", "IL", "2Z", "5S", "8B", "BP", "DT", "GJ", "MN", "FS", "UV"}

func TestJoinAlphabet(t *testing.T) {
	const alphabet = org.JoinAlphabet
	if len(alphabet) < 22 {
		t.Fatalf("%d symbols", len(alphabet))
	}
	for _, pair := range pairs {
		if strings.ContainsRune(alphabet, rune(pair[0])) && strings.ContainsRune(alphabet, rune(pair[1])) {
			t.Errorf("the alphabet holds both of %s", pair)
		}
	}
	for r := 'A'; r <= 'Z'; r++ {
		if _, ok := org.NormalizeJoinCode(strings.Repeat(string(r), 8)); !ok {
			t.Errorf("%c is neither in the alphabet nor read as one that is", r)
		}
	}
}

// Every code is read from every form in which people write and say it.
func TestNormalizeSpokenForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.StringOfN(rapid.SampledFrom([]rune(org.JoinAlphabet)), 8, 8, -1).Draw(t, "code")
		var said strings.Builder
		for i, r := range code {
			if i > 0 {
				said.WriteString(rapid.SampledFrom([]string{"", "-", " ", "--", " - ", "–", ".", "\u00a0"}).Draw(t, "gap"))
			}
			forms := []string{string(r)}
			for _, pair := range pairs {
				if i := strings.IndexRune(pair, r); i >= 0 {
					forms = append(forms, string(pair[1-i]))
				}
			}
			form := rapid.SampledFrom(forms).Draw(t, "symbol")
			if rapid.Bool().Draw(t, "lower") {
				form = strings.ToLower(form)
			}
			said.WriteString(form)
		}
		if got, ok := org.NormalizeJoinCode(" " + said.String() + "\n"); !ok || got != code {
			t.Fatalf("%q reads as %q, %v; want %q", said.String(), got, ok, code)
		}
	})
}

func TestPastedJoinCodes(t *testing.T) {
	for _, s := range []string{"\u200bABCD-EGHK\u2060", "“ABCD EGHK”.", "<abcd–eghk>", "AB\u00adCD\u00a0EGHK:", "\u202aABCDEGHK\u202c", "\ufeffABCDEGHK,"} {
		if code, ok := org.NormalizeJoinCode(s); !ok || code != "ABCDEGHK" {
			t.Errorf("%q reads as %q, %v", s, code, ok)
		}
	}
}

func TestNormalizeRefuses(t *testing.T) {
	for _, s := range []string{"", "ABCDEFG", "ABCDEFGHK", "ABCD-EFG!", "ÄBCDEFGH", strings.Repeat(" ", 200), "ABCD\x00EFG"} {
		if code, ok := org.NormalizeJoinCode(s); ok {
			t.Errorf("%q reads as %q", s, code)
		}
	}
}

func TestChangeJoinCode(t *testing.T) {
	w := orgtest.New(t)
	ada, teacher, pupil := w.Person("ada"), w.Person("teacher"), w.Person("pupil")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	w.Assign(pupil, room, org.WorkspaceRoleMember)

	none, err := w.Orgs.JoinCodes().Find(teacher, room.ID)
	w.NoError(err)
	if none != nil {
		t.Fatal("a code out of nothing")
	}
	_, err = w.Orgs.JoinCodes().Change(teacher, room.ID, org.DisableCode)
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.JoinCodes().Change(teacher, room.ID, "burn")
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.JoinCodes().Change(pupil, room.ID, org.EnableCode)
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.JoinCodes().Find(pupil, room.ID)
	w.Refused(err, models.CodeInsufficientRole, 403)

	change := func(action org.JoinCodeAction) *org.JoinCode {
		t.Helper()
		code, err := w.Orgs.JoinCodes().Change(teacher, room.ID, action)
		w.NoError(err)
		return code
	}
	first := change(org.EnableCode)
	if !first.Enabled || len(first.Code) != 8 || len(first.Spoken()) != 8 || first.RotatedBy != orgtest.ID(teacher) {
		t.Fatalf("code %+v", first)
	}
	if again := change(org.EnableCode); again.Code != first.Code {
		t.Fatal("enabling twice changed the code")
	}
	if second := change(org.RotateCode); second.Code == first.Code || !second.Enabled {
		t.Fatalf("rotated %+v", second)
	}
	change(org.DisableCode)
	change(org.DisableCode)
	if third := change(org.RotateCode); third.Enabled {
		t.Fatal("rotating a disabled code enabled it")
	}
	if fourth := change(org.EnableCode); !fourth.Enabled {
		t.Fatal("not enabled")
	}
	w.Audited(o.ID, "organization.created", "workspace.created",
		"join_code.enabled", "join_code.rotated", "join_code.disabled", "join_code.rotated", "join_code.enabled")

	_, err = w.Orgs.Workspaces().Archive(ada, room.ID)
	w.NoError(err)
	_, err = w.Orgs.JoinCodes().Change(teacher, room.ID, org.RotateCode)
	w.Refused(err, models.CodeWorkspaceArchived, 403)
	_, err = w.Orgs.JoinCodes().Find(teacher, room.ID)
	w.NoError(err)
}

func TestRotateWithoutCode(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	code := enable(w, ada, w.Workspace(ada, w.Team(ada, "North"), "Room"), org.RotateCode)
	if !code.Enabled {
		t.Fatal("rotating without a code makes an enabled one")
	}
}

func enable(w *orgtest.World, ctx context.Context, room *org.Workspace, action org.JoinCodeAction) *org.JoinCode {
	w.Helper()
	code, err := w.Orgs.JoinCodes().Change(ctx, room.ID, action)
	w.NoError(err)
	return code
}

func TestJoinWorkspace(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	code := enable(w, ada, room, org.EnableCode).Code
	rows := func(ctx context.Context) (n int64) {
		w.NoError(w.DB.Read(ctx).Table("workspace_members").Where("user_id = ?", orgtest.ID(ctx)).Count(&n).Error)
		return n
	}

	t.Run("new, then again", func(t *testing.T) {
		pupil := w.Person("pupil")
		for range 2 {
			joined, err := w.Orgs.JoinCodes().Join(pupil, strings.ToLower(code[:4]+"-"+code[4:]))
			w.NoError(err)
			if joined.OrganizationID != o.ID || *joined.WorkspaceID != room.ID || rows(pupil) != 1 {
				t.Fatalf("joined %+v", joined)
			}
		}
		found, err := w.Orgs.Workspaces().Find(pupil, room.ID)
		w.NoError(err)
		if *found.Role() != org.WorkspaceRoleMember || *found.OrgRole != org.Member {
			t.Fatalf("standing %+v", found)
		}
		today, err := w.Orgs.JoinCodes().JoinedToday(ada, room.ID)
		w.NoError(err)
		if today != 1 {
			t.Fatalf("%d joined today", today)
		}
	})
	t.Run("unlisted admin", func(t *testing.T) {
		_, err := w.Orgs.JoinCodes().Join(ada, code)
		w.NoError(err)
		if rows(ada) != 0 {
			t.Fatal("the owner got a row")
		}
	})
	t.Run("suspended", func(t *testing.T) {
		inWorkspace, inOrganization := w.Person("sus1"), w.Person("sus2")
		w.Assign(inWorkspace, room, org.WorkspaceRoleMember)
		w.Enroll(inOrganization, o, org.Member)
		w.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(inWorkspace))
		w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(inOrganization))
		for _, ctx := range []context.Context{inWorkspace, inOrganization} {
			_, err := w.Orgs.JoinCodes().Join(ctx, code)
			w.Refused(err, models.CodeMemberSuspended, 403)
		}
	})
	t.Run("domain", func(t *testing.T) {
		_, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: map[string]any{"allowed_email_domains": []any{"school.example"}}})
		w.NoError(err)
		for _, domain := range []string{"example.com", "sub.school.example", "notschool.example"} {
			_, err = w.Orgs.JoinCodes().Join(w.PersonAt("d", domain), code)
			w.Refused(err, models.CodeDomainNotAllowed, 403)
		}
		unconfirmed := w.PersonAt("u", "school.example")
		actor := models.ActorFrom(unconfirmed)
		actor.EmailVerified = false
		_, err = w.Orgs.JoinCodes().Join(models.WithActor(unconfirmed, actor), code)
		w.Refused(err, models.CodeDomainNotAllowed, 403)
		_, err = w.Orgs.JoinCodes().Join(w.PersonAt("ok", "school.example"), code)
		w.NoError(err)
	})
}

// One answer to every code that opens nothing.
func TestJoinCodeInvalid(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	disabled, archived, rotated := w.Workspace(ada, o, "A"), w.Workspace(ada, o, "B"), w.Workspace(ada, o, "C")
	codes := map[string]string{"unknown": "ABCDABCD", "malformed": "???", "empty": ""}
	codes["disabled"] = enable(w, ada, disabled, org.EnableCode).Code
	enable(w, ada, disabled, org.DisableCode)
	codes["archived"] = enable(w, ada, archived, org.EnableCode).Code
	_, err := w.Orgs.Workspaces().Archive(ada, archived.ID)
	w.NoError(err)
	codes["rotated"] = enable(w, ada, rotated, org.EnableCode).Code
	enable(w, ada, rotated, org.RotateCode)
	other := w.Team(ada, "South")
	codes["inactive"] = enable(w, ada, w.Workspace(ada, other, "D"), org.EnableCode).Code
	_, err = w.Orgs.SuspendOrganization(w.Operator(), other.ID, "Unpaid")
	w.NoError(err)

	pupil, messages := w.Person("pupil"), map[string]bool{}
	for name, code := range codes {
		t.Run(name, func(t *testing.T) {
			_, err := w.Orgs.JoinCodes().Join(pupil, code)
			w.Refused(err, models.CodeJoinCodeInvalid, 400)
			messages[err.Error()] = true
		})
	}
	if len(messages) != 1 {
		t.Fatalf("answers differ: %v", messages)
	}
	if n := w.Orgs.JoinCodes().Refused(); n != int64(len(codes)) {
		t.Errorf("%d refusals are counted, want %d", n, len(codes))
	}
}

func TestJoinLimits(t *testing.T) {
	w := orgtest.New(t)
	try := func(ctx context.Context, ip string) error {
		actor := models.ActorFrom(ctx)
		actor.IP = ip
		_, err := w.Orgs.JoinCodes().Join(models.WithActor(ctx, actor), "ABCDABCD")
		return err
	}
	guesser := w.Person("guesser")
	for range 10 {
		w.Refused(try(guesser, "192.0.2.1"), models.CodeJoinCodeInvalid, 400)
	}
	w.Refused(try(guesser, "192.0.2.2"), models.CodeRateLimitExceeded, 429)
	for n := range 2 {
		ctx := w.Person(fmt.Sprint("more", n))
		for range 10 {
			w.Refused(try(ctx, "192.0.2.1"), models.CodeJoinCodeInvalid, 400)
		}
	}
	w.Refused(try(w.Person("last"), "192.0.2.1"), models.CodeRateLimitExceeded, 429)
	w.Refused(try(w.Person("elsewhere"), "192.0.2.3"), models.CodeJoinCodeInvalid, 400)
	w.Clock.Advance(time.Minute)
	w.Refused(try(guesser, "192.0.2.1"), models.CodeJoinCodeInvalid, 400)
}

func TestDoubleJoin(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	room := w.Workspace(ada, o, "Room")
	code := enable(w, ada, room, org.EnableCode).Code
	var all sync.WaitGroup
	errs := make([]error, 30)
	for n := range 10 {
		pupil := w.Person(fmt.Sprint("pupil", n))
		for m := range 3 {
			all.Go(func() { _, errs[n*3+m] = w.Orgs.JoinCodes().Join(pupil, code) })
		}
	}
	all.Wait()
	for _, err := range errs {
		w.NoError(err)
	}
	counts, err := w.Orgs.WorkspaceMembers().Count(ada, []models.ID{room.ID})
	w.NoError(err)
	if counts[room.ID] != 10 {
		t.Fatalf("%d members", counts[room.ID])
	}
	actions := []string{"organization.created", "workspace.created", "join_code.enabled"}
	for range 10 {
		actions = append(actions, "member.joined")
	}
	w.Audited(o.ID, actions...)
}

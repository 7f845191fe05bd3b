package org_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestCreateOrganization(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	yes, slug := true, "north"

	t.Run("owner", func(t *testing.T) {
		o, err := w.Orgs.CreateOrganization(ada, org.CreateOrganizationInput{
			Name: " North School ", Kind: org.School, Slug: &slug, AcceptTerms: &yes,
			Settings: map[string]any{"admin_access": "view", "unknown": 1, "personal_space_enabled": nil},
		})
		w.NoError(err)
		if o.Name != "North School" || o.Slug != "north" || o.Status != org.Active || *o.Role != org.Owner || *o.MemberStatus != org.MemberActive {
			t.Fatalf("unexpected organization %+v", o)
		}
		if string(o.Settings) != `{"admin_access":"view"}` {
			t.Fatalf("stored settings %s", o.Settings)
		}
		w.Audited(o.ID, "organization.created")
	})
	for name, c := range map[string]struct {
		in   org.CreateOrganizationInput
		code models.Code
	}{
		"terms":      {org.CreateOrganizationInput{Name: "S", Kind: org.School}, models.CodeTermsRequired},
		"taken":      {org.CreateOrganizationInput{Name: "S", Kind: org.Team, Slug: &slug}, models.CodeNameTaken},
		"empty name": {org.CreateOrganizationInput{Name: "  ", Kind: org.Team}, models.CodeValidation},
		"long name":  {org.CreateOrganizationInput{Name: strings.Repeat("x", 101), Kind: org.Team}, models.CodeValidation},
		"kind":       {org.CreateOrganizationInput{Name: "S", Kind: "club"}, models.CodeValidation},
		"slug form":  {org.CreateOrganizationInput{Name: "S", Kind: org.Team, Slug: new("Upper")}, models.CodeValidation},
		"long slug":  {org.CreateOrganizationInput{Name: "S", Kind: org.Team, Slug: new(strings.Repeat("a", 51))}, models.CodeValidation},
		"setting":    {org.CreateOrganizationInput{Name: "S", Kind: org.Team, Settings: map[string]any{"admin_access": true}}, models.CodeValidation},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Orgs.CreateOrganization(ada, c.in)
			w.Refused(err, c.code, 0)
		})
	}
	t.Run("anonymous", func(t *testing.T) {
		_, err := w.Orgs.CreateOrganization(context.Background(), org.CreateOrganizationInput{Name: "S", Kind: org.Team})
		w.Refused(err, models.CodeUnauthorized, 401)
	})
	t.Run("scope", func(t *testing.T) {
		app := models.ActorFrom(ada)
		app.Kind, app.Scopes = models.ByOAuth, []models.Scope{models.ScopeWorkspacesRead}
		_, err := w.Orgs.CreateOrganization(models.WithActor(ada, app), org.CreateOrganizationInput{Name: "S", Kind: org.Team})
		w.Refused(err, models.CodeInsufficientScope, 403)
	})
	t.Run("pending", func(t *testing.T) {
		w.Orgs.AutoApprove = false
		defer func() { w.Orgs.AutoApprove = true }()
		o := w.Team(w.Person("pia"), "Pending")
		if o.Status != org.Pending {
			t.Fatalf("status %s", o.Status)
		}
	})
}

func TestCreateOrganizationLimit(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	for n := range 5 {
		w.Team(ada, fmt.Sprintf("Team %d", n))
	}
	_, err := w.Orgs.CreateOrganization(ada, org.CreateOrganizationInput{Name: "One more", Kind: org.Team})
	w.Refused(err, models.CodeRateLimitExceeded, 429)
	w.Team(w.Person("bob"), "Other account")
	w.Clock.Advance(time.Hour)
	w.Team(ada, "An hour later")
}

func TestDerivedSlugs(t *testing.T) {
	for name, want := range map[string]string{
		"Grundschule Süd": "grundschule-sud", "Straße 7!": "strasse-7", "日本": "school", "--a--b--": "a-b",
		strings.Repeat("ab ", 40): strings.TrimRight(strings.Repeat("ab-", 17)[:50], "-"),
	} {
		if got := org.DeriveSlug(name, "school"); got != want {
			t.Errorf("DeriveSlug(%q) = %q, want %q", name, got, want)
		}
	}
	w := orgtest.New(t)
	var slugs []string
	for n := range 12 {
		slugs = append(slugs, w.Team(w.Person(fmt.Sprint("p", n)), strings.Repeat("long name ", 9)).Slug)
	}
	base := "long-name-long-name-long-name-long-name-long-name"
	if slugs[0] != base || slugs[1] != base[:48]+"-2" && slugs[1] != strings.TrimRight(base[:48], "-")+"-2" {
		t.Fatalf("slugs %v", slugs)
	}
	slices.Sort(slugs)
	if len(slices.Compact(slugs)) != 12 {
		t.Fatalf("slugs are not unique: %v", slugs)
	}
}

func TestSlugRace(t *testing.T) {
	w := orgtest.New(t)
	const racers = 20
	contexts := make([]context.Context, racers)
	for n := range contexts {
		contexts[n] = w.Person(fmt.Sprint("racer", n))
	}
	slugs, errs := make([]string, racers), make([]error, racers)
	var all sync.WaitGroup
	for n := range racers {
		all.Go(func() {
			o, err := w.Orgs.CreateOrganization(contexts[n], org.CreateOrganizationInput{Name: "Same", Kind: org.Team})
			errs[n] = err
			if err == nil {
				slugs[n] = o.Slug
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		w.NoError(err)
	}
	slices.Sort(slugs)
	if len(slices.Compact(slugs)) != racers || slugs[0] != "same" {
		t.Fatalf("slugs %v", slugs)
	}

	t.Run("sent", func(t *testing.T) {
		var won, taken int
		var mu sync.Mutex
		for n := range 8 {
			all.Go(func() {
				_, err := w.Orgs.CreateOrganization(contexts[n], org.CreateOrganizationInput{Name: "S", Kind: org.Team, Slug: new("sent")})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else if models.HasCode(err, models.CodeNameTaken) {
					taken++
				}
			})
		}
		all.Wait()
		if won != 1 || taken != 7 {
			t.Fatalf("%d won, %d were refused", won, taken)
		}
	})
}

func TestFindOrganization(t *testing.T) {
	w := orgtest.New(t)
	ada, bob, out := w.Person("ada"), w.Person("bob"), w.Person("out")
	o := w.School(ada, "North")
	w.Enroll(bob, o, org.Member)

	found, err := w.Orgs.FindOrganization(bob, o.ID)
	w.NoError(err)
	if *found.Role != org.Member || found.Vocabulary().Workspace != "Class" {
		t.Fatalf("unexpected %+v", found)
	}
	_, err = w.Orgs.FindOrganization(out, o.ID)
	w.Refused(err, models.CodeNotFound, 404)
	_, err = w.Orgs.FindOrganization(w.Operator(), o.ID)
	w.NoError(err)

	w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(bob))
	_, err = w.Orgs.FindOrganization(bob, o.ID)
	w.Refused(err, models.CodeMemberSuspended, 403)
	list, err := w.Orgs.ListOrganizations(bob, models.Page{})
	w.NoError(err)
	if len(list.Nodes) != 1 || *list.Nodes[0].MemberStatus != org.MemberSuspended {
		t.Fatalf("unexpected list %+v", list.Nodes)
	}
}

func TestUpdateOrganization(t *testing.T) {
	w := orgtest.New(t)
	ada, bob := w.Person("ada"), w.Person("bob")
	o := w.School(ada, "North")
	w.Enroll(bob, o, org.Member)

	update := func(settings map[string]any) *org.Organization {
		t.Helper()
		changed, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: settings})
		w.NoError(err)
		return changed
	}
	update(map[string]any{"member_caps_enabled": false, "junk": 1, "vocabulary_overrides": map[string]any{"workspace": "Studio", "lesson": "Hour"}})
	changed := update(map[string]any{"allowed_email_domains": []any{"Example.COM", "example.com"}})
	rules := changed.Rules()
	if rules.MemberCapsEnabled || fmt.Sprint(rules.AllowedEmailDomains) != "[example.com]" || rules.AdminAccess != org.Edit {
		t.Fatalf("rules %+v", rules)
	}
	if words := changed.Words(); words["workspace"] != "Studio" || words["lesson"] != "Hour" || words["members"] != "Students" {
		t.Fatalf("words %v", words)
	}
	if fresh := (&org.Organization{Kind: org.School}).Words(); fresh["workspace"] != "Class" {
		t.Fatalf("another organization's words leaked: %v", fresh)
	}
	changed = update(map[string]any{"member_caps_enabled": nil, "vocabulary_overrides": map[string]any{"member": "Pupil"}})
	if !changed.Rules().MemberCapsEnabled || changed.Words()["workspace"] != "Class" || changed.Words()["member"] != "Pupil" {
		t.Fatalf("rules %+v words %v", changed.Rules(), changed.Words())
	}
	sources := map[string]string{}
	for _, row := range changed.SettingRows() {
		sources[row.Key] = row.Source
	}
	if sources["member_caps_enabled"] != "default" || sources["allowed_email_domains"] != "organization" || len(sources) != 10 {
		t.Fatalf("sources %v", sources)
	}
	update(map[string]any{"junk": true})
	w.Audited(o.ID, "organization.created", "organization.updated", "organization.updated", "organization.updated")

	_, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Name: models.Null[string]()})
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: map[string]any{"allowed_email_domains": []any{"not a domain"}}})
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.UpdateOrganization(bob, o.ID, org.UpdateOrganizationInput{Name: models.Some("Mine")})
	w.Refused(err, models.CodeInsufficientRole, 403)
}

func TestOperator(t *testing.T) {
	w := orgtest.New(t)
	w.Orgs.AutoApprove = false
	ada, operator := w.Person("ada"), w.Operator()
	o := w.Team(ada, "North")

	_, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Name: models.Some("N")})
	w.Refused(err, models.CodeOrgNotActive, 403)
	_, err = w.Orgs.ApproveOrganization(ada, o.ID)
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.ReinstateOrganization(operator, o.ID)
	w.Refused(err, models.CodeValidation, 400)
	for range 2 {
		approved, err := w.Orgs.ApproveOrganization(operator, o.ID)
		w.NoError(err)
		if approved.Status != org.Active {
			t.Fatal(approved.Status)
		}
	}
	workspace := w.Workspace(ada, o, "Room")
	_, err = w.Orgs.SuspendOrganization(operator, o.ID, " ")
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.SuspendOrganization(operator, o.ID, "Unpaid")
	w.NoError(err)

	_, err = w.Orgs.Workspaces().Find(ada, workspace.ID)
	w.NoError(err)
	_, err = w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{}, models.Page{})
	w.NoError(err)
	_, err = w.Orgs.Workspaces().Create(ada, o.ID, org.CreateWorkspaceInput{Name: "X"})
	w.Refused(err, models.CodeOrgNotActive, 403)
	_, err = w.Orgs.Workspaces().Select(ada, workspace.ID)
	w.Refused(err, models.CodeNotAMember, 403)

	suspended := org.Suspended
	list, err := w.Orgs.ListAllOrganizations(operator, &suspended, nil, models.Page{})
	w.NoError(err)
	if len(list.Nodes) != 1 || *list.Nodes[0].SuspensionReason != "Unpaid" {
		t.Fatalf("unexpected %+v", list.Nodes)
	}
	_, err = w.Orgs.ReinstateOrganization(operator, o.ID)
	w.NoError(err)
	w.Audited(o.ID, "organization.created", "organization.approved", "workspace.created", "organization.suspended", "organization.reinstated")
}

// TestSortingAllOrganizations sorts the operators' list by what its heads offer.
func TestSortingAllOrganizations(t *testing.T) {
	w := orgtest.New(t)
	ada, operator := w.Person("ada"), w.Operator()
	for _, name := range []string{"beta", "Gamma", "alpha"} {
		w.School(ada, name)
	}
	for want, sort := range map[string]models.Sort{
		"alpha beta Gamma": {By: models.SortByName}, "Gamma beta alpha": {By: models.SortByName, Descending: true},
		"beta Gamma alpha": {By: models.SortByCreated}, "alpha Gamma beta": {By: models.SortByStatus, Descending: true},
	} {
		var names []string
		page := models.Page{Limit: new(2), Sort: &sort}
		for range 2 {
			list, err := w.Orgs.ListAllOrganizations(operator, nil, nil, page)
			w.NoError(err)
			for _, o := range list.Nodes {
				names = append(names, o.Name)
			}
			page.Cursor = list.PageInfo.EndCursor
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%+v: %s, expected %s", sort, got, want)
		}
	}
	_, err := w.Orgs.ListAllOrganizations(operator, nil, nil, models.Page{Sort: &models.Sort{By: models.SortByLeft}})
	w.Refused(err, models.CodeValidation, 400)
}

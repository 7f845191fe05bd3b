package org_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// TestListsThereAndBack reads lists page by page to their end and back, in each
// of their orders.
func TestListsThereAndBack(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room 0")
	for n := range 6 {
		w.Clock.Advance(time.Duration(n%2) * time.Second) // some at the same time
		w.Assign(w.Person(fmt.Sprintf("%c more", "BaDcfE"[n])), room, org.WorkspaceRoleMember)
		w.Workspace(ada, o, fmt.Sprintf("%c room", "BaDcfE"[n]))
	}
	w.Orgs.ShowWithMembers("7::bigint AS spent") // as the area of money would
	w.Orgs.SortWorkspaces(models.SortByLeft, models.SortColumn{Column: "length(listed.name)", Type: "int"})

	members := func(page models.Page) ([]string, *models.PageInfo, int, error) {
		c, err := w.Orgs.Members().List(ada, o.ID, org.MemberFilter{}, page)
		return shown(c, err, func(m *org.OrganizationMember) string { return m.Email })
	}
	listed := func(page models.Page) ([]string, *models.PageInfo, int, error) {
		c, err := w.Orgs.WorkspaceMembers().List(ada, room.ID, org.ListedFilter{}, page)
		return shown(c, err, func(m *org.ListedMember) string { return m.UserID.String() })
	}
	rooms := func(page models.Page) ([]string, *models.PageInfo, int, error) {
		c, err := w.Orgs.Workspaces().ListOf(ada, o.ID, org.WorkspaceFilter{}, page)
		return shown(c, err, func(w *org.Workspace) string { return w.Name })
	}
	by := func(by models.SortBy, descending bool) *models.Sort {
		return &models.Sort{By: by, Descending: descending}
	}
	for name, c := range map[string]struct {
		read  func(models.Page) ([]string, *models.PageInfo, int, error)
		sort  *models.Sort
		all   int
		first string // what stands in front, where that is certain
	}{
		"people":                  {members, nil, 7, ""},
		"people by name":          {members, by(models.SortByName, false), 7, "a more@example.com"},
		"people by name, back":    {members, by(models.SortByName, true), 7, "f more@example.com"},
		"people by role":          {members, by(models.SortByRole, false), 7, "ada@example.com"},
		"people by status":        {members, by(models.SortByStatus, false), 7, ""},
		"people by classes":       {members, by(models.SortByWorkspaces, false), 7, "ada@example.com"},
		"people by what is spent": {members, by(models.SortBySpent, true), 7, ""},
		"people by joining":       {members, by(models.SortByCreated, false), 7, "ada@example.com"},
		"students":                {listed, nil, 6, ""},
		"students by name":        {listed, by(models.SortByName, false), 6, ""},
		"students by status":      {listed, by(models.SortByStatus, true), 6, ""},
		"classes":                 {rooms, nil, 7, "E room"},
		"classes by name":         {rooms, by(models.SortByName, false), 7, "a room"},
		"classes by students":     {rooms, by(models.SortByMembers, true), 7, "Room 0"},
		"classes by budget":       {rooms, by(models.SortByLeft, false), 7, ""},
	} {
		t.Run(name, func(t *testing.T) {
			whole, info, total, err := c.read(models.Page{Sort: c.sort})
			w.NoError(err)
			if len(whole) != c.all || total != c.all || info.PreviousCursor != nil || c.first != "" && whole[0] != c.first {
				t.Fatalf("%d of %d: %v, before %v", len(whole), total, whole, info.PreviousCursor)
			}
			var there []string
			page := models.Page{Limit: new(3), Sort: c.sort}
			for {
				rows, info, _, err := c.read(page)
				w.NoError(err)
				there = append(there, rows...)
				page.Cursor = info.EndCursor
				if (info.PreviousCursor == nil) != (len(there) <= 3) {
					t.Fatalf("a page before %v: %v", rows, info.PreviousCursor)
				}
				if !info.HasNextPage {
					page.Cursor = info.PreviousCursor
					break
				}
			}
			if !slices.Equal(there, whole) {
				t.Fatalf("page by page %v, at once %v", there, whole)
			}
			for at := len(whole) - len(whole)%3; page.Cursor != nil; at -= 3 {
				from := max(0, at-3)
				if len(whole)%3 == 0 {
					from = max(0, at-6)
				}
				rows, info, _, err := c.read(page)
				w.NoError(err)
				if !slices.Equal(rows, whole[from:from+3]) || !info.HasNextPage || (info.PreviousCursor == nil) != (from == 0) {
					t.Fatalf("back to %d: %v of %v, %+v", from, rows, whole, info)
				}
				page.Cursor = info.PreviousCursor
			}
		})
	}

	_, err := w.Orgs.Members().List(ada, o.ID, org.MemberFilter{}, models.Page{Sort: by(models.SortByCap, false)})
	w.Refused(err, models.CodeValidation, 400)
	pupil := w.Person("pupil")
	w.Assign(pupil, room, org.WorkspaceRoleMember)
	_, err = w.Orgs.WorkspaceMembers().List(pupil, room.ID, org.ListedFilter{}, models.Page{Sort: by(models.SortByStatus, false)})
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.WorkspaceMembers().List(pupil, room.ID, org.ListedFilter{Status: new(org.MemberActive)}, models.Page{})
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.Workspaces().ListOf(pupil, o.ID, org.WorkspaceFilter{}, models.Page{Sort: by(models.SortByLeft, false)})
	w.Refused(err, models.CodeValidation, 400)
	sorted, err := w.Orgs.Members().List(ada, o.ID, org.MemberFilter{}, models.Page{Limit: new(2), Sort: by(models.SortByName, false)})
	w.NoError(err)
	_, err = w.Orgs.Members().List(ada, o.ID, org.MemberFilter{}, models.Page{Limit: new(2), Cursor: sorted.Next()})
	w.Refused(err, models.CodeValidation, 400)
	found, err := w.Orgs.WorkspaceMembers().List(ada, room.ID, org.ListedFilter{Search: new("A MOR"), Role: new(org.WorkspaceRoleMember), Status: new(org.MemberActive)}, models.Page{})
	if err != nil || len(found.Nodes) != 1 {
		t.Fatalf("%v: %+v", err, found)
	}
}

func shown[T any](c *models.Connection[T], err error, name func(T) string) ([]string, *models.PageInfo, int, error) {
	if err != nil {
		return nil, nil, 0, err
	}
	var names []string
	for _, node := range c.Nodes {
		names = append(names, name(node))
	}
	total, err := c.TotalCount()
	return names, &c.PageInfo, total, err
}

package ui

import (
	"context"
	"slices"
)

// Shell is everything around the content of a console page.
type Shell struct {
	Title    string // of this page; the same words as its h1
	Brand    string // name of the installation, "Atelier" when empty
	HomeHref string // where the brand leads, "/" when empty
	Theme    Theme
	NavLabel string // what the navigation is about, "Organization" or "Personal space"
	Nav      []NavGroup
	Tabs     []NavItem // at most four, for phones; "More" follows by itself
	MoreHref string    // page that shows More(shell), "/more" when empty
	Switcher Switcher
	User     User
	Search   SearchBox
	Bell     BellProps
	Banners  []Banner // said before the content on every page: pending, suspended, maintenance
	Flash    string   // the result of the action that led here, announced once
	FlashOf  Tone     // of the result; fine when empty
	Undo     *Undo    // takes the result back
	Path     string   // of this page, where theme and sign-out forms return to
	Wide     bool     // the content may use the whole width (the workflow editor)
	Scripts  []string // names of further assets, loaded after the page's own
}

// NavGroup is a titled part of the navigation; the first usually has no title.
type NavGroup struct {
	Title  string
	Items  []NavItem
	Folded bool // behind its title
	Open   bool // a folded one that is unfolded, for the page is in it
}

// NavItem is one destination. Key is the letter after "g" that leads there.
type NavItem struct {
	Text    string
	Href    string
	Icon    string // see Icon; shown in the bottom bar of phones
	Count   string // "388", already formatted; empty for none
	Key     string
	Current bool
}

// User is the signed-in person.
type User struct {
	Picture       string // see Picture
	Name          string
	Email         string
	Items         []NavItem // the person's own pages
	SignOutAction string    // POST
	ThemeAction   string    // POST, fields theme and return
}

// Banner is a sentence about the state of the whole account or organization.
type Banner struct {
	Tone   Tone
	Title  string
	Text   string
	Href   string
	Action string // text of the link
}

// SwitcherState tells the three states of contract section 6.1 apart.
type SwitcherState int

const (
	SwitcherAbsent      SwitcherState = iota // the installation has no organizations
	SwitcherReady                            // an empty list offers to create or join
	SwitcherUnavailable                      // could not be loaded: the selection stays, said quietly
)

// Switcher chooses the personal space, an organization or one of its workspaces.
type Switcher struct {
	State      SwitcherState
	Name       string // of the current selection
	Detail     string // "Owner · school"
	Personal   SwitchTarget
	Orgs       []SwitchOrg
	MoreHref   string // the page of all spaces, where there are more than are listed
	CreateHref string
	JoinHref   string
}

// SwitchOrg is an organization and what the person may enter in it.
type SwitchOrg struct {
	SwitchTarget
	Workspaces []SwitchTarget
}

// SwitchTarget is one thing to switch to.
type SwitchTarget struct {
	Name    string
	Detail  string // own role
	Status  string // "Suspended"; empty when nothing is unusual
	Tone    Tone
	Href    string
	Current bool
}

func (s Shell) brand() string                       { return or(s.Brand, "Atelier") }
func (s Shell) home() string                        { return or(s.HomeHref, "/") }
func (s Shell) moreHref() string                    { return or(s.MoreHref, "/more") }
func (s Shell) navLabel(ctx context.Context) string { return or(s.NavLabel, t(ctx, "Main")) }

// onTab reports whether one of the tabs is where the person is; otherwise "More" is.
func (s Shell) onTab() bool {
	for _, t := range s.Tabs {
		if t.Current {
			return true
		}
	}
	return false
}

// keys are the items that a shortcut leads to, for the help sheet.
func (s Shell) keys() []NavItem {
	var out []NavItem
	for _, g := range append(slices.Clip(s.Nav), NavGroup{Items: s.User.Items}) {
		for _, it := range g.Items {
			if it.Key != "" {
				out = append(out, it)
			}
		}
	}
	return out
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

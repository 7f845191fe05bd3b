package account

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// homeView is the start page of a person who is signed in.
type homeView struct {
	At     frame.Place
	Wallet query.Wallet
	Frame  query.Shell
	Counts *query.MembershipCounts
	Runs   []query.LatestRun
}

// Home is the front page for visitors and the start page for everyone else.
func (c Pages) Home(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Home(r.Context(), c.Client)
	if frame.HasCode(err, "unauthorized") {
		return c.front(w, r)
	}
	if err != nil {
		return err
	}
	v := homeView{At: frame.PlaceOf(r, res.Shell, "", ""), Wallet: res.Me.Wallet, Frame: res.Shell, Counts: res.Me.Memberships, Runs: res.Executions.Nodes}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Start"), Personal: true}, homeContent(v, c.Now()))
}

func (c Pages) front(w http.ResponseWriter, r *http.Request) error {
	visit, err := query.Visit(r.Context(), c.Client)
	if err != nil {
		return err
	}
	if i := visit.Install; i.Fresh || i.AwaitsOperatorCode || i.NextStep != nil {
		return c.Bare(w, r, ui.BareProps{Title: "Atelier", Wide: true}, firstRunContent(visit.Install))
	}
	return c.Bare(w, r, ui.BareProps{Title: "Atelier", Wide: true}, frontContent(visit.Install))
}

// More is the whole navigation as a page, behind the last tab of phones.
func (c Pages) More(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	p := frame.Page{Title: t(r.Context(), "More")}
	return c.Page(w, r, res.Shell, p, ui.More(c.Shell(r, res.Shell, p)))
}

// Storybook shows every component of package ui, to operators and where the program is developed.
func (c Pages) Storybook(w http.ResponseWriter, r *http.Request) error {
	if !c.Config.Development {
		res, err := query.Frame(r.Context(), c.Client)
		if err != nil && !frame.HasCode(err, "unauthorized") {
			return err
		}
		if err != nil || !res.Me.IsOperator {
			return frame.ErrNotFound
		}
	}
	return frame.Write(w, r, http.StatusOK, ui.Storybook(ui.SampleWords(c.Now()), frame.ThemeOf(r)))
}

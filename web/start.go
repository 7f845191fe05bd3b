package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// homeView is the start page of somebody who is signed in.
type homeView struct {
	At     place
	Wallet query.Wallet
	Frame  query.Shell
	Counts *query.MembershipCounts
	Runs   []query.LatestRun
}

// home is the front page for visitors and the start page for everybody else.
func (c *Console) home(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Home(r.Context(), c.client)
	if hasCode(err, "unauthorized") {
		return c.front(w, r)
	}
	if err != nil {
		return err
	}
	v := homeView{At: placeOf(r, res.Shell, "", ""), Wallet: res.Me.Wallet, Frame: res.Shell, Counts: res.Me.Memberships, Runs: res.Executions.Nodes}
	return c.page(w, r, res.Shell, page{Title: "Start", StaysOnSwitch: true}, homeContent(v, c.now()))
}

func (c *Console) front(w http.ResponseWriter, r *http.Request) error {
	visit, err := query.Visit(r.Context(), c.client)
	if err != nil {
		return err
	}
	if visit.Install.Fresh {
		return c.bare(w, r, ui.BareProps{Title: "Atelier", Wide: true}, firstRunContent(visit.Install))
	}
	return c.bare(w, r, ui.BareProps{Title: "Atelier", Wide: true}, frontContent(visit.Install))
}

// more is the whole navigation as a page, behind the last tab of phones.
func (c *Console) more(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	p := page{Title: "More"}
	return c.page(w, r, res.Shell, p, ui.More(c.shell(r, res.Shell, p)))
}

func (c *Console) storybook(w http.ResponseWriter, r *http.Request) error {
	return write(w, r, http.StatusOK, ui.Storybook(ui.SampleWords(c.now()), themeOf(r)))
}

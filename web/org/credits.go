package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// creditsView is the pool of an organization, what its workspaces hold, and a page of the ledger.
type creditsView struct {
	Org    query.OrganizationHead
	Credit query.Credits
	Held   []query.HeldWorkspace // the newest
	More   bool                  // there are further ones
	Ledger []query.LedgerLine
	Next   string
	Paged  bool // beyond the first page of the ledger
}

// Credits shows the pool of an organization, who holds what, and the ledger.
func (c Pages) Credits(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OrganizationCredits(r.Context(), c.Client, frame.PathID(r), frame.After(r))
	if err != nil {
		return err
	}
	org := res.Organization
	v := creditsView{
		Org: org.OrganizationHead, Credit: org.Credits.Credits, Held: org.Workspaces.Nodes, More: org.Workspaces.PageInfo.HasNextPage, Ledger: org.Credits.Ledger.Nodes,
		Next: frame.NextHref(r, org.Credits.Ledger.PageInfo), Paged: frame.After(r) != nil,
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Credits", Section: frame.SectionCredits, Org: org.Id}, creditsContent(v, c.Now()))
}

// bookName is a side of a movement in words.
func bookName(o query.OrganizationHead, book string, workspace string) string {
	if workspace == "" {
		workspace = frame.A(o.Vocabulary.Workspace)
	}
	switch book {
	case "issued":
		return "Outside"
	case "pool":
		return "Pool"
	case "headroom":
		return workspace
	case "held":
		return workspace + ", reserved"
	case "spent":
		return workspace + ", spent"
	case "absorbed":
		return "The platform"
	case "wallet", "wallet_held", "wallet_spent":
		return "A personal space"
	}
	return book
}

// kindWord is what a movement is; the raw kind where it is new.
func kindWord(kind string) string {
	words := map[string]string{
		"signup": "Start credits", "grant": "Given by an operator", "purchase": "Bought", "refund": "Refunded", "allocation": "Allocated",
		"return": "Taken back", "hold": "Reserved", "charge": "Charged", "release": "Released", "absorbed": "Absorbed by the platform",
	}
	if word, ok := words[kind]; ok {
		return word
	}
	return kind
}

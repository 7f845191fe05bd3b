package credit

import (
	"fmt"

	"atelier/models"
	"atelier/models/org"
)

// RegisterHooks gives every new organization its pool, every new workspace its
// budget, every new member of one its default cap and every new account its
// wallet, and keeps an organization from
// being deleted while its workspaces hold credits.
func (s *Service) RegisterHooks() {
	s.Orgs.OnOrganization("credit: a pool", func(tx *models.Tx, o *org.Organization) error {
		return tx.Create(&OrganizationPool{OrganizationID: o.ID}).Error
	})
	s.Orgs.OnWorkspace("credit: a budget", func(tx *models.Tx, w *org.Workspace) error {
		return tx.Create(&WorkspaceBudget{WorkspaceID: w.ID, OrganizationID: w.OrganizationID}).Error
	})
	s.Orgs.OnWorkspaceMember("credit: the default cap", s.beginWithCap)
	s.Orgs.OnDelete("credit: refuse while workspaces hold credits", checkReturned)
	s.showWithMembers()
	s.Orgs.Accounts.OnUser("credit: a wallet", s.openWallet)
	s.Orgs.Accounts.OnClosing("credit: credits of the wallet", s.countWallet)
}

// showWithMembers puts what members may spend and spent beside them in the
// lists of an organization and of a workspace.
func (s *Service) showWithMembers() {
	s.Orgs.ShowWithMembers(`(SELECT coalesce(sum(b.spent), 0) FROM member_budgets b ` + org.JoinWorkspaces("b.workspace_id") + `
		WHERE b.user_id = organization_members.user_id AND w.organization_id = organization_members.organization_id) AS spent`)
	share := "(SELECT %s FROM member_budgets b WHERE b.workspace_id = m.workspace_id AND b.user_id = m.user_id)"
	show := func(column string) { s.Orgs.ShowWithWorkspaceMembers(func(models.ID) string { return column }) }
	show(fmt.Sprintf(share, "b.cap") + " AS credit_cap")
	show("coalesce(" + fmt.Sprintf(share, "b.reserved") + ", 0) AS reserved")
	show("coalesce(" + fmt.Sprintf(share, "b.spent") + ", 0) AS spent")
	budget := "coalesce((SELECT %s FROM workspace_budgets b WHERE b.workspace_id = listed.id), 0)"
	s.Orgs.SortWorkspaces(models.SortBySpent, models.SortColumn{Column: fmt.Sprintf(budget, "b.spent"), Type: "bigint"})
	s.Orgs.SortWorkspaces(models.SortByLeft, models.SortColumn{Column: fmt.Sprintf(budget, "b.allocated - b.reserved - b.spent"), Type: "bigint"})
}

package credit

import (
	"fmt"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// Service holds the use cases of credits.
type Service struct {
	DB   *models.DB
	Orgs *org.Service
	// SignUpCredits is what a new account starts with.
	SignUpCredits models.Credits
}

// RegisterHooks gives every new organization its pool, every new workspace its
// budget, every new member of one its default cap and every new account its
// wallet, and keeps an organization from
// being deleted while its workspaces hold credits.
func (s *Service) RegisterHooks() {
	s.Orgs.OnOrganization(func(tx *models.Tx, o *org.Organization) error {
		return tx.Create(&OrganizationPool{OrganizationID: o.ID}).Error
	})
	s.Orgs.OnWorkspace(func(tx *models.Tx, w *org.Workspace) error {
		return tx.Create(&WorkspaceBudget{WorkspaceID: w.ID, OrganizationID: w.OrganizationID}).Error
	})
	s.Orgs.OnWorkspaceMember(s.beginWithCap)
	s.Orgs.OnDelete(checkReturned)
	s.showWithMembers()
	s.Orgs.Accounts.OnUser(s.openWallet)
	s.Orgs.Accounts.OnClosing(s.countWallet)
}

// showWithMembers puts what members may spend and spent beside them in the
// lists of an organization and of a workspace.
func (s *Service) showWithMembers() {
	s.Orgs.ShowWithMembers(`(SELECT coalesce(sum(b.spent), 0) FROM member_budgets b ` + org.JoinWorkspaces("b.workspace_id") + `
		WHERE b.user_id = organization_members.user_id AND w.organization_id = organization_members.organization_id) AS spent`)
	share := "(SELECT %s FROM member_budgets b WHERE b.workspace_id = m.workspace_id AND b.user_id = m.user_id)"
	s.Orgs.ShowWithWorkspaceMembers(fmt.Sprintf(share, "b.cap") + " AS credit_cap")
	s.Orgs.ShowWithWorkspaceMembers("coalesce(" + fmt.Sprintf(share, "b.reserved") + ", 0) AS reserved")
	s.Orgs.ShowWithWorkspaceMembers("coalesce(" + fmt.Sprintf(share, "b.spent") + ", 0) AS spent")
	budget := "coalesce((SELECT %s FROM workspace_budgets b WHERE b.workspace_id = listed.id), 0)"
	s.Orgs.SortWorkspaces(models.SortBySpent, models.SortColumn{Column: fmt.Sprintf(budget, "b.spent"), Type: "bigint"})
	s.Orgs.SortWorkspaces(models.SortByLeft, models.SortColumn{Column: fmt.Sprintf(budget, "b.allocated - b.reserved - b.spent"), Type: "bigint"})
}

// openWallet gives a new account its wallet with the credits of the install.
func (s *Service) openWallet(tx *models.Tx, user *account.User) error {
	if err := tx.Create(&Wallet{UserID: user.ID, Balance: s.SignUpCredits}).Error; err != nil {
		return err
	}
	if s.SignUpCredits == 0 {
		return nil
	}
	entry := movement(Issued, nil, WalletBook, &user.ID, s.SignUpCredits)
	entry.Kind, entry.UserID, entry.BalanceAfter, entry.Description = "signup", &user.ID, &s.SignUpCredits, "Credits for a new account"
	return record(tx, entry)
}

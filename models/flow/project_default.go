package flow

import (
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// firstProject is the name of the project that a space starts with.
const firstProject = "First project"

// RegisterHooks makes every new account's personal space and every new workspace
// begin with a default project, and shows with a workspace's members when they
// last ran something.
func (s *Service) RegisterHooks() {
	s.Accounts.SetCoverageCheck(s.checkCoverage)
	s.Accounts.OnUser(func(tx *models.Tx, u *account.User) error {
		return createDefaultProject(tx, &Project{UserID: &u.ID, CreatedBy: u.ID})
	})
	s.Orgs.OnWorkspace(func(tx *models.Tx, w *org.Workspace) error {
		return createDefaultProject(tx, &Project{WorkspaceID: &w.ID, CreatedBy: tx.Actor.UserID})
	})
	s.Orgs.ShowWithWorkspaceMembers(lastRun)
	s.Accounts.OnDelete(deletePersonal)
	s.Accounts.OnClosing(s.countPersonal)
}

// lastRun is when a listed member's newest execution in the workspace was made.
const lastRun = `(SELECT e.created_at FROM executions e WHERE e.workspace_id = m.workspace_id AND e.account_id = m.user_id
	ORDER BY e.id DESC LIMIT 1) AS last_run_at`

func createDefaultProject(tx *models.Tx, p *Project) error {
	p.ID, p.Name, p.IsDefault, p.CreatedAt, p.UpdatedAt = tx.NewID(), firstProject, true, tx.Now, tx.Now
	return tx.Create(p).Error
}

// defaultProject is the default project of a space, or nil.
func defaultProject(q *gorm.DB, space *Reach) (*Project, error) {
	var p Project
	err := liveProjects(q, space).Where("is_default").Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &p, err
}

// projectForCreate is where a new workflow goes: the named project of the
// selected space, else its default one. A workspace without one is
// workspace_has_no_default_project; a personal space gets one anew. The
// project is kept from being deleted until the transaction ends.
func projectForCreate(tx *models.Tx, space *Reach, id *models.ID) (*Project, error) {
	q := tx.Clauses(clause.Locking{Strength: "SHARE"})
	if id != nil {
		return models.First[Project](liveProjects(q, space).Where("id = ?", *id), models.NotFound("Project"))
	}
	p, err := defaultProject(q, space)
	if err != nil || p != nil {
		return p, err
	}
	if space.Workspace != nil {
		return nil, models.Err(models.CodeNoDefaultProject, "The workspace has no default project: name a projectId")
	}
	p = &Project{UserID: &space.UserID, CreatedBy: space.UserID}
	return p, createDefaultProject(tx, p)
}

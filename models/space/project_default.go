package space

import (
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/org"
)

// firstProject is the name of the project that a space starts with.
const firstProject = "First project"

func createDefaultProject(tx *models.Tx, p *Project) error {
	p.ID, p.Name, p.IsDefault, p.CreatedAt, p.UpdatedAt = tx.NewID(), firstProject, true, tx.Now, tx.Now
	return tx.Create(p).Error
}

// defaultProject is the default project of a space, or nil.
func defaultProject(q *gorm.DB, viewer *Viewer) (*Project, error) {
	var p Project
	err := liveProjects(q, viewer).Where("is_default").Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &p, err
}

// ProjectForCreate finds where something new goes that must lie in a project: the named
// project of the space, else its default one. Refusals: not_found, and
// workspace_has_no_default_project for a workspace; a personal space without one gets one
// again. The project is kept from being deleted until the transaction ends.
func ProjectForCreate(tx *models.Tx, viewer *Viewer, id *models.ID) (*Project, error) {
	q := tx.Clauses(clause.Locking{Strength: "SHARE"})
	if id != nil {
		return models.First[Project](liveProjects(q, viewer).Where("id = ?", *id), models.NotFound("Project"))
	}
	p, err := defaultProject(q, viewer)
	if err != nil || p != nil {
		return p, err
	}
	if viewer.Workspace != nil {
		return nil, models.Err(models.CodeNoDefaultProject, "The workspace has no default project: name a projectId")
	}
	p = &Project{UserID: &viewer.UserID, CreatedBy: viewer.UserID}
	return p, createDefaultProject(tx, p)
}

// CheckFolder refuses a project that is none of the space's: not_found. nil is no folder.
func CheckFolder(q *gorm.DB, viewer *Viewer, projectID *models.ID) error {
	if projectID == nil {
		return nil
	}
	_, err := models.First[Project](liveProjects(q, viewer).Where("id = ?", *projectID), models.NotFound("Project"))
	return err
}

// HoldOfProject locks the workspace of a project as Hold does.
func HoldOfProject(tx *models.Tx, projectID models.ID) error {
	return org.HoldWorkspaceOf(tx, `SELECT workspace_id FROM projects WHERE id = $1`, projectID)
}

package space

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/org"
)

// Project is a folder of workflows in a personal space or a workspace.
type Project struct {
	ID          models.ID `gorm:"primaryKey"`
	Name        string
	UserID      *models.ID
	WorkspaceID *models.ID
	IsDefault   bool
	CreatedBy   models.ID
	CreatedAt   time.Time
	UpdatedAt   time.Time
	DeletedAt   *time.Time
}

func (Project) TableName() string { return "projects" }

// CreateProjectInput makes a project in the selected space.
type CreateProjectInput struct{ Name string }

// UpdateProjectInput renames one.
type UpdateProjectInput struct{ Name models.Opt[string] }

// CreateProject makes a project in the selected space. The first one of a
// space without a default becomes its default. Refusals:
// project_create_not_allowed where only admins may, personal_space_disabled,
// workspace_archived (409).
func (s *Service) CreateProject(ctx context.Context, in CreateProjectInput) (*Project, error) {
	if err := RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	name, err := models.CleanName("name", in.Name)
	if err != nil {
		return nil, err
	}
	var p *Project
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		viewer, err := s.ForCreate(tx)
		if err != nil {
			return err
		}
		if err := viewer.mayCreateProject(); err != nil {
			return err
		}
		p = &Project{ID: tx.NewID(), Name: name, CreatedBy: tx.Actor.UserID, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		if viewer.Workspace == nil {
			p.UserID = &tx.Actor.UserID
		} else {
			p.WorkspaceID = &viewer.Workspace.ID
		}
		standard, err := defaultProject(tx.DB, viewer)
		if err != nil {
			return err
		}
		p.IsDefault = standard == nil
		if err := tx.Create(p).Error; err != nil {
			return err
		}
		return auditProject(tx, viewer, p, "project.created", models.Fields{"name": {To: name}})
	})
	return p, err
}

// mayCreateProject refuses members where only admins make projects, then a closed space.
func (v *Viewer) mayCreateProject() error {
	if v.Workspace != nil && !v.IsAdmin() && !v.rules.MembersCanCreateProjects {
		return models.Err(models.CodeProjectCreate, "Only admins may create projects in this workspace")
	}
	return v.CheckOpen(true)
}

// ListProjects lists the projects of the selected space, newest first.
func (s *Service) ListProjects(ctx context.Context, page models.Page) (*models.Connection[*Project], error) {
	if err := RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	viewer, err := s.Selected(ctx)
	if err != nil {
		return nil, err
	}
	list := models.List[*Project]{Name: "projects:" + viewer.Key(), Position: func(p *Project) string { return p.ID.String() }}
	return models.ListPage(s.DB, list, page, liveProjects(s.DB.Read(ctx), viewer), models.NewestFirst("id"))
}

// liveProjects are the projects of a space.
func liveProjects(q *gorm.DB, viewer *Viewer) *gorm.DB {
	if viewer.Workspace != nil {
		return q.Where("workspace_id = ? AND deleted_at IS NULL", viewer.Workspace.ID)
	}
	return q.Where("user_id = ? AND deleted_at IS NULL", viewer.UserID)
}

// FindProject reads a project that the caller may see.
func (s *Service) FindProject(ctx context.Context, id models.ID) (*Project, error) {
	if err := RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	p, _, err := s.ReachProject(ctx, s.DB.Read(ctx), id)
	return p, err
}

// ReachProject reads a project with the caller's access in its space; one that the caller
// may not see is not_found.
func (s *Service) ReachProject(ctx context.Context, q *gorm.DB, id models.ID) (*Project, *Viewer, error) {
	missing := models.NotFound("Project")
	p, err := models.First[Project](q.Where("id = ? AND deleted_at IS NULL", id), missing)
	if err != nil {
		return nil, nil, err
	}
	viewer, err := s.Viewer(ctx, p.WorkspaceID)
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil, missing
	}
	if err != nil {
		return nil, nil, err
	}
	if p.UserID != nil && *p.UserID != viewer.UserID {
		return nil, nil, missing
	}
	return p, viewer, nil
}

// auditProject writes an audit entry for a project of an organization.
func auditProject(tx *models.Tx, viewer *Viewer, p *Project, action string, fields models.Fields) error {
	if viewer.Workspace == nil {
		return nil
	}
	target := models.Target{Type: "project", ID: p.ID, WorkspaceID: p.WorkspaceID}
	return tx.Audit(viewer.Workspace.OrganizationID, action, target, fields)
}

// ProjectNames reads the names of projects of workspaces that an authorized row names,
// deleted ones too; nil for those that are not there.
func (s *Service) ProjectNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.DB.Read(ctx).Table("projects t"), ids)
}

package studio

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

const productionNoun = "production"

var errNoProduction = models.NotFound("Production")

// reachProduction reads a production with its shots and their shares, and the caller's reach in
// its space; one beyond reach is not_found. What renders made of it is for showResults.
func (s *Service) reachProduction(ctx context.Context, q *gorm.DB, id models.ID) (*Production, *space.Viewer, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, nil, err
	}
	p, err := models.First[Production](q.Where("id = ?", id), errNoProduction)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.Spaces.Of(ctx, p.Owned())
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil, errNoProduction
	}
	if err != nil {
		return nil, nil, err
	}
	if err := p.fill(r); err != nil {
		return nil, nil, err
	}
	return p, r, s.loadShots(s.DB.Read(ctx), p)
}

// lockProduction is reachProduction for a change: it holds the space, and waits for others who
// change the production or its shots.
func (s *Service) lockProduction(tx *models.Tx, id models.ID) (*Production, *space.Viewer, error) {
	seen, _, err := s.reachProduction(tx.Context(), tx.DB, id)
	if err != nil {
		return nil, nil, err
	}
	if err := space.Hold(tx, seen.Owned()); err != nil {
		return nil, nil, err
	}
	return s.reachProduction(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE"}), id)
}

// fill adds what the caller may do with a production; one beyond reach is not_found. Every
// permission is what the use case would refuse.
func (p *Production) fill(r *space.Viewer) error {
	if p.Access = r.AccessTo(p.Owned()); p.Access == "" {
		return errNoProduction
	}
	edit, manage := p.mayEdit(r) == nil, r.MayManageAs(p.Access, productionNoun) == nil
	p.Can = ProductionCan{
		Edit: edit, Delete: manage, Share: manage && p.WorkspaceID != nil, Render: edit && r.CheckOpen(true) == nil, ShareShots: p.mayShare(r) == nil,
	}
	return nil
}

func (p *Production) mayEdit(r *space.Viewer) error { return r.MayEditAs(p.Access, productionNoun) }

// mayShare admits who may edit the production to showing its shots to everyone; in a school
// admins of the workspace alone.
func (p *Production) mayShare(r *space.Viewer) error {
	if err := p.mayEdit(r); err != nil {
		return err
	}
	if r.Workspace != nil && r.Workspace.OrgKind == org.School && !r.IsAdmin() {
		return models.InsufficientRole("In a school only admins of the workspace may show a shot to everyone")
	}
	return nil
}

// loadShots reads the shots of a production in their order, with what they share.
func (s *Service) loadShots(q *gorm.DB, p *Production) error {
	p.Shots = []*Shot{}
	if err := q.Where("production_id = ?", p.ID).Order("position, id").Find(&p.Shots).Error; err != nil {
		return err
	}
	var shares []*Share
	err := q.Where("shot_id IN (SELECT id FROM shots WHERE production_id = ?) AND until > ?", p.ID, s.DB.Clock.Now()).Find(&shares).Error
	for _, share := range shares {
		if shot := p.shot(share.ShotID); shot != nil {
			shot.show(share, s.Flows.PublicURL)
		}
	}
	return err
}

// shot is the one with an id; nil for none.
func (p *Production) shot(id models.ID) *Shot {
	for _, shot := range p.Shots {
		if shot.ID == id {
			return shot
		}
	}
	return nil
}

var errNoShot = models.NotFound("Shot")

// show puts a share into its shot.
func (s *Shot) show(share *Share, publicURL string) {
	address := publicURL + "/shots/" + s.ID.String()
	s.Share, s.SharedURL = share, &address
}

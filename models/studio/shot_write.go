package studio

import (
	"context"
	"slices"

	"atelier/models"
	"atelier/models/space"
)

// CreateShot adds a shot to a production, at a position or behind the others. Refusals:
// insufficient_role, limit_reached beyond MaxShots, validation_error naming the field.
func (s *Service) CreateShot(ctx context.Context, productionID models.ID, in CreateShotInput) (*Shot, error) {
	var shot *Shot
	_, err := s.changeShots(ctx, productionID, func(tx *models.Tx, r *space.Viewer, p *Production) (err error) {
		if shot, err = newShot(in); err != nil {
			return err
		}
		if len(p.Shots) >= MaxShots {
			return models.Err(models.CodeLimitReached, "A production has at most %d shots; delete some first", MaxShots)
		}
		at := len(p.Shots)
		if in.Position != nil {
			if at = *in.Position - 1; at < 0 || at > len(p.Shots) {
				return models.Invalid("position", "must be between 1 and %d", len(p.Shots)+1)
			}
		}
		if err := s.checkShot(tx.DB, r, nil, shot); err != nil {
			return err
		}
		shot.ID, shot.ProductionID, shot.Position, shot.CreatedAt, shot.UpdatedAt = tx.NewID(), p.ID, at+1, tx.Now, tx.Now
		p.Shots = slices.Insert(p.Shots, at, shot)
		if err := tx.Create(shot).Error; err != nil {
			return err
		}
		if err := p.renumber(tx); err != nil {
			return err
		}
		return s.addToCast(tx, p, shot)
	})
	if err != nil {
		return nil, err
	}
	return s.findShot(ctx, productionID, shot.ID)
}

// UpdateShot changes a shot; each change makes its next version. Refusals: stale_version when
// in.Version is not the current one, and those of CreateShot.
func (s *Service) UpdateShot(ctx context.Context, productionID, id models.ID, in UpdateShotInput) (*Shot, error) {
	_, err := s.changeShots(ctx, productionID, func(tx *models.Tx, r *space.Viewer, p *Production) error {
		shot := p.shot(id)
		if shot == nil {
			return errNoShot
		}
		before := *shot
		if err := shot.change(in); err != nil {
			return err
		}
		if in.Version != nil && *in.Version != before.Version {
			return models.Err(models.CodeStale, "The shot was changed meanwhile: it is at version %d", before.Version)
		}
		if err := s.checkShot(tx.DB, r, &before, shot); err != nil {
			return err
		}
		if !shot.differs(&before) {
			return nil
		}
		shot.Version, shot.UpdatedAt = before.Version+1, tx.Now
		if err := tx.Model(shot).Select(shotColumns).Updates(shot).Error; err != nil {
			return err
		}
		return s.addToCast(tx, p, shot)
	})
	if err != nil {
		return nil, err
	}
	return s.findShot(ctx, productionID, id)
}

// DeleteShot removes a shot with its results and its share.
func (s *Service) DeleteShot(ctx context.Context, productionID, id models.ID) error {
	_, err := s.changeShots(ctx, productionID, func(tx *models.Tx, _ *space.Viewer, p *Production) error {
		if p.shot(id) == nil {
			return errNoShot
		}
		return s.removeShots(tx, p, func(shot *Shot) bool { return shot.ID == id })
	})
	return err
}

// removeShots takes some shots away from a production that is locked.
func (s *Service) removeShots(tx *models.Tx, p *Production, which func(*Shot) bool) error {
	var gone []models.ID
	kept := []*Shot{}
	for _, shot := range p.Shots {
		if which(shot) {
			gone = append(gone, shot.ID)
		} else {
			kept = append(kept, shot)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if err := s.endShares(tx, "shot_id IN ?", gone); err != nil {
		return err
	}
	if err := tx.Exec(`DELETE FROM shots WHERE id IN ?`, gone).Error; err != nil {
		return err
	}
	p.Shots = kept
	return p.renumber(tx)
}

// OrderShots puts the shots of a production into an order, which names each of them once:
// validation_error otherwise.
func (s *Service) OrderShots(ctx context.Context, productionID models.ID, shotIDs []models.ID) (*Production, error) {
	return s.changeShots(ctx, productionID, func(tx *models.Tx, _ *space.Viewer, p *Production) error {
		refusal := models.Invalid("shotIds", "must name all shots of the production, each once")
		if len(shotIDs) != len(p.Shots) {
			return refusal
		}
		ordered := make([]*Shot, len(shotIDs))
		for i, id := range shotIDs {
			if ordered[i] = p.shot(id); ordered[i] == nil || slices.Contains(ordered[:i], ordered[i]) {
				return refusal
			}
		}
		p.Shots = ordered
		return p.renumber(tx)
	})
}

// changeShots locks a production that the caller may edit for a change of its shots, and works
// out what follows from it.
func (s *Service) changeShots(ctx context.Context, productionID models.ID, change func(*models.Tx, *space.Viewer, *Production) error) (*Production, error) {
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		p, r, err := s.lockProduction(tx, productionID)
		if err != nil {
			return err
		}
		if err := p.mayEdit(r); err != nil {
			return err
		}
		if err := change(tx, r, p); err != nil {
			return err
		}
		return s.shotsChanged(tx, p)
	})
	if err != nil {
		return nil, err
	}
	return s.FindProduction(ctx, productionID)
}

// shotsChanged notes a change of a production's shots, which are loaded.
func (s *Service) shotsChanged(tx *models.Tx, p *Production) error {
	p.UpdatedAt = tx.Now
	if err := tx.Model(p).UpdateColumn("updated_at", tx.Now).Error; err != nil {
		return err
	}
	if err := audit(tx, p.Placed, productionNoun, p.ID, "updated", models.Fields{"shots": {}}); err != nil {
		return err
	}
	return s.noteChange(tx, p)
}

// renumber writes the positions of shots that have another than before.
func (p *Production) renumber(tx *models.Tx) error {
	ids, positions := []models.ID{}, []int{}
	for i, shot := range p.Shots {
		if shot.Position != i+1 {
			shot.Position = i + 1
			ids, positions = append(ids, shot.ID), append(positions, i+1)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Run(`UPDATE shots SET position = at.position FROM unnest($1::uuid[], $2::int[]) AS at (id, position) WHERE shots.id = at.id`, ids, positions)
	return err
}

// findShot reads a shot of a production.
func (s *Service) findShot(ctx context.Context, productionID, id models.ID) (*Shot, error) {
	p, err := s.FindProduction(ctx, productionID)
	if err != nil {
		return nil, err
	}
	if shot := p.shot(id); shot != nil {
		return shot, nil
	}
	return nil, errNoShot
}

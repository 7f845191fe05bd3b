package library

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// PostSource is a kind of posts whose things an area above keeps.
type PostSource interface {
	// Snapshot reads a thing for a post.
	Snapshot(ctx context.Context, id models.ID) (*SourceSnapshot, error)
	// Copy makes a private copy of what was posted in the selected space; source says whose it was.
	Copy(tx *models.Tx, p *Post, in UsePostInput, source json.RawMessage) (models.ID, error)
	// Judge is what using it takes, as nodes, and what one run costs.
	Judge(c *Snapshot) (needs nodegraph.Nodes, credits models.Credits)
}

// SourceSnapshot is a thing as it is posted, where it lives, and what its caller may do with it.
type SourceSnapshot struct {
	Snapshot *Snapshot
	Owned    space.Owned
	Access   space.Access
	// Source is what the thing is a copy of.
	Source json.RawMessage
}

// AddPostKind has things of a kind be posted that an area above keeps.
func (s *Service) AddPostKind(kind PostKind, of PostSource) {
	if s.postSources == nil {
		s.postSources = map[PostKind]PostSource{}
	}
	s.postSources[kind] = of
}

func (s *Service) snapshotFromSource(ctx context.Context, kind PostKind, id models.ID) (*taken, space.Access, error) {
	t, err := s.postSources[kind].Snapshot(ctx, id)
	if err != nil {
		return nil, "", err
	}
	return &taken{Snapshot: t.Snapshot, owned: t.Owned, source: t.Source}, t.Access, nil
}

// ErrFromProgram refuses to post what comes with the program.
var ErrFromProgram = errFromProgram

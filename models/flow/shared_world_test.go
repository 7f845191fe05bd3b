package flow

import (
	"maps"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// sharedWorld is a world with a person of every standing around one workflow
// of ann's.
type sharedWorld struct {
	*world
	flow   *Workflow
	people map[string]models.ID
}

func newSharedWorld(t *testing.T) *sharedWorld {
	t.Helper()
	w := newWorld(t, org.Team)
	s := &sharedWorld{world: w, people: w.FurtherPeople()}
	maps.Copy(s.people, map[string]models.ID{"creator": w.Ann, "member": w.Bob, "owner": w.Owner, "stranger": w.Stranger})
	s.flow = w.save(w.In(w.Room, w.Ann), nodegraph.Nodes{text("a", "x")})
	return s
}

// grant writes a grant; an empty role takes it away.
func (s *sharedWorld) grant(of *Workflow, user models.ID, role CollaboratorRole) {
	s.t.Helper()
	s.Exec(`DELETE FROM workflow_collaborators WHERE workflow_id = ? AND user_id = ?`, of.ID, user)
	if role != "" {
		s.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, ?, ?, now(), now())`,
			of.ID, user, role, of.OwnerID)
	}
}

package run

import (
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// sharedWorld is a world with a person of every standing around one workflow
// of ann's.
type sharedWorld struct {
	*world
	flow   *flow.Workflow
	people map[string]models.ID
}

func newSharedWorld(t *testing.T) *sharedWorld {
	t.Helper()
	w := newWorld(t, org.Team)
	s := &sharedWorld{world: w, people: map[string]models.ID{"creator": w.ann, "member": w.bob, "owner": w.owner, "stranger": w.stranger}}
	for _, name := range []string{"admin", "orgadmin", "benched", "suspended", "outside"} {
		s.people[name] = w.addUser(0)
	}
	lobby := w.addRoom("Lobby")
	w.join(w.room, s.people["admin"], "admin")
	w.join(w.room, s.people["benched"], "member")
	w.join(w.room, s.people["suspended"], "member")
	w.join(lobby, s.people["outside"], "member")
	w.join(lobby, s.people["orgadmin"], "member")
	w.exec(`UPDATE organization_members SET role = 'admin' WHERE user_id = ?`, s.people["orgadmin"])
	w.exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, s.people["benched"])
	w.exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, s.people["suspended"])
	s.flow = w.save(w.in(w.room, w.ann), nodegraph.Nodes{text("a", "x")})
	return s
}

// grant writes a grant; an empty role takes it away.
func (s *sharedWorld) grant(of *flow.Workflow, user models.ID, role flow.CollaboratorRole) {
	s.t.Helper()
	s.exec(`DELETE FROM workflow_collaborators WHERE workflow_id = ? AND user_id = ?`, of.ID, user)
	if role != "" {
		s.exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, ?, ?, now(), now())`,
			of.ID, user, role, of.OwnerID)
	}
}

package run

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// jobRefsRow is what a job may use of the library, as it is kept.
type jobRefsRow struct {
	JobID       models.ID `json:"job_id"`
	ExecutionID models.ID `json:"execution_id"`
	AccountID   models.ID `json:"account_id"`
	Refs        JobRefs   `json:"refs"`
}

// insertRefs writes what the jobs of new executions may use of the library, and that they
// use it: nothing for runs that name nothing.
func (s *Service) insertRefs(tx *models.Tx, runs ...*Draft) error {
	var rows []jobRefsRow
	var uses []LibraryUse
	for _, run := range runs {
		if len(run.Exec.refs) == 0 {
			continue
		}
		noted := map[string]bool{}
		for _, job := range run.jobs {
			own := run.Exec.refs.ofJob(job.NodeID)
			if len(own) == 0 || job.Status == JobCompleted && job.Attempts == 0 && run.Exec.RetryOf != nil {
				continue
			}
			rows = append(rows, jobRefsRow{job.ID, run.Exec.ID, run.Exec.AccountID, own})
			for _, id := range run.Exec.foundRefs.ofJob(job.NodeID).things() {
				thing, err := models.ParseID("id", id)
				if err != nil || noted[id] {
					continue
				}
				noted[id] = true
				uses = append(uses, LibraryUse{thing, run.Exec.ID, job.ID, run.Exec.AccountID, run.Exec.WorkflowID})
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	if _, err := tx.Run(`
		INSERT INTO job_refs (job_id, execution_id, account_id, refs, created_at)
		SELECT job_id, execution_id, account_id, refs, $2
		FROM jsonb_to_recordset($1::jsonb) AS r(job_id uuid, execution_id uuid, account_id uuid, refs jsonb)`, string(body), tx.Now); err != nil {
		return err
	}
	if len(uses) == 0 {
		return nil
	}
	return s.hooks.library.NoteUses(tx, uses)
}

// ofJob are the references of the nodes that a job does.
func (r JobRefs) ofJob(nodeID string) JobRefs {
	var own JobRefs
	for path, refs := range r {
		if path == nodeID || strings.HasPrefix(path, nodeID+componentBoundary) {
			if own == nil {
				own = JobRefs{}
			}
			own[path] = refs
		}
	}
	return own
}

// things are the ids of all that references name.
func (r JobRefs) things() (ids []string) {
	for _, refs := range r {
		for _, e := range refs.Elements {
			ids = append(ids, e.ID)
		}
		if refs.Face != nil {
			ids = append(ids, refs.Face.ID)
		}
		if refs.Voice != nil {
			ids = append(ids, refs.Voice.ID)
		}
		if refs.PresetID != "" {
			ids = append(ids, refs.PresetID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// readRefs reads what a job may use of the library; nil when it may use nothing.
func readRefs(q *gorm.DB, jobID models.ID) (JobRefs, error) {
	var rows []struct{ Refs []byte }
	err := q.Table("job_refs").Select("refs").Where("job_id = ?", jobID).Limit(1).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	refs := JobRefs{}
	return refs, json.Unmarshal(rows[0].Refs, &refs)
}

// refsOf is what a node of a job may use of the library on its input; nil for nothing.
func (s *Service) refsOf(tx *models.Tx, exec *Execution, job *Job, input map[string]any) (*kit.Refs, error) {
	kind, ok := s.Flows.Catalogue.Find(job.JobType)
	if !ok || exec.Purpose == "" && !mayUseLibrary(kind, input) {
		return nil, nil
	}
	if exec.isNew {
		return exec.refs[job.NodeID].NamedBy(kind, input), nil
	}
	refs, err := readRefs(tx.DB, job.ID)
	return refs[job.NodeID].NamedBy(kind, input), err
}

// mayUseLibrary tells whether a node names something of the library on its input, or has
// an @word that may be a handle.
func mayUseLibrary(kind *kit.Node, input map[string]any) bool {
	if len(kind.NamedIn(input)) > 0 {
		return true
	}
	return slices.ContainsFunc(kind.TextsWithHandles(input), func(text string) bool { return len(kit.Handles(text)) > 0 })
}

// usesLibrary tells whether any node of a component may use something of the library.
func (c *component) usesLibrary(kinds *nodes.Catalogue) bool {
	return slices.ContainsFunc(c.Nodes, func(node *nodegraph.Node) bool {
		if part := c.Parts[node.ID]; part != nil {
			return part.usesLibrary(kinds)
		}
		kind, ok := kinds.Find(node.Type)
		return ok && (kind.ShowsElements() || len(kind.NamedIn(node.Data)) > 0)
	})
}

// stillUsable refuses to begin a job that uses what depicts a person, unless that may
// still be used. The refusal is a failure of the node.
func (s *Service) stillUsable(ctx context.Context, refs *kit.Refs) error {
	if !depictsSomebody(refs) || s.hooks.library == nil {
		return nil
	}
	err := s.DB.Write(ctx, func(tx *models.Tx) error { return s.hooks.library.StillUsable(tx, refs) })
	if refusal, ok := models.AsError(err); ok {
		return &kit.Failure{Message: refusal.Message, Hint: "Take it out of the node, or ask the person who is depicted."}
	}
	return err
}

func depictsSomebody(refs *kit.Refs) bool {
	if refs == nil {
		return false
	}
	return refs.Face != nil || refs.Voice != nil && refs.Voice.DepictsPerson ||
		slices.ContainsFunc(refs.Elements, func(e kit.ElementRef) bool { return e.DepictsPerson })
}

// noteHow writes down how a node used elements, and takes out of what viewers of an
// app's run see who is depicted.
func (s *Service) noteHow(tx *models.Tx, exec *Execution, refs *kit.Refs, out kit.Output) error {
	how := kit.HowOf(out)
	if refs == nil || len(how) == 0 {
		return nil
	}
	if exec.AppID != nil {
		hidePeople(out["elements"], refs)
	}
	if exec.isNew { // its uses are written with it
		return nil
	}
	return s.hooks.library.NoteHow(tx, exec.ID, how)
}

// people are the ids of what depicts a person.
func people(refs *kit.Refs) []string {
	var ids []string
	if refs == nil {
		return nil
	}
	for _, e := range refs.Elements {
		if e.DepictsPerson {
			ids = append(ids, e.ID)
		}
	}
	if refs.Face != nil {
		ids = append(ids, refs.Face.ID)
	}
	if refs.Voice != nil && refs.Voice.DepictsPerson {
		ids = append(ids, refs.Voice.ID)
	}
	return ids
}

func hidePeople(elements any, refs *kit.Refs) {
	hidden := people(refs)
	entries, _ := elements.([]any)
	for _, entry := range entries {
		of, _ := entry.(map[string]any)
		if id, _ := of["id"].(string); slices.Contains(hidden, id) {
			delete(of, "id")
		}
	}
}

// shownInput is a node's input as its job shows it; of an app's run without the ids of what depicts a person.
func shownInput(exec *Execution, node *nodegraph.Node, input map[string]any, refs *kit.Refs) nodegraph.Data {
	shown := nodegraph.PublicInput(node, input, exec.AppID != nil)
	hidden := people(refs)
	kind, ok := nodes.Find(node.Type)
	if exec.AppID == nil || len(hidden) == 0 || !ok {
		return shown
	}
	for _, named := range kind.NamedIn(shown) {
		if !slices.Contains(hidden, named.ID.String()) {
			continue
		}
		if list, ok := shown[named.Name].([]any); ok {
			shown[named.Name] = slices.DeleteFunc(slices.Clone(list), func(id any) bool {
				text, _ := id.(string)
				return slices.Contains(hidden, strings.ToLower(text))
			})
		} else {
			delete(shown, named.Name)
		}
	}
	return shown
}

func isFailure(err error) bool {
	var failure *kit.Failure
	return errors.As(err, &failure)
}

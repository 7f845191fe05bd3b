package run

import (
	"bytes"
	"context"
	"io"
	"testing"

	"atelier/models"
)

// testRevokedRuns takes the right to run away between the acceptance of a run
// and the start of its nodes: nothing is done, and the hold goes back.
func testRevokedRuns(t *testing.T, e *engine) {
	costs(t, "combine-text", 1500)
	slow(t, "combine-text", nil)
	for _, c := range []struct {
		name, revoke, restore string
		code                  models.Code
	}{
		{"suspended in the workspace", `UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`,
			`UPDATE workspace_members SET status = 'active' WHERE user_id = ?`, models.CodeMemberSuspended},
		{"suspended in the organization", `UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`,
			`UPDATE organization_members SET status = 'active' WHERE user_id = ?`, models.CodeMemberSuspended},
		{"in a suspended organization", `UPDATE organizations SET status = 'suspended' WHERE id = (SELECT organization_id FROM organization_members WHERE user_id = ?)`,
			`UPDATE organizations SET status = 'active' WHERE id = (SELECT organization_id FROM organization_members WHERE user_id = ?)`, models.CodeOrgNotActive},
		{"removed", `DELETE FROM organization_members WHERE user_id = ?`, "", models.CodeNotAMember},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := e.again(t)
			w := e.addWorkspace(10 * models.Credit)
			run, err := e.Nodes().Run(w.in(w.member), "combine-text", map[string]any{"texts": []any{"a"}})
			if err != nil {
				t.Fatal(err)
			}
			if run.Inline {
				t.Fatal("the node was done within the request: the test shows nothing")
			}
			if reserved, _ := e.budget(w.id); reserved != 1500 {
				t.Fatalf("%d are reserved", reserved)
			}
			e.Exec(c.revoke, w.member)
			e.work()
			var exec Execution
			if err := e.DB.Read(context.Background()).Select(executionColumns).Take(&exec, "id = ?", run.Job.ExecutionID).Error; err != nil {
				t.Fatal(err)
			}
			if exec.Status != ExecutionFailed || exec.ErrorCode == nil || *exec.ErrorCode != string(c.code) || exec.ErrorMessage == nil || *exec.ErrorMessage == "" {
				t.Errorf("the run ended as %s with %v", exec.Status, exec.ErrorCode)
			}
			if reserved, spent := e.budget(w.id); reserved != 0 || spent != 0 {
				t.Errorf("%d stay reserved and %d are spent", reserved, spent)
			}
			if c.restore != "" {
				e.Exec(c.restore, w.member)
			}
		})
	}
}

// revoking is a body in whose middle something happens.
type revoking struct {
	*bytes.Reader
	half   int
	revoke func()
}

func (r *revoking) Read(p []byte) (int, error) {
	if r.half > 0 && len(p) > r.half {
		p = p[:r.half]
	}
	n, err := r.Reader.Read(p)
	if r.half > 0 && r.Len() <= r.half {
		r.half = 0
		r.revoke()
	}
	return n, err
}

// testRevokedUploads ends the right to upload while the file arrives.
func testRevokedUploads(t *testing.T, e *engine) {
	e.withMedia(t)
	w := e.addWorkspace(0 + models.Credit)
	content := bytes.Repeat([]byte("a line of text\n"), 500)
	kept := func() int { return e.Count(`SELECT count(*) FROM media_files WHERE account_id = ?`, w.member) }
	for _, c := range []struct {
		name, revoke, restore string
		code                  models.Code
	}{
		{"suspended", `UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`,
			`UPDATE workspace_members SET status = 'active' WHERE user_id = ?`, models.CodeMemberSuspended},
		{"signed out", `UPDATE sessions SET revoked_at = now() WHERE user_id = ?`,
			`UPDATE sessions SET revoked_at = NULL WHERE user_id = ?`, models.CodeUnauthorized},
		{"banned", `UPDATE users SET banned_at = now() WHERE id = ?`,
			`UPDATE users SET banned_at = NULL WHERE id = ?`, models.CodeUnauthorized},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := &revoking{Reader: bytes.NewReader(content), half: len(content) / 2, revoke: func() { e.Exec(c.revoke, w.member) }}
			_, err := e.Media.Upload(w.in(w.member), io.Reader(body))
			wantCode(t, err, c.code)
			if n := kept(); n != 0 {
				t.Errorf("%d files were kept", n)
			}
			e.Exec(c.restore, w.member)
		})
	}
	if _, err := e.Media.Upload(w.in(w.member), bytes.NewReader(content)); err != nil || kept() != 1 {
		t.Errorf("the same upload without an interruption: %v, %d kept", err, kept())
	}
}

package studio

import (
	"strings"
	"sync"
	"testing"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// A render refuses before it starts, in this order, and an estimate says so.
func TestRenderRefusals(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.in(w.ann)
	empty := w.production(ctx, CreateProductionInput{Visibility: ptr(space.WorkspaceShared)})
	_, err := w.RenderProduction(ctx, empty.ID, RenderInput{})
	w.refused(err, models.CodeValidation, "shotIds", "there are no shots")

	p := w.story(ctx, 1, CreateProductionInput{Visibility: ptr(space.WorkspaceShared)})
	hidden := w.element(w.in(w.bob), library.Character, "Bob", space.Private)
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{MaxCredits: ptr(8.9)})
	w.refused(err, models.CodeValidation, "maxCredits", "8.9", "9")
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{MaxCredits: ptr(-1.0)})
	w.refused(err, models.CodeValidation, "maxCredits", "must be a number")
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{PipelineID: &p.ID})
	w.refused(err, models.CodeValidation, "pipelineId")
	film := library.FactoryID(pipelineNoun, "film")
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{PipelineID: &film})
	w.refused(err, models.CodeValidation, "pipelineId", "stage clip")

	w.exec(`UPDATE shots SET character_ids = ARRAY[?::uuid] WHERE id = ?`, hidden.ID, p.Shots[0].ID)
	field := "shots." + p.Shots[0].ID.String() + ".characterIds[0]"
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	w.refused(err, models.CodeValidation, field, "names no character that this run may use")
	estimate, err := w.EstimateRender(ctx, p.ID, RenderInput{MaxCredits: ptr(1.0)})
	if err != nil || len(estimate.Refused) != 2 || *estimate.Refused[0].Field != field || *estimate.Refused[1].Field != "maxCredits" || estimate.Credits != 9*models.Credit {
		t.Errorf("estimate %s, %v", jsonOf(t, estimate), err)
	}
	w.exec(`UPDATE shots SET character_ids = '{}' WHERE id = ?`, p.Shots[0].ID)

	for range 20 {
		w.shot(ctx, p.ID, CreateShotInput{Action: ptr("Waiting."), Duration: ptr(30.0)})
	}
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	w.refused(err, models.CodeValidation, "shots", "10 minutes")
	w.exec(`DELETE FROM shots WHERE production_id = ? AND duration = 30`, p.ID)

	_, err = w.RenderProduction(w.in(w.stranger), p.ID, RenderInput{})
	w.refused(err, models.CodeNotFound, "")
	_, err = w.RenderProduction(w.in(w.bob), p.ID, RenderInput{})
	w.refused(err, models.CodeInsufficientRole, "")
	estimate, err = w.EstimateRender(w.in(w.bob), p.ID, RenderInput{})
	if err != nil || len(estimate.Refused) != 1 || estimate.Refused[0].Code != string(models.CodeInsufficientRole) {
		t.Errorf("who may only look: %s, %v", jsonOf(t, estimate), err)
	}
	w.exec(`UPDATE workspaces SET archived_at = now() WHERE id = ?`, w.room.ID)
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	if refusal, _ := models.AsError(err); refusal == nil || refusal.Code != models.CodeWorkspaceArchived || refusal.Status != 409 {
		t.Errorf("in an archived workspace: %v", err)
	}
	w.exec(`UPDATE workspaces SET archived_at = NULL WHERE id = ?`, w.room.ID)

	w.exec(`UPDATE workspace_budgets SET allocated = 8999 WHERE workspace_id = ?`, w.room.ID)
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	w.refused(err, models.CodeBudgetExceeded, "")
	estimate, err = w.EstimateRender(ctx, p.ID, RenderInput{})
	if err != nil || len(estimate.Refused) != 1 || estimate.Refused[0].Code != string(models.CodeBudgetExceeded) {
		t.Errorf("estimate %s, %v", jsonOf(t, estimate), err)
	}
	w.exec(`UPDATE workspace_budgets SET allocated = 100000 WHERE workspace_id = ?`, w.room.ID)
	w.exec(`INSERT INTO member_budgets (workspace_id, user_id, cap) VALUES (?, ?, 8000)`, w.room.ID, w.ann)
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	w.refused(err, models.CodeMemberCapExceeded, "")
	w.exec(`UPDATE member_budgets SET cap = 9000`)
	if n := w.count(`SELECT count(*) FROM ledger_entries WHERE kind = 'hold'`) + w.count(`SELECT count(*) FROM executions`) + w.count(`SELECT count(*) FROM production_renders`); n != 0 {
		t.Errorf("%d traces of what was refused", n)
	}
	w.wantStatus(w.find(ctx, p.ID), Draft)

	begun, err := w.RenderProduction(ctx, p.ID, RenderInput{MaxCredits: ptr(9.0)})
	if err != nil {
		t.Fatal(err)
	}
	w.wantStatus(w.find(ctx, p.ID), Rendering)
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	w.refused(err, models.CodeRunAlreadyStarted, "")
	w.work()
	if w.charged(begun.ExecutionID) != 9*models.Credit || w.count(`SELECT spent FROM member_budgets WHERE user_id = ?`, w.ann) != 9000 || w.count(`SELECT spent FROM workspace_budgets WHERE workspace_id = ?`, w.room.ID) != 9000 {
		t.Error("the member and the workspace did not pay once")
	}
	_, err = w.Runs.Executions().Retry(ctx, begun.ExecutionID)
	w.refused(err, models.CodeAlreadyFinished, "")
}

// Of renders that are asked for at once one begins.
func TestRenderRaced(t *testing.T) {
	w := newStageWorld(t)
	p := w.story(w.as(w.owner), 1, CreateProductionInput{})
	var wait sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		wait.Go(func() { _, errs[i] = w.RenderProduction(w.as(w.owner), p.ID, RenderInput{}) })
	}
	wait.Wait()
	begun := 0
	for _, err := range errs {
		if err == nil {
			begun++
		} else {
			w.refused(err, models.CodeRunAlreadyStarted, "")
		}
	}
	if n := w.count(`SELECT count(*) FROM executions`); begun != 1 || n != 1 {
		t.Errorf("%d begun, %d executions", begun, n)
	}
	if err := w.DB.Read(w.as(w.owner)).Exec(`INSERT INTO production_renders (execution_id, production_id, fingerprints, reused_shots, estimated_credits, created_at)
		VALUES (gen_random_uuid(), ?, '{}', 0, 0, now())`, p.ID).Error; err == nil || !strings.Contains(err.Error(), "production_renders_open") {
		t.Errorf("two open renders: %v", err)
	}
}

//go:build !race

package library

import (
	"context"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/trigger"
	"atelier/nodes/kit"
)

func TestRunsPinWhatTheyUse(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	w.watch("generate-image", kit.Output{"imageUrl": "https://atelier.example/x.png"})
	mia := w.element(ctx, Character, "Mia", space.Private)
	park := w.element(ctx, Location, "Park", space.Private)
	w.element(ctx, Creature, "Rex", space.Private)
	begun, err := w.Runs.Nodes().Run(ctx, "generate-image", map[string]any{
		"prompt": "A walk with @rex and @nobody", "characterIds": idsOf(mia), "locationId": park.ID.String(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Elements().Update(ctx, mia.ID, UpdateElementInput{Name: models.Some("Anna")}); err != nil {
		t.Fatal(err)
	}
	w.work()
	if job := w.job(begun.Job.ID); job.Status != run.JobCompleted {
		t.Fatalf("%s: %v", job.Status, job.ErrorMessage)
	}
	refs := w.calls["generate-image"][0].Refs
	if refs == nil || len(refs.Elements) != 3 {
		t.Fatalf("refs are %+v", refs)
	}
	var names []string
	for _, e := range refs.Elements {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); got != "Mia Park Rex" {
		t.Errorf("the elements are %s", got)
	}
	if n := w.count(`SELECT count(*) FROM element_uses WHERE job_id = ?`, begun.Job.ID); n != 3 {
		t.Errorf("%d uses", n)
	}
	if err := w.CountUses(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := w.count(`SELECT use_count FROM elements WHERE id = ?`, mia.ID); n != 1 {
		t.Errorf("used %d times", n)
	}
}

func TestRunsTellHowElementsWereUsed(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	mia := w.element(ctx, Character, "Mia", space.Private)
	w.watch("generate-image", kit.Output{
		"imageUrl": "https://atelier.example/x.png", "elements": []any{map[string]any{"id": mia.ID.String(), "kind": "character", "how": "drawn"}},
	})
	wf := w.workflow(ctx, space.Private, pictureNode("a", map[string]any{"prompt": "x", "characterIds": idsOf(mia)}))
	if _, err := w.Runs.RunWorkflow(ctx, wf.ID, run.Input{}); err != nil {
		t.Fatal(err)
	}
	w.work()
	if n := w.count(`SELECT count(*) FROM element_uses WHERE element_id = ? AND how = 'drawn' AND workflow_id = ?`, mia.ID, wf.ID); n != 1 {
		t.Errorf("%d uses tell how", n)
	}
}

func TestRunsRefuseWhatTheyMayNotUse(t *testing.T) {
	w := newRunsWorld(t)
	mine, theirs := w.element(w.as(w.ann), Character, "Mia", space.Private), w.element(w.as(w.bob), Character, "Max", space.Private)
	place := w.element(w.as(w.ann), Location, "Park", space.Private)
	for name, settings := range map[string]map[string]any{
		"of somebody else": {"characterIds": idsOf(theirs)},
		"of another kind":  {"characterIds": idsOf(place)},
		"of nobody":        {"characterIds": []any{models.NewID(w.DB.Clock.Now()).String()}},
	} {
		settings["prompt"] = "x"
		_, err := w.Runs.Nodes().Run(w.as(w.ann), "generate-image", settings)
		if !models.HasCode(err, models.CodeValidation) || !strings.Contains(err.Error(), "characterIds[0] names no character that this run may use") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.Runs.Nodes().Run(w.as(w.ann), "generate-image", map[string]any{"prompt": "x", "characterIds": []any{"mia"}})
	w.refused(err, models.CodeValidation, "characterIds[0] must be a UUID")
	five := []any{}
	for range 4 {
		five = append(five, mine.ID.String())
	}
	_, err = w.Runs.Nodes().Run(w.as(w.ann), "generate-image", map[string]any{"prompt": "x", "characterIds": five, "creatureIds": five})
	w.refused(err, models.CodeValidation, "creatureIds is too much")
	if n := w.count(`SELECT count(*) FROM executions`); n != 0 {
		t.Errorf("%d executions were begun", n)
	}
}

func TestWorkflowsAreJudgedByTheirAuthorAndRunsByTheRunner(t *testing.T) {
	w := newRunsWorld(t)
	w.watch("generate-image", kit.Output{"imageUrl": "https://atelier.example/x.png"})
	w.exec(`UPDATE workspaces SET settings = settings || '{"member_access_to_shared": "edit"}' WHERE id = ?`, w.room.ID)
	anns := w.element(w.in(w.ann), Character, "Mia", space.Private)
	bobs := w.element(w.in(w.bob), Character, "Max", space.Private)
	wf := w.workflow(w.in(w.ann), space.WorkspaceShared, pictureNode("a", map[string]any{"prompt": "x", "characterIds": idsOf(anns)}))
	if _, err := w.Runs.RunWorkflow(w.in(w.bob), wf.ID, run.Input{}); err != nil && !models.HasCode(err, models.CodeBudgetExceeded) {
		t.Errorf("what the author saved: %v", err)
	}
	other := w.element(w.in(w.ann), Character, "Eve", space.Private)
	_, err := w.Runs.RunWorkflow(w.in(w.bob), wf.ID, run.Input{Inputs: map[string]any{"characterIds": idsOf(other)}})
	w.refused(err, models.CodeValidation, "nodes.a.data.characterIds[0] names no character that this run may use")
	_, err = w.Runs.RunWorkflow(w.in(w.bob), wf.ID, run.Input{Inputs: map[string]any{"characterIds": idsOf(bobs)}})
	if err != nil && !models.HasCode(err, models.CodeBudgetExceeded) {
		t.Errorf("what the runner has: %v", err)
	}
}

func TestWhatNamesTheLibraryIsFedByNothing(t *testing.T) {
	w := newRunsWorld(t)
	field := "characterIds"
	edge := nodegraph.Edges{{ID: "e", Source: "t", Target: "a", TargetHandle: &field}}
	text := &nodegraph.Node{ID: "t", Type: "text", Data: map[string]any{"text": "x"}}
	_, err := w.tryWorkflow(w.as(w.ann), space.Private, edge, text, pictureNode("a", map[string]any{"prompt": "x"}))
	w.refused(err, models.CodeValidation, "names things of the library")
	mapped := pictureNode("a", map[string]any{"prompt": "x", "fieldMappings": map[string]any{"locationId": map[string]any{"nodeId": "t"}}})
	_, err = w.tryWorkflow(w.as(w.ann), space.Private, nil, text, mapped)
	w.refused(err, models.CodeValidation, "nodes.a.data.fieldMappings.locationId names things of the library")
}

func TestRunsThatNameNothingAskNothing(t *testing.T) {
	w := newRunsWorld(t)
	if _, err := w.Runs.Nodes().Run(w.as(w.ann), "generate-image", map[string]any{"prompt": "a fox"}); err != nil {
		t.Fatal(err)
	}
	if n := w.count(`SELECT count(*) FROM job_refs`); n != 0 {
		t.Errorf("%d references", n)
	}
}

func TestPresetsLieUnderTheNode(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	w.watch("generate-image", kit.Output{"imageUrl": "https://atelier.example/x.png"})
	p, err := w.Presets().Create(ctx, CreatePresetInput{NodeType: "generate-image", Name: "Soft", Settings: map[string]any{
		"prompt": "{{prompt}}, watercolour", "aspectRatio": "16:9", "resolution": "2K",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Runs.Nodes().Run(ctx, "generate-image", map[string]any{"prompt": "a fox", "resolution": "1K", "presetId": p.ID.String()}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Runs.Nodes().Run(ctx, "generate-image", map[string]any{"presetId": p.ID.String()}); err != nil {
		t.Fatal(err)
	}
	w.work()
	input := w.calls["generate-image"][0].Input
	if input["prompt"] != "a fox, watercolour" || input["aspectRatio"] != "16:9" || input["resolution"] != "1K" {
		t.Errorf("laid %v", input)
	}
	if alone := w.calls["generate-image"][1].Input["prompt"]; alone != "watercolour" {
		t.Errorf("alone %q", alone)
	}
	_, err = w.Runs.Nodes().Run(ctx, "text-card", map[string]any{"text": "x", "presetId": p.ID.String()})
	w.refused(err, models.CodeValidation, "presetId names a preset of generate-image")
	_, err = w.Runs.Nodes().Run(w.as(w.bob), "generate-image", map[string]any{"prompt": "x", "presetId": p.ID.String()})
	w.refused(err, models.CodeValidation, "presetId names no preset that this run may use")
}

func TestComponentsUseWhatTheirAuthorNames(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	w.watch("generate-image", kit.Output{"imageUrl": "https://atelier.example/x.png"})
	mia := w.element(ctx, Character, "Mia", space.Private)
	inner := w.workflow(ctx, space.Private, pictureNode("a", map[string]any{"prompt": "x", "characterIds": idsOf(mia)}))
	outer := w.workflow(ctx, space.Private, &nodegraph.Node{ID: "c", Type: "component", Data: map[string]any{"workflowId": inner.ID.String()}})
	if _, err := w.Runs.RunWorkflow(ctx, outer.ID, run.Input{}); err != nil {
		t.Fatal(err)
	}
	w.work()
	if calls := w.calls["generate-image"]; len(calls) != 1 || calls[0].Refs == nil || calls[0].Refs.Elements[0].Name != "Mia" {
		t.Errorf("calls are %+v", calls)
	}
}

func TestJobsThatHaveNotBegunFailWhenConsentGoes(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	w.watch("generate-image", kit.Output{"imageUrl": "https://atelier.example/x.png"})
	mia := w.element(ctx, Character, "Mia", space.Private)
	consent := &Consent{Subject: Adult, Status: Given, Providers: true, Statement: Statement, GivenBy: w.ann, GivenAt: w.DB.Clock.Now()}
	w.exec(`UPDATE elements SET depicts_person = true, consent = ?::jsonb WHERE id = ?`, jsonOf(t, consent), mia.ID)
	begun, err := w.Runs.Nodes().Run(ctx, "generate-image", map[string]any{"prompt": "x", "characterIds": idsOf(mia)})
	if err != nil {
		t.Fatal(err)
	}
	consent.Status = Withdrawn
	w.exec(`UPDATE elements SET consent = ?::jsonb WHERE id = ?`, jsonOf(t, consent), mia.ID)
	w.work()
	job := w.job(begun.Job.ID)
	if job.Status != run.JobFailed || !strings.Contains(*job.ErrorMessage, "withdrew the consent") {
		t.Errorf("%s: %v", job.Status, job.ErrorMessage)
	}
	_, err = w.Runs.Nodes().Run(ctx, "generate-image", map[string]any{"prompt": "x", "characterIds": idsOf(mia)})
	w.refused(err, models.CodeValidation, "characterIds[0] names a character that depicts a person who withdrew the consent")
}

func TestJobsOpenTheirOwnPicturesAlone(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	mia := w.generated(ctx, GenerateElementInput{Kind: Character, Description: "a girl with glasses", Views: []string{"front"}})
	rex := w.generated(ctx, GenerateElementInput{Kind: Creature, Description: "a red dragon", Views: []string{"front"}})
	w.work()
	picture, err := models.First[Image](w.DB.Read(ctx).Where("element_id = ?", rex.Element.ID), errNoElement)
	if err != nil {
		t.Fatal(err)
	}
	kind, _ := w.Flows.Catalogue.Find("generate-image")
	before := kind.Run
	t.Cleanup(func() { kind.Run = before })
	var opened []error
	kind.Run = func(ctx context.Context, in *kit.Call) (kit.Output, error) {
		for _, address := range []string{in.Refs.Elements[0].Pictures[0].Address, "kept:" + picture.FileID.String(), "kept:x"} {
			r, _, err := in.Media.Open(ctx, address)
			if err == nil {
				_ = r.Close()
			}
			opened = append(opened, err)
		}
		return kit.Output{}, nil
	}
	if _, err := w.Runs.Nodes().Run(ctx, "generate-image", map[string]any{"prompt": "x", "characterIds": []any{mia.Element.ID.String()}}); err != nil {
		t.Fatal(err)
	}
	w.work()
	if len(opened) != 3 || opened[0] != nil || opened[1] == nil || opened[2] == nil {
		t.Errorf("opened %v", opened)
	}
}

func TestRetriesFindAnewWhatTheyUse(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	mia := w.element(ctx, Character, "Mia", space.Private)
	kind, _ := w.Flows.Catalogue.Find("generate-image")
	before := kind.Run
	t.Cleanup(func() { kind.Run = before })
	kind.Run = func(context.Context, *kit.Call) (kit.Output, error) { return nil, &kit.Failure{Message: "No"} }
	wf := w.workflow(ctx, space.Private, pictureNode("a", map[string]any{"prompt": "x", "characterIds": idsOf(mia)}))
	exec, err := w.Runs.RunWorkflow(ctx, wf.ID, run.Input{})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	if _, err := w.Elements().Delete(ctx, mia.ID, false); err != nil {
		t.Fatal(err)
	}
	_, err = w.Runs.Executions().Retry(ctx, exec.ID)
	w.refused(err, models.CodeValidation, "nodes.a.data.characterIds[0] names no character that this run may use")
}

func TestReferencesGoSomeTimeAfterTheRun(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	w.watch("generate-image", kit.Output{"imageUrl": "https://atelier.example/x.png"})
	mia := w.element(ctx, Character, "Mia", space.Private)
	if _, err := w.Runs.Nodes().Run(ctx, "generate-image", map[string]any{"prompt": "x", "characterIds": idsOf(mia)}); err != nil {
		t.Fatal(err)
	}
	w.work()
	for _, left := range []int{1, 0} {
		if err := w.Runs.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := w.count(`SELECT count(*) FROM job_refs`); n != left {
			t.Errorf("%d references, not %d", n, left)
		}
		w.DB.Clock.(*dbtest.Clock).Advance(49 * time.Hour)
	}
}

func TestAppsRunByOthersDoNotTellWhoIsDepicted(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	mia, park := w.element(ctx, Character, "Mia", space.Private), w.element(ctx, Location, "Park", space.Private)
	consent := &Consent{Subject: Adult, Status: Given, Providers: true, Statement: Statement, GivenBy: w.ann, GivenAt: w.DB.Clock.Now()}
	w.exec(`UPDATE elements SET depicts_person = true, consent = ?::jsonb WHERE id = ?`, jsonOf(t, consent), mia.ID)
	w.watch("generate-image", kit.Output{"imageUrl": "https://atelier.example/x.png", "elements": []any{
		map[string]any{"id": mia.ID.String(), "kind": "character", "how": "words"}, map[string]any{"id": park.ID.String(), "kind": "location", "how": "words"},
	}})
	wf := w.workflow(ctx, space.Private, pictureNode("a", map[string]any{"prompt": "x", "characterIds": idsOf(mia), "locationId": park.ID.String()}))
	app, err := w.Flows.Apps().Publish(ctx, wf.ID, flow.PublishInput{Name: "Story"})
	if err != nil {
		t.Fatal(err)
	}
	begun, err := w.Runs.AppRuns().Start(w.as(w.stranger), app.Slug, run.AppInput{})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	job, err := models.First[run.Job](w.DB.Read(ctx).Where("execution_id = ?", begun.Execution.ID), models.NotFound("Job"))
	if err != nil || job.Status != run.JobCompleted {
		t.Fatalf("%v, %v", job, err)
	}
	shown := jsonOf(t, job.Public())
	if strings.Contains(shown, mia.ID.String()) || !strings.Contains(shown, park.ID.String()) {
		t.Errorf("the job shows %s", shown)
	}
	if n := w.count(`SELECT count(*) FROM element_uses WHERE element_id = ? AND user_id = ? AND how = 'words'`, mia.ID, w.stranger); n != 1 {
		t.Errorf("%d uses", n)
	}
}

func TestSchedulesThatMayNotUseSomethingLeaveAnEntry(t *testing.T) {
	w := newRunsWorld(t)
	triggers := &trigger.Service{DB: w.DB, Accounts: w.Accounts, Orgs: w.Orgs, Flows: w.Flows, Runs: w.Runs}
	triggers.RegisterHooks()
	ctx := w.as(w.ann)
	mia := w.element(ctx, Character, "Mia", space.Private)
	timer := &nodegraph.Node{ID: "s", Type: nodegraph.ScheduleTriggerType, Data: nodegraph.Data{
		"rules": []any{map[string]any{"kind": "minutes", "every": 1.0}}, "timezone": "UTC", "active": true,
	}}
	edge := "prompt"
	wf, err := w.tryWorkflow(ctx, space.Private, nodegraph.Edges{{ID: "e", Source: "s", Target: "a", TargetHandle: &edge}},
		timer, pictureNode("a", map[string]any{"prompt": "x", "characterIds": idsOf(mia)}))
	if err != nil {
		t.Fatal(err)
	}
	w.exec(`UPDATE workflow_triggers SET is_active = true, next_fire_at = ? WHERE workflow_id = ?`, w.DB.Clock.Now().Add(time.Minute).Truncate(time.Minute), wf.ID)
	if _, err := w.Elements().Delete(ctx, mia.ID, false); err != nil {
		t.Fatal(err)
	}
	w.DB.Clock.(*dbtest.Clock).Advance(time.Minute)
	if _, err := triggers.FireDueSchedules(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := w.count(`SELECT count(*) FROM executions WHERE workflow_id = ? AND status = 'failed' AND error_code = 'validation_error' AND error_message LIKE 'nodes.a.data.characterIds[0] names no character%'`, wf.ID); n != 1 {
		t.Errorf("%d entries of %d", n, w.count(`SELECT count(*) FROM executions`))
	}
}

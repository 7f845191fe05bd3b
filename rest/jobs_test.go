package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"mime/multipart"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"gocloud.dev/blob/memblob"

	"atelier/graph"
	"atelier/models"
	"atelier/models/lane"
	"atelier/models/media"
	"atelier/models/run"
	"atelier/nodes/kit"
)

const (
	jobMembers = "completed_at created_at credit_status credits_charged error_hint error_message execution_id id input_data " +
		"job_type node_id output_data progress session_id source status"
	jobStatusMembers       = "error_message id output_data progress status"
	executionDetailMembers = "completedAt completedNodes createdAt errorMessage failedNodes id nodeStates startedAt status " +
		"totalCreditsUsed totalNodes trigger workflowId"
)

// work does all node jobs that are due.
func (f *workflowFace) work() {
	f.Helper()
	for range 100 {
		worked := false
		for _, pool := range run.Pools {
			leases, err := lane.Claim(context.Background(), f.db, pool.Kind, "test", 10)
			if err != nil {
				f.Fatal(err)
			}
			for _, lease := range leases {
				worked = true
				if err := f.resolver.Runs.RunJob(context.Background(), lease); err != nil {
					f.Fatal(err)
				}
			}
		}
		if !worked {
			return
		}
	}
	f.Fatal("the work does not end")
}

func TestSingleNodesAndJobs(t *testing.T) {
	f := newWorkflowFace(t)
	inline := f.want("POST", "/v1/combine-text", `{"texts":["a","b"],"separator":" & "}`, 200, "jobId output_data status")
	if inline["status"] != "completed" || inline["output_data"].(map[string]any)["text"] != "a & b" {
		t.Errorf("inline: %v", inline)
	}
	queued := f.want("POST", "/v1/delay", `{"seconds":9999}`, 202, "adjustments jobId")
	id := queued["jobId"].(string)
	f.refused("POST", "/v1/combine-text", `{"texts":7}`, 400, "validation_error")
	f.refused("POST", "/v1/generate-image", `{}`, 400, "validation_error")
	f.refused("POST", "/v1/combine-text", `[]`, 400, "validation_error")

	job := f.want("GET", "/v1/jobs/"+id, "", 200, "data")["data"].(map[string]any)
	if keysOf(job) != jobMembers || job["status"] != "pending" || job["credits_charged"] != nil || job["credit_status"] != "reserved" || job["source"] != "api" {
		t.Errorf("the job: %v", job)
	}
	status := data(f.want("GET", "/v1/jobs/"+id+"/status", "", 200, "data"))
	if keysOf(status) != jobStatusMembers {
		t.Errorf("its status: %v", status)
	}
	tag := f.answer.Header().Get("ETag")
	if code, body := f.call("GET", "/v1/jobs/"+id+"/status", "", "If-None-Match", tag); code != 304 || body != nil {
		t.Errorf("unchanged: %d %v", code, body)
	}

	list := f.want("GET", "/v1/jobs?limit=1", "", 200, "data next")
	if rows := list["data"].([]any); len(rows) != 1 || rows[0].(map[string]any)["id"] != id {
		t.Errorf("the list: %v", list)
	}
	second := f.want("GET", "/v1/jobs?limit=1&cursor="+list["next"].(string), "", 200, "data next")
	if second["next"] != nil || second["data"].([]any)[0].(map[string]any)["id"] != inline["jobId"] {
		t.Errorf("the second page: %v", second)
	}
	f.refused("GET", "/v1/jobs?limit=101", "", 400, "validation_error")
	f.refused("GET", "/v1/jobs/nonsense", "", 400, "validation_error")
	f.refused("GET", "/v1/jobs/"+models.NewID(f.db.Clock.Now()).String(), "", 404, "not_found")

	unknown := models.NewID(f.db.Clock.Now()).String()
	byQuery := f.want("GET", "/v1/jobs/status?ids="+unknown+","+id, "", 200, "data")["data"].([]any)
	byBody := f.want("POST", "/v1/jobs/batch-status", `{"ids":["`+id+`","`+unknown+`"]}`, 200, "data")["data"].([]any)
	if len(byQuery) != 1 || len(byBody) != 1 || byQuery[0].(map[string]any)["id"] != id {
		t.Errorf("by ids: %v, %v", byQuery, byBody)
	}
	f.refused("GET", "/v1/jobs/status?ids=x", "", 400, "validation_error")
	f.refused("POST", "/v1/jobs/batch-status", `{"ids":["`+strings.Repeat(id+`","`, 100)+id+`"]}`, 400, "validation_error")

	f.refused("POST", "/v1/jobs/"+id+"/approve", "", 409, "job_not_in_review")
	f.want("POST", "/v1/jobs/"+id+"/cancel", "", 200, "success")
	f.refused("POST", "/v1/jobs/"+id+"/cancel", "", 409, "already_finished")
	if job = data(f.want("GET", "/v1/jobs/"+id, "", 200, "data")); job["status"] != "cancelled" {
		t.Errorf("cancelled: %v", job)
	}
}

func TestReviewOverREST(t *testing.T) {
	f := newWorkflowFace(t)
	held := f.want("POST", "/v1/text", `{"text":"x","holdForReview":true}`, 200, "jobId output_data status")
	if held["status"] != "pending_review" {
		t.Errorf("held: %v", held)
	}
	approved := data(f.want("POST", "/v1/jobs/"+held["jobId"].(string)+"/approve", "", 200, "data"))
	if keysOf(approved) != jobMembers || approved["status"] != "completed" {
		t.Errorf("approved: %v", approved)
	}
	held = f.want("POST", "/v1/text", `{"text":"x","holdForReview":true}`, 200, "jobId output_data status")
	if rejected := data(f.want("POST", "/v1/jobs/"+held["jobId"].(string)+"/reject", "", 200, "data")); rejected["status"] != "failed" {
		t.Errorf("rejected: %v", rejected)
	}
}

func TestExecutionsOverREST(t *testing.T) {
	f := newWorkflowFace(t)
	run := f.want("POST", "/v1/generate-image", `{"prompt":"x"}`, 202, "jobId")
	job := data(f.want("GET", "/v1/jobs/"+run["jobId"].(string), "", 200, "data"))
	id := job["execution_id"].(string)
	path := "/v1/workflow-executions/" + id

	execution := data(f.want("GET", path, "", 200, "data"))
	if keysOf(execution) != executionDetailMembers || execution["status"] != "pending" || execution["trigger"] != "api" || execution["totalNodes"] != 1.0 {
		t.Errorf("the execution: %v (%s)", execution, keysOf(execution))
	}
	if node := execution["nodeStates"].(map[string]any)["node"].(map[string]any); keysOf(node) != "output status" || node["status"] != "pending" || node["output"] != nil {
		t.Errorf("its node: %v", node)
	}
	tag := f.answer.Header().Get("ETag")
	if code, _ := f.call("GET", path, "", "If-None-Match", "W/"+tag); code != 304 {
		t.Errorf("unchanged: %d", code)
	}
	f.want("POST", path+"/cancel", "", 200, "success")
	if code, changed := f.call("GET", path, "", "If-None-Match", tag); code != 200 || data(changed)["errorCode"] != "cancelled" || data(changed)["status"] != "failed" {
		t.Errorf("changed: %d %v", code, changed)
	}
	f.refused("POST", path+"/cancel", "", 409, "already_finished")

	done := f.want("POST", "/v1/text", `{"text":"hello"}`, 200, "jobId output_data status")
	id = data(f.want("GET", "/v1/jobs/"+done["jobId"].(string), "", 200, "data"))["execution_id"].(string)
	legacy := f.want("GET", "/v1/api/status/"+id, "", 200, strings.Replace(executionDetailMembers, "errorMessage ", "errorMessage executionId ", 1))
	if legacy["status"] != "completed" {
		t.Errorf("legacy status: %v", legacy)
	}
	result := f.want("GET", "/v1/api/result/"+id, "", 200, "errorMessage executionId outputs status")
	if result["outputs"].(map[string]any)["node"].(map[string]any)["text"] != "hello" {
		t.Errorf("legacy result: %v", result)
	}
	f.refused("GET", "/v1/api/result/"+models.NewID(f.db.Clock.Now()).String(), "", 404, "not_found")

	mine := f.actor
	f.actor.UserID = models.NewID(f.db.Clock.Now())
	f.refused("GET", path, "", 404, "not_found")
	f.refused("POST", path+"/cancel", "", 404, "not_found")
	f.actor = mine
}

func TestWait(t *testing.T) {
	f := newWorkflowFace(t)
	project := data(f.want("POST", "/v1/projects", `{"name":"P"}`, 201, "data"))
	workflow := data(f.want("POST", "/v1/workflows", `{"name":"W","projectId":"`+project["id"].(string)+`","nodes":[{"id":"a","type":"text","data":{"text":"hi"}},{"id":"d","type":"delay","data":{"seconds":0}}],"edges":[{"id":"e","source":"a","target":"d"}]}`, 201, "data"))
	id := workflow["id"].(string)
	stop, worker := make(chan struct{}), sync.WaitGroup{}
	worker.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				f.work()
			}
		}
	})
	result := f.want("POST", "/v1/api/run?wait=true", `{"workflowId":"`+id+`"}`, 200, "errorMessage executionId outputs status")
	close(stop)
	worker.Wait()
	if result["status"] != "completed" || result["outputs"].(map[string]any)["d"].(map[string]any)["text"] != "hi" {
		t.Errorf("the result: %v", result)
	}
	history := f.want("GET", "/v1/workflows/"+id+"/executions", "", 200, "data nextCursor")
	if rows := history["data"].([]any); len(rows) != 1 || rows[0].(map[string]any)["nodeStates"] != nil {
		t.Errorf("the history: %v", history)
	}
}

func TestFiles(t *testing.T) {
	f := newWorkflowFace(t)
	bucket := memblob.OpenBucket(nil)
	defer bucket.Close()
	f.resolver.Media = &media.Service{Store: &media.Store{DB: f.db, Bucket: bucket, PublicURL: "http://localhost"}, Accounts: f.resolver.Accounts, Spaces: f.resolver.Spaces}
	f.resolver.Runs.Media = f.resolver.Media
	f.router.Handle("/media/{file}", MediaHandler(f.resolver.Media.Store)).Methods("GET", "HEAD")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 4, 2))); err != nil {
		t.Fatal(err)
	}

	answer := f.upload("file", picture.Bytes())
	if answer.Code != 201 {
		t.Fatalf("uploaded: %d %s", answer.Code, answer.Body)
	}
	var got struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if keysOf(got.Data) != "contentType height id size url width" || got.Data["contentType"] != "image/png" || got.Data["width"] != 4.0 {
		t.Errorf("the file: %v", got.Data)
	}
	url := got.Data["url"].(string)

	get := func(header ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest("GET", url, nil)
		for i := 0; i < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		f.router.ServeHTTP(w, request)
		return w
	}
	whole := get()
	if whole.Code != 200 || !bytes.Equal(whole.Body.Bytes(), picture.Bytes()) || whole.Header().Get("Content-Type") != "image/png" ||
		whole.Header().Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(whole.Header().Get("Cache-Control"), "immutable") ||
		!strings.HasPrefix(whole.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("served: %d %v", whole.Code, whole.Header())
	}
	if part := get("Range", "bytes=1-3"); part.Code != 206 || part.Body.String() != "PNG" {
		t.Errorf("a range: %d %q", part.Code, part.Body)
	}
	if same := get("If-None-Match", whole.Header().Get("ETag")); same.Code != 304 {
		t.Errorf("unchanged: %d", same.Code)
	}
	url = "http://localhost/media/guess.png"
	if missing := get(); missing.Code != 404 || missing.Header().Get("Cache-Control") == "public, max-age=31536000, immutable" {
		t.Errorf("missing: %d", missing.Code)
	}

	if w := f.upload("other", picture.Bytes()); w.Code != 400 {
		t.Errorf("without the field: %d %s", w.Code, w.Body)
	}
	if w := f.upload("file", []byte("<!DOCTYPE html><script></script>")); w.Code != 415 {
		t.Errorf("a page: %d %s", w.Code, w.Body)
	}
	if code, _ := f.call("POST", "/v1/upload", `{}`); code != 415 {
		t.Errorf("JSON: %d", code)
	}
}

func (f *workflowFace) upload(field string, content []byte) *httptest.ResponseRecorder {
	f.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile(field, "name.html")
	if err == nil {
		_, err = part.Write(content)
	}
	if err != nil || form.Close() != nil {
		f.Fatal(err)
	}
	request := httptest.NewRequest("POST", "/v1/upload", &body)
	request.Header.Set("Content-Type", form.FormDataContentType())
	ctx := WithIdentity(context.Background(), Identity{Actor: f.actor})
	w := httptest.NewRecorder()
	f.router.ServeHTTP(w, request.WithContext(graph.WithLoaders(ctx, f.resolver)))
	return w
}

// Types that no transaction does are answered with their result as well, and
// a repeat with the same key gets the same answer.
func TestNodesOfWorkersAreAnsweredWithTheirResult(t *testing.T) {
	f := newWorkflowFace(t)
	accepted := make(chan struct{})
	var working sync.WaitGroup
	working.Go(func() {
		for {
			select {
			case <-accepted:
				return
			case <-time.After(10 * time.Millisecond):
			}
			leases, err := lane.Claim(context.Background(), f.db, run.Pools[kit.Program].Kind, "test", 10)
			for _, lease := range leases {
				err = errors.Join(err, f.resolver.Runs.RunJob(context.Background(), lease))
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	plain := f.want("POST", "/v1/csv-parse", `{"text":"a\n1"}`, 200, "jobId output_data status")
	if plain["status"] != "completed" || plain["output_data"].(map[string]any)["count"] != 1.0 {
		t.Errorf("answered with %v", plain)
	}
	code, first := f.call("POST", "/v1/csv-parse", `{"text":"a\n1","index":0}`, "Idempotency-Key", "once")
	again, second := f.call("POST", "/v1/csv-parse", `{"text":"a\n1","index":0}`, "Idempotency-Key", "once")
	if code != 200 || again != 200 || !reflect.DeepEqual(first, second) || f.answer.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("answered with %d %v, then with %d %v", code, first, again, second)
	}
	failed := f.want("POST", "/v1/csv-parse", `{"text":"a\n\"1"}`, 200, "error_hint error_message jobId status")
	if failed["status"] != "failed" {
		t.Errorf("answered with %v", failed)
	}
	f.refused("POST", "/v1/regex-text", `{"text":"a","pattern":"(?:a?){1000}(?:a?){1000}(?:a?){1000}(?:a?){1000}(?:a?){1000}(?:a?){1000}"}`, 400, "validation_error")
	close(accepted)
	working.Wait()
}

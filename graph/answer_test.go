package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
)

// publishLarge publishes an app with so many texts of a mebibyte.
func (o *outside) publishLarge(slug string, texts int) {
	o.Helper()
	nodes := []map[string]any{}
	for i := range texts {
		nodes = append(nodes, map[string]any{"id": fmt.Sprint("n", i), "type": "text", "data": map[string]any{"text": strings.Repeat("x", 1_000_000)}})
	}
	made := o.askAs(o.member, `mutation($in:CreateWorkflowInput!){createWorkflow(input:$in){id}}`, map[string]any{"in": map[string]any{"name": "Large", "nodes": nodes, "edges": []any{}}})
	var data struct{ CreateWorkflow struct{ ID string } }
	if err := json.Unmarshal(made.Data, &data); err != nil || data.CreateWorkflow.ID == "" {
		o.Fatalf("%d %.300s", made.status, made.body)
	}
	published := o.askAs(o.member, `mutation($id:ID!,$in:PublishWorkflowInput!){publishWorkflow(workflowId:$id,input:$in){slug}}`,
		map[string]any{"id": data.CreateWorkflow.ID, "in": map[string]any{"name": "Large", "slug": slug}})
	if !strings.Contains(string(published.Data), slug) {
		o.Fatalf("%d %.300s", published.status, published.body)
	}
}

// aliased asks for the same app so many times.
func aliased(slug, fields string, times int) string {
	return "{" + numbered(times, func(i int) string { return fmt.Sprintf("a%d:app(slug:%q){%s}", i, slug, fields) }) + "}"
}

// TestAnswersHaveABound: a whole app is answered, and aliases of a large one
// end with one refusal, however they are made, before much is built.
func TestAnswersHaveABound(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	o.publishLarge("large", 4)
	if answer := o.ask(aliased("large", "snapshotNodes{id data}snapshotEdges{id}inputItems versions{id}", 1)); len(answer.body) < 4_000_000 || answer.Errors != nil {
		t.Errorf("the app itself: %d with %d bytes %.300s", answer.status, len(answer.body), answer.body)
	}
	for _, c := range []struct {
		document string
		actor    models.Actor
	}{
		{aliased("large", "snapshotNodes{data}", 3), models.Actor{}},
		{aliased("large", "snapshotNodes{data}", 10), o.member},
		{aliased("large", "snapshotNodes{data}", 60), o.member},
		{"{app(slug:\"large\"){" + numbered(7, func(i int) string { return fmt.Sprintf("a%d:snapshotNodes{data}", i) }) + "}}", models.Actor{}},
		{"{app(slug:\"large\"){snapshotNodes{" + numbered(40, func(i int) string { return fmt.Sprintf("a%d:data ", i) }) + "}}}", o.member},
		{"{app(slug:\"large\"){...f ...g}}fragment f on App{a:snapshotNodes{data}b:snapshotNodes{data}}fragment g on App{c:snapshotNodes{data}}", models.Actor{}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answer := o.askAs(c.actor, c.document, nil)
		runtime.ReadMemStats(&after)
		answer.sound(t, c.document)
		if len(answer.Errors) != 1 || len(answer.body) > 1000 || answer.Data != nil && string(answer.Data) != "null" {
			t.Errorf("%.100s: %d with %d bytes %.300s", c.document, answer.status, len(answer.body), answer.body)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > 400<<20 { // 60 answers take gigabytes
			t.Errorf("%.100s: %d MiB were made", c.document, made>>20)
		}
	}
}

// TestTextsCountAsTheyAreWritten: what JSON escapes is as long as it is then.
func TestTextsCountAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"", "plain", `"\`, "<&>", "\n\t\x01", strings.Repeat("<", 1000), "ä€"} {
		for _, value := range []any{text, map[string]any{text: []any{text, nil, 1.5}}} {
			written, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if size := sizeOf(value); size < len(written)-8 || size > len(written)+40 {
				t.Errorf("%q is %d bytes and counts %d", text, len(written), size)
			}
		}
	}
}

// TestEqualFieldsAreReadOnce: ten aliases ask the database as one does.
func TestEqualFieldsAreReadOnce(t *testing.T) {
	o := newOutside(t)
	o.publishLarge("once", 1)
	statements := dbtest.CountStatements(t, o.db)
	o.ask(aliased("once", "id name", 1))
	one := statements.Swap(0)
	o.ask(aliased("once", "id name", 10))
	if ten := statements.Swap(0); ten != one || one == 0 {
		t.Errorf("one alias takes %d statements, ten take %d", one, ten)
	}
	o.ask(`{a:app(slug:"once"){id} b:app(slug:"other"){id}}`)
	if two := statements.Load(); two <= one {
		t.Errorf("two apps take %d statements", two)
	}
}

// TestAllAnswersTogetherHaveABound: while many large answers are made, further
// ones are put off, and afterwards nothing is held.
func TestAllAnswersTogetherHaveABound(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	o.publishLarge("many", 4)
	held := &o.handler.(*server).common.held
	held.Store(maxHeld - 5<<20)
	if answer := o.ask(aliased("many", "snapshotNodes{data}", 2)); len(answer.Errors) != 1 || answer.Errors[0].Extensions.Code != "rate_limited" {
		t.Errorf("an answer too many: %d %.300s", answer.status, answer.body)
	}
	if answer := o.ask("{__typename}"); answer.status != 200 {
		t.Errorf("small requests are answered all the same: %d %s", answer.status, answer.body)
	}
	held.Store(0)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { o.ask(aliased("many", "snapshotNodes{data}", 2)).sound(t, "at once") })
	}
	all.Wait()
	if left := held.Load(); left != 0 {
		t.Errorf("%d bytes are held by nobody", left)
	}
}

// TestReadsLeaveConnections: while all reads from outside wait for something,
// further ones wait their turn until they are given up, and mutations pass.
func TestReadsLeaveConnections(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	reads := o.handler.(*server).common.reads
	for range readsAtOnce {
		reads <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	request := httptest.NewRequest("POST", "/graphql", strings.NewReader(`{"query":"{slugFree(slug:\"x\")}"}`)).WithContext(ctx)
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	o.handler.ServeHTTP(recorder, request.WithContext(WithLoaders(models.WithActor(ctx, o.member), o.resolver)))
	if strings.Contains(recorder.Body.String(), "true") || recorder.Code >= 500 {
		t.Errorf("a read beyond them: %d %s", recorder.Code, recorder.Body)
	}
	if answer := o.askAs(o.member, `mutation{updateProfile(input:{displayName:"B"}){displayName}}`, nil); !strings.Contains(string(answer.body), `"B"`) {
		t.Errorf("a mutation: %d %s", answer.status, answer.body)
	}
	for range readsAtOnce {
		<-reads
	}
	if answer := o.askAs(o.member, `{slugFree(slug:"x")}`, nil); !strings.Contains(string(answer.body), "true") || len(reads) != 0 {
		t.Errorf("afterwards: %d %s, %d at work", answer.status, answer.body, len(reads))
	}
}

// TestManyShortValues: a body of millions of values is refused before it is read.
func TestManyShortValues(t *testing.T) {
	o := newOutside(t)
	for _, values := range []string{strings.Repeat("[],", 1_000_000), strings.Repeat("1,", 1_000_000), strings.Repeat(`{"":0},`, 500_000)} {
		o.send(o.member, []byte(`{"query":"{__typename}","variables":{"a":[`+values+`0]}}`)).refused(t, values[:10], 400, "validation_error")
	}
	if answer := o.send(o.member, []byte(`{"query":"{__typename}","variables":{"a":"`+strings.Repeat(`[,\"`, 1_000_000)+`"}}`)); answer.status != 200 {
		t.Errorf("a text with the same letters: %d %.200s", answer.status, answer.body)
	}
}

// TestClientsWhoLeave: their work ends without a word in the log of errors.
func TestClientsWhoLeave(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	o.publishLarge("left", 1)
	for _, actor := range []models.Actor{{}, o.member} {
		left, leave := context.WithCancel(context.Background())
		leave()
		over, cancel := context.WithTimeout(context.Background(), 0)
		defer cancel()
		for _, ctx := range []context.Context{left, over} {
			body, _ := json.Marshal(map[string]any{"query": `{a:app(slug:"left"){id snapshotNodes{data}} b:nodeTypes{inputSchema} c:workflows{nodes{nodes{data}}}}`})
			request := httptest.NewRequest("POST", "/graphql", strings.NewReader(string(body))).WithContext(ctx)
			request.Header.Set("Content-Type", "application/json")
			recorder := httptest.NewRecorder()
			o.handler.ServeHTTP(recorder, request.WithContext(WithLoaders(models.WithActor(ctx, actor), o.resolver)))
			if recorder.Code >= 500 || strings.Contains(recorder.Body.String(), "internal_error") {
				t.Errorf("%d %.300s", recorder.Code, recorder.Body)
			}
		}
	}
}

// TestWhatStaysParsed: short documents that fit the schema, and no others.
func TestWhatStaysParsed(t *testing.T) {
	o := newOutside(t)
	cache := newSmallDocuments()
	o.handler.(*server).SetQueryCache(cache)
	for document, stays := range map[string]bool{
		"{__typename}": true,
		"{__typename}" + strings.Repeat(" ", maxCachedDocument): false,
		"{wrong}": false, "{": false, "{" + strings.Repeat("__typename ", 51) + "}": false,
		aliased("x", "snapshotNodes{data}", 10): false,
	} {
		o.ask(document)
		if _, kept := cache.Get(context.Background(), document); kept != stays {
			t.Errorf("%.60s stays: %v", document, kept)
		}
	}
	for i := range cachedDocuments + 10 {
		o.ask(fmt.Sprintf("{__typename}#%d", i))
	}
	if _, kept := cache.Get(context.Background(), "{__typename}#0"); kept {
		t.Error("more documents stay than the cache holds")
	}
}

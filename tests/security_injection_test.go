//go:build !race

package tests

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"atelier/graph"
	"atelier/models/dbtest"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// TestInjectedReferences points, by SQL, each referencing column of one
// tenant's rows at a row of another tenant, then reads everything as the first
// one: nothing of the other tenant may appear, and nothing may fail. A column
// that names something and is not known here fails the test.
func TestInjectedReferences(t *testing.T) {
	t.Parallel()
	databaseURL := dbtest.NewURL(t)
	h := newTestServerOn(t, nil, databaseURL)
	t.Cleanup(h.work())
	url := h.server.URL
	db := &injected{database: openDatabase(t, databaseURL)}
	db.exec(`SET session_replication_role = replica`) // what is counted stays as it is

	s := newStage(t, newCast(t, url, "school", 10))
	s.head.post("/v1/workspaces/"+s.room+"/join-code", object{"action": "enable"}).want(200)
	s.owner.post("/v1/orgs/"+s.org+"/invitations", object{"emails": []string{"roomy@example.com"}, "workspaceId": s.room}).want(201)
	s.delivery = s.pupil.post("/v1/webhook-endpoints/"+s.endpoint+"/test", nil).want(202).text("data.id")
	bought(s.owner.client, s.operator, s.org)
	keepThings(s.head.in(s.room), "ours")
	db.freeReferences()
	db.remember()
	otherTenant(t, url, s.operator)
	published := string(s.owner.get("/v1/app/zzbthing").want(200).Body)
	db.collectOthers()

	readings := readingsOf(t, s, h.tracer)
	db.expandViews(readings)
	if leaks := db.read(readings, ""); len(leaks) > 0 {
		t.Fatalf("before anything was injected: %s", strings.Join(leaks, "\n"))
	}
	columns := db.references()
	if len(columns) < 60 {
		t.Fatalf("only %d referencing columns were found", len(columns))
	}
	asked := 0
	for _, c := range columns {
		t.Run(c.table+"."+c.column+" to "+c.target, func(t *testing.T) {
			db.t = t
			restore, id := db.inject(c)
			defer restore()
			if id == "" {
				return
			}
			changed := readingsWith(readings, c.table)
			asked += len(changed)
			for _, leak := range db.read(changed, id) {
				if strings.HasPrefix(leak, "name of a person") && c.target == "users" {
					continue // people who left are shown by their name
				}
				if c.table == "organization_members" && c.column == "user_id" {
					continue // the row makes the person a member
				}
				if c.table == "oauth_grants" && c.column == "app_id" {
					continue // the row connects the app
				}
				if c.table == "workflow_collaborators" && c.column == "workflow_id" {
					continue // the row shares the workflow
				}
				_, id, _ := strings.Cut(leak, "shows the id ")
				if c.target == "apps" && (strings.Contains(leak, `"title":"zzbthing app"`) || strings.Contains(published, anyID.FindString(id))) {
					continue // a published app is public
				}
				t.Error(leak)
			}
		})
	}
	if t.Logf("%d columns, %d requests", len(columns), asked); asked < 2_000 {
		t.Error("hardly anything was read again: the statements of requests are not seen any more")
	}
}

// otherTenant is an account with one of everything, all of it marked.
func otherTenant(t *testing.T, url string, operator client) {
	t.Helper()
	p := newPerson(t, url, "Zzbperson")
	org := p.post("/v1/orgs", object{"name": "Zzbthing school", "kind": "school", "acceptTerms": true}).want(201).text("data.id")
	operator.graphql(`mutation($id: ID!) { approveOrganization(id: $id) { status } }`, object{"id": org})
	operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`,
		object{"in": object{"organizationId": org, "amount": 5, "reason": "zzbthing"}})
	room := p.post("/v1/orgs/"+org+"/workspaces", object{"name": "Zzbthing room", "description": "zzbthing"}).want(201).text("data.id")
	p.post("/v1/orgs/"+org+"/workspaces/"+room+"/allocate", object{"delta": 3}).want(200)
	bought(p.client, operator, org)
	p.post("/v1/orgs/"+org+"/invitations", object{"emails": []string{"zzbthing@example.com"}, "workspaceId": room}).want(201)
	in := p.in(room)
	project := in.post("/v1/projects", object{"name": "Zzbthing project"}).want(201).text("data.id")
	graph := object{"name": "Zzbthing workflow", "description": "zzbthing", "projectId": project, "visibility": "private", "edges": []object{},
		"nodes": []object{{"id": "a", "type": "text", "data": object{"text": "zzbthing text"}}}}
	workflow := in.post("/v1/workflows", graph).want(201).text("data.id")
	in.post("/v1/workflow-triggers", object{"workflowId": workflow, "type": "webhook"}).want(201)
	in.post("/v1/workflows/"+workflow+"/publish", object{"slug": "zzbthing", "name": "Zzbthing app"}).want(201)
	run := in.post("/v1/app/zzbthing/run", object{}).want(202).text("runId")
	ended(in, "/v1/app/zzbthing/runs/"+run, "execution.status")
	credential := p.post("/v1/credentials", object{"name": "zzbthing", "headerName": "X-Key", "key": "zzbthing", "kind": "plain"}).want(201).text("data.id")
	sending := object{"id": "b", "type": "webhook-output", "data": object{"url": "https://zzbthing.example/hook", "credentialId": credential}}
	in.do("PATCH", "/v1/workflows/"+workflow, object{"nodes": []object{sending}}).want(200)
	endpoint := p.post("/v1/webhook-endpoints", object{"url": "https://zzbthing.example/hook", "description": "zzbthing"}).want(201).text("data.id")
	p.post("/v1/webhook-endpoints/"+endpoint+"/test", nil).want(202)
	p.post("/v1/api-tokens", object{"name": "zzbthing", "workspaceId": room}).want(201)
	connected(p, "Zzbthing program")
	keepThings(in, "zzbthing")
}

// keepThings makes a face, a character with a picture, which is posted, a preset and a voice in a workspace, and a
// production by a pipeline of its own, of which a shot is rendered and shown to everyone.
func keepThings(who client, name string) {
	who.t.Helper()
	who.post("/v1/faces", object{"name": name, "visibility": "workspace", "consent": object{"subject": "self", "confirmed": true}}).want(201)
	id := who.post("/v1/characters", object{"name": name + " character", "description": name, "visibility": "workspace"}).want(201).text("data.id")
	who.post("/v1/characters/"+id+"/images", object{"url": who.uploadPicture(), "caption": name}).want(201)
	who.post("/v1/node-presets", object{"nodeType": "text", "name": name, "settings": object{"text": name}, "visibility": "workspace"}).want(201)
	post := who.post("/v1/community/posts", object{"kind": "character", "sourceId": id}).want(201).text("data.id")
	who.post("/v1/community/posts/"+post+"/like", nil).want(200)
	base := who.get("/v1/voices?source=factory&provider=local&limit=1").want(200).text("data.0.id")
	who.post("/v1/voices", object{"name": name, "baseVoiceId": base, "visibility": "workspace"}).want(201)
	stages := object{"image": object{"nodeType": "text-card"}}
	pipeline := who.post("/v1/pipelines", object{"name": name, "stages": stages, "visibility": "workspace"}).want(201).text("data.id")
	film := "/v1/studio/productions/" + who.post("/v1/studio/productions", object{"name": name, "script": name, "pipelineId": pipeline, "visibility": "workspace"}).want(201).text("data.id")
	shot := who.post(film+"/shots", object{"action": name, "characterIds": []string{id}}).want(201).text("data.id")
	who.post(film+"/render?wait=true", object{}).want(200)
	who.post(film+"/shots/"+shot+"/share", object{"shared": true}).want(200)
}

// bought buys a pack for an organization, of which a part goes back.
func bought(owner, operator client, org string) {
	owner.t.Helper()
	id := owner.post("/v1/orgs/"+org+"/credits/checkout", object{"packId": "small"}).want(200).text("data.purchaseId")
	operator.graphql(`mutation($id: ID!) { confirmPurchase(id: $id) { status } }`, object{"id": id})
	operator.graphql(`mutation($id: ID!) { refundPurchase(id: $id, credits: 1) { status } }`, object{"id": id})
}

// reading is one request that reads something of the first tenant.
type reading struct {
	who  client
	name string
	send func(client) *reply
	// names are the words of its statements, tables among them.
	names map[string]bool
}

// everywhere are the tables that say who asks: what they hold may be remembered from one request to the next.
var everywhere = []string{"users", "sessions", "api_tokens", "organizations", "organization_members", "workspaces", "workspace_members"}

// readingsWith are the requests that a row of the table can change: those that read the table. Until a request
// does that for the first time, it cannot differ from one before the row changed.
func readingsWith(all []reading, table string) []reading {
	if slices.Contains(everywhere, table) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(r reading) bool { return !r.names[table] })
}

var anyName = regexp.MustCompile(`[a-z_0-9]+`)

// expandViews adds the tables behind a view to what a request reads.
func (db *injected) expandViews(readings []reading) {
	db.t.Helper()
	for _, view := range db.strings(`SELECT viewname || ' ' || definition FROM pg_views WHERE schemaname = 'public'`) {
		names := anyName.FindAllString(view, -1)
		for _, r := range readings {
			for _, name := range names {
				r.names[name] = r.names[name] || r.names[names[0]]
			}
		}
	}
}

// readingsOf are all reads of REST and GraphQL, each by a person who gets an answer.
func readingsOf(t *testing.T, s *stage, tracer *statements) (all []reading) {
	t.Helper()
	readers := []client{s.owner.in(s.room), s.pupil.in(s.room), s.owner.client, s.pupil.client}
	add := func(name string, send func(client) *reply) {
		made := reading{who: readers[0], name: name, send: send, names: map[string]bool{}}
		for _, who := range readers {
			var r *reply
			for _, statement := range tracer.during(func() { r = send(who) }) {
				for _, name := range anyName.FindAllString(statement.sql, -1) {
					made.names[name] = true
				}
			}
			if r.Status == 200 && r.path("errors") == nil {
				made.who = who
				break
			}
		}
		all = append(all, made)
	}
	for _, route := range routesOf(t, s.visitor) {
		if strings.HasPrefix(route, "GET ") && !strings.Contains(route, "openapi") {
			add(route, func(who client) *reply { return s.ask(who, route) })
		}
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()})
	query := func(name, document string) {
		document = s.fill(document)
		add(name, func(who client) *reply { return who.post("/graphql", object{"query": document}) })
	}
	for _, name := range objectsOf(t, schema) {
		query(name, fmt.Sprintf(objectRows[name], everyField(s, schema, schema.Types[name], nil)))
	}
	for _, field := range schema.Query.Fields {
		if !strings.HasPrefix(field.Name, "__") && len(required(field)) == 0 && schema.Types[field.Type.Name()].Kind == ast.Object {
			query("Query."+field.Name, "{ "+field.Name+everyFieldIn(s, schema, field, nil)+" }")
		}
	}
	return all
}

func required(field *ast.FieldDefinition) (names []string) {
	for _, argument := range field.Arguments {
		if argument.Type.NonNull && argument.DefaultValue == nil {
			names = append(names, argument.Name)
		}
	}
	return names
}

// everyField selects all fields of an object and of what it leads to, three objects deep.
func everyField(s *stage, schema *ast.Schema, definition *ast.Definition, above []string) string {
	var fields []string
	for _, field := range definition.Fields {
		if strings.HasPrefix(field.Name, "__") || field.Name == "edges" && strings.HasSuffix(definition.Name, "Connection") {
			continue
		}
		kind := schema.Types[field.Type.Name()]
		if kind.Kind != ast.Object {
			if len(field.Arguments) == 0 {
				fields = append(fields, field.Name)
			}
			continue
		}
		arguments := required(field)
		if slices.Contains(arguments, "search") {
			continue
		}
		inner := everyFieldIn(s, schema, field, append(above, definition.Name))
		if inner == "" {
			continue
		}
		call := field.Name
		if len(arguments) > 0 {
			call += "(userId: $pupil)"
		} else if field.Arguments.ForName("first") != nil {
			call += "(first: 20)"
		}
		fields = append(fields, call+inner)
	}
	return strings.Join(fields, " ")
}

func everyFieldIn(s *stage, schema *ast.Schema, field *ast.FieldDefinition, above []string) string {
	kind := schema.Types[field.Type.Name()]
	if slices.Contains(above, kind.Name) || len(above) > 3 {
		return ""
	}
	inner := everyField(s, schema, kind, above)
	if inner == "" {
		return ""
	}
	return " { " + inner + " }"
}

// injected is the database behind the service, with rows of two tenants.
type injected struct {
	database
	// first are the keys of the rows of the first tenant by table.
	first map[string][]string
	// foreign are the ids of the other tenant's rows.
	foreign map[string]bool
}

// reference is a column and the table whose rows it names.
type reference struct{ table, column, target string }

// foreignKeys are the declared references, by table.column, and some that are not declared.
var foreignKeys = map[string]string{"oauth_codes.app_id": "oauth_apps", "oauth_tokens.app_id": "oauth_apps"}

// freeReferences remembers the foreign keys and drops them.
func (db *injected) freeReferences() {
	db.t.Helper()
	for _, line := range db.strings(`
		SELECT c.conrelid::regclass || ' ' || quote_ident(c.conname) || ' ' || a.attname || ' ' || c.confrelid::regclass
		FROM pg_constraint c, unnest(c.conkey) WITH ORDINALITY k (number, place)
		JOIN pg_attribute a ON a.attnum = k.number
		WHERE c.contype = 'f' AND c.conparentid = 0 AND a.attrelid = c.conrelid`) {
		part := strings.Fields(line)
		if key := part[0] + "." + part[2]; part[3] != "organization_members" && foreignKeys[key] == "" && !(part[3] == "workspaces" && part[2] == "organization_id") {
			foreignKeys[key] = part[3]
		}
		db.exec(`ALTER TABLE ` + part[0] + ` DROP CONSTRAINT IF EXISTS ` + part[1])
	}
}

// remember notes which rows are the first tenant's.
func (db *injected) remember() {
	db.first = map[string][]string{}
	for _, table := range db.tables() {
		db.first[table] = db.strings(`SELECT ` + db.key(table) + ` FROM ` + table)
	}
}

// collectOthers notes the ids of everything that came after.
func (db *injected) collectOthers() {
	db.foreign = map[string]bool{}
	for _, table := range db.tables() {
		for _, key := range db.strings(`SELECT `+db.key(table)+` FROM `+table+` WHERE NOT `+db.key(table)+` = ANY ($1)`, db.first[table]) {
			for _, id := range anyID.FindAllString(key, -1) {
				db.foreign[id] = true
			}
		}
	}
	for _, keys := range db.first {
		for _, key := range keys {
			for _, id := range anyID.FindAllString(key, -1) {
				delete(db.foreign, id)
			}
		}
	}
}

// namedBy are the tables that columns without a foreign key name.
var namedBy = map[string][]string{
	"account_id": {"users"}, "user_id": {"users"}, "owner_id": {"users"}, "actor_id": {"users"}, "created_by": {"users"},
	"organization_id": {"organizations"}, "workspace_id": {"workspaces"}, "last_workspace_id": {"workspaces"},
	"workflow_id": {"workflows"}, "workflow_ids": {"workflows"}, "app_id": {"apps"}, "client_app_id": {"oauth_apps"}, "grant_id": {"oauth_grants"}, "execution_id": {"executions"},
	"retry_of": {"executions"}, "last_execution_id": {"executions"}, "trigger_id": {"workflow_triggers"}, "share_id": {"executions"},
	"job_id": {"jobs"}, "endpoint_id": {"webhook_endpoints"}, "delivery_id": {"webhook_deliveries"},
	"target_id": {"workspaces", "users", "organizations", "invitations"}, "from_id": {"workspaces", "users", "organizations"},
	"subject_id": {"community_posts", "workspaces", "jobs", "webhook_endpoints", "purchases"}, "purchase_id": {"purchases"}, "answered_by": {"users"},
	"to_id": {"workspaces", "users", "organizations"}, "send_id": {"invitation_sends"},
	"scope_id": {"organizations", "workspaces"}, "basis_by": {"users"}, "given_by": {"users"},
	"about_id": {"elements", "voices"}, "element_id": {"elements"}, "face_id": {"elements"}, "voice_id": {"voices"},
	"source_id": {"elements", "workflows", "apps", "node_presets", "voices", "pipelines"}, "post_id": {"community_posts"}, "remix_of": {"community_posts"}, "author_id": {"users"},
	"picture_ids": {"media_files"}, "shown_file_id": {"media_files"}, "file_id": {"media_files"}, "preview_file_id": {"media_files"}, "recording_file_id": {"media_files"}, "sample_file_id": {"media_files"},
	"image_file_id": {"media_files"}, "video_file_id": {"media_files"}, "audio_file_id": {"media_files"},
	"pipeline_id": {"pipelines"}, "preset_id": {"node_presets"}, "narrator_voice_id": {"voices"}, "cast_ids": {"elements"}, "character_ids": {"elements"},
	"creature_ids": {"elements"}, "object_ids": {"elements"}, "location_id": {"elements"}, "speaker_id": {"elements"}, "uses": {"elements"}, "things": {"elements"},
}

// references are all columns that name rows.
func (db *injected) references() (all []reference) {
	db.t.Helper()
	for _, table := range db.tables() {
		for _, column := range db.strings(`SELECT column_name::text FROM information_schema.columns
			WHERE table_schema = 'public' AND table_name = $1 AND udt_name IN ('uuid', '_uuid') AND column_name <> 'id' ORDER BY 1`, table) {
			targets := namedBy[column]
			if target := foreignKeys[table+"."+column]; target != "" {
				targets = []string{target}
			}
			if len(targets) == 0 {
				db.t.Errorf("%s.%s names something: say in namedBy what", table, column)
			}
			for _, target := range targets {
				all = append(all, reference{table, column, target})
			}
		}
	}
	return all
}

// inject points the first tenant's rows at the other tenant's row, all of them
// or as many as keys allow, and returns that row's id; "" when there is nothing to point.
func (db *injected) inject(c reference) (restore func(), id string) {
	db.t.Helper()
	ids := db.strings(`SELECT id::text FROM `+c.target+` WHERE NOT `+db.key(c.target)+` = ANY ($1) ORDER BY id DESC LIMIT 1`, db.first[c.target])
	if len(ids) == 0 {
		db.t.Fatalf("the other tenant has no row in %s", c.target)
	}
	kind := db.strings(`SELECT udt_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND column_name = $2`, c.table, c.column)[0]
	value := `$1::uuid`
	if kind == "_uuid" {
		value = `ARRAY[$1::uuid]`
	}
	db.exec(`DROP TABLE IF EXISTS kept`)
	columns := strings.Join(db.strings(`SELECT quote_ident(column_name) FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`, c.table), ", ")
	db.exec(`CREATE TEMP TABLE kept AS SELECT ` + columns + ` FROM ` + c.table)
	restore = func() {
		db.exec(`DELETE FROM ` + c.table)
		db.exec(`INSERT INTO ` + c.table + ` (` + columns + `) SELECT * FROM kept`)
	}
	pointed := int64(0)
	update := func(keys []string) bool {
		done, err := db.conn.Exec(db.ctx, `UPDATE `+c.table+` SET `+c.column+` = `+value+` WHERE `+db.key(c.table)+` = ANY ($2)`, ids[0], keys)
		if err != nil {
			var refused *pgconn.PgError
			if errors.As(err, &refused) && (refused.Code == "23505" || refused.Code == "23514") {
				return false // a key or a check keeps the row from being so
			}
			db.t.Fatal(err)
		}
		pointed += done.RowsAffected()
		return true
	}
	if !update(db.first[c.table]) {
		for _, key := range db.first[c.table] {
			update([]string{key})
		}
	}
	if pointed == 0 {
		return restore, ""
	}
	return restore, ids[0]
}

var otherPerson = regexp.MustCompile(`(?i)zzbperson`)

// read reads everything and says what of the other tenant appeared, except for
// the one id that was injected.
func (db *injected) read(readings []reading, id string) (leaks []string) {
	db.t.Helper()
	answers := make([]*reply, len(readings))
	work, readers := make(chan int), sync.WaitGroup{}
	for range 4 {
		readers.Go(func() {
			for i := range work {
				answers[i] = readings[i].send(readings[i].who)
			}
		})
	}
	for i := range readings {
		work <- i
	}
	close(work)
	readers.Wait()
	for i, r := range answers {
		body, what := string(r.Body), readings[i].name
		lower := strings.ToLower(body)
		switch {
		case r.Status >= 500 || strings.Contains(body, "internal_error"):
			leaks = append(leaks, fmt.Sprintf("%s fails: %d %s", what, r.Status, excerpt(body, "internal_error")))
		case strings.Contains(lower, "zzbthing"):
			leaks = append(leaks, fmt.Sprintf("%s shows %s", what, excerpt(lower, "zzbthing")))
		case strings.Contains(lower, "zzbperson-"):
			leaks = append(leaks, fmt.Sprintf("%s shows an address: %s", what, excerpt(lower, "zzbperson-")))
		case otherPerson.MatchString(body):
			leaks = append(leaks, fmt.Sprintf("name of a person in %s: %s", what, excerpt(lower, "zzbperson")))
		}
		for _, found := range anyID.FindAllString(body, -1) {
			if db.foreign[found] && found != id {
				leaks = append(leaks, fmt.Sprintf("%s shows the id %s: %s", what, found, excerpt(body, found)))
			}
		}
	}
	slices.Sort(leaks)
	return slices.Compact(leaks)
}

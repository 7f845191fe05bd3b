package graph

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/models"
)

// TestBodiesAndTheirLengths: visitors send 64 KiB; accounts send as much as the
// largest graph, but in variables.
func TestBodiesAndTheirLengths(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	blanks := func(n int) []byte { return []byte(`{"query":"{__typename}"` + strings.Repeat(" ", n-24) + `}`) }
	if answer := o.send(models.Actor{}, blanks(maxBodyOfVisitors)); answer.status != 200 {
		t.Errorf("a visitor's longest body: %d %s", answer.status, answer.body)
	}
	o.send(models.Actor{}, blanks(maxBodyOfVisitors+1)).refused(t, "a visitor's longer body", 413, "payload_too_large")
	if answer := o.send(o.member, blanks(maxBodyOfAccounts)); answer.status != 200 {
		t.Errorf("an account's longest body: %d %s", answer.status, answer.body)
	}
	o.send(o.member, blanks(maxBodyOfAccounts+1)).refused(t, "an account's longer body", 413, "payload_too_large")
	unsaid := httptest.NewRequest("POST", "/graphql", struct{ *strings.Reader }{strings.NewReader(string(blanks(maxBodyOfVisitors + 1)))})
	unsaid.ContentLength = -1
	unsaid.Header.Set("Content-Type", "application/json")
	o.do(models.Actor{}, unsaid).refused(t, "a body that does not say its length", 413, "payload_too_large")

	o.askAs(o.member, "{__typename "+strings.Repeat(" ", maxQuery)+"}", nil).refused(t, "a document beyond 64 KiB", 400, "validation_error")
	large := map[string]any{"type": "combine-text", "settings": map[string]any{"texts": []string{strings.Repeat("x", 5_200_000)}}}
	answer := o.askAs(o.member, `mutation($type:String!,$settings:Map!){runNode(type:$type,settings:$settings){inline}}`, large)
	if answer.sound(t, "large variables"); answer.status != 200 {
		t.Errorf("large variables: %d %.300s", answer.status, answer.body)
	}
}

// requests are bodies that clients of all kinds send, and what becomes of them when
// they read application/json: what does not fit the schema is 200 with its errors.
var requests = []struct {
	body   string
	status int
}{
	{`{"query":"{__typename}"}`, 200},
	{` {"query":"{__typename}","variables":null,"operationName":null,"extensions":null,"further":1} `, 200},
	{`{"query":"query a{__typename} query b{__typename}","operationName":"b"}`, 200},
	{`{"query":"{__typename}","query":"{install{mail}}"}`, 200},
	{`{"QUERY":"{__typename}"}`, 200},
	{`{"query":"query($a:String){install{mail @skip(if:true)}}","variables":{"a":1}}`, 200},
	{``, 400}, {` `, 400}, {`null`, 400}, {`7`, 400}, {`"x"`, 400}, {`[]`, 400}, {`{`, 400}, {`{}}`, 400}, {`{"query":"{__typename}"}x`, 400},
	{`[{"query":"{__typename}"}]`, 400}, {`[{"query":"{__typename}"},{"query":"{__typename}"}]`, 400},
	{`{"query":7}`, 400}, {`{"query":["{__typename}"]}`, 400}, {`{"query":{"a":1}}`, 400},
	{`{"query":"{__typename}","variables":[]}`, 400}, {`{"query":"{__typename}","variables":"x"}`, 400},
	{`{"query":"{__typename}","operationName":7}`, 400}, {`{"query":"{__typename}","extensions":[]}`, 400},
	{`{}`, 400}, {`{"query":null}`, 400}, {`{"query":""}`, 400}, {`{"query":" #"}`, 200}, {`{"query":"x"}`, 200}, {`{"query":"{"}`, 200},
	{`{"query":"fragment f on Query{__typename}"}`, 200}, {`{"query":"type T{a:Int}"}`, 200}, {`{"query":"{__typename}","operationName":"none"}`, 200},
	{`{"query":"query a{__typename} query b{__typename}"}`, 200},
	{`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"}}}`, 400},
	{"{\"query\":\"{__typename\xff}\"}", 400}, {"{\"query\":\"{app(slug:\\\"\xff\xfe\\\"){id}}\"}", 400}, {"\xef\xbb\xbf{\"query\":\"{__typename}\"}", 200},
	{`{"query":"{app(slug:\"\\ud800\"){id}}"}`, 400}, {`{"query":"{app(slug:\"\ud800\"){id}}"}`, 400}, {`{"query":"{app(slug:\"\\u0000\"){id}}"}`, 400}, {`{"query":"{app(slug:\"\\ud83d\\ude00\"){id}}"}`, 200},
	{`{"query":"{__typename}","variables":{"a":` + strings.Repeat("[", 62) + strings.Repeat("]", 62) + `}}`, 200},
	{`{"query":"{__typename}","variables":{"a":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}}`, 400},
	{`{"query":"{__typename}","variables":{"a":"` + strings.Repeat("[", 100) + `\"` + strings.Repeat("{", 100) + `"}}`, 200},
	{strings.Repeat(`[`, 60_000), 400}, {strings.Repeat(`{"a":`, 10_000), 400},
}

// TestRequestForms: whatever is sent, the answer is a sound one in one form.
func TestRequestForms(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	for _, r := range requests {
		for _, actor := range []models.Actor{{}, o.member} {
			answer := o.send(actor, []byte(r.body))
			if answer.sound(t, r.body); answer.status != r.status {
				t.Errorf("%.200s: %d %.300s, want %d", r.body, answer.status, answer.body, r.status)
			}
		}
	}
	for _, kind := range []string{"", "text/plain", "application/graphql", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx", ";"} {
		o.send(o.member, []byte(`{"query":"{__typename}"}`), "Content-Type", kind).refused(t, "as "+kind, 415, "unsupported_media_type")
	}
	for _, header := range [][]string{
		{"Content-Type", "application/json; charset=utf-8"}, {"Accept", "text/html,*/*"}, {"Upgrade", "websocket", "Connection", "Upgrade"},
		{"Accept", "application/graphql-response+json"},
	} {
		if answer := o.send(models.Actor{}, []byte(`{"query":"{__typename}"}`), header...); answer.status != 200 {
			t.Errorf("%v: %d %s", header, answer.status, answer.body)
		}
	}
}

// TestStatusesByWhatIsRead: what is not run has no data; what does not fit the schema
// is 400, but 200 for clients that read application/json; our own refusals keep
// their status either way.
func TestStatusesByWhatIsRead(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	const long = "application/graphql-response+json"
	for accept, kind := range map[string]string{
		"": plainJSON, "*/*": plainJSON, "application/json": plainJSON, "text/html": plainJSON, "application/*;q=0.5": plainJSON, long: long,
		long + ", application/json;q=0.9": long, "application/json;q=0.5," + long + ";q=0.4": plainJSON, long + ";q=0": plainJSON,
		long + ", application/graphql+json, application/json": long, "application/json, " + long: plainJSON, long + "; charset=utf-8": long,
		"application/json;q=x, " + long + ";q=0.1": long, ",;,/": plainJSON,
	} {
		for body, refused := range map[string]int{
			`{"query":"{__typename}"}`: 0, `{"query":"{"}`: 400, `{"query":"{nothing}"}`: 400, `{}`: -400, `{"query":"{__typename}","operationName":"none"}`: 400,
			`{"query":"query Q($id:ID!){__typename}","variables":{"id":null}}`: 400, `[]`: -400, `{"query":"{__schema{types{name}}}"}`: -401,
			`{"query":"{` + strings.Repeat("__typename ", 51) + `}"}`: -400,
		} {
			answer := o.send(models.Actor{}, []byte(body), "Accept", accept)
			want := max(refused, -refused)
			if refused == 0 || refused > 0 && kind == plainJSON {
				want = 200
			}
			if answer.status != want || answer.header.Get("Content-Type") != kind || (answer.Data == nil) != (refused != 0) ||
				refused != 0 && (len(answer.Errors) == 0 || answer.Errors[0].Extensions.Status != max(refused, -refused)) {
				t.Errorf("%s as %q: %d %s %.300s, want %d %s", body, accept, answer.status, answer.header.Get("Content-Type"), answer.body, want, kind)
			}
		}
	}
}

// TestValuesBeyondTheirTypes: numbers that nothing can hold and values of other
// types are the sender's fault, as literals, as defaults and as variables.
func TestValuesBeyondTheirTypes(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	values := []string{`99999999999999999999`, `-99999999999999999999`, `9223372036854775807`, `2147483648`, `1e400`, `1e999999999`, `-0.0`, `1.5`,
		`null`, `true`, `""`, `"5"`, `"NaN"`, `[]`, `[[1]]`, `[null]`, `{}`, `{a:1}`, `{__typename:1}`, `ENUM`, `"\u0000"`, `"""block"""`, `$v`}
	for _, value := range values {
		for _, document := range []string{
			`{workflows(first:%s){nodes{id}}}`, `{workflow(id:%s){id}}`, `{slugFree(slug:%s)}`, `{jobs(status:%s){nodes{id}}}`, `{jobsByIds(ids:%s){id}}`,
			`{executions(filter:%s){nodes{id}}}`, `{executions(filter:{workflowId:%s}){nodes{id}}}`, `{modelCosts(models:%s){model}}`, `{__type(name:%s){name}}`,
			`mutation{runNode(type:"combine-text",settings:%s){inline}}`, `mutation{runNode(type:"combine-text",settings:{texts:%s}){inline}}`,
			`mutation{grantCredits(input:{amount:%s,reason:"x"}){amount}}`, `mutation{createWorkflow(input:{name:"x",nodes:%s}){id}}`,
			`mutation{createWorkflow(input:{name:"x",nodes:[{id:"a",type:"text",position:{x:%[1]s,y:1},data:{text:%[1]s}}],edges:[]}){id}}`,
			`mutation{allocateCredits(organizationId:"x",workspaceId:"y",delta:%s){pool}}`, `query($v:Int=%[1]s){workflows(first:$v){nodes{id}}}`,
			`query($v:Map=%[1]s){install{mail @include(if:$v)}}`, `{install{mail @skip(if:%s)}}`, `{install @include(if:%s){mail}}`, `{...@skip(if:%s){install{mail}}}`, `query @skip(if:%s){install{mail}}`,
			`query($v:Boolean=%[1]s){install @skip(if:$v){mail}}`, `mutation($v:Map!=%[1]s){runNode(type:"x",settings:$v){inline}}`,
		} {
			o.askAs(o.member, fmt.Sprintf(document, value), nil).sound(t, fmt.Sprintf(document, value))
		}
	}
	for _, value := range values {
		if !json.Valid([]byte(value)) {
			continue
		}
		for _, document := range []string{
			`query($v:Int){workflows(first:$v){nodes{id}}}`, `query($v:ID!){workflow(id:$v){id}}`, `query($v:String!){app(slug:$v){id}}`,
			`query($v:JobStatus){jobs(status:$v){nodes{id}}}`, `query($v:[ID!]!){jobsByIds(ids:$v){id}}`, `query($v:ExecutionFilter){executions(filter:$v){nodes{id}}}`,
			`mutation($v:Map!){runNode(type:"combine-text",settings:$v){inline}}`, `query($v:Boolean!){install{mail @skip(if:$v)}}`, `query($v:Boolean=true){install @skip(if:$v){mail}}`,
			`query($v:Boolean=true){...@include(if:$v){install{mail}}}`, `query($v:Int=5){workflows(first:$v){nodes{id}}}`,
			`mutation($v:CreateWorkflowInput!){createWorkflow(input:$v){id}}`, `mutation($v:[WorkflowNodeInput!]){createWorkflow(input:{name:"x",nodes:$v}){id}}`,
			`mutation($v:Float!){allocateCredits(organizationId:"x",workspaceId:"y",delta:$v){pool}}`, `mutation($v:Time!){enableJoinCodeUntil(workspaceId:"x",closesAt:$v){code}}`,
			`query($v:Time){organization(id:"00000000-0000-0000-0000-000000000000"){audit(filter:{from:$v}){nodes{id}}}}`, `query($v:Nothing){__typename}`, `query($v:Query){__typename}`,
		} {
			what := document + value
			query, _ := json.Marshal(document)
			o.send(o.member, []byte(`{"query":`+string(query)+`,"variables":{"v":`+value+`}}`)).sound(t, what)
			o.send(models.Actor{}, []byte(`{"query":`+string(query)+`,"variables":{"v":`+value+`}}`)).sound(t, what)
		}
	}
}

// TestTheSchemaIsForMembers: visitors read nothing of the schema, by no way,
// and no one is told what it might hold.
func TestTheSchemaIsForMembers(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	for _, document := range []string{
		`{__schema{types{name}}}`, `{a:__schema{queryType{name}}}`, `{__type(name:"User"){fields{name}}}`, `{install{mail} b:__type(name:"User"){name}}`,
		`{...f}fragment f on Query{__schema{types{name}}}`, `{...{...{__schema{types{name}}}}}`, `query a{__typename} query b{__schema{types{name}}}`,
		`{__typename}fragment f on Query{__schema{types{name}}}`, `{__schema @skip(if:true){types{name}}}`, `mutation{signOut} query{__schema{types{name}}}`,
		`{__schema}`, `{__schema{types{fields{type{fields{type{fields{name}}}}}}}}`, `subscription{...{__schema{types{name}}}}`,
	} {
		o.ask(document).refused(t, document, 401, "unauthorized")
	}
	for _, document := range []string{`{__schema{types{name}}}`, standardIntrospection} {
		answer := o.askAs(o.member, document, nil)
		if answer.sound(t, document); answer.status != 200 || !strings.Contains(string(answer.body), "Organization") {
			t.Errorf("for an account: %d %.300s", answer.status, answer.body)
		}
	}
	for _, actor := range []models.Actor{{}, o.member} {
		for _, document := range []string{
			`{workflow{id}}`, `{workflws{nodes{id}}}`, `{install{mial}}`, `{install}`, `{app(slg:"x"){id}}`, `{jobs(status:complted){nodes{id}}}`,
			`{jobs(status:"completed"){nodes{id}}}`, `{slugFree(slug:completed)}`, `{...f}fragment f on Qery{__typename}`, `{...on Organisation{id}}`,
			`query($v:ExecutionFiltr){__typename}`, `{executions(filter:{statsu:failed}){nodes{id}}}`, `mutation{grantCredit(input:{}){id}}`, `{install{mail @inclde(if:true)}}`,
			`mutation{signUp(input:{emial:"x"}){signedIn{token}}}`, `{install{...f}}fragment f on Instal{mail}`,
		} {
			answer := o.askAs(actor, document, nil)
			if answer.sound(t, document); answer.status != 200 || len(answer.Errors) == 0 || answer.Data != nil {
				t.Errorf("%s: %d %s", document, answer.status, answer.body)
			}
		}
		for _, variables := range []string{`{"v":{"statsu":"failed"}}`, `{"v":{"status":"faild"}}`} {
			o.send(actor, []byte(`{"query":"query($v:ExecutionFilter){executions(filter:$v){nodes{id}}}","variables":`+variables+`}`)).sound(t, variables)
		}
	}
}

// TestStreamsKeepTheBounds: what is refused as a request is refused as a stream.
func TestStreamsKeepTheBounds(t *testing.T) {
	o := newOutside(t)
	watchErrors(t)
	for document, code := range map[string]string{
		"{...f0}" + doubling(40, 2, "Query", "...f%d "): "validation_error", "{" + strings.Repeat("__typename ", 51) + "}": "validation_error",
		"{__schema{types{name}}}": "unauthorized", "subscription{executionChangd(id:1){id}}": "validation_error",
		`subscription{a:executionChanged(id:"x"){id} b:executionChanged(id:"x"){id}}`: "validation_error",
		`subscription{executionChanged(id:"x") @skip(if:true){id}}`:                   "validation_error", `subscription{...@include(if:false){executionChanged(id:"x"){id}}}`: "validation_error",
		`subscription{...f @skip(if:true)}fragment f on Subscription{executionChanged(id:"x"){id}}`:    "validation_error",
		`subscription{executionChanged(id:"00000000-0000-0000-0000-000000000000"){id @skip(if:true)}}`: "unauthorized",
		`subscription{executionChanged(id:"x"){id}}`:                                                   "validation_error", "{": "validation_error",
		"{__typename}" + strings.Repeat(" ", maxBodyOfVisitors): "payload_too_large", "{__typename}": "",
	} {
		body, _ := json.Marshal(map[string]any{"query": document})
		answer := o.send(models.Actor{}, body, "Accept", "text/event-stream")
		if answer.sound(t, document); !strings.Contains(string(answer.body), code) || strings.Contains(string(answer.body), "internal_error") {
			t.Errorf("%.100s: %d %.300s", document, answer.status, answer.body)
		}
	}
}

// standardIntrospection is what tools send to learn a schema.
const standardIntrospection = `query IntrospectionQuery{__schema{queryType{name}mutationType{name}subscriptionType{name}types{...FullType}
directives{name description locations args{...InputValue}}}}
fragment FullType on __Type{kind name description fields(includeDeprecated:true){name description args{...InputValue}type{...TypeRef}isDeprecated deprecationReason}
inputFields{...InputValue}interfaces{...TypeRef}enumValues(includeDeprecated:true){name description isDeprecated deprecationReason}possibleTypes{...TypeRef}}
fragment InputValue on __InputValue{name description type{...TypeRef}defaultValue}
fragment TypeRef on __Type{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name}}}}}}}}`

// FuzzRequest sends any body: no answer is the service's fault.
func FuzzRequest(f *testing.F) {
	for _, r := range requests {
		f.Add([]byte(r.body), true)
	}
	o := newOutside(f)
	f.Fuzz(func(t *testing.T, body []byte, signedIn bool) {
		actor := models.Actor{}
		if signedIn {
			actor = o.member
		}
		o.on(t).send(actor, body).sound(t, string(body))
	})
}

// FuzzDocument sends any document with any variable.
func FuzzDocument(f *testing.F) {
	for _, document := range hostile {
		f.Add(document, "v", `1`, true)
	}
	f.Add(standardIntrospection, "v", `{}`, true)
	f.Add(`query($v:Int){workflows(first:$v){nodes{id nodes{data}}}}`, "v", `1e9`, false)
	f.Add(`mutation($v:Map!){runNode(type:"combine-text",settings:$v){inline}}`, "v", `{"texts":["a"]}`, true)
	f.Add(`query($v:ExecutionFilter){executions(filter:$v){nodes{...f}}}fragment f on Execution{id @skip(if:true) nodes{id}}`, "v", `{"status":"failed"}`, true)
	o := newOutside(f)
	f.Fuzz(func(t *testing.T, document, name, variable string, signedIn bool) {
		if !json.Valid([]byte(variable)) {
			return
		}
		actor := models.Actor{}
		if signedIn {
			actor = o.member
		}
		o.on(t).askAs(actor, document, map[string]any{name: json.RawMessage(variable)}).sound(t, document)
	})
}

package tests

import (
	"maps"
	"strings"
)

// paintedCards is a recipe of one stage, whose results cost little time.
var paintedCards = object{"image": object{"nodeType": "text-card", "settings": object{"align": "left"}}}

// newPipeline is a pipeline of the head that everyone in the room may use.
func (s *stage) newPipeline() string {
	return s.head.in(s.room).post("/v1/pipelines", object{"name": "Cards", "visibility": "workspace", "stages": paintedCards}).want(201).text("data.id")
}

// newProduction is a production of the head with one shot, which everyone in the room may see.
func (s *stage) newProduction() (production, shot string) {
	head := s.head.in(s.room)
	production = head.post("/v1/studio/productions", object{"name": "Our film", "visibility": "workspace", "pipelineId": s.pipeline}).want(201).text("data.id")
	return production, s.newShot(production)
}

// newShot is a further shot of a production.
func (s *stage) newShot(production string) string {
	at := "/v1/studio/productions/" + production + "/shots"
	return s.head.in(s.room).post(at, object{"title": "The sea", "action": "Waves at sunrise."}).want(201).text("data.id")
}

// setStudio makes what the routes of the studio name.
func (s *stage) setStudio() {
	s.pipeline = s.newPipeline()
	s.production, s.shot = s.newProduction()
}

// shootCard renders the picture of the production's shot and waits for it.
func (s *stage) shootCard(production string) {
	s.t.Helper()
	head := s.head.in(s.room)
	begun := head.post("/v1/studio/productions/"+production+"/render", object{"stage": "image"}).want(202)
	done := ended(head, "/v1/workflow-executions/"+begun.text("executionId"), "data.status")
	if done.text("data.status") != "completed" {
		s.t.Fatalf("the picture of a shot: %s", done.Body)
	}
}

// studioRows are the rows of rootRows about pipelines, productions and shots.
var studioRows = map[string]string{
	"Query.pipelines":                       `{ pipelines(first: 1) { nodes { id } } }`,
	"Query.pipelines in the room":           `{ pipelines(first: 1) { nodes { id } } }`,
	"Query.pipeline":                        `{ pipeline(id: $pipeline) { id } }`,
	"Query.productions":                     `{ productions { nodes { id } } }`,
	"Query.productions in the room":         `{ productions { nodes { id } } }`,
	"Query.production":                      `{ production(id: $production) { id } }`,
	"Query.productionEstimate":              `{ productionEstimate(id: $production, input: {}) { credits } }`,
	"Query.productionRenders":               `{ productionRenders(id: $production) { nodes { executionId } } }`,
	"Query.publicShot":                      `{ publicShot(id: $shot) { id } }`,
	"Mutation.createPipeline":               `mutation { createPipeline(input: { name: "", stages: {} }) { id } }`,
	"Mutation.createPipeline in the room":   `mutation { createPipeline(input: { name: "", stages: {} }) { id } }`,
	"Mutation.updatePipeline":               `mutation { updatePipeline(id: $pipeline, input: {}) { id } }`,
	"Mutation.deletePipeline":               `mutation { deletePipeline(id: $new_pipeline) }`,
	"Mutation.duplicatePipeline":            `mutation { duplicatePipeline(id: $pipeline) { id } }`,
	"Mutation.runPipeline":                  `mutation { runPipeline(id: $pipeline, input: { shots: [{ prompt: "The sea" }], maxCredits: 0 }) { executionId } }`,
	"Mutation.runPipeline in the room":      `mutation { runPipeline(id: $pipeline, input: { shots: [{ prompt: "The sea" }], maxCredits: 0 }) { executionId } }`,
	"Mutation.createProduction":             `mutation { createProduction(input: { name: "" }) { id } }`,
	"Mutation.createProduction in the room": `mutation { createProduction(input: { name: "" }) { id } }`,
	"Mutation.updateProduction":             `mutation { updateProduction(id: $production, input: {}) { id } }`,
	"Mutation.deleteProduction":             `mutation { deleteProduction(id: $new_production) }`,
	"Mutation.duplicateProduction":          `mutation { duplicateProduction(id: $production) { id } }`,
	"Mutation.breakDownScript":              `mutation { breakDownScript(id: $production, input: { script: "The sea." }) { production { id } } }`,
	"Mutation.createShot":                   `mutation { createShot(productionId: $production, input: { locationId: $nobody }) { id } }`,
	"Mutation.updateShot":                   `mutation { updateShot(productionId: $production, id: $shot, input: {}) { id } }`,
	"Mutation.deleteShot":                   `mutation { deleteShot(productionId: $production, id: $new_shot) }`,
	"Mutation.orderShots":                   `mutation { orderShots(productionId: $production, shotIds: [$nobody]) { id } }`,
	"Mutation.renderProduction":             `mutation { renderProduction(id: $production, input: { shotIds: [$nobody] }) { executionId } }`,
	"Mutation.shareShot":                    `mutation { shareShot(productionId: $production, id: $shot, input: { shared: true }) { id } }`,
}

// studioBodies are the bodies of the matrix for the studio: of a form that is fine, and refused to
// everyone who may, for a reason that is looked at last.
var studioBodies = map[string]string{
	"POST /v1/pipelines":                                    `{"name":"","stages":{}}`,
	"POST /v1/pipelines/{id}/run":                           `{"shots":[{"prompt":"The sea"}],"maxCredits":0}`,
	"POST /v1/studio/productions":                           `{"name":""}`,
	"POST /v1/studio/productions/{id}/breakdown":            `{"script":"The sea."}`,
	"POST /v1/studio/productions/{id}/shots":                `{"locationId":"NOWHERE"}`,
	"PUT /v1/studio/productions/{id}/shots/order":           `{"shotIds":["NOWHERE"]}`,
	"POST /v1/studio/productions/{id}/render":               `{"shotIds":["NOWHERE"]}`,
	"POST /v1/studio/productions/{id}/shots/{shotId}/share": `{"shared":true}`,
}

func init() {
	maps.Copy(rootRows, studioRows)
	maps.Copy(bodies, studioBodies)
}

// shortLivedShot is the address of a shot that is made to be deleted.
func (s *stage) shortLivedShot(address string) string {
	if s.still() {
		return address
	}
	return strings.Replace(address, s.shot, s.newShot(s.production), 1)
}

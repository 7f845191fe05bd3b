package studio

import (
	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/run"
	"atelier/models/space"
)

// film is a production with all that decides what is made of it: what each shot goes through, by
// the pipeline, as nodes, and what these use, as it is now. What a render costs and makes again, and
// whether something is stale, is found out by it alone.
type film struct {
	s          *Service
	production *Production
	pipeline   *Pipeline
	// style is the node type of the production's preset, voices are those of speakers.
	style  string
	voices map[models.ID]models.ID
	// language is a voice of the production's language, once it was looked for.
	language **models.ID
	// componentInputs are what the workflows behind components take, by stage.
	componentInputs map[StageName]*flow.ComponentTakes
	steps           map[models.ID]map[StageName]*step
	// cuts are the nodes that cut: of more clips than one cut takes first those of parts, then the
	// one of the film. takes are the clips of each, none for cuts of cuts.
	cuts     []*cut
	examined *run.Examined
	// narrator is how refusals call the field of the narrator's voice.
	narrator string
	// at begins the names of a shot's fields in refusals.
	at func(*Shot) string
}

// step is a stage of one shot.
type step struct {
	shot  *Shot
	stage StageName
	node  *nodegraph.Node
	// sound puts what is said under a clip whose type takes no sound; nil elsewhere.
	sound *nodegraph.Node
	// takes are the fields of the node that earlier stages feed.
	takes map[StageName]string
	// saved is what the author of the pipeline set of the node, says where a field comes from, in
	// the words of refusals.
	saved      map[string]any
	fieldNames map[string]string
	// own: the picture is the shot's own, and nothing is made.
	own bool
}

// stageOutputs are the outputs of stages.
var stageOutputs = map[StageName]string{ImageStage: "imageUrl", SpeechStage: "audioUrl", ClipStage: "videoUrl", CutStage: "videoUrl"}

// resultStages are the stages of which each shot has results.
var resultStages = []StageName{ImageStage, SpeechStage, ClipStage}

func nodeOf(shot models.ID, stage StageName) string { return shot.String() + "-" + string(stage) }

// last is the node whose output is the stage's.
func (st *step) last() *nodegraph.Node {
	if st.sound != nil {
		return st.sound
	}
	return st.node
}

// nodes are those of the stage.
func (st *step) nodes() nodegraph.Nodes {
	if st.sound != nil {
		return nodegraph.Nodes{st.node, st.sound}
	}
	return nodegraph.Nodes{st.node}
}

// layOut finds out how a production is made by a pipeline: a constant number of statements. runner
// is by whose reach the production's things are judged.
func (s *Service) layOut(q *gorm.DB, p *Production, pipeline *Pipeline, runner space.Principal) (*film, error) {
	return s.layOutAs(q, p, pipeline, runner, func(shot *Shot) string { return "shots." + shot.ID.String() + "." })
}

// layOutAs is layOut where refusals name the fields of shots in another way.
func (s *Service) layOutAs(q *gorm.DB, p *Production, pipeline *Pipeline, runner space.Principal, at func(*Shot) string) (*film, error) {
	f := &film{s: s, production: p, pipeline: pipeline, steps: map[models.ID]map[StageName]*step{}, componentInputs: map[StageName]*flow.ComponentTakes{}, at: at}
	if err := f.read(q); err != nil {
		return nil, err
	}
	g := run.Graph{Runner: runner}
	if !pipeline.IsFactory {
		g.Author = space.Principal{UserID: pipeline.OwnerID, WorkspaceID: pipeline.WorkspaceID}
	}
	for _, shot := range p.Shots {
		f.steps[shot.ID] = f.stepsOf(q, shot)
		for _, stage := range resultStages {
			st := f.steps[shot.ID][stage]
			if st == nil {
				continue
			}
			g.Nodes = append(g.Nodes, st.nodes()...)
			g.Saved = append(g.Saved, &nodegraph.Node{ID: st.node.ID, Type: st.node.Type, Data: st.saved})
			g.Edges = append(g.Edges, st.edges(f.steps[shot.ID], nil)...)
		}
	}
	f.addCuts()
	for _, c := range f.cuts {
		g.Nodes = append(g.Nodes, c.node)
		g.Saved = append(g.Saved, &nodegraph.Node{ID: c.node.ID, Type: c.node.Type, Data: c.saved})
	}
	var err error
	f.examined, err = s.Runs.ExamineGraph(q, g)
	return f, err
}

// read reads what the shots and the stages lead to.
func (f *film) read(q *gorm.DB) (err error) {
	if f.style, err = f.s.Library.Presets().TypeOf(q, f.production.PresetID); err != nil {
		return err
	}
	var speakers []models.ID
	for _, shot := range f.production.Shots {
		if shot.SpeakerID != nil && shot.VoiceID == nil && shot.speaks() {
			speakers = append(speakers, *shot.SpeakerID)
		}
	}
	if f.voices, err = f.s.Library.Voices().OfElements(q, speakers); err != nil {
		return err
	}
	for _, name := range resultStages {
		stage := f.pipeline.Stages.At(name)
		if stage == nil || stage.WorkflowID == nil {
			continue
		}
		if f.componentInputs[name], err = f.s.Flows.ComponentTakes(q, *stage.WorkflowID); err != nil {
			return err
		}
	}
	return nil
}

// filmed are the shots of the film, in their order.
func (f *film) filmed() (shots []*Shot) {
	for _, shot := range f.production.Shots {
		if !shot.Skip {
			shots = append(shots, shot)
		}
	}
	return shots
}

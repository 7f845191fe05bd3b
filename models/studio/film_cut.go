package studio

import (
	"maps"
	"strconv"

	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// maxClips is how many clips one cut takes.
const maxClips = 20

// cut is a node that cuts clips of shots, or what other cuts made of them.
type cut struct {
	node  *nodegraph.Node
	saved map[string]any
	clips []*Shot
	parts []*cut
}

const cutNode = "cut"

// addCuts are the nodes that make the film of its shots.
func (f *film) addCuts() {
	shots := f.filmed()
	if f.pipeline.Stages.Cut == nil || f.pipeline.Stages.Clip == nil || len(shots) == 0 {
		return
	}
	whole := f.newCut(cutNode)
	if len(shots) <= maxClips {
		whole.take(shots)
	} else {
		parts := (len(shots) + maxClips - 1) / maxClips
		for i := range parts {
			part := f.newCut(cutNode + "-" + strconv.Itoa(i+1))
			part.take(shots[i*len(shots)/parts : (i+1)*len(shots)/parts])
			f.cuts, whole.parts = append(f.cuts, part), append(whole.parts, part)
		}
		whole.node.Data["captions"] = []any{}
	}
	if m := f.production.Music; m != nil {
		whole.node.Data["audio"] = map[string]any{"url": m.URL, "volume": m.Volume, "loop": true}
	}
	f.cuts = append(f.cuts, whole)
}

func (f *film) newCut(id string) *cut {
	stage := f.pipeline.Stages.Cut
	c := &cut{saved: maps.Clone(stage.Settings)}
	if c.saved == nil {
		c.saved = map[string]any{}
	}
	if stage.PresetID != nil {
		c.saved["presetId"] = stage.PresetID.String()
	}
	for _, fed := range []string{"clips", "captions"} {
		delete(c.saved, fed)
	}
	c.node = &nodegraph.Node{ID: id, Type: stage.NodeType, Data: maps.Clone(c.saved)}
	c.node.Data["width"], c.node.Data["height"] = kit.VideoFrame(f.production.AspectRatio, f.production.Resolution)
	return c
}

// take has a cut take the clips of shots, with what is said in them.
func (c *cut) take(shots []*Shot) {
	captions := make([]any, len(shots))
	for i, shot := range shots {
		captions[i] = map[string]any{"text": shot.Dialogue}
	}
	c.clips, c.node.Data["captions"] = shots, captions
}

// edges feed a cut; out is the node that yields the clip of a shot.
func (c *cut) edges(out func(*Shot) string) (edges nodegraph.Edges) {
	for _, shot := range c.clips {
		edges = append(edges, edge(out(shot), stageOutputs[ClipStage], c.node.ID, "clips"))
	}
	for _, part := range c.parts {
		edges = append(edges, edge(part.node.ID, stageOutputs[CutStage], c.node.ID, "clips"), edge(part.node.ID, "captions", c.node.ID, "captions"))
	}
	return edges
}

func edge(source, output, target, field string) *nodegraph.Edge {
	return &nodegraph.Edge{ID: source + "-" + target + "-" + field, Source: source, Target: target, SourceHandle: &output, TargetHandle: &field}
}

// edges feed the nodes of a stage; out is the node that yields what another stage of the shot
// does, nil is the one that makes it.
func (st *step) edges(steps map[StageName]*step, out func(StageName) string) (edges nodegraph.Edges) {
	for _, from := range resultStages {
		source := steps[from]
		if source == nil || from == st.stage {
			continue
		}
		id := source.last().ID
		if out != nil {
			id = out(from)
		}
		if field := st.takes[from]; field != "" {
			edges = append(edges, edge(id, stageOutputs[from], st.node.ID, field))
		}
		if st.sound != nil && from == SpeechStage {
			edges = append(edges, edge(id, stageOutputs[from], st.sound.ID, "audioUrl"))
		}
	}
	if st.sound != nil {
		edges = append(edges, edge(st.node.ID, stageOutputs[st.stage], st.sound.ID, "videoUrl"))
	}
	return edges
}

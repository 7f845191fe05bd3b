package studio

import (
	"maps"

	"atelier/models/nodegraph"
)

// uploadNodes are the node types that take a result over, which cost nothing.
var uploadNodes = map[StageName]string{ImageStage: "upload-image", SpeechStage: "upload-audio", ClipStage: "upload-video"}

// graph is what is run: the nodes of what is made, and uploads in the place of what is kept.
func (c *selection) graph() (all nodegraph.Nodes, edges nodegraph.Edges) {
	for _, one := range c.shots {
		steps := c.steps[one.shot.ID]
		for _, stage := range resultStages {
			st, kept := steps[stage], one.reuse[stage]
			switch {
			case one.toRender[stage]:
				all = append(all, st.nodes()...)
				edges = append(edges, st.edges(one.available(steps), one.outputNode(steps))...)
			case kept != nil && (one.asked && stage.upTo(c.renderOptions.last) || c.cut && stage == ClipStage && !one.shot.Skip):
				all = append(all, &nodegraph.Node{
					ID: nodeOf(one.shot.ID, stage), Type: uploadNodes[stage], Data: map[string]any{stageOutputs[stage]: kept.URL},
				})
			}
		}
	}
	if !c.cut {
		return all, edges
	}
	out := map[string]string{}
	for _, one := range c.shots {
		out[one.shot.ID.String()] = one.outputNode(c.steps[one.shot.ID])(ClipStage)
	}
	for _, cut := range c.cuts {
		all = append(all, cut.node)
		edges = append(edges, cut.edges(func(shot *Shot) string { return out[shot.ID.String()] })...)
	}
	return all, edges
}

// available are the stages of which there will be something.
func (c *shotSelection) available(steps map[StageName]*step) map[StageName]*step {
	there := maps.Clone(steps)
	maps.DeleteFunc(there, func(stage StageName, _ *step) bool { return !c.toRender[stage] && c.reuse[stage] == nil })
	return there
}

// outputNode is the node that yields a stage of the shot.
func (c *shotSelection) outputNode(steps map[StageName]*step) func(StageName) string {
	return func(stage StageName) string {
		if c.toRender[stage] {
			return steps[stage].last().ID
		}
		return nodeOf(c.shot.ID, stage)
	}
}

// prints are the fingerprints of what the nodes of the graph make, by the nodes that yield it.
func (c *selection) fingerprints() map[string]string {
	prints := map[string]string{}
	for _, one := range c.shots {
		for stage := range one.toRender {
			prints[c.steps[one.shot.ID][stage].last().ID] = one.fingerprints[stage]
		}
	}
	if c.cut {
		prints[cutNode] = c.filmPrint
	}
	return prints
}

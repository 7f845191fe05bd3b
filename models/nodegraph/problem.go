package nodegraph

import (
	"cmp"
	"fmt"

	"atelier/models"
	"atelier/nodes"
)

// Problem is something for which saving a graph would be refused.
type Problem struct {
	Message, Field string
	// NodeID is the node at fault, nil when none is.
	NodeID *string
}

// maxProblems bounds a check; a person mends a few at a time.
const maxProblems = 50

// Problems is what Validate refuses, node by node and edge by edge where it can
// be told apart; at most 50, and none for a graph that may be saved.
func Problems(kinds *nodes.Catalogue, all Nodes, edges Edges) []*Problem {
	whole := Validate(kinds, all, edges)
	if whole == nil {
		return []*Problem{}
	}
	byID, err := indexNodes(all)
	if err != nil || len(all) > maxNodes || len(edges) > maxEdges {
		return []*Problem{NewProblem(whole, nil)}
	}
	var found []*Problem
	c := newCheck(kinds, byID)
	for _, n := range all {
		if len(found) == maxProblems {
			break
		}
		if err := cmp.Or(c.node(n), checkDataDepth(n)); err != nil {
			found = append(found, NewProblem(err, &n.ID))
		}
	}
	for i, e := range edges {
		if len(found) == maxProblems {
			break
		}
		if e == nil {
			found = append(found, NewProblem(models.Invalid(fmt.Sprintf("edges[%d]", i), "must be an object"), nil))
		} else if err := c.edge(e); err != nil {
			found = append(found, NewProblem(err, nodeOf(e.Target, byID)))
		}
	}
	if len(found) == 0 {
		found = append(found, NewProblem(whole, nodeNamed(whole, all)))
	}
	return found[:min(len(found), maxProblems)]
}

// NewProblem shows a refusal (a models.Error) as a problem, of a node unless
// nodeID is nil.
func NewProblem(err error, nodeID *string) *Problem {
	refusal, _ := models.AsError(err)
	return &Problem{Message: refusal.Message, Field: refusal.Field, NodeID: nodeID}
}

func nodeOf(id string, byID map[string]*Node) *string {
	if byID[id] == nil {
		return nil
	}
	return &id
}

// nodeNamed is the node that a refusal of the whole graph names, nil when it names none.
func nodeNamed(err error, all Nodes) *string {
	refusal, _ := models.AsError(err)
	for _, n := range all {
		if refusal.Field == "nodes."+n.ID {
			return &n.ID
		}
	}
	return nil
}

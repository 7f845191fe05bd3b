package run

import (
	"slices"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// with are references in which those that were found stand behind those that were given.
func (r JobRefs) with(found JobRefs) JobRefs {
	all := JobRefs{}
	for path, refs := range found {
		all[path] = refs
	}
	for path, given := range r {
		more := all[path]
		if more == nil {
			all[path] = given
			continue
		}
		both := *more
		both.Elements = append(slices.Clone(given.Elements), more.Elements...)
		if both.Face == nil {
			both.Face = given.Face
		}
		if both.Voice == nil {
			both.Voice = given.Voice
		}
		all[path] = &both
	}
	return all
}

// applier puts what decides the price of nodes into them: settings of presets and voices.
type applier struct {
	kinds *nodes.Catalogue
	refs  JobRefs
	// single: they are one node that is run by itself; complete: its settings must be all that a run needs.
	single, complete bool
}

// Nodes are a graph's with what decides their price. refuse decides about the refusal of one.
func (a *applier) nodes(all nodegraph.Nodes, prefix string, refuse func(nodeID string, err error) error) (nodegraph.Nodes, error) {
	applied := slices.Clone(all) // a version is shared by all who run it
	for i, node := range all {
		changed, err := a.node(node, prefix)
		if err == nil {
			applied[i] = changed
		} else if err := refuse(node.ID, err); err != nil {
			return nil, err
		}
	}
	return applied, nil
}

// component does the same for what a component runs.
func (a *applier) component(c *component, prefix string) (err error) {
	inside := applier{kinds: a.kinds, refs: a.refs, complete: true}
	if c.Nodes, err = inside.nodes(c.Nodes, prefix, stopAtRefusal); err != nil {
		return err
	}
	for id, part := range c.Parts {
		if err := inside.component(part, prefix+id+componentBoundary); err != nil {
			return err
		}
	}
	return nil
}

// stopAtRefusal ends the work at the first refusal.
func stopAtRefusal(_ string, err error) error { return err }

func (a *applier) node(node *nodegraph.Node, prefix string) (*nodegraph.Node, error) {
	of := a.refs[prefix+node.ID]
	kind, ok := a.kinds.Find(node.Type)
	if of == nil || !ok {
		return node, nil
	}
	at := ""
	if !a.single {
		at = "nodes." + prefix + node.ID + ".data."
	}
	changed := *node
	changed.Data = kind.LayPrice(node.Data, of.Preset)
	data, err := of.Voice.Lay(changed.Data)
	if err != nil {
		return nil, withFieldPrefix(at, err)
	}
	changed.Data = data
	if err := kind.ValidateData(at, changed.Data); err != nil {
		return nil, err
	}
	if a.single && a.complete && kit.NamesPreset(node.Data) {
		if err := kind.Validate(at, kind.LayPreset(changed.Data, of.Preset)); err != nil {
			return nil, err
		}
	}
	return &changed, nil
}

// withFieldPrefix puts at before the field that a refusal names.
func withFieldPrefix(at string, err error) error {
	refusal, ok := models.AsError(err)
	if !ok || at == "" || refusal.Field == "" {
		return err
	}
	moved := *refusal
	moved.Field, moved.Message = at+refusal.Field, at+refusal.Message
	return &moved
}

// layInput is what a node works on with what it uses of the library under it.
func (s *Service) layInput(nodeType string, input map[string]any, refs *kit.Refs) map[string]any {
	kind, ok := s.Flows.Catalogue.Find(nodeType)
	if !ok || refs == nil {
		return input
	}
	return kind.LayPreset(input, refs.Preset)
}

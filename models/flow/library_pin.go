package flow

import (
	"slices"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// prepare makes a new run ready to be accepted: it packs its components, finds what its
// nodes name of the library, and lays under them what decides their price. What was found
// is written with the run; a run that names nothing asks nothing.
func (s *Service) prepare(tx *models.Tx, start *Start) error {
	if err := s.packAll(tx, start); err != nil {
		return err
	}
	if s.hooks.library == nil {
		return nil
	}
	wanted, err := s.collectReferences(tx.DB, start)
	if err != nil || len(wanted) == 0 && start.Refs == nil {
		return err
	}
	if len(wanted) > 0 {
		found, err := s.hooks.library.FindReferences(tx, wanted)
		if err != nil {
			return err
		}
		start.found = found
	}
	start.Refs = start.Refs.with(start.found)
	return s.applyReferences(start)
}

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

// applyReferences puts the settings of presets and voices that decide the price into the nodes of the run.
func (s *Service) applyReferences(start *Start) (err error) {
	if start.Nodes, err = s.applyPresets(start.Nodes, "", start.Refs, start.single(), !start.unready); err != nil {
		return err
	}
	for id, c := range start.packed {
		if err := s.applyPresetsInside(c, id+componentBoundary, start.Refs); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) applyPresetsInside(c *component, prefix string, refs JobRefs) (err error) {
	if c.Nodes, err = s.applyPresets(c.Nodes, prefix, refs, false, true); err != nil {
		return err
	}
	for id, part := range c.Parts {
		if err := s.applyPresetsInside(part, prefix+id+componentBoundary, refs); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) applyPresets(all nodegraph.Nodes, prefix string, refs JobRefs, single, complete bool) (nodegraph.Nodes, error) {
	laid := slices.Clone(all) // a version is shared by all who run it
	for i, node := range all {
		of := refs[prefix+node.ID]
		kind, ok := s.Catalogue.Find(node.Type)
		if of == nil || !ok {
			continue
		}
		at := ""
		if !single {
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
		if single && complete && kit.NamesPreset(node.Data) {
			if err := kind.Validate(at, kind.LayPreset(changed.Data, of.Preset)); err != nil {
				return nil, err
			}
		}
		laid[i] = &changed
	}
	return laid, nil
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

// packAll packs the components of a new run that are left to do.
func (s *Service) packAll(tx *models.Tx, start *Start) error {
	var p *packer
	for _, node := range start.Nodes {
		if node.Type != nodegraph.ComponentType || start.finishedEarlier(node.ID) {
			continue
		}
		if p == nil {
			p, start.packed = s.newPacker(tx.DB, tx.Actor, start), map[string]*component{}
		}
		packed, err := p.packAnew(node, start.Earlier[node.ID])
		if err != nil {
			return err
		}
		start.packed[node.ID] = packed
	}
	return nil
}

// layInput is what a node works on with what it uses of the library under it.
func (s *Service) layInput(nodeType string, input map[string]any, refs *kit.Refs) map[string]any {
	kind, ok := s.Catalogue.Find(nodeType)
	if !ok || refs == nil {
		return input
	}
	return kind.LayPreset(input, refs.Preset)
}

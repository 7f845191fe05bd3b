package library

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/space"
)

// FactoryTime is when what comes with the program came to be.
var FactoryTime = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// factorySpace is the name space of the ids of what comes with the program: the
// same on every install.
var factorySpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://atelier.example/factory"))

// FactoryID is the id of something of a kind that comes with the program.
func FactoryID(kind, name string) models.ID { return uuid.NewSHA1(factorySpace, []byte(kind+"/"+name)) }

// factoryPresets are those of the program, by node type and name.
var factoryPresets = func() []*Preset {
	var all []*Preset
	for nodeType, presets := range factorySettings {
		for _, f := range presets {
			all = append(all, &Preset{
				ID: FactoryID("preset", nodeType+"/"+f.name), NodeType: nodeType, Name: f.name, Description: f.description, Settings: f.settings,
				Tags: f.tags, Version: 1, CreatedAt: FactoryTime, UpdatedAt: FactoryTime, IsFactory: true, Access: space.CanView, Can: ThingCan{Export: true},
			})
		}
	}
	slices.SortFunc(all, func(a, b *Preset) int { return cmp.Compare(factoryPosition(a), factoryPosition(b)) })
	return all
}()

var factoryByID = func() map[models.ID]*Preset {
	byID := make(map[models.ID]*Preset, len(factoryPresets))
	for _, p := range factoryPresets {
		byID[p.ID] = p
	}
	return byID
}()

func factoryPosition(p *Preset) string { return p.NodeType + "\n" + p.Name }

// factoryPreset is a preset of the program as this install has it.
func (s *Service) factoryPreset(p *Preset) *Preset {
	shown := *p
	shown.Settings = maps.Clone(p.Settings)
	s.judgeUse(&shown)
	return &shown
}

// factory is a preset of the program: settings and nothing else.
type factory struct {
	name, description string
	tags              models.Strings
	settings          map[string]any
}

// style is a look for pictures: words that stand behind the node's own prompt.
func style(name, description, words, avoid string) factory {
	return factory{name, description, models.Strings{"style"}, map[string]any{"prompt": "{{prompt}}, " + words, "negativePrompt": avoid}}
}

// format is a shape for pictures.
func format(name, description, ratio, resolution, words string) factory {
	return factory{name, description, models.Strings{"format"}, map[string]any{"prompt": "{{prompt}}, " + words, "aspectRatio": ratio, "resolution": resolution}}
}

// made is a preset of any other type.
func made(name, description, tag string, settings map[string]any) factory {
	return factory{name, description, models.Strings{tag}, settings}
}

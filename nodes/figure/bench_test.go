//go:build !race

package figure

import "testing"

func BenchmarkDraw(b *testing.B) {
	for name, brief := range map[string]Brief{
		"portrait": {Kind: Character, View: "portrait", Size: 1024}, "front": {Kind: Character, View: "front", Size: 1024}, "creature": {Kind: Creature, Size: 1024, View: "front"},
		"object": {Kind: Object, Size: 1024, Attributes: map[string]string{"shape": "house"}}, "forest": {Kind: Location, Size: 1280, Attributes: map[string]string{"place": "forest"}}, "library": {Kind: Location, Size: 1280, Attributes: map[string]string{"place": "library"}},
	} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				brief.Seed = int64(i)
				Draw(brief)
			}
		})
	}
}

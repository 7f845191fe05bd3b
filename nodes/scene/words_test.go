//go:build !race

package scene

import (
	"encoding/binary"
	"slices"
	"testing"
)

// found are the objects of a shape.
func found(u Understanding, shape string) (all []Object) {
	for _, o := range u.Scene.Objects {
		if o.Shape == shape {
			all = append(all, o)
		}
	}
	return all
}

func TestWordsBecomeThings(t *testing.T) {
	for words, want := range map[string]map[string]int{
		"three tall pines and a red house":    {"pine": 3, "house": 1},
		"12 people around a table":            {"person": 12, "table": 1},
		"a bookshelf, two bookshelves":        {"bookshelf": 3},
		"two water molecules":                 {"molecule": 2},
		"CO2":                                 {"molecule": 1},
		"a classroom":                         {"table": 10, "blackboard": 1},
		"solar system":                        {"ring": 1},
		"a ball between a house and a tree":   {"ball": 1, "house": 1, "tree": 1},
		"children in front of a school bus":   {"person": 3, "bus": 1},
		"the word \"HELLO\" above a sailboat": {"text": 1, "boat": 1},
	} {
		u, ok := FromWords(words, 5)
		if !ok {
			t.Errorf("%q: nothing", words)
			continue
		}
		for shape, n := range want {
			if got := len(found(u, shape)); got != n {
				t.Errorf("%q: %d of %s, want %d", words, got, shape, n)
			}
		}
		if _, err := Build(u.Scene, nil); err != nil {
			t.Errorf("%q: %v", words, err)
		}
	}
}

func TestRelationsArePlaces(t *testing.T) {
	for words, holds := range map[string]func(a, b Object) bool{
		"a cat on a table": func(a, b Object) bool { return a.Position[1] > 0.7 && a.Position[0] == b.Position[0] },
		"a cat under a table": func(a, b Object) bool {
			return a.Position[1] == 0 && b.Position[1] == 0 && a.Position[0] == b.Position[0]
		},
		"a cat to the left of a table":       func(a, b Object) bool { return a.Position[0] < b.Position[0]-0.8 },
		"a cat right of a table":             func(a, b Object) bool { return a.Position[0] > b.Position[0]+0.8 },
		"a cat behind a table":               func(a, b Object) bool { return a.Position[2] < b.Position[2]-0.4 },
		"a cat stands in front of the table": func(a, b Object) bool { return a.Position[2] > b.Position[2]+0.4 },
		"a cat next to a table":              func(a, b Object) bool { return a.Position[0] > b.Position[0]+0.8 },
		"a cat above a table":                func(a, b Object) bool { return a.Position[1] > 0.8 },
	} {
		u, _ := FromWords(words, 1)
		cats, tables := found(u, "cat"), found(u, "table")
		if len(cats) != 1 || len(tables) != 1 || !holds(cats[0], tables[0]) {
			t.Errorf("%q: %v %v", words, cats, tables)
		}
	}
	again, _ := FromWords("three pines next to a small blue house, a white cat in front of the house", 1)
	house, cat := found(again, "house"), found(again, "cat")
	if len(house) != 1 || len(cat) != 1 || cat[0].Position[2] <= house[0].Position[2] {
		t.Errorf("%v %v", house, cat)
	}
	u, _ := FromWords("a ball between two houses", 1)
	houses, ball := found(u, "house"), found(u, "ball")[0]
	if !(houses[0].Position[0] < ball.Position[0] && ball.Position[0] < houses[1].Position[0]) {
		t.Errorf("the ball is at %v, the houses at %v and %v", ball.Position, houses[0].Position, houses[1].Position)
	}
}

func TestPlanetsHaveTheirOrder(t *testing.T) {
	u, _ := FromWords("the solar system", 1)
	order := []string{"sun", "mercury", "venus", "earth", "mars", "jupiter", "saturn", "uranus", "neptune"}
	last := -1.0
	for _, name := range order {
		i := slices.IndexFunc(u.Scene.Objects, func(o Object) bool { return o.ID == name })
		if i < 0 || u.Scene.Objects[i].Position[0] <= last {
			t.Fatalf("%s is missing, or too near to the sun", name)
		}
		last = u.Scene.Objects[i].Position[0]
	}
}

func TestWhatIsNotUnderstoodIsSaid(t *testing.T) {
	u, ok := FromWords("a zeppelin beside a blue car", 1)
	if !ok || !slices.Equal(u.NotUnderstood, []string{"zeppelin"}) || found(u, "car")[0].Color != colors["blue"] {
		t.Errorf("%+v", u)
	}
	if _, ok := FromWords("a zeppelin, softly humming", 1); ok {
		t.Error("nothing was taken for something")
	}
}

// What was understood is counted: of a noun the things that there are, of another word how often it was said.
func TestUnderstoodIsCounted(t *testing.T) {
	for words, want := range map[string][]Word{
		"three tall pines next to a red house": {{"three", 1}, {"tall", 1}, {"pines", 3}, {"next to", 1}, {"a", 1}, {"red", 1}, {"house", 1}},
		"a tree and a tree":                    {{"a", 2}, {"tree", 2}},
		"a house, a cat before the house":      {{"a", 2}, {"house", 1}, {"cat", 1}, {"before", 1}},
		"two water molecules":                  {{"two", 1}, {"water molecules", 2}},
		`a sign "HELLO"`:                       {{"a", 1}, {"HELLO", 1}},
	} {
		if u, _ := FromWords(words, 1); !slices.Equal(u.Understood, want) {
			t.Errorf("%q: %v, not %v", words, u.Understood, want)
		}
	}
}

// A word that is put together of two is one word however it is written.
func TestCompoundsAreOneHoweverWritten(t *testing.T) {
	for one, others := range map[string][]string{
		"two spaceships":     {"two space ships", "two space-ships"},
		"a bookshelf":        {"a book shelf", "a book-shelf"},
		"three bookshelves":  {"three book shelves"},
		"a school bus":       {"a schoolbus", "a school-bus"},
		"two fir trees":      {"two firtrees", "two fir-trees"},
		"the solar system":   {"the solarsystem", "the solar-system"},
		"a light blue house": {"a lightblue house", "a light-blue house"},
	} {
		want, ok := FromWords(one, 3)
		for _, other := range others {
			u, same := FromWords(other, 3)
			if !ok || !same || !slices.EqualFunc(u.Scene.Objects, want.Scene.Objects, func(a, b Object) bool { return a.Shape == b.Shape && a.Color == b.Color }) {
				t.Errorf("%q is %v and %v, not as %q", other, u.Understood, u.NotUnderstood, one)
			}
		}
	}
	if u, _ := FromWords("a green house", 1); len(found(u, "house")) != 1 || u.Scene.Objects[0].Color != colors["green"] {
		t.Errorf("a green house is %v", u.Understood)
	}
}

// Told are the triangles that the form for printers holds, with a ground and without.
func TestPrintedTrianglesAreCounted(t *testing.T) {
	for _, words := range []string{"a house", "a water molecule", "a forest"} {
		u, _ := FromWords(words, 1)
		m, err := Build(u.Scene, nil)
		if err != nil {
			t.Fatal(err)
		}
		stl := m.STL()
		if held := int(binary.LittleEndian.Uint32(stl[80:])); held != m.Printed().Triangles() || len(stl) != 84+50*held {
			t.Errorf("%q: the file holds %d, and %d are told", words, held, m.Printed().Triangles())
		}
	}
}

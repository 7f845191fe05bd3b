package scene

import (
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

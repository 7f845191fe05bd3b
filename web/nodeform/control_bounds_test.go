package nodeform

import (
	"net/url"
	"strings"
	"testing"

	"atelier/web/frame"
)

// TestASliderSaysWhatCountsWhenItIsLeft tells what was published from what a node takes by itself.
func TestASliderSaysWhatCountsWhenItIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		control Control
		want    string
	}{
		"an app":                      {Control{Kind: ControlSlider, Min: "5", Max: "60", Value: 20.0, Default: 10.0, Published: true}, "From 5 to 60; 20 as published."},
		"an app, nothing set":         {Control{Kind: ControlSlider, Min: "5", Max: "60", Published: true}, "From 5 to 60."},
		"a node by itself":            {Control{Kind: ControlSlider, Min: "5", Max: "60", Value: 20.0, Default: 20.0}, "From 5 to 60; 20 if you leave it empty."},
		"a node with a setting":       {Control{Kind: ControlSlider, Min: "5", Max: "60", Value: 40.0, Default: 20.0}, "From 5 to 60; 20 if you leave it empty."},
		"a node that has no default":  {Control{Kind: ControlSlider, Min: "0", Max: "1", Value: 0.5}, "From 0 to 1."},
		"the hint of the field first": {Control{Kind: ControlSlider, Min: "0", Max: "1", Value: 0.5, Hint: "How far."}, "How far. From 0 to 1."},
	} {
		if got := c.control.sliderField(t.Context(), frame.Form{}, url.Values{}).Hint; got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// TestAFileThatIsNeededComesAsFileOrAddress calls neither of the two fields optional, and has the browser ask for neither.
func TestAFileThatIsNeededComesAsFileOrAddress(t *testing.T) {
	for _, needed := range []bool{true, false} {
		c := Control{Name: "in-imageUrl", Label: "Image", Kind: ControlFile, Required: needed, Value: "https://a.example/b.png"}
		file, address := c.fileField(t.Context(), frame.Form{}), c.addressField(t.Context(), frame.Form{}, nil, true)
		if file.Unmarked != needed || address.Unmarked != needed || file.Required || address.Required || strings.Contains(file.Hint, "One of the two is needed") != needed {
			t.Errorf("needed %t: %+v %+v", needed, file, address)
		}
		if _, _, err := c.Read(t.Context(), url.Values{c.Name: {""}}); (err != nil) != needed {
			t.Errorf("needed %t and emptied: %v", needed, err)
		}
	}
}

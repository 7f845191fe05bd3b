package nodeform

import (
	"atelier/web/frame"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// maxFormText is what the values of all fields of a form may take on a page, in bytes as they are sent.
const maxFormText = 192 << 10

// withheldHint stands beside a field whose value is not shown.
var withheldHint = mark("What is set is too long to be shown here. Leave this empty to keep it, or write what replaces it.")

// Withhold leaves out of a form what is too long for its page. The form that is sent back is read by the same fields,
// so that what was left out stays as it is.
func Withhold(controls []*Control) {
	left := maxFormText
	for _, c := range controls {
		cost := c.cost()
		if cost <= left {
			left -= cost
			continue
		}
		if c.Kind == ControlSelect {
			c.Kind = ControlJSON
		}
		c.Withheld, c.Required, c.Options, c.Hint = true, false, nil, withheldHint
	}
}

// cost is what the value of a field and its choices take on a page; beyond all bounds where either is too long by itself.
func (c *Control) cost() int {
	total := 0
	values := c.Options
	if c.Value != nil && c.Kind != ControlToggle {
		values = append(values[:len(values):len(values)], c.Value)
	}
	for _, v := range values {
		text := frame.ValueText(v)
		if total += len(templ.EscapeString(text)); len(text) > ui.MaxShown || total > maxFormText {
			return maxFormText + 1
		}
	}
	return total
}

// Pointers lists the controls, to be changed in place.
func Pointers(controls []Control) []*Control {
	out := make([]*Control, len(controls))
	for i := range controls {
		out[i] = &controls[i]
	}
	return out
}

package flow

import (
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// mostFormText is what the values of all fields of a form may take on a page, in bytes as they are sent.
const mostFormText = 192 << 10

// withheldHint stands beside a field whose value is not shown.
const withheldHint = "What is set is too long to be shown here. Leave this empty to keep it, or write what stands in its place."

// withhold leaves out of a form what is too long for its page. The form that is sent back is read by the same fields,
// so that what was left out stays as it is.
func withhold(controls []*control) {
	left := mostFormText
	for _, c := range controls {
		cost := c.cost()
		if cost <= left {
			left -= cost
			continue
		}
		if c.Kind == controlSelect {
			c.Kind = controlJSON
		}
		c.Withheld, c.Required, c.Options, c.Hint = true, false, nil, withheldHint
	}
}

// cost is what the value of a field and its choices take on a page; beyond all bounds where either is too long by itself.
func (c *control) cost() int {
	total := 0
	values := c.Options
	if c.Value != nil && c.Kind != controlToggle {
		values = append(values[:len(values):len(values)], c.Value)
	}
	for _, v := range values {
		text := valueText(v)
		if total += len(templ.EscapeString(text)); len(text) > ui.MaxShown || total > mostFormText {
			return mostFormText + 1
		}
	}
	return total
}

func pointers(controls []control) []*control {
	out := make([]*control, len(controls))
	for i := range controls {
		out[i] = &controls[i]
	}
	return out
}

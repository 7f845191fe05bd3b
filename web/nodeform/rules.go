package nodeform

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/ui"
)

// MaxRules bounds the rules of a schedule that a form reads.
const MaxRules = 50

// RuleForm is one rule of a schedule in a form: its fields stand beside each other, and those of another kind are
// hidden by the style sheet.
type RuleForm struct {
	Name   string // what the names of its fields begin with
	Number int
	Fresh  bool // it is not among the rules yet
	rule   map[string]any
	errs   map[string]string
}

// RuleForms lists the rules of a schedule and an empty one behind them; what was typed counts before what is kept.
func RuleForms(prefix string, kept any, f frame.Form) []RuleForm {
	list, _ := kept.([]any)
	if f.Values != nil && f.Values.Has(prefix+".0.kind") {
		list = RulesIn(prefix, f.Values)
	}
	var out []RuleForm
	for i := range min(len(list)+1, MaxRules) {
		r := RuleForm{Name: prefix + "." + strconv.Itoa(i), Number: i + 1, Fresh: i == len(list), errs: map[string]string{}}
		if !r.Fresh {
			r.rule, _ = list[i].(map[string]any)
		}
		for _, field := range []string{"kind", "every", "weekdays", "dayOfMonth", "hour", "minute", "cron"} {
			r.errs[field] = f.Error(r.Name + "." + field)
		}
		out = append(out, r)
	}
	return out
}

// value is a field of the rule as text.
func (r RuleForm) value(field string) string {
	if r.rule[field] == nil {
		return ""
	}
	return frame.ValueText(r.rule[field])
}

// field is a field of the rule, with an example of what to type.
func (r RuleForm) field(name, label, example string) ui.Field {
	return ui.Field{
		Name: r.Name + "." + name, Label: label, Value: r.value(name), Error: r.errs[name], InputMode: "numeric", MaxLength: "5",
		Placeholder: example, Autocomplete: "off", Unmarked: true,
	}
}

func (r RuleForm) title(ctx context.Context) string {
	if r.Fresh && r.Number > 1 {
		return t(ctx, "Another rule")
	}
	return t(ctx, "Rule %d", r.Number)
}

// ruleKinds are the units of a rule, in words.
var ruleKinds = [][2]string{
	{"minutes", mark("Every few minutes")}, {"hours", mark("Every few hours")}, {"days", mark("Every few days")}, {"weeks", mark("On days of the week")},
	{"months", mark("On a day of the month")}, {"cron", mark("By an expression")},
}

// kinds are the choices of a rule's unit.
func (r RuleForm) kinds(ctx context.Context) []ui.Option {
	none := t(ctx, "Remove this rule")
	if r.Fresh {
		none = t(ctx, "No rule")
	}
	chosen := r.value("kind")
	out := []ui.Option{{Value: "", Text: none, Selected: chosen == ""}}
	for _, k := range ruleKinds {
		out = append(out, ui.Option{Value: k[0], Text: t(ctx, k[1]), Selected: k[0] == chosen})
	}
	return out
}

// weekday is a day that a rule of weeks may run on.
type weekday struct {
	Value, Short, Long string
	Checked            bool
}

func (r RuleForm) weekdays(ctx context.Context) []weekday {
	chosen := map[string]bool{}
	list, _ := r.rule["weekdays"].([]any)
	for _, v := range list {
		chosen[frame.ValueText(v)] = true
	}
	var out []weekday
	for _, day := range []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday} {
		value := strconv.Itoa(int(day))
		out = append(out, weekday{value, locale.ShortWeekday(ctx, day), locale.Weekday(ctx, day), chosen[value]})
	}
	return out
}

// ruleFields are what each kind of rule has.
var ruleFields = map[string][]string{
	"minutes": {"every"}, "hours": {"every", "minute"}, "days": {"every", "hour", "minute"}, "weeks": {"every", "weekdays", "hour", "minute"},
	"months": {"every", "dayOfMonth", "hour", "minute"}, "cron": {"cron"},
}

// RulesIn reads the rules of a form; those without a kind are left out. What is no number is passed on as it was typed,
// for the service to say so.
func RulesIn(prefix string, values url.Values) []any {
	rules := []any{}
	for i := range MaxRules {
		name := prefix + "." + strconv.Itoa(i)
		if !values.Has(name + ".kind") {
			break
		}
		kind := values.Get(name + ".kind")
		if kind == "" {
			continue
		}
		rule := map[string]any{"kind": kind}
		for _, field := range ruleFields[kind] {
			switch field {
			case "cron":
				rule[field] = strings.TrimSpace(values.Get(name + ".cron"))
			case "weekdays":
				days := []any{}
				for _, day := range values[name+".weekdays"] {
					days = append(days, NumberOrText(day))
				}
				rule[field] = days
			default:
				if text := strings.TrimSpace(values.Get(name + "." + field)); text != "" {
					rule[field] = NumberOrText(text)
				}
			}
		}
		if rule["every"] == nil && kind != "cron" {
			rule["every"] = float64(1)
		}
		rules = append(rules, rule)
	}
	return rules
}

// NumberOrText reads what was typed as a number, else leaves it as it is.
func NumberOrText(text string) any {
	if n, err := strconv.Atoi(text); err == nil {
		return float64(n)
	}
	return text
}

package org

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// usageFilter is what a report covers, as its address says. What cannot be read is left out, and said beside its field.
type usageFilter struct {
	Values  url.Values
	Typed   url.Values     // as it came
	Own     *time.Location // of the reader; nil when no one knows it
	Now     time.Time
	Default string // how rows are grouped when the address does not say
	Wrong   map[string]string
}

// usageFields are the words of the address that make a report.
var usageFields = []string{"range", "from", "to", "tz", "group", "workspace", "member"}

// usageGroups are the ways to group in the order of the page.
var usageGroups = []struct {
	word  string
	group query.UsageGroup
}{
	{"workspace", query.UsageGroupWorkspace}, {"member", query.UsageGroupMember}, {"model", query.UsageGroupModel},
	{"day", query.UsageGroupDay}, {"runs", query.UsageGroupNone},
}

// usageRanges are the ranges that have a name.
var usageRanges = []struct{ word, text string }{
	{"7", mark("7 days")}, {"30", mark("30 days")}, {"90", mark("90 days")}, {"month", mark("This month")}, {"last-month", mark("Last month")},
}

func usageFilterOf(ctx context.Context, values url.Values, own *time.Location, now time.Time, group string) *usageFilter {
	f := &usageFilter{Values: values, Typed: maps.Clone(values), Own: own, Now: now, Default: group, Wrong: map[string]string{}}
	if s := values.Get("tz"); s != "" && ui.Zone(s) == nil {
		f.Wrong["tz"] = t(ctx, "There is no time zone of that name. Write it as Europe/Berlin.")
	}
	if s := values.Get("group"); s != "" && f.groupOf(s) == nil {
		f.Wrong["group"] = t(ctx, "A report cannot be divided like that. Choose one of these.")
	}
	if s := values.Get("range"); s != "" && !f.custom() && !namedRange(s) {
		f.Wrong["range"] = t(ctx, "There is no such range. These are the last 30 days.")
	}
	for name, wrong := range map[string]string{
		"workspace": t(ctx, "It was not recognized. Choose from the list."), "member": t(ctx, "This person was not recognized. Choose from the list."),
	} {
		if s := values.Get(name); s != "" && !anID.MatchString(strings.ToLower(s)) {
			f.Wrong[name] = wrong
		}
	}
	return f
}

func namedRange(word string) bool {
	for _, r := range usageRanges {
		if r.word == word {
			return true
		}
	}
	return false
}

// value is what the address says of a field, empty where that is wrong.
func (f *usageFilter) value(name string) string {
	if f.Wrong[name] != "" {
		return ""
	}
	return f.Values.Get(name)
}

// Zone is the one whose days are meant.
func (f *usageFilter) Zone() *time.Location {
	if zone := ui.Zone(f.value("tz")); zone != nil {
		return zone
	}
	return ui.OrUTC(f.Own)
}

// custom tells whether the address names days, other than those of the range that it names.
func (f *usageFilter) custom() bool {
	from, to := f.value("from"), f.value("to")
	if from == "" && to == "" {
		return false
	}
	if word := f.Values.Get("range"); namedRange(word) {
		first, last := usageDays(word, f.Now.In(f.Zone()))
		return from != first || to != last
	}
	return true
}

// Range is the named range, empty for days that were chosen.
func (f *usageFilter) Range() string {
	switch {
	case f.custom():
		return ""
	case namedRange(f.value("range")):
		return f.value("range")
	}
	return "30"
}

func (f *usageFilter) groupOf(word string) *query.UsageGroup {
	for _, g := range usageGroups {
		if g.word == word {
			return &g.group
		}
	}
	return nil
}

// Group is how the rows are grouped, as the address says it.
func (f *usageFilter) Group() string { return frame.Or(f.value("group"), f.Default) }

// Query asks for the report.
func (f *usageFilter) Query() query.UsageQuery {
	zone := f.Zone().String()
	q := query.UsageQuery{Tz: &zone, GroupBy: f.groupOf(f.Group())}
	given := func(name string) *string {
		if s := f.value(name); s != "" {
			return &s
		}
		return nil
	}
	q.WorkspaceId, q.UserId = given("workspace"), given("member")
	if q.From, q.To = given("from"), given("to"); !f.custom() {
		from, to := usageDays(f.Range(), f.Now.In(f.Zone()))
		q.From, q.To = &from, &to
	}
	return q
}

// usageDays are the first and the last day of a named range.
func usageDays(word string, today time.Time) (from, to string) {
	first, last := today.AddDate(0, 0, -29), today
	switch word {
	case "7":
		first = today.AddDate(0, 0, -6)
	case "90":
		first = today.AddDate(0, 0, -89)
	case "month":
		first = today.AddDate(0, 0, 1-today.Day())
	case "last-month":
		last = today.AddDate(0, 0, -today.Day())
		first = last.AddDate(0, 0, 1-last.Day())
	}
	return first.Format(time.DateOnly), last.Format(time.DateOnly)
}

// usageArguments are the fields of the address by what the service calls them.
var usageArguments = map[string]string{
	"from": "from", "to": "to", "tz": "tz", "groupBy": "group", "workspaceId": "workspace", "userId": "member", "after": "after", "cursor": "after",
}

// Refused notes what the service refused of the address, and tells whether the report can be asked for without it.
func (f *usageFilter) Refused(err error) bool {
	e, known := frame.Refused(err)
	if !known || e.Status != http.StatusBadRequest && e.Status != http.StatusForbidden && e.Status != http.StatusNotFound {
		return false
	}
	field := usageArguments[e.Field[strings.LastIndexByte(e.Field, '.')+1:]]
	switch {
	case field != "":
	case e.Status == http.StatusBadRequest && f.custom():
		field = "from"
	case f.value("member") != "" && e.Status != http.StatusNotFound:
		field = "member"
	case f.value("workspace") != "":
		field = "workspace"
	case f.value("member") != "":
		field = "member"
	}
	if field == "" || f.value(field) == "" && !(field == "from" && f.custom()) && !(field == "to" && f.custom()) {
		return false
	}
	f.Wrong[field] = e.Message
	if field == "from" || field == "to" { // neither alone says what was meant
		for _, other := range []string{"from", "to"} {
			if f.Wrong[other] == "" {
				f.Values.Del(other)
			}
		}
	}
	return true
}

// find asks until what is left of the address can be answered.
func (f *usageFilter) find(ask func(q query.UsageQuery, after *string) error) error {
	for {
		var after *string
		if s := f.value("after"); s != "" {
			after = &s
		}
		err := ask(f.Query(), after)
		if err == nil || !f.Refused(err) {
			return err
		}
	}
}

// hidden is the report itself as fields of a form: the days that are shown, whatever range they came from.
func (v usageView) hidden() []ui.Hidden {
	out := []ui.Hidden{{Name: "from", Value: v.Report.From}, {Name: "to", Value: v.Report.To}, {Name: "tz", Value: v.Report.Tz}, {Name: "group", Value: v.Filter.Group()}}
	for _, name := range []string{"workspace", "member"} {
		if s := v.Filter.value(name); s != "" {
			out = append(out, ui.Hidden{Name: name, Value: s})
		}
	}
	return out
}

// permalink is the address of exactly this report, the one who opens it and whenever.
func (v usageView) permalink() string {
	values := url.Values{}
	for _, h := range v.hidden() {
		values.Set(h.Name, h.Value)
	}
	return v.path() + "?" + values.Encode()
}

// with is the address of the report with some values changed.
func (v usageView) with(pairs ...string) string {
	return frame.AddressWith(v.path(), v.Filter.Values, pairs...)
}

func (v usageView) rangeChips(ctx context.Context) []ui.Chip {
	var out []ui.Chip
	for _, r := range usageRanges {
		out = append(out, ui.Chip{Text: t(ctx, r.text), Href: v.with("range", r.word, "from", "", "to", ""), On: v.Filter.Range() == r.word})
	}
	if v.Filter.custom() {
		out = append(out, ui.Chip{Text: v.days(ctx), Href: v.permalink(), On: true})
	}
	return out
}

func (v usageView) groupChips(ctx context.Context) []ui.Chip {
	var out []ui.Chip
	for _, g := range usageGroups {
		if g.word == "workspace" && v.Workspace != nil || g.word == "member" && !v.All {
			continue
		}
		out = append(out, ui.Chip{Text: v.groupName(ctx, g.word), Href: v.with("group", g.word), On: v.Filter.Group() == g.word})
	}
	return out
}

// setChips are filters that leave something out; each leads to the report without it.
func (v usageView) setChips(ctx context.Context) []ui.Chip {
	var out []ui.Chip
	if name := v.workspaceName(); name != "" {
		out = append(out, ui.Chip{Text: locale.Labelled(ctx, locale.Term(ctx, v.Words.Workspace), name) + " ✕", Href: v.with("workspace", ""), On: true})
	}
	if name := v.memberName(); name != "" {
		out = append(out, ui.Chip{Text: locale.Labelled(ctx, locale.Term(ctx, v.Words.Member), name) + " ✕", Href: v.with("member", ""), On: true})
	}
	return out
}

// groupName is what a group is called.
func (v usageView) groupName(ctx context.Context, word string) string {
	switch word {
	case "workspace":
		return locale.Term(ctx, v.Words.Workspace)
	case "member":
		return locale.Term(ctx, v.Words.Member)
	case "model":
		return t(ctx, "Model")
	case "day":
		return t(ctx, "Day")
	}
	return t(ctx, "Single runs")
}

// people are the persons to choose from; with more of them a part of a name is typed.
type usagePeople struct {
	Options []ui.Option
	More    bool
	Find    string
	Name    string // of the one that is chosen
}

// usagePeopleOf lists who was found, and the chosen one, whose name is asked for where the list does not have it.
func usagePeopleOf(ctx context.Context, found []query.Person, more bool, find, chosen string, name func() string) usagePeople {
	p := usagePeople{More: more, Find: find, Options: []ui.Option{{Text: t(ctx, "Everyone")}}}
	for _, person := range found {
		on := person.Id == chosen
		if on {
			p.Name = person.DisplayName
		}
		p.Options = append(p.Options, ui.Option{Value: person.Id, Text: person.DisplayName, Selected: on})
	}
	if chosen != "" && p.Name == "" {
		p.Name = frame.Or(name(), t(ctx, "Someone who left"))
		p.Options = append(p.Options, ui.Option{Value: chosen, Text: p.Name, Selected: true})
	}
	return p
}

func (v usageView) workspaceName() string {
	for _, o := range v.Workspaces.Options {
		if o.Selected && o.Value != "" {
			return o.Text
		}
	}
	return ""
}

func (v usageView) memberName() string {
	if v.Filter.value("member") == "" {
		return ""
	}
	return v.People.Name
}

// days is the range in words: "24 Oct to 22 Nov 2026".
func (v usageView) days(ctx context.Context) string {
	from, err := time.Parse(time.DateOnly, v.Report.From)
	to, err2 := time.Parse(time.DateOnly, v.Report.To)
	switch {
	case err != nil || err2 != nil:
		return tc(ctx, "days", "%s to %s", v.Report.From, v.Report.To)
	case from.Equal(to):
		return plainDay(ctx, to)
	case from.Year() == to.Year():
		return tc(ctx, "days", "%s to %s", locale.DayOfYear(ctx, from), plainDay(ctx, to))
	}
	return tc(ctx, "days", "%s to %s", plainDay(ctx, from), plainDay(ctx, to))
}

// length is how many days the report has.
func (v usageView) length() int {
	from, err := time.Parse(time.DateOnly, v.Report.From)
	to, err2 := time.Parse(time.DateOnly, v.Report.To)
	if err == nil && err2 == nil {
		return int(to.Sub(from).Hours()/24) + 1
	}
	return len(v.Report.Series.Days)
}

// sentence says what the report covers: the filter as it is printed.
func (v usageView) sentence(ctx context.Context) string {
	days, where, name := v.days(ctx), v.workspaceName(), v.memberName()
	if v.Workspace != nil {
		where = v.Workspace.Name
	}
	var s string
	switch own := v.Workspace != nil && !v.All; {
	case own && name != "":
		s = t(ctx, "What your runs cost, %s, in %s, by %s.", days, where, name)
	case own:
		s = t(ctx, "What your runs cost, %s, in %s.", days, where)
	case where != "" && name != "":
		s = t(ctx, "What runs cost, %s, in %s, by %s.", days, where, name)
	case where != "":
		s = t(ctx, "What runs cost, %s, in %s.", days, where)
	case name != "":
		s = t(ctx, "What runs cost, %s, in all {workspaces}, by %s.", days, name)
	default:
		s = t(ctx, "What runs cost, %s, in all {workspaces}.", days)
	}
	return s + " " + v.zoneSentence(ctx)
}

// zoneSentence says whose days are meant.
func (v usageView) zoneSentence(ctx context.Context) string {
	zone, own := v.Report.Tz, v.Filter.Own
	switch {
	case own == nil && zone == "UTC":
		return t(ctx, "Days are those of UTC, for your time zone is not known.")
	case own == nil:
		return t(ctx, "Days are those of %s.", zone)
	case own.String() == zone:
		return t(ctx, "Days are those of %s, your own time zone.", zone)
	}
	return t(ctx, "Days are those of %s; your own time zone is %s.", zone, own.String())
}

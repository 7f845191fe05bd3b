package ui

import "time"

// Words are the texts that the storybook shows. Tests replace them by hostile ones.
type Words struct {
	Person   string
	Email    string
	Place    string // a workspace
	Org      string
	Sentence string
	Code     string // a join code
	Bytes    string // shown as code
	Now      time.Time
}

// SampleWords are friendly ones.
func SampleWords(now time.Time) Words {
	return Words{
		Person:   "Mina Lang",
		Email:    "mina@northgate.example",
		Place:    "Art 9b",
		Org:      "Northgate School",
		Sentence: "The receiver answered 503 three times.",
		Code:     "K7QM2XPA",
		Bytes:    "{\"id\":\"0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e04\",\"type\":\"job.completed\",\n \"data\":{\"job\":{\"status\":\"completed\",\"progress\":100}}}",
		Now:      now,
	}
}

// StoryShell is the frame around the storybook: every part of the navigation in use.
func StoryShell(w Words, theme Theme) Shell {
	s := Shell{
		Title: "Storybook", Theme: theme, NavLabel: "Organization", Path: "/storybook",
		Nav: []NavGroup{
			{Items: []NavItem{
				{Text: "Overview", Href: "#", Key: "o", Icon: "home"},
				{Text: "Classes", Href: "#", Count: "14", Key: "w", Icon: "classes"},
				{Text: "People", Href: "#", Count: "388", Key: "m", Icon: "people"},
				{Text: "Invitations", Href: "#", Count: "6", Key: "i"},
				{Text: "Credits", Href: "#", Key: "b"},
				{Text: "Usage", Href: "#", Key: "u", Icon: "usage"},
				{Text: "Storybook", Href: "/storybook", Current: true},
			}},
			{Title: "Developer", Items: []NavItem{
				{Text: "Workflows", Href: "#"}, {Text: "Runs", Href: "#"}, {Text: "Webhook endpoints", Href: "#"},
			}},
		},
		Switcher: storySwitcher(w, SwitcherReady),
		User:     User{Name: w.Person, Email: w.Email, Items: []NavItem{{Text: "Your account", Href: "#"}}, SignOutAction: "/signout", ThemeAction: "/theme"},
		Banners:  []Banner{{Tone: Warn, Title: "Waiting for approval.", Text: w.Org + " can already invite people; runs start when it is approved.", Href: "#", Action: "What works now"}},
		Flash:    "Saved. " + w.Person + " is an admin now.",
	}
	for _, i := range []int{0, 1, 2, 5} {
		s.Tabs = append(s.Tabs, s.Nav[0].Items[i])
	}
	return s
}

func storySwitcher(w Words, state SwitcherState) Switcher {
	return Switcher{
		State: state, Name: w.Org, Detail: "Owner · school",
		CreateHref: "#", JoinHref: "#",
		Personal: SwitchTarget{Name: w.Person, Detail: "Personal space", Href: "#"},
		Orgs: []SwitchOrg{{
			SwitchTarget: SwitchTarget{Name: w.Org, Detail: "Owner", Href: "#", Current: true},
			Workspaces: []SwitchTarget{
				{Name: w.Place, Detail: "Admin", Href: "#"},
				{Name: "Film lab", Detail: "Member", Status: "Suspended", Tone: Bad, Href: "#"},
			},
		}},
	}
}

func emptySwitcher(w Words) Switcher {
	s := storySwitcher(w, SwitcherReady)
	s.Orgs, s.Name, s.Detail = nil, w.Person, "Personal space"
	return s
}

func storyRanges() RangesProps {
	return RangesProps{
		ID: "story-ranges", Title: "Time to the answer by day", Names: [2]string{"half within", "95 of 100 within"}, Ranges: []Range{
			{Label: "20 November", Short: "20 Nov", Known: true, Low: 80 * time.Millisecond, High: 400 * time.Millisecond},
			{Label: "21 November", Short: "21 Nov"},
			{Label: "22 November", Short: "22 Nov", Known: true, Low: 120 * time.Millisecond, High: 1500 * time.Millisecond},
		},
	}
}

func storyBars() BarsProps {
	p := BarsProps{ID: "story-bars", Title: "Credits by day", Unit: "credits", Series: []Series{{Name: "settled"}, {Name: "in flight", Hold: true}}}
	for i := range 30 {
		d := time.Date(2026, 10, 22+i, 0, 0, 0, 0, time.UTC)
		v := []float64{float64(14 + i*7%31), float64(3 + i*5%13)}
		if wd := d.Weekday(); wd == time.Saturday || wd == time.Sunday {
			v = []float64{3, 0}
		}
		p.Bars = append(p.Bars, Bar{Label: DayOf(d, nil), Short: d.Format("2 Jan"), Values: v, Gap: i == 4})
	}
	return p
}

func storyFiveSeries(w Words) BarsProps {
	p := BarsProps{ID: "story-bars-5", Title: "Credits by class", Unit: "credits"}
	for _, n := range []string{w.Place, "Film lab", "Media club", "Photography", "Others"} {
		p.Series = append(p.Series, Series{Name: n})
	}
	for i := range 7 {
		d := time.Date(2026, 11, 14+i, 0, 0, 0, 0, time.UTC)
		p.Bars = append(p.Bars, Bar{Label: DayOf(d, nil), Short: d.Format("2 Jan"), Values: []float64{20, float64(4 + i*3), 12, float64(9 + i*5%7), 6}})
	}
	return p
}

// storyHeld is a chart of all parts that there can be, with what is still in flight.
func storyHeld(w Words) BarsProps {
	p := storyFiveSeries(w)
	p.ID, p.Title, p.Held = "story-bars-held", "Credits by class, some in flight", "in flight"
	p.Series = append(p.Series[:4], Series{Name: "Drawing"}, Series{Name: "Others", Rest: true})
	for i := range p.Bars {
		p.Bars[i].Values = append(p.Bars[i].Values, 5)
		p.Bars[i].Held = max(0, float64(i-3)*7)
	}
	return p
}

func storyHours() []Hour {
	var out []Hour
	for day := range 5 {
		for hour := 8; hour < 17; hour++ {
			if v := (day*7 + hour*5) % 13; v > 2 {
				out = append(out, Hour{Weekday: day, Hour: hour, Value: float64(v) * 1.5})
			}
		}
	}
	return append(out, Hour{Weekday: 6, Hour: 20, Value: 4})
}

func storyDays() []Day {
	var out []Day
	for i := range 120 {
		d := time.Date(2026, 7, 24, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i)
		v := float64(i * 17 % 23)
		if d.Weekday() == time.Sunday || i%6 == 0 {
			v = 0
		}
		out = append(out, Day{Date: d, Value: v})
	}
	return out
}

func storyAttempts(w Words) []Attempt {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	phases := func(a, b, c int) []Phase {
		return []Phase{{"DNS", ms(a)}, {"connect, TLS", ms(b)}, {"waiting for the answer", ms(c)}}
	}
	return []Attempt{
		{Number: 1, Status: "503", Tone: Bad, Text: "Service Unavailable · 203.0.113.20", Phases: phases(60, 140, 612), At: w.Now.Add(-3 * time.Hour)},
		{Number: 2, Status: "timeout", Tone: Bad, Text: w.Sentence, At: w.Now.Add(-2 * time.Hour), Href: "#"},
		{Number: 3, Status: "200", Tone: OK, Text: "OK · 203.0.113.21", Phases: phases(20, 80, 160), At: w.Now.Add(-4 * time.Minute)},
	}
}

func storyGraph(w Words) GraphProps {
	return GraphProps{
		ID: "story-graph", Title: "Workflow",
		Nodes: []GraphNode{
			{ID: "a", Label: w.Sentence, Type: "trigger", State: "completed"},
			{ID: "b", Label: "Resize", Type: "image-resize", State: "completed"},
			{ID: "c", Label: "Describe", Type: "llm-text", State: "failed"},
			{ID: "d", Label: "Translate", Type: "llm-text", State: "running"},
			{ID: "e", Label: "Send", Type: "webhook-output", State: "waiting"},
			{ID: "f", Label: "Keep", Type: "output", State: "skipped"},
		},
		Edges: []GraphEdge{{"a", "b"}, {"a", "c"}, {"b", "d"}, {"c", "d"}, {"d", "e"}, {"c", "f"}, {"d", "a"}},
	}
}

func storyConfirm(w Words) ConfirmProps {
	return ConfirmProps{
		ID: "archive", Title: "Archive " + w.Place + "?", Text: "It can be brought back at any time.",
		Consequences: []string{"24 people of " + w.Org + " can no longer run anything in it", "3 schedules stop", "51 credits return to the pool"},
		Form:         FormProps{Action: "/archive", Key: "k", Version: "3"}, Confirm: "Archive the class", CancelHref: "#",
	}
}

func storyDelete(w Words) ConfirmProps {
	p := storyConfirm(w)
	p.ID, p.Title, p.Confirm, p.Danger, p.TypedName = "delete", "Delete "+w.Org+"?", "Delete the organization", true, w.Org
	p.TypedError = "That is not its name."
	return p
}

func storyOptions(w Words) []Option {
	return []Option{
		{Value: "member", Text: "Member", Hint: "Runs what " + w.Person + " shares.", Selected: true},
		{Value: "admin", Text: "Admin", Hint: "Also invites people and sets budgets."},
		{Value: "owner", Text: "Owner", Hint: "Moves by transfer only.", Disabled: true},
	}
}

package library

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// promptView is the prompt helper: an idea, what it leaves open, and the prompt so far.
type promptView struct {
	At     frame.Place
	Form   frame.Form
	Idea   string
	Target string
	// Back is the page whose field Field takes the prompt; empty where it was opened by itself.
	Back, Field string
	Answer      *query.PromptAnswer
	Answers     []promptAnswered
}

// promptAnswered is an answer that was given before; an empty one leaves the part open.
type promptAnswered struct {
	Part   string
	Values []string
}

// targets are what prompts are composed for.
var targets = []ui.Option{
	{Value: "generate-image", Text: mark("A picture")}, {Value: "generate-video", Text: mark("A video")}, {Value: "generate-character", Text: mark("A character")},
	{Value: "generate-creature", Text: mark("A creature")}, {Value: "generate-object", Text: mark("An object")},
	{Value: "generate-location", Text: mark("A location")},
	{Value: "generate-text", Text: mark("A text")}, {Value: "3d-scene", Text: mark("A scene in 3D")},
}

// answerPrefix begins the names of the fields that answer a question.
const answerPrefix = "part-"

// leaveOpen answers that a part stays open.
const leaveOpen = "~"

// PromptHelper is the page on which a prompt is composed.
func (c Pages) PromptHelper(w http.ResponseWriter, r *http.Request) error {
	return c.promptPage(w, r, nil)
}

// HelpWithPrompt asks what an idea leaves open, with the answers so far.
func (c Pages) HelpWithPrompt(w http.ResponseWriter, r *http.Request) error {
	in := query.PromptHelpInput{Idea: frame.Text(r, "idea"), Target: frame.TextOrNil(r, "target")}
	if answers := answersOf(r.PostForm); len(answers) > 0 {
		sent := map[string]any{}
		for _, a := range answers {
			sent[a.Part] = a.sent()
		}
		in.Answers = &sent
	}
	res, err := query.PromptHelp(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, err, c.PromptHelper)
	}
	return c.promptPage(w, r, &res.PromptHelp)
}

func (c Pages) promptPage(w http.ResponseWriter, r *http.Request, answer *query.PromptAnswer) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	values := r.URL.Query()
	if r.Method == http.MethodPost {
		values = r.PostForm
	}
	v := promptView{Form: frame.FormOf(r), Idea: values.Get("idea"), Target: values.Get("target"), Field: values.Get("field"), Answer: answer}
	v.At = frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	if v.Back = frame.SafePath(values.Get("back")); v.Field == "" {
		v.Back = ""
	}
	if !frame.Helped(v.Target) {
		v.Target = targets[0].Value
	}
	if answer != nil {
		v.Answers = answersOf(r.PostForm)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Prompt helper"), Section: frame.SectionLibrary, List: "/prompt-helper"}, promptContent(v))
}

// answersOf are the answers of a form, in an order of their own.
func answersOf(form url.Values) []promptAnswered {
	var out []promptAnswered
	for _, name := range frame.SortedKeys(form) {
		part, ok := strings.CutPrefix(name, answerPrefix)
		if !ok || strings.HasSuffix(part, "-own") {
			continue
		}
		a := promptAnswered{Part: part}
		for _, value := range append(slices.Clone(form[name]), form.Get(name+"-own")) {
			if value = strings.TrimSpace(value); value != "" && (value != leaveOpen) {
				a.Values = append(a.Values, value)
			}
		}
		if len(a.Values) == 0 && !slices.Contains(form[name], leaveOpen) {
			continue // not answered
		}
		out = append(out, a)
	}
	for _, name := range frame.SortedKeys(form) { // an own answer alone
		part, ok := strings.CutPrefix(name, answerPrefix)
		part, own := strings.CutSuffix(part, "-own")
		known := slices.ContainsFunc(out, func(a promptAnswered) bool { return a.Part == part })
		if text := strings.TrimSpace(form.Get(name)); ok && own && !known && text != "" {
			out = append(out, promptAnswered{part, []string{text}})
		}
	}
	return out
}

// sent is an answer as the service takes it.
func (a promptAnswered) sent() any {
	switch len(a.Values) {
	case 0:
		return ""
	case 1:
		return a.Values[0]
	}
	return a.Values
}

// hidden are the answers so far, for the next question.
func (v promptView) hidden() []ui.Hidden {
	var out []ui.Hidden
	for _, a := range v.Answers {
		if len(a.Values) == 0 {
			out = append(out, ui.Hidden{Name: answerPrefix + a.Part, Value: leaveOpen})
		}
		for _, value := range a.Values {
			out = append(out, ui.Hidden{Name: answerPrefix + a.Part, Value: value})
		}
	}
	return append(out, v.way()...)
}

// way leads back to the field that takes the prompt.
func (v promptView) way() []ui.Hidden {
	if v.Back == "" {
		return nil
	}
	return []ui.Hidden{{Name: "back", Value: v.Back}, {Name: "field", Value: v.Field}}
}

// maxPrompt bounds a prompt that an address carries, in bytes.
const maxPrompt = 6000

// useHref is the page that takes the prompt, with its field filled in; empty where there is none.
func (v promptView) useHref() string {
	address, err := url.Parse(v.Back)
	if v.Back == "" || err != nil || v.Answer == nil || len(v.Answer.Prompt) > maxPrompt {
		return ""
	}
	q := address.Query()
	q.Set(v.Field, v.Answer.Prompt)
	address.RawQuery = q.Encode()
	return address.String()
}

// makeKind is the kind of elements that a target makes.
func makeKind(target string) (Kind, bool) {
	for _, k := range Kinds {
		if k.NodeType == target && target != "" {
			return k, true
		}
	}
	return Kind{}, false
}

// MakeNow makes what a prompt was composed for: a run, or the page of a new element.
func (c Pages) MakeNow(w http.ResponseWriter, r *http.Request) error {
	target, prompt := frame.Text(r, "target"), frame.Text(r, "prompt")
	if k, ok := makeKind(target); ok {
		if len(prompt) > maxPrompt {
			prompt = strings.ToValidUTF8(prompt[:maxPrompt], "")
		}
		path := frame.SpacePath(frame.SpaceOf(r).Workspace, "/library/"+k.Path+"/new")
		return frame.SeeOther(w, path+"?"+url.Values{"description": {prompt}}.Encode())
	}
	if !frame.Helped(target) {
		return frame.Invalid("target", t(r.Context(), "Choose what to make."))
	}
	settings := map[string]any{}
	if text := frame.Text(r, "settings"); text != "" {
		if err := frame.ReadJSON(text, &settings); err != nil {
			return frame.Invalid("settings", t(r.Context(), "The settings cannot be read."))
		}
	}
	if _, ok := settings["prompt"]; !ok {
		settings["prompt"] = prompt
	}
	res, err := query.MakeNow(r.Context(), c.Client, target, settings)
	if err != nil {
		return frame.Again(w, r, err, c.PromptHelper)
	}
	return frame.SeeOther(w, frame.SpacePath(frame.SpaceOf(r).Workspace, "/make/"+target)+"?job="+res.RunNode.Job.Id)
}

package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	source "atelier/docs"

	"github.com/a-h/templ"
)

const (
	errorsPath = "errors"
	// errorsFile has a part for each code, of which a page is made.
	errorsFile = "errors.md"
)

// errorCode is what is written of one code.
type errorCode struct {
	Code, HTML string
	Status     int
	// Says is its first sentence; Text is all of it, without code.
	Says, Text string
	Links      []string
}

var statusLine = regexp.MustCompile(`^Status ([0-9]{3})\. `)

// readErrorCodes reads the part of every code.
func readErrorCodes() (out []errorCode, err error) {
	_, parts, err := errorParts()
	if err != nil {
		return nil, err
	}
	for _, text := range parts {
		code, body, _ := strings.Cut(text, "\n")
		code, body = strings.TrimSpace(code), strings.TrimSpace(body)
		status := statusLine.FindStringSubmatch(body)
		if status == nil {
			return nil, fmt.Errorf("%s: %s does not begin with its status", errorsFile, code)
		}
		a, err := readArticle([]byte(strings.TrimPrefix(body, status[0])), func(link string) string { return address(errorsFile, link) })
		if err != nil {
			return nil, err
		}
		e := errorCode{Code: code, HTML: a.HTML, Text: a.Parts[0].Text, Links: a.Links}
		e.Status, _ = strconv.Atoi(status[1])
		e.Text, _, _ = strings.Cut(e.Text, " { \"error\"")
		e.Says, _, _ = strings.Cut(e.Text, ". ")
		e.Says = strings.TrimSuffix(e.Says, ".") + "."
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b errorCode) int { return a.Status - b.Status })
	return out, nil
}

// errorParts are what stands before the codes, and the part of each.
func errorParts() (string, []string, error) {
	text, err := source.Files.ReadFile(errorsFile)
	if err != nil {
		return "", nil, err
	}
	parts := strings.Split(string(text), "\n## ")
	return parts[0], parts[1:], nil
}

// errors is the list of the codes, or the page of one.
func (v *view) errors() (*view, error) {
	codes, err := v.codes()
	if err != nil {
		return nil, err
	}
	if v.Path == errorsPath {
		before, _, err := errorParts()
		if err != nil {
			return nil, err
		}
		a, err := readArticle([]byte(before), func(link string) string { return address(errorsFile, link) })
		if err != nil {
			return nil, err
		}
		v.Heading, v.Body = a.Title, errorsContent(a.HTML, byStatus(codes))
		for _, group := range byStatus(codes) {
			v.Contents = append(v.Contents, Heading{2, group.ID(), group.Name()})
		}
		return v, nil
	}
	code := strings.TrimPrefix(v.Path, errorsPath+"/")
	at := slices.IndexFunc(codes, func(e errorCode) bool { return e.Code == code })
	if at < 0 {
		return nil, nil
	}
	e := codes[at]
	v.Section, v.Crumbs = errorsTitle, []Page{{Path: errorsPath, Title: "Error codes"}}
	v.Title, v.Heading, v.Says, v.Body = e.Code, e.Code, e.Says, errorContent(e)
	v.Before, v.After = nil, nil
	if at > 0 {
		v.Before = &Page{Path: errorsPath + "/" + codes[at-1].Code, Title: codes[at-1].Code}
	}
	if at+1 < len(codes) {
		v.After = &Page{Path: errorsPath + "/" + codes[at+1].Code, Title: codes[at+1].Code}
	}
	return v, nil
}

// statusGroup are the codes of one status.
type statusGroup struct {
	Status int
	Codes  []errorCode
}

// ID is the anchor of the group.
func (g statusGroup) ID() string { return "status-" + strconv.Itoa(g.Status) }

// Name is what the group is called.
func (g statusGroup) Name() string {
	return strconv.Itoa(g.Status) + ": " + map[int]string{
		400: "the request is wrong", 401: "no one is signed in", 402: "too few credits", 403: "not allowed", 404: "not there", 405: "not this method",
		409: "the state does not allow it", 413: "too large", 415: "the wrong type", 429: "too often", 500: "a failure", 502: "a failure of another service",
		503: "not at the moment",
	}[g.Status]
}

func byStatus(codes []errorCode) (out []statusGroup) {
	for _, e := range codes {
		if len(out) == 0 || out[len(out)-1].Status != e.Status {
			out = append(out, statusGroup{Status: e.Status})
		}
		last := &out[len(out)-1]
		last.Codes = append(last.Codes, e)
	}
	return out
}

// raw is HTML that was made of pages of the project.
func raw(html string) templ.Component { return templ.Raw(html) }

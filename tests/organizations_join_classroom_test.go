package tests

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// pupilAtDoor is a browser with the page to join open: it sends its form once,
// and again by itself whenever the page that came back says so.
type pupilAtDoor struct {
	client
	name  string
	next  time.Time // when the form is sent
	tries int
	in    bool
}

var (
	retryAfter  = regexp.MustCompile(`data-retry-after="(\d+)"`)
	formAction  = regexp.MustCompile(`<form[^>]*action="/join"`)
	keptCode    = regexp.MustCompile(`name="code"[^>]*value="([^"]*)"`)
	metaRefresh = regexp.MustCompile(`<noscript>\s*<meta http-equiv="refresh" content="(\d+);url=(/join/[^"]+)"`)
)

// TestClassBehindOneAddress has 35 pupils press Join within seconds behind the
// one address of their school, where 30 may try each minute: everyone gets in
// within three minutes, and no one presses anything again.
func TestClassBehindOneAddress(t *testing.T) {
	clock := dbtest.NewClock()
	h := newTestServerAt(t, clock)
	owner, operator := newPerson(t, h.server.URL, "Teacher"), operatorOf(t, h.server.URL)
	org := newOrganization(t, owner.client, operator, "school")
	room := newWorkspace(owner.client, org, "Room")
	code := codeOf(owner.client, room)
	const class = 35
	pupils := make([]*pupilAtDoor, class)
	for i := range pupils {
		p := newPerson(t, h.server.URL, fmt.Sprint("Pupil", i))
		p.header = map[string]string{"X-Forwarded-For": "198.51.100.7"}
		pupils[i] = &pupilAtDoor{client: p.client, name: fmt.Sprint("Pupil", i)}
	}
	began := dbtest.Start.Add(time.Hour)
	for i, p := range pupils {
		p.next = began.Add(time.Duration(i) * 100 * time.Millisecond)
	}
	waited := 0
	for {
		slices.SortStableFunc(pupils, func(a, b *pupilAtDoor) int {
			if a.in != b.in {
				return map[bool]int{true: 1, false: -1}[a.in]
			}
			return a.next.Compare(b.next)
		})
		first := pupils[0]
		if first.in {
			break
		}
		if first.next.Sub(began) > 3*time.Minute {
			t.Fatalf("%s is still outside after %v and %d tries", first.name, first.next.Sub(began), first.tries)
		}
		clock.Set(first.next)
		if first.send(code) {
			waited++
		}
	}
	if waited == 0 {
		t.Error("nobody had to wait: the limit is not what is tried here")
	}
	members := h.count(`SELECT count(*) FROM workspace_members WHERE workspace_id = $1 AND joined_by_code`, room)
	if members != class {
		t.Errorf("%d are in, want %d", members, class)
	}
}

// send posts the form as the page holds it; waits says that it is sent once more later.
func (p *pupilAtDoor) send(code string) (waits bool) {
	p.t.Helper()
	p.tries++
	request, err := http.NewRequest("POST", p.URL+"/join", strings.NewReader(url.Values{"code": {code}}.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.AddCookie(&http.Cookie{Name: "atelier_session", Value: p.token})
	for key, value := range p.header {
		request.Header.Set(key, value)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	page := string(readAll(response.Body))
	switch response.StatusCode {
	case http.StatusSeeOther:
		p.in = true
		if to := response.Header.Get("Location"); !strings.HasPrefix(to, "/workspaces/") {
			p.t.Fatalf("%s landed at %s", p.name, to)
		}
		return false
	case http.StatusTooManyRequests:
	default:
		p.t.Fatalf("%s: %d %s", p.name, response.StatusCode, page)
	}
	wait, form, kept, refresh := retryAfter.FindStringSubmatch(page), formAction.FindString(page), keptCode.FindStringSubmatch(page), metaRefresh.FindStringSubmatch(page)
	if wait == nil || form == "" || kept == nil || kept[1] != code {
		p.t.Fatalf("the page does not go on by itself: %s", page)
	}
	if refresh == nil || refresh[1] != wait[1] || !strings.Contains(strings.ReplaceAll(refresh[2], "-", ""), code) {
		p.t.Fatalf("without script the page does not come back with the code: %v", refresh)
	}
	if response.Header.Get("Retry-After") != wait[1] || !strings.Contains(page, "Your place is kept") {
		p.t.Errorf("the page does not say how long: %s", response.Header.Get("Retry-After"))
	}
	seconds, _ := strconv.Atoi(wait[1])
	p.next = p.next.Add(time.Duration(seconds) * time.Second)
	return true
}

//go:build !race

package tests

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// playLine is a shot of the story's script: what a person says, or what is seen.
type playLine struct{ heading, speaker, text string }

// storyPlay becomes twelve shots. The keeper is no one whom the class has drawn.
var storyPlay = []playLine{
	{"EXT. HARBOUR – DAY", "", "A small boat leaves the harbour."},
	{"", "Anna", "The wind is good."},
	{"", "Ben", "Look, a storm."},
	{"", "Anna", "We turn around."},
	{"", "Ben", "Too late."},
	{"INT. LIGHTHOUSE – NIGHT", "", "Rain beats on the glass."},
	{"", "Keeper", "Who is there?"},
	{"", "Anna", "We lost the boat."},
	{"", "Keeper", "Come in."},
	{"", "Ben", "Your lamp went out."},
	{"", "Keeper", "Then help me."},
	{"", "Anna", "It shines again."},
}

func (l playLine) String() string {
	text := l.text
	if l.speaker != "" {
		text = l.speaker + ": " + text
	}
	if l.heading != "" {
		text = l.heading + "\n\n" + text
	}
	return text
}

func scriptOf(play []playLine) string {
	lines := make([]string, len(play))
	for i, line := range play {
		lines[i] = line.String()
	}
	return strings.Join(lines, "\n\n")
}

// filmClass is a class that makes films, and what it has spent so far.
type filmClass struct {
	*cast
	t           *testing.T
	pupil, head client
	names       map[string]string // of elements, by id
	spent       float64
}

func newFilmClass(t *testing.T) *filmClass {
	c := newCast(t, startBehindProxy(t), "school", 300)
	f := &filmClass{cast: c, t: t, pupil: c.pupil.in(c.room), head: c.head.in(c.room), names: map[string]string{}}
	for _, name := range []string{"Anna", "Ben"} {
		made := f.head.post("/v1/characters", object{"name": name, "visibility": "workspace", "attributes": object{"age": "child"}}).want(201)
		f.names[made.text("data.id")] = name
	}
	return f
}

// factory is a pipeline of the program.
func (f *filmClass) factory(name string) string {
	f.t.Helper()
	for _, p := range f.pupil.get("/v1/pipelines").want(200).list("data") {
		if row := p.(map[string]any); row["isFactory"] == true && row["name"] == name {
			return row["id"].(string)
		}
	}
	f.t.Fatalf("the program has no pipeline %q", name)
	return ""
}

// rendered starts a render, waits for its end and adds up what it cost.
func (f *filmClass) rendered(production string, wish object) (begun, execution *reply) {
	f.t.Helper()
	begun = f.pupil.post(production+"/render", wish).want(202)
	begun.holds("", true, "executionId", "status", "estimatedCredits", "reusedShots")
	at := "/v1/workflow-executions/" + begun.text("executionId")
	eventually(f.t, func() error {
		execution = f.pupil.get(at).want(200)
		if status := execution.text("data.status"); status != "completed" && status != "failed" {
			return fmt.Errorf("the render is %s", status)
		}
		return nil
	})
	if execution.text("data.status") != "completed" {
		f.t.Fatalf("the render failed: %s", execution.Body)
	}
	f.spent += execution.number("data.totalCreditsUsed")
	if used, told := execution.number("data.totalCreditsUsed"), begun.number("estimatedCredits"); used != told {
		f.t.Errorf("a render cost %v, and %v was told before", used, told)
	}
	return begun, execution
}

// TestStudioStory is a class that makes a film of twelve shots, offline: the pupil writes and renders it, changes a line and
// pays for that alone, and the teacher shows a shot to everyone for a while.
func TestStudioStory(t *testing.T) {
	t.Parallel()
	f := newFilmClass(t)
	script := scriptOf(storyPlay)
	made := f.pupil.post("/v1/studio/productions", object{
		"name": "The lamp", "script": script, "resolution": "480p", "pipelineId": f.factory("text-cards"), "seed": 7,
	}).want(201)
	made.is(map[string]any{
		"data.status": "draft", "data.visibility": "private", "data.script": script, "data.language": "en", "data.aspectRatio": "16:9",
		"data.captions": "none", "data.version": 1, "data.access": "creator", "data.videoUrl": nil, "data.latestRender": nil, "data.music": nil,
		"data.presetId": nil, "data.narratorVoiceId": nil, "data.shotCount": 0, "data.duration": 0, "data.workspaceId": f.room,
	})
	production := "/v1/studio/productions/" + made.text("data.id")
	f.pupil.post(production+"/render", nil).wantError(400, "validation_error")

	shots := f.brokenDown(production, script)
	estimate := f.pupil.post(production+"/estimate", nil).want(200)
	estimate.is(map[string]any{"data.shots.0.reuse": false, "data.shots.11.shotId": shots[11], "data.refused": []any{}})
	price := estimate.number("data.credits")
	cut := f.visitor.get("/v1/nodes/freecut-export").want(200).number("data.estimatedCredits")
	if sum := sumOf(estimate, "data.shots") + cut; price != sum || price < 50 {
		t.Fatalf("the film would cost %v, its shots and the cut %v", price, sum)
	}
	tooDear := f.pupil.post(production+"/render", object{"maxCredits": price - 0.5})
	tooDear.wantError(400, "validation_error")
	if tooDear.text("error.field") != "maxCredits" || !strings.Contains(tooDear.text("error.message"), fmt.Sprint(price)) {
		t.Errorf("a render above the ceiling: %s", tooDear.Body)
	}

	begun, execution := f.rendered(production, object{"maxCredits": price})
	if begun.number("estimatedCredits") != price || begun.number("reusedShots") != 0 || begun.text("status") != "pending" {
		t.Errorf("the first render: %s", begun.Body)
	}
	for _, node := range []string{shots[0] + "-image", shots[1] + "-speech", shots[11] + "-clip", "cut"} {
		if states, _ := execution.path("data.nodeStates").(map[string]any); states[node] == nil {
			t.Errorf("the render has no node %s", node)
		}
	}
	f.film(production)

	f.changedLine(production, shots)
	f.shared(production, shots[1])
	f.taken(production)
	f.limits(production)
	f.stageByStage()
	f.ledger()
}

// brokenDown makes shots of the script, whose texts together are the script again.
func (f *filmClass) brokenDown(production, script string) (shots []string) {
	f.t.Helper()
	r := f.pupil.post(production+"/breakdown", object{"secondsPerShot": 2}).want(200)
	r.holds("", true, "data", "unmatched")
	rows := r.list("data.shots")
	if len(rows) != len(storyPlay) || r.number("data.shotCount") != float64(len(storyPlay)) {
		f.t.Fatalf("the script became %d shots: %s", len(rows), r.Body)
	}
	var told []playLine
	title := ""
	for i, row := range rows {
		shot := row.(map[string]any)
		line := playLine{text: shot["action"].(string) + shot["dialogue"].(string)}
		if shot["title"] != title {
			title = shot["title"].(string)
			line.heading = title
		}
		if shot["dialogue"] != "" {
			line.speaker = storyPlay[i].speaker
			if id, ok := shot["speakerId"].(string); ok {
				line.speaker = f.names[id]
			}
		}
		if shot["position"] != float64(i+1) || shot["status"] != "empty" || shot["isStale"] != false || shot["version"] != 1.0 {
			f.t.Errorf("shot %d: %v", i, shot)
		}
		told = append(told, line)
		shots = append(shots, shot["id"].(string))
	}
	if again := scriptOf(told); again != script {
		f.t.Errorf("the shots together are\n%s\nnot\n%s", again, script)
	}
	unmatched, _ := json.Marshal(r.path("unmatched"))
	for _, name := range []string{`"name":"Keeper"`, `"kind":"character"`, `"kind":"location"`} {
		if !strings.Contains(string(unmatched), name) {
			f.t.Errorf("of the names %s lacks %s", unmatched, name)
		}
	}
	if strings.Contains(string(unmatched), "Anna") {
		f.t.Errorf("Anna is in the class: %s", unmatched)
	}
	f.pupil.post(production+"/breakdown", object{}).wantError(400, "validation_error")
	return shots
}

// film looks at what the render made.
func (f *filmClass) film(production string) {
	f.t.Helper()
	r := f.pupil.get(production).want(200)
	r.is(map[string]any{"data.status": "ready", "data.latestRender.status": "completed", "data.latestRender.stage": nil, "data.shots.0.status": "ready"})
	r.holds("data.latestRender", true, "executionId", "status", "stage", "creditsUsed", "reusedShots", "createdAt", "completedAt", "errorMessage")
	width, height, seconds := f.probed(r.text("data.videoUrl"))
	if height != 480 || width%2 != 0 || width < 850 || width > 856 {
		f.t.Errorf("the film is %d by %d", width, height)
	}
	if told := r.number("data.duration"); seconds < told-0.7 || seconds > told+0.7 || seconds < 12 {
		f.t.Errorf("the film lasts %v seconds, and is said to last %v", seconds, told)
	}
	if r.path("data.thumbnailUrl") == nil {
		f.t.Error("the film has no picture")
	}
	captions := string(f.visitor.get(r.text("data.captionsUrl")).want(200).Body)
	at := 0
	for _, line := range storyPlay {
		if line.speaker == "" {
			continue
		}
		i := strings.Index(captions[at:], line.text)
		if i < 0 {
			f.t.Errorf("the captions lack %q after %d: %s", line.text, at, captions)
			continue
		}
		at += i
	}
	if !strings.HasPrefix(captions, "WEBVTT") {
		f.t.Errorf("the captions begin %.20q", captions)
	}
}

// probed is what ffprobe says of a video.
func (f *filmClass) probed(url string) (width, height int, seconds float64) {
	f.t.Helper()
	path := filepath.Join(f.t.TempDir(), "film.mp4")
	if err := os.WriteFile(path, f.visitor.get(url).want(200).Body, 0o644); err != nil {
		f.t.Fatal(err)
	}
	out, err := exec.CommandContext(f.t.Context(), "ffprobe", "-v", "error", "-show_entries", "stream=codec_type,width,height:format=duration", "-of", "json", path).Output()
	if err != nil {
		f.t.Fatalf("ffprobe: %v", err)
	}
	var told struct {
		Streams []struct {
			Type          string `json:"codec_type"`
			Width, Height int
		}
		Format struct{ Duration string }
	}
	if err := json.Unmarshal(out, &told); err != nil {
		f.t.Fatal(err)
	}
	kinds := []string{}
	for _, s := range told.Streams {
		if kinds = append(kinds, s.Type); s.Type == "video" {
			width, height = s.Width, s.Height
		}
	}
	if !slices.Contains(kinds, "video") || !slices.Contains(kinds, "audio") {
		f.t.Errorf("the film has %v", kinds)
	}
	fmt.Sscan(told.Format.Duration, &seconds)
	return width, height, seconds
}

// changedLine changes what a person says, which costs that shot and the cut.
func (f *filmClass) changedLine(production string, shots []string) {
	f.t.Helper()
	at := production + "/shots/" + shots[4]
	changed := f.pupil.do("PATCH", at, object{"dialogue": "It is too late.", "version": 1}).want(200)
	changed.is(map[string]any{"data.dialogue": "It is too late.", "data.isStale": true, "data.version": 2})
	f.pupil.do("PATCH", at, object{"dialogue": "Never.", "version": 1}).wantError(409, "stale_version")
	f.pupil.get(production).want(200).is(map[string]any{"data.status": "stale", "data.shots.4.isStale": true, "data.shots.3.isStale": false})

	estimate := f.pupil.post(production+"/estimate", object{}).want(200)
	one := f.visitor.get("/v1/nodes/text-to-speech").want(200).number("data.estimatedCredits") + f.visitor.get("/v1/nodes/shot-clip").want(200).number("data.estimatedCredits")
	cut := f.visitor.get("/v1/nodes/freecut-export").want(200).number("data.estimatedCredits")
	for i, row := range estimate.list("data.shots") {
		shot := row.(map[string]any)
		if reuse := i != 4; shot["reuse"] != reuse || reuse && shot["credits"] != 0.0 {
			f.t.Errorf("shot %d of the estimate: %v", i, shot)
		}
	}
	price := estimate.number("data.credits")
	if price < one+cut || price > one+cut+0.5 { // a card shows what is said, too
		f.t.Errorf("a changed line would cost %v, not about %v", price, one+cut)
	}
	begun, execution := f.rendered(production, object{})
	begun.is(map[string]any{"reusedShots": len(shots) - 1, "estimatedCredits": price})
	for node, state := range execution.path("data.nodeStates").(map[string]any) {
		output, _ := state.(map[string]any)["output"].(map[string]any)
		if strings.HasPrefix(node, shots[0]) && output == nil {
			f.t.Errorf("%s is not reused: %v", node, state)
		}
	}
	after := f.pupil.get(production).want(200)
	after.is(map[string]any{"data.status": "ready", "data.shots.4.isStale": false, "data.latestRender.reusedShots": len(shots) - 1})
	if captions := string(f.visitor.get(after.text("data.captionsUrl")).want(200).Body); !strings.Contains(captions, "It is too late.") {
		f.t.Errorf("the film still says what was: %s", captions)
	}
	begun, _ = f.rendered(production, object{}) // nothing has changed since
	begun.is(map[string]any{"reusedShots": len(shots), "estimatedCredits": cut})
	renders := f.pupil.get(production + "/renders").want(200)
	if rows := renders.list("data"); len(rows) != 3 || renders.path("nextCursor") != nil {
		f.t.Errorf("the renders: %s", renders.Body)
	}
}

// shared shows a shot to everyone, and ends that.
func (f *filmClass) shared(production, shot string) {
	f.t.Helper()
	at, public := production+"/shots/"+shot+"/share", "/v1/shots/"+shot
	f.visitor.get(public).wantError(404, "not_found")
	f.pupil.post(at, object{"shared": true}).wantError(403, "insufficient_role")
	f.head.post(at, object{"shared": true, "until": time.Now().AddDate(2, 0, 0)}).wantError(400, "validation_error")
	shown := f.head.post(at, object{"shared": true}).want(200)
	shown.is(map[string]any{"data.isShared": true, "data.sharedUrl": f.visitor.URL + "/shots/" + shot})
	r := f.visitor.get(public).want(200)
	r.holds("data", true, "id", "title", "production", "dialogue", "by", "imageUrl", "videoUrl", "audioUrl", "urlExpiresAt", "width", "height", "duration", "sharedUntil", "updatedAt")
	r.is(map[string]any{"data.id": shot, "data.production": "The lamp", "data.dialogue": storyPlay[1].text, "data.by": "North school", "data.sharedUntil": shown.text("data.sharedUntil")})
	if r.Header.Get("RateLimit-Limit") != "60" {
		f.t.Errorf("the limit is told as %v", r.Header)
	}
	video := r.text("data.videoUrl")
	if file := f.visitor.get(video).want(200); len(file.Body) < 1000 {
		f.t.Errorf("the clip has %d bytes", len(file.Body))
	}
	f.pupil.do("PATCH", production+"/shots/"+shot, object{"dialogue": "The wind is bad."}).want(200)
	f.visitor.get(public).want(200).is(map[string]any{"data.dialogue": storyPlay[1].text})
	f.pupil.do("PATCH", production+"/shots/"+shot, object{"dialogue": storyPlay[1].text}).want(200).is(map[string]any{"data.isStale": false})
	f.head.post(at, object{"shared": false}).want(200).is(map[string]any{"data.isShared": false, "data.sharedUrl": nil, "data.sharedUntil": nil})
	f.visitor.get(public).wantError(404, "not_found")
	f.visitor.get(pathOf(video)).wantError(404, "not_found")
}

// taken takes the production along in every form.
func (f *filmClass) taken(production string) {
	f.t.Helper()
	for format, holds := range map[string]string{"json": `"The lamp"`, "csv": "It is too late.", "srt": "00:00:0", "vtt": "WEBVTT"} {
		if file := f.pupil.get(production + "/export?format=" + format).want(200); !strings.Contains(string(file.Body), holds) {
			f.t.Errorf("%s lacks %q: %.300s", format, holds, file.Body)
		}
	}
	f.pupil.get(production+"/export?format=pdf").wantError(400, "validation_error")
	file := f.pupil.get(production + "/export?format=zip").want(200)
	if kind, name := file.Header.Get("Content-Type"), file.Header.Get("Content-Disposition"); kind != "application/zip" || !strings.HasPrefix(name, "attachment; filename=") {
		f.t.Errorf("the archive comes as %s, %s", kind, name)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Body), int64(len(file.Body)))
	if err != nil {
		f.t.Fatal(err)
	}
	count := map[string]int{}
	for _, entry := range archive.File {
		reader, err := entry.Open()
		if err != nil {
			f.t.Fatal(err)
		}
		body := readAll(reader)
		reader.Close()
		if len(body) == 0 || strings.Contains(entry.Name, "..") {
			f.t.Errorf("%s has %d bytes", entry.Name, len(body))
		}
		count[filepath.Ext(entry.Name)]++
	}
	spoken := 0
	for _, line := range storyPlay {
		if line.speaker != "" {
			spoken++
		}
	}
	if count[".json"] < 1 || count[".srt"] < 1 || count[".vtt"] < 1 || count[".png"] < len(storyPlay) || count[".mp4"] < len(storyPlay)+1 || count[".wav"]+count[".mp3"] < spoken {
		f.t.Errorf("the archive holds %v", count)
	}
}

// limits is what another person of the class may not do.
func (f *filmClass) limits(production string) {
	f.t.Helper()
	f.outside.in("").get(production).wantError(404, "not_found")
	f.rival.get(production).wantError(404, "not_found")
	f.visitor.get(production).wantError(401, "unauthorized")
	f.head.get(production).want(200).is(map[string]any{"data.access": "edit"})
	shownToAll := f.head.post("/v1/studio/productions", object{"name": "The teacher's", "visibility": "workspace"}).want(201).text("data.id")
	theirs := "/v1/studio/productions/" + shownToAll
	own := f.head.post(theirs+"/shots", object{"action": "A desk."}).want(201).text("data.id")
	f.pupil.get(theirs).want(200).is(map[string]any{"data.access": "view"})
	hold(f.t,
		rule{"Change", f.pupil, "PATCH", theirs, object{"name": "Ours"}, 403, "insufficient_role"},
		rule{"Render", f.pupil, "POST", theirs + "/render", object{}, 403, "insufficient_role"},
		rule{"Delete", f.pupil, "DELETE", theirs, nil, 403, "insufficient_role"},
		rule{"AddShot", f.pupil, "POST", theirs + "/shots", object{}, 403, "insufficient_role"},
		rule{"ChangeShot", f.pupil, "PATCH", theirs + "/shots/" + own, object{"title": "x"}, 403, "insufficient_role"},
		rule{"Share", f.pupil, "POST", theirs + "/shots/" + own + "/share", object{"shared": true}, 403, "insufficient_role"},
		rule{"ShotOfAnother", f.pupil, "PATCH", production + "/shots/" + own, object{"title": "x"}, 404, "not_found"},
		rule{"ShareWithoutResult", f.head, "POST", theirs + "/shots/" + own + "/share", object{"shared": true}, 400, "validation_error"},
	)
}

// stageByStage looks at pictures before the rest costs anything.
func (f *filmClass) stageByStage() {
	f.t.Helper()
	made := f.pupil.post("/v1/studio/productions", object{"name": "Short", "resolution": "480p", "pipelineId": f.factory("text-cards")}).want(201)
	production := "/v1/studio/productions/" + made.text("data.id")
	for _, line := range []string{"Hello.", "Goodbye."} {
		f.pupil.post(production+"/shots", object{"dialogue": line}).want(201)
	}
	price := func(kind string) float64 {
		return f.visitor.get("/v1/nodes/" + kind).want(200).number("data.estimatedCredits")
	}
	for _, step := range []struct {
		stage  string
		price  float64
		has    string
		hasNot string
	}{
		{"image", 2 * price("text-card"), "imageUrl", "audioUrl"},
		{"speech", 2 * price("text-to-speech"), "audioUrl", "videoUrl"},
		{"clip", 2 * price("shot-clip"), "videoUrl", ""},
		{"cut", price("freecut-export"), "videoUrl", ""},
	} {
		begun, _ := f.rendered(production, object{"stage": step.stage})
		begun.is(map[string]any{"estimatedCredits": step.price})
		after := f.pupil.get(production).want(200)
		stops := any(step.stage)
		if step.stage == "cut" { // which is the last one
			stops = nil
		}
		after.is(map[string]any{"data.latestRender.stage": stops})
		if after.path("data.shots.1."+step.has) == nil || step.hasNot != "" && after.path("data.shots.1."+step.hasNot) != nil {
			f.t.Errorf("after the %ss: %s", step.stage, after.Body)
		}
		if film := after.path("data.videoUrl") != nil; film != (step.stage == "cut") {
			f.t.Errorf("after the %ss there is a film: %v", step.stage, film)
		}
	}
}

// ledger adds up.
func (f *filmClass) ledger() {
	f.t.Helper()
	budget := f.owner.get("/v1/workspaces/" + f.room + "/budget").want(200)
	budget.is(map[string]any{"data.spent": f.spent, "data.reserved": 0, "data.headroom": 300 - f.spent})
	eventually(f.t, func() error {
		usage := f.owner.get("/v1/workspaces/" + f.room + "/usage?groupBy=member").want(200)
		if total := usage.number("data.totals.settledCredits"); total != f.spent {
			return fmt.Errorf("the report says %v, and %v was spent", total, f.spent)
		}
		return nil
	})
	f.pupil.get("/v1/credits/balance").want(200).is(map[string]any{"data.balance": 100})
}

// sumOf adds up the credits of rows.
func sumOf(r *reply, path string) (sum float64) {
	for _, row := range r.list(path) {
		sum += row.(map[string]any)["credits"].(float64)
	}
	return sum
}

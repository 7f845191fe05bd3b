package tests

import (
	"strings"
	"testing"
)

// animation is a plan of half a second: a square whose color is a slot.
func animation(more ...object) object {
	still := func(value any) object { return object{"a": 0, "k": value} }
	shapes := []object{
		{"ty": "rc", "p": still([]int{20, 20}), "s": still([]int{40, 40}), "r": still(0)},
		{"ty": "fl", "c": object{"a": 0, "k": []int{0, 0, 0}, "sid": "ink"}, "o": still(100)},
	}
	return object{
		"animation": object{"v": "5.7.0", "fr": 20, "ip": 0, "op": 10, "w": 64, "h": 64, "layers": []object{
			{"ty": 4, "ind": 1, "ip": 0, "op": 10, "st": 0, "ks": object{"o": still(100)}, "shapes": append(shapes, more...)},
		}},
		"slots": object{"ink": object{"type": "color", "value": "#00aa66"}},
	}
}

// filesMotion films an animation, asks for what it cannot have, and has one filmed
// that the library does not survive.
func filesMotion(t *testing.T, who client) {
	begun := func(body object) string { return who.post("/v1/motion", body).want(202).text("jobId") }
	for format, c := range map[string]struct{ key, kind string }{"webm": {"videoUrl", "video/webm"}, "mp4": {"videoUrl", "video/mp4"}, "gif": {"imageUrl", "image/gif"}} {
		job := ended(who, "/v1/jobs/"+begun(object{"motionPlan": animation(), "format": format}), "data.status")
		job.is(map[string]any{
			"data.status": "completed", "data.credits_charged": 5, "data.output_data.contentType": c.kind, "data.output_data.width": 64, "data.output_data.frameRate": 20,
			"data.output_data.url": job.text("data.output_data." + c.key), "data.output_data.warnings": "[]",
		})
		if got := who.with("").get(job.text("data.output_data.url")).want(200).Header.Get("Content-Type"); got != c.kind {
			t.Errorf("%s is served as %s", format, got)
		}
		who.with("").get(job.text("data.output_data.motionUrl")).want(200).is(map[string]any{"fr": 20, "slots.ink.p.k.3": 1})
	}
	alone := ended(who, "/v1/jobs/"+begun(object{"motionPlan": animation()}), "data.status")
	alone.is(map[string]any{"data.status": "completed", "data.credits_charged": 5, "data.output_data.contentType": "application/json", "data.output_data.motionUrl": nil, "data.output_data.warnings": nil})

	who.post("/v1/motion", object{"motionPlan": animation(), "format": "avi"}).wantError(400, "validation_error").is(map[string]any{"error.field": "format"})
	long := animation()
	long["animation"].(object)["op"] = 2_000
	who.post("/v1/motion", object{"motionPlan": long, "format": "gif"}).wantError(400, "validation_error").is(map[string]any{"error.field": "motionPlan.animation.op"})

	still := func(value any) object { return object{"a": 0, "k": value} }
	copies := object{"ty": "rp", "c": still(1e9), "o": still(0), "m": 1, "tr": object{
		"p": still([]int{1, 0}), "a": still([]int{0, 0}), "s": still([]int{100, 100}), "r": still(0), "so": still(100), "eo": still(100)}}
	failed := ended(who, "/v1/jobs/"+begun(object{"motionPlan": animation(copies), "format": "mp4"}), "data.status")
	failed.is(map[string]any{"data.status": "failed", "data.error_message": "The animation cannot be drawn", "data.credits_charged": 0})
	if !strings.Contains(failed.text("data.error_hint"), "format json") {
		t.Errorf("hint %q", failed.text("data.error_hint"))
	}
	who.get("/v1/nodes/motion").want(200) // the service lives on
}

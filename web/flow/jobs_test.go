//go:build !race

package flow

import (
	"testing"

	"atelier/web/query"
)

// TestAStepIsSaidInWords holds that no id stands in the list of jobs.
func TestAStepIsSaidInWords(t *testing.T) {
	const shot = "01a20c5a-9a6b-7c3d-8e4f-0123456789ab"
	failed := "The text is too long"
	for _, c := range []struct {
		job  query.JobRow
		want string
	}{
		{query.JobRow{NodeId: shot + "-image", JobType: "generate-image"}, "The picture of a shot"},
		{query.JobRow{NodeId: shot + "-speech", JobType: "text-to-speech"}, "The speech of a shot"},
		{query.JobRow{NodeId: shot + "-clip", JobType: "shot-clip", ErrorMessage: &failed}, "The clip of a shot · The text is too long"},
		{query.JobRow{NodeId: shot + "-sound", JobType: "add-audio"}, "The sound of a shot"},
		{query.JobRow{NodeId: shot + "-other", JobType: "add-audio"}, ""},
		{query.JobRow{NodeId: "cut", JobType: "freecut-export"}, "The cut of a film"},
		{query.JobRow{NodeId: "cut-2", JobType: "freecut-export"}, "The cut of a film, part 2"},
		{query.JobRow{NodeId: "cut", JobType: "crop-image"}, "Cut"},
		{query.JobRow{NodeId: "node", JobType: "text-card"}, ""},
		{query.JobRow{NodeId: shot, JobType: "text-card", ErrorMessage: &failed}, failed},
		{query.JobRow{NodeId: "5f3c9a1be2d4", JobType: "text-card"}, ""},
		{query.JobRow{NodeId: "text-card-2", JobType: "text-card"}, "Text card 2"},
		{query.JobRow{NodeId: "quote", JobType: "text"}, "Quote"},
	} {
		if got := jobRowDetail(t.Context(), c.job); got != c.want {
			t.Errorf("%s: %q, not %q", c.job.NodeId, got, c.want)
		}
	}
}

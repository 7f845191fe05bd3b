package run

import (
	"strings"

	"atelier/models"
	"atelier/models/nodegraph"
)

// JobMade is what a job has made, as lists show it: the address of a file, or the beginning of a text.
type JobMade struct {
	Kind    ResultKind
	URL     *string
	Excerpt *string
	// Subject is what it was asked for, in the words that it was given.
	Subject *string
}

// Made is what a completed job has made, as far as its outputs were read; nil when that is nothing to show.
func (j *Job) Made() *JobMade {
	m := madeOf(j)
	if j.Status != JobCompleted || m.empty() {
		return nil
	}
	out := &JobMade{Kind: m.kind(), URL: &m.address}
	if m.address == "" {
		excerpt := models.Shortened(strings.TrimSpace(m.text), maxInExcerpt)
		out.URL, out.Excerpt = nil, &excerpt
	}
	if words := nodegraph.WordsOf(j.InputData); words != "" {
		out.Subject = &words
	}
	return out
}

package atelier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/clients/go/api"
)

const (
	// betweenPolls is the pause that the API asks of those that poll.
	betweenPolls = 2 * time.Second
	// brokenStreams is how many streams in a row may end without anything new before following goes on by polling.
	brokenStreams = 3
)

// FollowRun shows the states of an app's run, at once and after each change until it has ended: by the API's stream, and
// by polling where no stream comes through. After an error nothing more comes.
func (c *Client) FollowRun(ctx context.Context, slug, runID string) iter.Seq2[*Run, error] {
	return follow(ctx, c, fill("/v1/app/{}/runs/{}", slug, runID), func(r *Run) bool { return Ended(r.Execution.Status) })
}

// FollowExecution is FollowRun for the run of a workflow.
func (c *Client) FollowExecution(ctx context.Context, id string) iter.Seq2[*Execution, error] {
	return follow(ctx, c, fill("/v1/workflow-executions/{}", id), func(e *Execution) bool { return Ended(e.Status) })
}

// FollowJob is FollowRun for a job, always by polling. One that waits for a review has not ended.
func (c *Client) FollowJob(ctx context.Context, id string) iter.Seq2[*Job, error] {
	return func(yield func(*Job, error) bool) {
		poll(ctx, c, fill("/v1/jobs/{}", id), func(j *Job) bool { return Ended(j.Status) }, yield)
	}
}

// Ended tells whether a run, an execution or a job with this status changes no more.
func Ended(status string) bool {
	return status == "completed" || status == "failed" || status == "cancelled"
}

func follow[T any](ctx context.Context, c *Client, path string, ended func(*T) bool) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		var seen string
		for broken := 0; broken < brokenStreams; {
			news, done, err := watch(ctx, c, path, &seen, ended, yield)
			switch {
			case done:
				return
			case ctx.Err() != nil:
				yield(nil, context.Cause(ctx))
				return
			case refused(err):
				yield(nil, err)
				return
			case news:
				broken = 0
			default:
				broken++
			}
			if c.sleep(ctx, min(betweenPolls, time.Duration(broken)*time.Second)) != nil {
				yield(nil, context.Cause(ctx))
				return
			}
		}
		poll(ctx, c, path, ended, yield)
	}
}

// refused tells a refusal that polling would get too.
func refused(err error) bool {
	refusal := (*Error)(nil)
	if !errors.As(err, &refusal) {
		return false
	}
	switch refusal.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest:
		return refusal.Code != ""
	}
	return false
}

// errDone ends a stream from within.
var errDone = errors.New("done")

// watch follows one stream. It tells whether something new came, and whether all that will come has.
func watch[T any](ctx context.Context, c *Client, path string, seen *string, ended func(*T) bool, yield func(*T, error) bool) (news, done bool, err error) {
	header := http.Header{"Accept": {"text/event-stream"}}
	if *seen != "" {
		header.Set("Last-Event-Id", *seen)
	}
	response, err := c.send(ctx, &outgoing{method: http.MethodGet, path: path + "/events", header: header, body: nothing, once: true})
	if err != nil {
		return false, false, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusNoContent {
		return false, true, nil
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return false, false, fmt.Errorf("a stream of %q", response.Header.Get("Content-Type"))
	}
	err = readEvents(response.Body, func(event serverEvent) error {
		state, err := readState[T](event.data)
		if err != nil {
			return err
		}
		news, *seen = true, event.id
		if !yield(state, nil) || ended(state) {
			return errDone
		}
		return nil
	})
	return news, errors.Is(err, errDone), err
}

// readState reads what a poll and an event show: the object, in an envelope or without one.
func readState[T any](content []byte) (*T, error) {
	var envelope struct{ Data json.RawMessage }
	if json.Unmarshal(content, &envelope) == nil && len(envelope.Data) > 0 {
		content = envelope.Data
	}
	state := new(T)
	return state, json.Unmarshal(content, state)
}

// poll asks every two seconds; while nothing has changed the answer has no body.
func poll[T any](ctx context.Context, c *Client, path string, ended func(*T) bool, yield func(*T, error) bool) {
	tag := ""
	for {
		state, err := look[T](ctx, c, path, &tag)
		if err != nil {
			yield(nil, err)
			return
		}
		if state != nil && (!yield(state, nil) || ended(state)) {
			return
		}
		if c.sleep(ctx, betweenPolls) != nil {
			yield(nil, context.Cause(ctx))
			return
		}
	}
}

// look polls once; nil means that nothing has changed since tag.
func look[T any](ctx context.Context, c *Client, path string, tag *string) (*T, error) {
	header := http.Header{}
	if *tag != "" {
		header.Set("If-None-Match", *tag)
	}
	response, err := c.send(ctx, &outgoing{method: http.MethodGet, path: path, header: header, body: nothing})
	if err != nil {
		return nil, err
	}
	defer closeBody(response)
	if response.StatusCode == http.StatusNotModified {
		return nil, nil
	}
	*tag = response.Header.Get("ETag")
	content, err := io.ReadAll(io.LimitReader(response.Body, api.MaxAnswer))
	if err != nil {
		return nil, err
	}
	return readState[T](content)
}

func nothing() (io.Reader, int64, error) { return http.NoBody, 0, nil }

// fill puts values where a path has {}.
func fill(path string, values ...string) string {
	for _, value := range values {
		path = strings.Replace(path, "{}", url.PathEscape(value), 1)
	}
	return path
}

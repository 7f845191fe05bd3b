package rest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// Poll is the header of routes that clients ask again and again.
type Poll struct {
	IfNoneMatch string `header:"If-None-Match" doc:"ETag of the last answer; 304 when nothing changed."`
}

// Hold is the query of polls that may be held until there is a result.
type Hold struct {
	Wait queryBool `query:"wait" doc:"true holds the answer until the run has ended, at most 600 seconds."`
}

// holds tells whether the answer is to be held.
func (h Hold) holds() bool { return h.Wait.Value != nil && *h.Wait.Value }

// held is the context of a request that is held or streams: it ends with the
// caller's credentials.
func (a *API) held(ctx context.Context) context.Context { return a.Resolver.Accounts.WhileValid(ctx) }

// hold waits as long as the caller's credentials count: unauthorized when they stop.
func hold[T any](ctx context.Context, a *API, wait func(context.Context) (T, error)) (T, error) {
	ctx = a.held(ctx)
	value, err := wait(ctx)
	if err != nil {
		err = cmp.Or(context.Cause(ctx), err)
	}
	return value, err
}

// polled is an answer with an ETag: { data }, or 304 without a body.
type polled[T any] struct {
	Status int
	ETag   string `header:"ETag"`
	Body   struct {
		Data T `json:"data"`
	}
}

// answer fills an answer of revision tag, unless the client has it already.
func answer[T any](p Poll, tag string, view func() (T, error)) (*polled[T], error) {
	reply := &polled[T]{Status: http.StatusOK, ETag: fmt.Sprintf("%q", tag)}
	if p.has(reply.ETag) {
		reply.Status = http.StatusNotModified
		return reply, nil
	}
	var err error
	reply.Body.Data, err = view()
	return reply, err
}

// has tells whether If-None-Match names the tag.
func (p Poll) has(tag string) bool {
	for known := range strings.SplitSeq(p.IfNoneMatch, ",") {
		if known = strings.TrimSpace(known); known == "*" || strings.TrimPrefix(known, "W/") == tag {
			return true
		}
	}
	return false
}

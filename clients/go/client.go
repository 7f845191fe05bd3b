// Package atelier is a client of Atelier's API.
//
//	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
//	run, err := client.RunApp(ctx, "poster", map[string]any{"topic": "a fox"})
//	fmt.Println(*run.ThumbnailURL)
//
// What people do most has a function here: running apps, workflows and single nodes and following them, uploading,
// reading an app's form, telling errors by their code. Every other operation is a method of Client.API, typed as the
// service's own document has it; lists have a second method, whose name ends in All, that goes over all pages.
//
// Calls end with their context. A call that was refused for now (429, 503) or that failed on the way is repeated where
// that is safe; each POST carries an Idempotency-Key, so that what it starts is started once.
//
// A token spends its owner's credits: keep it on a server.
package atelier

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/clients/go/api"
)

// Version is that of this client.
const Version = "1.0.0"

// Client calls one install. It may be used by several goroutines at once.
type Client struct {
	// API has every operation of /v1.
	API *api.Client

	base      string
	token     string
	workspace string
	name      string
	http      *http.Client
	repeats   int
	// sleep waits; tests replace it.
	sleep func(context.Context, time.Duration) error
}

// Option is a choice of New.
type Option func(*Client)

// WithToken sends a token with every call: a personal one (svc_…), a connected app's (svc_app_…) or a session's.
func WithToken(token string) Option { return func(c *Client) { c.token = token } }

// WithWorkspace acts in a workspace, as Client.In does.
func WithWorkspace(id string) Option { return func(c *Client) { c.workspace = id } }

// WithHTTPClient sends by another client, for its proxy or its roots.
func WithHTTPClient(client *http.Client) Option { return func(c *Client) { c.http = client } }

// WithClientName is what runs have as their source, in place of sdk/<version>: sdk/<version>, cli/<version> or
// extension/<name>. The service passes over any other form.
func WithClientName(name string) Option { return func(c *Client) { c.name = name } }

// WithRepeats is how often a call is repeated at most, 3 unless it is chosen; 0 repeats nothing.
func WithRepeats(most int) Option { return func(c *Client) { c.repeats = max(most, 0) } }

// New makes a client of the install at base, such as https://atelier.example.org.
func New(base string, options ...Option) (*Client, error) {
	address, err := url.Parse(base)
	if err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http" {
		return nil, fmt.Errorf("%q is not the address of an install, such as https://atelier.example.org", base)
	}
	c := &Client{
		base: strings.TrimRight(base, "/"), name: "sdk/" + Version, http: &http.Client{}, repeats: len(pauses), sleep: sleep,
	}
	for _, option := range options {
		option(c)
	}
	c.API = api.New(c)
	return c, nil
}

// BaseURL is the address of the install, without a slash at its end.
func (c *Client) BaseURL() string { return c.base }

// Workspace is the one that the client acts in, empty for the personal space.
func (c *Client) Workspace() string { return c.workspace }

// In is this client in a workspace; an empty id is the personal space.
func (c *Client) In(workspace string) *Client {
	in := *c
	in.workspace = workspace
	in.API = api.New(&in)
	return &in
}

type idempotencyKey struct{}

// WithIdempotencyKey gives the POST requests of a context this key, for what must be done once even when the program is
// started again. Without it each call has a key of its own. One key belongs to one call.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

// Call sends a request and answers with what came back, whose body the caller closes. A body is sent as JSON unless it
// is nil. A refusal is an *Error.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error) {
	var content []byte
	header := http.Header{}
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return nil, err
		}
		header.Set("Content-Type", "application/json")
	}
	return c.send(ctx, &outgoing{method: method, path: path, query: query, header: header, body: func() (io.Reader, int64, error) {
		return bytes.NewReader(content), int64(len(content)), nil
	}})
}

// JSON is Call with the answer read into a value.
func (c *Client) JSON(ctx context.Context, method, path string, query url.Values, body, into any) error {
	response, err := c.Call(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	defer closeBody(response)
	if into == nil || response.StatusCode == http.StatusNoContent {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, api.MaxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// outgoing is a request that can be made again.
type outgoing struct {
	method, path string
	query        url.Values
	header       http.Header
	// body is read from its beginning, with its length or -1.
	body func() (io.Reader, int64, error)
	// once: the body cannot be had a second time.
	once bool
}

func (c *Client) request(ctx context.Context, o *outgoing, key string) (*http.Request, error) {
	body, length, err := o.body()
	if err != nil {
		return nil, err
	}
	if length == 0 {
		body = http.NoBody
	}
	address := c.base + o.path
	if len(o.query) > 0 {
		address += "?" + o.query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, o.method, address, body)
	if err != nil {
		return nil, err
	}
	r.ContentLength = length
	for name, values := range o.header {
		r.Header[name] = values
	}
	if r.Header.Get("Accept") == "" {
		r.Header.Set("Accept", "application/json, */*;q=0.5")
	}
	r.Header.Set("User-Agent", "atelier-go/"+Version)
	r.Header.Set("X-Service-Client", c.name)
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.workspace != "" {
		r.Header.Set("X-Service-Workspace", c.workspace)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	return r, nil
}

// key is what a POST is repeated under.
func key(ctx context.Context, method string) string {
	if method != http.MethodPost {
		return ""
	}
	if chosen, ok := ctx.Value(idempotencyKey{}).(string); ok && chosen != "" {
		return chosen
	}
	var random [16]byte
	_, _ = rand.Read(random[:])
	return hex.EncodeToString(random[:])
}

func closeBody(r *http.Response) {
	_, _ = io.CopyN(io.Discard, r.Body, 64<<10) // so that the connection serves again
	_ = r.Body.Close()
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// errSilent is why a call ends whose answer does not begin.
var errSilent = errors.New("no answer within the time that an answer takes")

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	atelier "atelier/clients/go"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

const (
	// maxMessage is the largest message of an agent or of the service, in bytes. The service takes less, and says so.
	maxMessage = 32 << 20
	// lastAnswers is how long calls may still take once the agent has closed the input.
	lastAnswers = 5 * time.Second

	// refused is the code of an answer to a call that the service did not take, beside those of JSON-RPC.
	refused, unparsable = -32000, -32700

	sessionHeader, versionHeader = "Mcp-Session-Id", "Mcp-Protocol-Version"
)

func (p *program) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Serve an AI agent on this machine (MCP over stdio)", Args: cobra.NoArgs,
		Long: "Serve an AI agent that starts programs on this machine and speaks with them over their input and output: what it says\n" +
			"goes to the install's /mcp with the token of the profile, and what the install answers goes back. Agents that can\n" +
			"sign in at an address by themselves need none of this.",
		Example: "  claude mcp add atelier -- atelierctl mcp -w \"Art 9b\"",
		RunE: func(c *cobra.Command, _ []string) error {
			b := &bridge{find: p.install, complain: p.complain, calls: map[jsonrpc.ID]context.CancelFunc{}}
			return b.serve(c.Context(), p.in, p.out)
		},
	}
}

// install is where messages go, with what token and in which workspace.
type install struct{ url, token, workspace string }

// install is that of the profile.
func (p *program) install(ctx context.Context) (*install, error) {
	acts, err := p.chosen()
	if err != nil {
		return nil, err
	}
	client, err := p.client(ctx) // which finds the workspace
	if err != nil {
		return nil, err
	}
	return &install{client.BaseURL() + "/mcp", acts.Token, client.Workspace()}, nil
}

// bridge hands the messages of an agent, which come and go in lines, to a server of MCP over HTTP, each in a connection of
// the SDK's own. What the server answers goes back as it is.
type bridge struct {
	find     func(context.Context) (*install, error)
	complain func(error)
	agent    sdk.Connection

	finding sync.Mutex // one search at a time

	mu               sync.Mutex
	found            *install
	session, version string                            // of the protocol, once they are known
	calls            map[jsonrpc.ID]context.CancelFunc // those on their way
	told             string                            // what was complained of last
}

// serve goes on until the agent closes the input.
func (b *bridge) serve(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	lines := &sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: maxMessage}
	if b.agent, err = lines.Connect(ctx); err != nil {
		return err
	}
	if _, err := b.at(ctx); err != nil { // said at once, and to the agent when it calls
		b.tell(err)
	}
	var calls sync.WaitGroup
	for {
		message, err := b.agent.Read(ctx)
		if err != nil {
			wait(&calls)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if ctx.Err() == nil { // the SDK writes no answer whose id is null
				_ = json.NewEncoder(out).Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": unparsable, "message": "a message is one line of JSON-RPC: " + err.Error()}})
			}
			return err
		}
		request, _ := message.(*jsonrpc.Request)
		if request == nil || !request.IsCall() || request.Method == "initialize" {
			b.send(ctx, message, request) // in their order
			continue
		}
		call, end := context.WithCancel(ctx)
		b.mu.Lock()
		b.calls[request.ID] = end
		b.mu.Unlock()
		calls.Go(func() {
			b.send(call, message, request)
			end()
			b.mu.Lock()
			delete(b.calls, request.ID)
			b.mu.Unlock()
		})
	}
}

// unclosed is an output that others go on with.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// wait lets calls end, for a moment.
func wait(calls *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { calls.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(lastAnswers):
	}
}

// send takes a message to the service and what comes of it back to the agent. A call that does not get through is answered
// all the same; one that the agent cancelled is not.
func (b *bridge) send(ctx context.Context, message jsonrpc.Message, request *jsonrpc.Request) {
	err := b.exchange(ctx, message, request)
	if request != nil && request.Method == "notifications/cancelled" {
		b.cancel(request) // a service without sessions knows a call by its connection alone
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	answer := (*jsonrpc.Error)(nil)
	if err = plainly(err); !errors.As(err, &answer) {
		b.tell(err)
		answer = &jsonrpc.Error{Code: refused, Message: strings.Join(append([]string{err.Error()}, advice(err)...), " ")}
	}
	if request != nil && request.IsCall() {
		_ = b.agent.Write(ctx, &jsonrpc.Response{ID: request.ID, Error: answer})
	}
}

func (b *bridge) exchange(ctx context.Context, message jsonrpc.Message, request *jsonrpc.Request) error {
	at, err := b.at(ctx)
	if err != nil {
		return err
	}
	way := &sdk.StreamableClientTransport{
		Endpoint: at.url, MaxEventSize: maxMessage, MaxRetries: -1, DisableStandaloneSSE: true,
		HTTPClient: &http.Client{
			Transport:     &carrier{b, at},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	service, err := way.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = service.Close() }()
	if err := service.Write(ctx, message); err != nil || request == nil || !request.IsCall() {
		return err
	}
	for {
		said, err := service.Read(ctx)
		if err != nil {
			return err
		}
		answer, ends := said.(*jsonrpc.Response)
		if ends && answer.Error != nil && !errors.As(answer.Error, new(*jsonrpc.Error)) {
			return &lost{answer.Error} // the SDK's own: the stream broke off
		}
		if ends && request.Method == "initialize" {
			b.agreed(answer)
		}
		if err := b.agent.Write(ctx, said); err != nil || ends {
			return err
		}
	}
}

// agreed notes the version of the protocol that requests name from now on.
func (b *bridge) agreed(answer *jsonrpc.Response) {
	var result struct{ ProtocolVersion string }
	_ = json.Unmarshal(answer.Result, &result)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.version = result.ProtocolVersion
}

// cancel ends the connection of a call.
func (b *bridge) cancel(notification *jsonrpc.Request) {
	var params struct{ RequestID any }
	if json.Unmarshal(notification.Params, &params) != nil {
		return
	}
	id, err := jsonrpc.MakeID(params.RequestID)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if end := b.calls[id]; end != nil {
		end()
	}
}

// at is the install, which is looked for until it is found.
func (b *bridge) at(ctx context.Context) (*install, error) {
	b.finding.Lock()
	defer b.finding.Unlock()
	b.mu.Lock()
	at := b.found
	b.mu.Unlock()
	if at != nil {
		return at, nil
	}
	at, err := b.find(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.found = at
	return at, err
}

// tell says on the other stream what goes wrong, once in a row.
func (b *bridge) tell(err error) {
	b.mu.Lock()
	again := b.told == err.Error()
	b.told = err.Error()
	b.mu.Unlock()
	if !again {
		b.complain(err)
	}
}

// carrier puts on each request what the install asks for, and makes errors of its refusals.
type carrier struct {
	bridge *bridge
	at     *install
}

func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	c.bridge.mu.Lock()
	session, version := c.bridge.session, c.bridge.version
	c.bridge.mu.Unlock()
	if r.Header.Get(versionHeader) != "" { // the message names its own
		version = ""
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + c.at.token, "X-Service-Workspace": c.at.workspace, sessionHeader: session, versionHeader: version,
	} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, &lost{err}
	}
	if session := response.Header.Get(sessionHeader); session != "" {
		c.bridge.mu.Lock()
		c.bridge.session = session
		c.bridge.mu.Unlock()
		response.Header.Del(sessionHeader) // it outlives this connection
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	_ = response.Body.Close()
	if err != nil {
		return nil, &lost{err}
	}
	var body struct {
		JSONRPC string
		Error   struct{ Code, Message, MissingScope any }
	}
	_ = json.Unmarshal(content, &body)
	if body.JSONRPC != "" {
		response.Body = io.NopCloser(bytes.NewReader(content)) // an answer of the protocol
		return response, nil
	}
	refusal := &atelier.Error{Status: response.StatusCode, Message: "The service answers with " + response.Status}
	if code, ok := body.Error.Code.(string); ok {
		refusal.Code = atelier.Code(code)
		refusal.Message, _ = body.Error.Message.(string)
		refusal.MissingScope, _ = body.Error.MissingScope.(string)
	}
	return nil, refusal
}

// lost is a message to which no answer came.
type lost struct{ error }

func (l *lost) Error() string   { return "The service cannot be reached: " + l.error.Error() }
func (l *lost) Unwrap() []error { return []error{atelier.ErrUnreachable, l.error} }

// plainly is an error without how it came about in the SDK.
func plainly(err error) error {
	refusal, gone := (*atelier.Error)(nil), (*lost)(nil)
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.As(err, &gone):
		return gone
	}
	return err
}

package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"
	"atelier/clients/go/webhook"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
)

func (p *program) eventsCommand() *cobra.Command {
	return group("events", "Receive events", p.listenCommand())
}

// listener takes events to a receiver on this machine.
type listener struct {
	p      *program
	client *atelier.Client
	to     string
	secret string
	kinds  []string
	sender *http.Client
}

const (
	// betweenEvents is how often the list of jobs is looked at.
	betweenEvents = 2 * time.Second
	// answerTime is how long a receiver may take, as for the service's own deliveries.
	answerTime = 10 * time.Second
	// maxOpen bounds the jobs that are followed at once.
	maxOpen = 1000
	// maxEvent is the largest event, as for the service's own.
	maxEvent = 64 << 10
)

func (p *program) listenCommand() *cobra.Command {
	l := &listener{p: p, sender: &http.Client{
		Timeout: answerTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	var receive, public string
	c := &cobra.Command{
		Use: "listen", Short: "Take events to a receiver on this machine", Args: cobra.NoArgs,
		Long: "Take events to a receiver on this machine, for trying it out. The service sends events to public https addresses alone,\n" +
			"so there are two ways:\n\n" +
			"Without --receive the list of your jobs is looked at every two seconds, and an event is made here for each job that\n" +
			"ends, in the same form and signed by --secret (one is made and printed when you give none).\n\n" +
			"With --receive the service's own events are taken in on that local address, behind a tunnel of yours whose public\n" +
			"address is --public-url. An endpoint is registered for it and deleted at the end. Each event's signature is checked\n" +
			"before it goes on, byte for byte and with its headers; --secret then does not sign: the endpoint's secret is printed.",
		Example: "  atelierctl events listen --forward 3000/events\n" +
			"  atelierctl events listen --receive 127.0.0.1:8090 --public-url https://tunnel.example.org --forward 3000/events",
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if l.to == "" {
				return usagef("where to? --forward 3000/events")
			}
			if l.to, err = receiverAt(l.to); err != nil {
				return err
			}
			if l.client, err = p.client(c.Context()); err != nil {
				return err
			}
			if receive != "" {
				if public == "" {
					return usagef("--receive needs --public-url, the https address that leads to it")
				}
				return l.receive(c.Context(), receive, public)
			}
			if l.secret == "" {
				l.secret = "whsec_" + rand.Text()
			}
			fmt.Fprintf(p.err, "Events are made here from the list of your jobs, and signed by %s\nThey go to %s\n", l.secret, l.to)
			return l.look(c.Context())
		},
	}
	flags := c.Flags()
	flags.StringVarP(&l.to, "forward", "f", "", "the receiver: a port of this machine with a path, or an address")
	flags.StringVar(&l.secret, "secret", "", "the secret to sign by")
	flags.StringSliceVar(&l.kinds, "event", []string{webhook.JobCompleted, webhook.JobFailed}, "which events")
	flags.StringVar(&receive, "receive", "", "take in the service's own events on this local address")
	flags.StringVar(&public, "public-url", "", "the public https address that leads to --receive")
	return c
}

// receiverAt reads where events go: 3000, 3000/path, or an address.
func receiverAt(s string) (string, error) {
	port, path, _ := strings.Cut(s, "/")
	if n, err := strconv.ParseUint(port, 10, 16); err == nil && n > 0 {
		return fmt.Sprintf("http://127.0.0.1:%d/%s", n, path), nil
	}
	to, err := url.Parse(s)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return "", usagef("--forward %q: 3000/path, or http://127.0.0.1:3000/path", s)
	}
	return s, nil
}

// look makes an event of each job that ends from now on.
func (l *listener) look(ctx context.Context) error {
	open, newest := map[string]bool{}, ""
	for first := true; ; first = false {
		ended, err := l.news(ctx, open, &newest, first)
		if err != nil {
			return err
		}
		for _, id := range ended {
			if err := l.tell(ctx, id); err != nil {
				return err
			}
		}
		if err := pause(ctx, betweenEvents); err != nil {
			return err
		}
	}
}

// news are the jobs that have ended since the last look, oldest first. What had ended before the first look is none.
func (l *listener) news(ctx context.Context, open map[string]bool, newest *string, first bool) (ended []string, err error) {
	fields, page, before, begun := "id,status", 100, *newest, []string{}
	for job, err := range l.client.API.GetJobsAll(ctx, &api.GetJobsParams{Fields: &fields, Limit: &page}) {
		if err != nil {
			return nil, err
		}
		if job.ID <= before || len(begun) == maxOpen || first && len(begun) == page {
			break // ids go by the time of making
		}
		if begun = append(begun, job.ID); job.ID > *newest {
			*newest = job.ID
		}
		if !first || !atelier.Ended(job.Status) {
			open[job.ID] = true
		}
	}
	ids := make([]string, 0, len(open))
	for id := range open {
		ids = append(ids, id)
	}
	for len(ids) > 0 {
		some := ids[:min(len(ids), 100)]
		ids = ids[len(some):]
		answer, err := l.client.API.PostJobsBatchStatus(ctx, api.JobIDsBodyBody{Ids: some})
		if err != nil {
			return nil, err
		}
		left := map[string]bool{}
		for _, job := range answer.Data {
			if left[job.ID] = true; atelier.Ended(string(job.Status)) {
				ended = append(ended, job.ID)
				delete(open, job.ID)
			}
		}
		for _, id := range some {
			if !left[id] {
				delete(open, id) // it is deleted
			}
		}
	}
	slices.Sort(ended)
	return ended, nil
}

// tell makes the event of a job and takes it to the receiver.
func (l *listener) tell(ctx context.Context, id string) error {
	var answer struct{ Data json.RawMessage }
	err := l.client.JSON(ctx, "GET", "/v1/jobs/"+url.PathEscape(id), nil, nil, &answer)
	if atelier.IsCode(err, atelier.CodeNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	kind, body, err := eventOf(answer.Data)
	if err != nil || kind == "" || !slices.Contains(l.kinds, kind) {
		return err
	}
	var event struct{ ID string }
	if err := json.Unmarshal(body, &event); err != nil {
		return err
	}
	for attempt, waits := 1, []time.Duration{time.Second, 5 * time.Second, 0}; ; attempt++ {
		header := signed(body, l.secret, time.Now())
		header.Set("Service-Event", kind)
		header.Set("Service-Delivery", event.ID)
		header.Set("Service-Webhook", "00000000-0000-0000-0000-000000000000")
		header.Set("Service-Attempt", strconv.Itoa(attempt))
		status, err := l.deliver(ctx, header, body)
		l.told(kind, id, status, err)
		if err == nil && status/100 == 2 || attempt == len(waits) {
			return nil
		}
		if err := pause(ctx, waits[attempt-1]); err != nil {
			return err
		}
	}
}

// eventOf makes an event of a job as the service would; jobs that were cancelled have none.
func eventOf(job json.RawMessage) (kind string, body []byte, err error) {
	var fields map[string]json.RawMessage
	var status string
	if err := errors.Join(json.Unmarshal(job, &fields), json.Unmarshal(fields["status"], &status)); err != nil {
		return "", nil, err
	}
	switch status {
	case "completed":
		kind = webhook.JobCompleted
	case "failed":
		kind = webhook.JobFailed
	default:
		return "", nil, nil
	}
	type data struct {
		Job     any      `json:"job"`
		Omitted []string `json:"omitted,omitempty"`
	}
	event := struct {
		ID        string          `json:"id"`
		Type      string          `json:"type"`
		CreatedAt json.RawMessage `json:"createdAt"`
		Data      data            `json:"data"`
	}{uuid.NewString(), kind, fields["completed_at"], data{Job: job}}
	for _, large := range []string{"input_data", "output_data", ""} {
		if body, err = json.Marshal(event); err != nil || len(body) <= maxEvent || large == "" {
			break
		}
		delete(fields, large)
		event.Data.Job, event.Data.Omitted = fields, append(event.Data.Omitted, large)
	}
	return kind, body, err
}

// signed are the headers of an event that is sent now.
func signed(body []byte, secret string, now time.Time) http.Header {
	at := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write([]byte(at + "."))
	_, _ = mac.Write(body)
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Service-Webhooks/1"}}
	h.Set(webhook.SignatureHeader, "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
	return h
}

// deliver takes an event to the receiver.
func (l *listener) deliver(ctx context.Context, header http.Header, body []byte) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.to, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header = header
	response, err := l.sender.Do(request)
	if err != nil {
		return 0, err
	}
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10)
	return response.StatusCode, response.Body.Close()
}

func (l *listener) told(kind, job string, status int, err error) {
	if l.p.json {
		line := map[string]any{"event": kind, "jobId": job, "status": status}
		if err != nil {
			line["error"] = err.Error()
		}
		_ = json.NewEncoder(l.p.out).Encode(line)
		return
	}
	what := strconv.Itoa(status)
	if err != nil {
		what = brief(err.Error())
	}
	fmt.Fprintf(l.p.out, "%s  %-13s  %s  %s\n", time.Now().Format("15:04:05"), printable(kind), printable(job), what)
}

// receive takes in the service's own events, behind a public address, and hands them on.
func (l *listener) receive(ctx context.Context, address, public string) error {
	at, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	description := "atelierctl events listen"
	made, err := l.client.API.PostWebhookEndpoints(ctx, api.CreateWebhookEndpointInputBody{URL: public, Description: &description, Events: l.kinds})
	if err != nil {
		_ = at.Close()
		return err
	}
	fmt.Fprintf(l.p.err, "Events of %s are signed by %s\nThey go to %s\n", public, made.Secret, l.to)
	server := &http.Server{Handler: l.handler(made.Secret), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(at) }()
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case err = <-ended:
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	_ = server.Shutdown(ending)
	_, gone := l.client.API.DeleteWebhookEndpointsID(ending, made.Data.ID)
	return errors.Join(err, gone)
}

// handler checks an event and hands it on; the service learns what the receiver said.
func (l *listener) handler(secret string) http.Handler {
	verifier := webhook.Verifier{Secrets: []string{secret}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := verifier.Receive(r)
		if err != nil {
			l.told("refused", "", http.StatusBadRequest, err)
			http.Error(w, "not accepted", http.StatusBadRequest)
			return
		}
		header := http.Header{}
		for name, values := range r.Header {
			if strings.HasPrefix(name, "Service-") || name == "Content-Type" || name == "User-Agent" {
				header[name] = values
			}
		}
		job := ""
		if event.Job != nil {
			job = event.Job.ID
		}
		status, err := l.deliver(r.Context(), header, event.Raw)
		l.told(event.Type, job, status, err)
		if err != nil {
			status = http.StatusBadGateway
		}
		w.WriteHeader(status)
	})
}

// pause waits, or ends with the context.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

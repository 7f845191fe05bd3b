package kit

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"atelier/models"
	"atelier/models/egress"
)

// answer is what came back from an outbound request.
type answer struct {
	Status int
	Body   []byte
	// Cut says that the body was longer than the limit.
	Cut bool
}

// Send does one request to an https address and reads at most limit bytes of
// the answer; see exchange.
func (in *Call) Send(ctx context.Context, req *http.Request, timeout time.Duration, limit int64) (got *answer, err error) {
	err = in.Exchange(ctx, req, timeout, func(res *http.Response) error {
		body, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
		got = &answer{Status: res.StatusCode, Body: body, Cut: int64(len(body)) > limit || err != nil}
		if int64(len(body)) > limit {
			got.Body = body[:limit]
		}
		return nil
	})
	return got, err
}

// Exchange does one request to an https address and hands the answer to use,
// within the time for all of it. It follows no redirect and never repeats the
// request. Messages name no address, for the viewers of an app see them too.
func (in *Call) Exchange(ctx context.Context, req *http.Request, timeout time.Duration, use func(*http.Response) error) error {
	if err := in.authorize(ctx, req); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req = req.WithContext(ctx)
	req.GetBody, req.Close = nil, true
	req.Header.Set("User-Agent", "Atelier/1")
	client := *in.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := client.Do(req)
	if err != nil {
		return unreachable(err, timeout)
	}
	defer res.Body.Close()
	return use(res)
}

// StatusHint says what can be done about an answer that is no success.
func StatusHint(status int) string {
	switch {
	case status < 400:
		return "The receiver must answer with a 2xx status; redirects are not followed: use the address that it leads to."
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return "The receiver refuses the request. Check the credential and the address."
	case status == http.StatusNotFound, status == http.StatusGone:
		return "The receiver must answer with a 2xx status. Check the address."
	case status == http.StatusTooManyRequests, status >= 500:
		return "The receiver must answer with a 2xx status. Try again later, or look into its logs."
	}
	return "The receiver must answer with a 2xx status. Check what is sent to it."
}

// authorize checks the address and attaches the credential that the node names.
func (in *Call) authorize(ctx context.Context, req *http.Request) error {
	id := in.Text("credentialId")
	if id == "" {
		return nil
	}
	missing := Failf("The credential does not exist any more").WithHint("Choose a credential in the node's settings.")
	if in.Credential == nil {
		return missing
	}
	credential, err := in.Credential(ctx, id)
	if err != nil {
		return err
	}
	if credential == nil {
		return missing
	}
	return credential.apply(req)
}

// SecureAddress reads the address of an outbound node.
func SecureAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return nil, Failf("The address must start with https:// and name a host, without user or password").
			WithHint("Correct the URL in the node's settings.")
	}
	return u, nil
}

// unreachable says why no answer came, as far as that helps the author. A name
// that does not exist, one that leads to no public address and a closed port
// read alike, so that no one learns the names of the network inside.
func unreachable(err error, timeout time.Duration) error {
	var refusal *models.Error
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.As(err, &refusal):
		return Failf("The request was not sent: %s", its(refusal.Message)).WithHint("Use an https address on a public host.")
	case errors.Is(err, egress.ErrBlockedAddress): // a name server that took too long included
	case errors.Is(err, context.DeadlineExceeded), os.IsTimeout(err):
		return Failf("No answer came within %d seconds", int(timeout.Seconds())).WithHint("The receiver must answer sooner; work that takes longer it can begin and answer at once.")
	}
	return Failf("The receiver could not be reached").
		WithHint("Check the URL in the node's settings: its host must exist and answer on a public https address with a valid certificate.")
}

package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
)

var (
	// ErrBlockedAddress says that the request was refused before connecting:
	// the URL is not allowed, or its name does not resolve to public addresses alone.
	ErrBlockedAddress = errors.New("egress: not a public address")
	// ErrResolver comes with ErrBlockedAddress when the name could not be asked
	// for, which may be this service's own trouble.
	ErrResolver = errors.New("egress: the name could not be resolved")
	// ErrTLS says that no secure connection came about.
	ErrTLS = errors.New("egress: TLS failed")
	// ErrTooLarge says that the body is longer than the client takes.
	ErrTooLarge = errors.New("egress: the answer is too large")
	// ErrRedirects says that the address led on more often than is followed.
	ErrRedirects = errors.New("egress: too many redirects")
)

// The classes of failed requests (contract 2, "Delivery error values").
const (
	ClassBlockedAddress    = "blocked_address"
	ClassTimeout           = "timeout"
	ClassConnectionRefused = "connection_refused"
	ClassConnectionReset   = "connection_reset"
	ClassTLSError          = "tls_error"
	ClassNetworkError      = "network_error"
)

// Classify names the class of an error that the client returned; "" is no error.
func Classify(err error) string {
	var network net.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrBlockedAddress):
		return ClassBlockedAddress
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.Is(err, syscall.ETIMEDOUT), errors.As(err, &network) && network.Timeout():
		return ClassTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return ClassConnectionRefused
	case closed(err):
		return ClassConnectionReset
	case errors.Is(err, ErrTLS), alerted(err):
		return ClassTLSError
	}
	return ClassNetworkError
}

// alerted tells whether one side ended the connection with a TLS alert after
// the handshake, as a server does that misses a certificate of the client.
func alerted(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && (operation.Op == "remote error" || operation.Op == "local error")
}

// closed tells whether the other side ended the connection without an answer.
func closed(err error) bool {
	var stream streamError
	if errors.As(err, &stream) {
		return stream.Cause != nil && stream.Cause.Error() == "received from peer"
	}
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNABORTED) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		slices.ContainsFunc(endings, func(words string) bool { return strings.Contains(err.Error(), words) })
}

// endings are what net/http says, and has no values for, when the other side
// ends a connection: before the request was written, or by HTTP/2's GOAWAY.
var endings = []string{"server closed idle connection", "GOAWAY", "client connection lost", "client conn not usable", "client conn could not be established"}

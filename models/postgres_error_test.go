package models

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// While the database is full, read-only, out of memory or changes servers, clients are told to come again.
func TestTroubleOfTheDatabasePasses(t *testing.T) {
	for _, err := range []error{
		&pgconn.PgError{Code: "53100"}, &pgconn.PgError{Code: "53200"}, &pgconn.PgError{Code: "53300"}, &pgconn.PgError{Code: "25006"},
		&pgconn.PgError{Code: "57P01"}, &pgconn.PgError{Code: "57P03"}, &pgconn.PgError{Code: "40P01"}, &pgconn.PgError{Code: "40001"}, &pgconn.PgError{Code: "58030"}, &pgconn.PgError{Code: "08006"},
		pgconn.ErrConnClosed, io.ErrUnexpectedEOF, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}, &net.OpError{Op: "write", Net: "unix", Err: syscall.EPIPE},
	} {
		refusal, known := AsError(fmt.Errorf("a use case: %w", err))
		if known || refusal.HTTPStatus() != http.StatusServiceUnavailable || refusal.RetryAfter == 0 {
			t.Errorf("%v: %v", err, refusal)
		}
	}
	for _, err := range []error{errors.New("a fault"), &pgconn.PgError{Code: "42703"}, &pgconn.PgError{Code: "5"}, &pgconn.PgError{}} {
		if refusal, _ := AsError(err); refusal.Code != CodeInternal {
			t.Errorf("%v: %v", err, refusal)
		}
	}
}

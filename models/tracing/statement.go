package tracing

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Statements tells of the statements of connections, as a tracer of pgx: their
// text without values, and waits for a connection that took longer than a moment.
type Statements struct{}

// moment is how long a connection may be waited for without being told of.
const moment = time.Millisecond

type (
	statementKey struct{}
	acquireKey   struct{}
)

// TraceQueryStart begins the span of a statement.
func (Statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return startStatement(ctx, func(s *Span) string {
		text := WithoutValues(data.SQL)
		s.Text("db.query.text", text)
		return verbOf(text)
	})
}

// TraceQueryEnd ends it.
func (Statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	endStatement(ctx, data.Err)
}

// TraceBatchStart begins the span of statements that go out together.
func (Statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	return startStatement(ctx, func(s *Span) string {
		if data.Batch == nil {
			return "BATCH"
		}
		var text strings.Builder
		for _, one := range data.Batch.QueuedQueries {
			if text.Len() < maxText {
				text.WriteString(WithoutValues(one.SQL) + "; ")
			}
		}
		s.Text("db.query.text", strings.TrimSuffix(text.String(), "; "))
		s.Number("db.operation.batch.size", data.Batch.Len())
		return "BATCH"
	})
}

// TraceBatchQuery is asked for each of them; the span is of all.
func (Statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd ends it.
func (Statements) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	endStatement(ctx, data.Err)
}

// TraceAcquireStart notes since when a connection is waited for.
func (Statements) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	if !recording(ctx) {
		return ctx
	}
	return context.WithValue(ctx, acquireKey{}, time.Now())
}

// TraceAcquireEnd tells of the wait if it was one.
func (Statements) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, data pgxpool.TraceAcquireEndData) {
	began, _ := ctx.Value(acquireKey{}).(time.Time)
	if began.IsZero() || time.Since(began) < moment && data.Err == nil {
		return
	}
	span := Past(ctx, Inside, "wait for a connection", began)
	if data.Err != nil {
		span.Fail("no connection")
	}
	span.End()
}

func startStatement(ctx context.Context, describe func(*Span) (name string)) context.Context {
	if !recording(ctx) {
		return ctx
	}
	inner, span := Start(ctx, Asked, "statement")
	if span == nil {
		return context.WithValue(ctx, statementKey{}, span)
	}
	span.Text("db.system.name", "postgresql")
	span.Rename(describe(span))
	return context.WithValue(inner, statementKey{}, span)
}

func endStatement(ctx context.Context, err error) {
	span, _ := ctx.Value(statementKey{}).(*Span)
	var refused *pgconn.PgError
	switch {
	case span == nil:
		return
	case errors.As(err, &refused):
		span.Text("db.response.status_code", refused.Code)
		span.Fail(refused.Code)
	case err != nil:
		span.Fail("no answer")
	}
	span.End()
}

// verbOf is the first word of a statement.
func verbOf(text string) string {
	verb, _, _ := strings.Cut(strings.TrimLeft(text, "( "), " ")
	if len(verb) > 20 {
		return "statement"
	}
	return strings.ToUpper(strings.TrimRight(verb, ";("))
}

// WithoutValues is the text of a statement, on one line and within bounds, with
// a question mark for each text that stands in it.
func WithoutValues(sql string) string {
	var b strings.Builder
	blank := false
	for i := 0; i < len(sql) && b.Len() < maxText; i++ {
		c := sql[i]
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			blank = true
			continue
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		switch tag := dollarTag(sql[i:]); {
		case c == '\'':
			i = endOfText(sql, i)
			c = '?'
		case tag != "":
			length := strings.Index(sql[i+len(tag):], tag)
			if length < 0 {
				length = len(sql) // what has no end is left out
			}
			i += length + 2*len(tag) - 1
			c = '?'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// endOfText is where a text ends that begins at a quote. Behind an E, a
// backslash keeps what follows from ending it.
func endOfText(sql string, at int) int {
	escapes := at > 0 && (sql[at-1] == 'E' || sql[at-1] == 'e') && (at == 1 || !ofWord(sql[at-2]))
	for i := at + 1; i < len(sql); i++ {
		switch {
		case escapes && sql[i] == '\\':
			i++
		case sql[i] == '\'' && i+1 < len(sql) && sql[i+1] == '\'':
			i++
		case sql[i] == '\'':
			return i
		}
	}
	return len(sql)
}

func ofWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// dollarTag is the mark between which PostgreSQL takes everything as a text; empty
// where there is none, as at the number of a parameter.
func dollarTag(sql string) string {
	if sql[0] != '$' || len(sql) > 1 && sql[1] >= '0' && sql[1] <= '9' {
		return ""
	}
	for i := 1; i < len(sql); i++ {
		if sql[i] == '$' {
			return sql[:i+1]
		}
		if !ofWord(sql[i]) {
			break
		}
	}
	return ""
}

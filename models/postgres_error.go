package models

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// conflicts names the refusal behind each unique constraint that a race can
// hit; a use case that checks first still loses the race here.
var conflicts = map[string]*Error{
	"organizations_slug_live":         {Code: CodeNameTaken, Field: "slug", Message: "slug is taken"},
	"workspaces_organization_slug":    {Code: CodeNameTaken, Field: "slug", Message: "slug is taken in this organization"},
	"users_email_live":                {Code: CodeEmailTaken, Field: "email", Message: "email has an account already"},
	"workspace_members_pkey":          {Code: CodeAlreadyAMember, Message: "Already a member of the workspace"},
	"apps_slug_live":                  {Code: CodeNameTaken, Field: "slug", Message: "slug is taken"},
	"webhook_endpoints_account_url":   {Code: CodeURLTaken, Field: "url", Message: "url is registered already"},
	"organization_members_one_owner":  {Code: CodeValidation, Field: "userId", Message: "Ownership was transferred meanwhile"},
	"organization_members_pkey":       {Code: CodeAlreadyAMember, Message: "Already a member of the organization"},
	"workspace_budgets_within":        {Code: CodeBudgetExceeded, Message: "The workspace's budget does not cover this run"},
	"app_runs_draft_started_once":     {Code: CodeRunAlreadyStarted, Message: "The run was started already"},
	"workflow_collaborators_pkey":     {Code: CodeAlreadyAMember, Message: "Shared with this person already"},
	"projects_one_default_personal":   {Code: CodeNameTaken, Message: "The personal space has a default project already"},
	"projects_one_default_workspace":  {Code: CodeNameTaken, Message: "The workspace has a default project already"},
	"idempotency_keys_pkey":           {Code: CodeIdempotencyInProgress, Message: "The first request with this key is still at work"},
	"external_identities_subject":     {Code: CodeAccountExists, Message: "This sign-in was connected with an account meanwhile"},
	"external_identities_user":        {Code: CodeAccountExists, Message: "The account was connected with a sign-in meanwhile"},
	"elements_handle_workspace":       {Code: CodeNameTaken, Field: "handle", Message: "handle is taken in this workspace"},
	"elements_handle_personal":        {Code: CodeNameTaken, Field: "handle", Message: "handle is taken in this space"},
	"production_renders_open":         {Code: CodeRunAlreadyStarted, Message: "The production is being rendered already"},
	"webhook_endpoints_url_per_owner": {Code: CodeURLTaken, Field: "url", Message: "url is registered already"},
}

// fromPostgres turns a database error into a refusal by SQLSTATE and
// constraint name; nil when it is not the client's doing.
func fromPostgres(err error) *Error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return nil
	}
	switch pg.Code {
	case "23505": // unique_violation
		if refusal, ok := conflicts[pg.ConstraintName]; ok {
			return refusal
		}
	case "ST001": // raised by the counting of what a space keeps
		most, _ := strconv.ParseInt(pg.Detail, 10, 64)
		return StorageFull(pg.ConstraintName, pg.TableName, most)
	case "22P05", "22021": // untranslatable_character, character_not_in_repertoire: a NUL in a text
		return Err(CodeValidation, "The text holds a character that cannot be stored (U+0000)")
	}
	return nil
}

// away is the error of a transaction whose connection broke.
type away struct{ cause error }

func (a *away) Error() string { return "the connection to the database broke: " + a.cause.Error() }
func (a *away) Unwrap() error { return a.cause }

// passing is databasePasses for a use case, where a connection that broke was one to the database.
func passing(err error) bool { return databasePasses(err) || lost(err) }

// databasePasses tells whether err is a trouble of the database that passes with time:
// no connection was to be had, one broke in a transaction, a bound of a request's connection was reached,
// others were in the way, or the server is stopping or full.
func databasePasses(err error) bool {
	var none *busy
	var broke *away
	if errors.As(err, &none) || errors.As(err, &broke) || pgconn.Timeout(err) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, pgconn.ErrConnClosed) {
		return true
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "57014", "55P03", "25P03": // query_canceled, lock_not_available, idle_in_transaction_session_timeout
		return true
	case "40001", "40P01": // serialization_failure, deadlock_detected, which even trying again did not help
		return true
	case "57P01", "57P02", "57P03", "25006": // admin_shutdown, crash_shutdown, cannot_connect_now, read_only_sql_transaction
		return true
	}
	class := pg.Code[:min(2, len(pg.Code))]
	return class == "08" || class == "53" || class == "58" // connection exception, insufficient resources, system error
}

// lost tells whether a connection broke, as when its server dies. Where it is the database's, the next one leads to the server
// that took over.
func lost(err error) bool {
	var network *net.OpError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) && (network.Op == "read" || network.Op == "write")
}

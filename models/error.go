package models

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Code is the machine-readable name of an error; clients dispatch on it
// (contract 1, 2 and 3, "Errors").
type Code string

// The codes of the three contract documents and of the conventions beside them.
const (
	CodeValidation            Code = "validation_error"
	CodeLockedField           Code = "locked_field"
	CodeLimitReached          Code = "limit_reached"
	CodeTermsRequired         Code = "terms_required"
	CodeNotOrgMember          Code = "not_org_member"
	CodeTokenWorkspace        Code = "token_workspace_mismatch"
	CodeJoinCodeInvalid       Code = "join_code_invalid"
	CodeInvitationExpired     Code = "invitation_expired"
	CodeInvitationRevoked     Code = "invitation_revoked"
	CodeInvitationAccepted    Code = "invitation_accepted"
	CodeEmailMismatch         Code = "email_mismatch"
	CodeNoAssertion           Code = "no_assertion"
	CodeNotAssertionProvider  Code = "not_assertion_provider"
	CodeUnauthorized          Code = "unauthorized"
	CodeInvalidSignature      Code = "invalid_signature"
	CodeInvalidClaims         Code = "invalid_claims"
	CodeExpired               Code = "expired"
	CodeTooLongLived          Code = "too_long_lived"
	CodeMissingJTI            Code = "missing_jti"
	CodeMissingEmail          Code = "missing_email"
	CodeAssertionReplayed     Code = "assertion_replayed"
	CodeInsufficientCredits   Code = "insufficient_app_credits"
	CodeBudgetExceeded        Code = "budget_exceeded"
	CodeMemberCapExceeded     Code = "member_cap_exceeded"
	CodeInsufficientScope     Code = "insufficient_scope"
	CodeForbidden             Code = "forbidden"
	CodeInsufficientRole      Code = "insufficient_role"
	CodeMemberSuspended       Code = "member_suspended"
	CodeOrgNotActive          Code = "org_not_active"
	CodeNotAMember            Code = "not_a_member"
	CodeDomainNotAllowed      Code = "domain_not_allowed"
	CodeProjectCreate         Code = "project_create_not_allowed"
	CodePersonalSpaceDisabled Code = "personal_space_disabled"
	CodeEmailUnverified       Code = "email_unverified"
	CodeAccountExists         Code = "account_exists"
	CodeLinkedOtherProvider   Code = "account_linked_other_provider"
	CodeLinkedOtherSubject    Code = "account_linked_other_subject"
	CodeSSORequired           Code = "sso_required"
	CodeSecondFactor          Code = "second_factor_required"       // the second step of a sign-in
	CodeSecondFactorSetUp     Code = "second_factor_setup_required" // by an organization
	CodeReauthentication      Code = "reauthentication_required"
	CodePayerProtected        Code = "payer_account_protected"
	CodeAccessDenied          Code = "access_denied"  // by an OpenID Connect provider
	CodeProviderError         Code = "provider_error" // an OpenID Connect provider does not accept the install
	CodeInAppOnly             Code = "in_app_only"
	CodeRunRequiresMember     Code = "run_requires_authenticated_member"
	CodeNotFound              Code = "not_found"
	CodeInvitationNotFound    Code = "invitation_not_found"
	CodeUnknownProvider       Code = "unknown_provider"
	CodeMethodNotAllowed      Code = "method_not_allowed"
	CodeNameTaken             Code = "name_taken"
	CodeEmailTaken            Code = "email_taken"
	CodeAlreadyAMember        Code = "already_a_member"
	CodeOwnerCannotLeave      Code = "owner_cannot_leave"
	CodeHasActiveWorkspaces   Code = "has_active_workspaces"
	CodeUnreturnedAllocations Code = "has_unreturned_allocations"
	CodeNoDefaultProject      Code = "workspace_has_no_default_project"
	CodeURLTaken              Code = "url_taken"
	CodeURLInvalid            Code = "url_invalid"
	CodeSecretRequired        Code = "secret_required"
	CodeCredentialUnbound     Code = "credential_unbound"
	CodeTriggerPaused         Code = "trigger_paused"
	CodeTriggerOwnedByNode    Code = "trigger_owned_by_node"
	CodeRunAlreadyStarted     Code = "run_already_started"
	CodeJobNotInReview        Code = "job_not_in_review"
	CodeAlreadyFinished       Code = "already_finished"
	CodeStale                 Code = "stale_version"
	CodeIdempotencyReused     Code = "idempotency_key_reused"
	CodeIdempotencyInProgress Code = "idempotency_in_progress"
	CodePayloadTooLarge       Code = "payload_too_large"
	CodeUnsupportedMediaType  Code = "unsupported_media_type"
	CodeRateLimited           Code = "rate_limited"
	CodeRateLimitExceeded     Code = "rate_limit_exceeded"
	CodeTooManyDownloads      Code = "too_many_downloads"
	CodeBulkInviteCap         Code = "bulk_invite_cap_exceeded"
	CodeInternal              Code = "internal_error"
	CodeRateLimitUnavailable  Code = "rate_limit_unavailable"
	CodeBillingUnavailable    Code = "billing_unavailable"
	CodeAuditUnavailable      Code = "audit_unavailable"
	CodeEncryptionKeyMissing  Code = "encryption_key_missing"
	CodeServiceUnavailable    Code = "service_unavailable"

	// CodeWorkspaceArchived is 409 for a create and 403 for any other write
	// (contract 3, "Acting in a workspace" 6): see WorkspaceArchived.
	CodeWorkspaceArchived Code = "workspace_archived"
)

// statuses is the one table from code to HTTP status.
var statuses = map[Code]int{
	CodeValidation: 400, CodeLockedField: 400, CodeLimitReached: 400, CodeTermsRequired: 400,
	CodeNotOrgMember: 400, CodeTokenWorkspace: 400, CodeJoinCodeInvalid: 400,
	CodeInvitationExpired: 400, CodeInvitationRevoked: 400, CodeInvitationAccepted: 400,
	CodeEmailMismatch: 400, CodeNoAssertion: 400, CodeNotAssertionProvider: 400,

	CodeUnauthorized: 401, CodeInvalidSignature: 401, CodeInvalidClaims: 401, CodeExpired: 401,
	CodeSecondFactor: 401, CodeTooLongLived: 401, CodeMissingJTI: 401, CodeMissingEmail: 401, CodeAssertionReplayed: 401,

	CodeInsufficientCredits: 402, CodeBudgetExceeded: 402, CodeMemberCapExceeded: 402,

	CodeInsufficientScope: 403, CodeForbidden: 403, CodeInsufficientRole: 403, CodeMemberSuspended: 403,
	CodeOrgNotActive: 403, CodeNotAMember: 403, CodeDomainNotAllowed: 403, CodeProjectCreate: 403,
	CodePersonalSpaceDisabled: 403, CodeEmailUnverified: 403, CodeAccountExists: 403,
	CodeLinkedOtherProvider: 403, CodeLinkedOtherSubject: 403, CodeSSORequired: 403,
	CodeSecondFactorSetUp: 403, CodeReauthentication: 403, CodeAccessDenied: 403,
	CodePayerProtected: 403, CodeInAppOnly: 403, CodeRunRequiresMember: 403, CodeWorkspaceArchived: 403,

	CodeNotFound: 404, CodeInvitationNotFound: 404, CodeUnknownProvider: 404,
	CodeMethodNotAllowed: 405,

	CodeNameTaken: 409, CodeEmailTaken: 409, CodeAlreadyAMember: 409, CodeOwnerCannotLeave: 409,
	CodeHasActiveWorkspaces: 409, CodeUnreturnedAllocations: 409, CodeNoDefaultProject: 409,
	CodeURLTaken: 409, CodeURLInvalid: 409, CodeSecretRequired: 409, CodeCredentialUnbound: 409,
	CodeTriggerPaused: 409, CodeTriggerOwnedByNode: 409, CodeRunAlreadyStarted: 409,
	CodeJobNotInReview: 409, CodeAlreadyFinished: 409, CodeStale: 409,
	CodeIdempotencyReused: 409, CodeIdempotencyInProgress: 409,

	CodePayloadTooLarge: 413, CodeUnsupportedMediaType: 415,
	CodeRateLimited: 429, CodeRateLimitExceeded: 429, CodeTooManyDownloads: 429, CodeBulkInviteCap: 429,

	CodeProviderError: 502, CodeInternal: 500, CodeRateLimitUnavailable: 503, CodeBillingUnavailable: 503,
	CodeAuditUnavailable: 503, CodeEncryptionKeyMissing: 503, CodeServiceUnavailable: 503,
}

// Error is a refusal in the contract's terms. Every face renders it; nothing
// else than an Error reaches a client.
type Error struct {
	Code    Code
	Message string
	// Field names the input at fault, empty when none is.
	Field string
	// Status overrides the code's usual status (workspace_archived has two).
	Status int
	// RetryAfter is how long the caller should wait after a 429 or 503.
	RetryAfter time.Duration
	// Extra holds further members of the error object, such as missingScope.
	Extra map[string]any
	// passing: see Passes.
	passing bool
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// HTTPStatus is the status that goes with the error.
func (e *Error) HTTPStatus() int {
	if e.Status != 0 {
		return e.Status
	}
	if status, ok := statuses[e.Code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Is makes errors.Is(err, Err(code, "")) compare codes.
func (e *Error) Is(target error) bool {
	var other *Error
	return errors.As(target, &other) && other.Code == e.Code
}

// Err makes a refusal. Of texts among the arguments it repeats the beginning.
func Err(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, echo(args)...)}
}

// Invalid is a validation_error that names the field; see Err.
func Invalid(field, format string, args ...any) *Error {
	field = Shortened(field, maxField)
	return &Error{Code: CodeValidation, Field: field, Message: field + " " + fmt.Sprintf(format, echo(args)...)}
}

// Unavailable says that the service is too busy to do this now, and did nothing.
func Unavailable(wait time.Duration) *Error {
	e := Err(CodeServiceUnavailable, "The service is busy, and nothing was changed. Try again in %s.", Several(RetrySeconds(wait), "second"))
	e.RetryAfter, e.passing = wait, true
	return e
}

// Passes tells whether err is a trouble of the service itself that passes with time, as when its database is away for a moment
// or has no connection left, so that the same thing may be tried again.
func Passes(err error) bool {
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal.passing
	}
	return databasePasses(err)
}

// NotFound says that noun does not exist, or that the actor may not know of it.
func NotFound(noun string) *Error { return Err(CodeNotFound, "%s not found", noun) }

// InsufficientRole says that the actor sees the object but may not do this to it.
func InsufficientRole(format string, args ...any) *Error {
	return Err(CodeInsufficientRole, format, args...)
}

// WorkspaceArchived refuses a write in an archived workspace: 409 when it
// creates something there, 403 when it changes something.
func WorkspaceArchived(creates bool) *Error {
	e := Err(CodeWorkspaceArchived, "The workspace is archived. An organization admin can restore it.")
	if creates {
		e.Status = http.StatusConflict
	}
	return e
}

// Refusal is the refusal that an error is; nil for none, and for a trouble of ours.
func Refusal(err error) *Error {
	refusal, known := AsError(err)
	if err == nil || !known || refusal.HTTPStatus() >= http.StatusInternalServerError {
		return nil
	}
	return refusal
}

// AsError is the refusal within err. Of an error that is none, known is false:
// a trouble that passes with time becomes service_unavailable, anything else
// internal_error, which the caller logs once.
func AsError(err error) (refusal *Error, known bool) {
	if errors.As(err, &refusal) {
		return refusal, true
	}
	if refusal := fromDoor(err); refusal != nil {
		return refusal, true
	}
	if refusal := fromPostgres(err); refusal != nil {
		return refusal, true
	}
	if passing(err) {
		return Unavailable(ConnectionWait), false
	}
	return Err(CodeInternal, "Something failed on our side. Try once more in a moment."), false
}

// refusedAtDoor is a refusal of bytes that were on their way in (inbound.Refusal),
// which knows nothing of the house.
type refusedAtDoor interface {
	error
	Refused() (status int, code, message, field string, retryAfter time.Duration)
}

// fromDoor is such a refusal in the contract's terms, nil for other errors.
func fromDoor(err error) *Error {
	var refused refusedAtDoor
	if !errors.As(err, &refused) {
		return nil
	}
	status, code, message, field, retryAfter := refused.Refused()
	return &Error{Code: Code(code), Message: message, Field: field, Status: status, RetryAfter: retryAfter}
}

// HasCode tells whether err is a refusal with the code.
func HasCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

package oauth

import (
	"fmt"
	"net/http"

	"atelier/models"
)

// Refusal is an error in the form of RFC 6749, 5.2: what programs are answered
// at the endpoints of the protocol.
type Refusal struct {
	// Code is one of the protocol's: invalid_client, invalid_grant, …
	Code        string
	Description string
	// Status is 400 when 0.
	Status int
}

// Error says both.
func (r *Refusal) Error() string { return r.Code + ": " + r.Description }

// HTTPStatus is the status that goes with the error.
func (r *Refusal) HTTPStatus() int {
	if r.Status == 0 {
		return http.StatusBadRequest
	}
	return r.Status
}

// The codes of the protocol that are used here.
const (
	invalidRequest         = "invalid_request"
	invalidClient          = "invalid_client"
	invalidGrant           = "invalid_grant"
	invalidScope           = "invalid_scope"
	invalidTarget          = "invalid_target" // RFC 8707
	unauthorizedClient     = "unauthorized_client"
	unsupportedGrant       = "unsupported_grant_type"
	unsupportedResponse    = "unsupported_response_type"
	accessDenied           = "access_denied"
	consentRequired        = "consent_required" // OpenID Connect, for prompt=none
	invalidRedirectURI     = "invalid_redirect_uri"
	invalidClientMetadata  = "invalid_client_metadata"
	temporarilyUnavailable = "temporarily_unavailable"
)

func refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Description: fmt.Sprintf(format, args...)}
}

// InvalidRequest is the refusal of a request that has not the protocol's form.
func InvalidRequest(format string, args ...any) *Refusal {
	return refuse(invalidRequest, format, args...)
}

// InvalidMetadata is the refusal of a registration that cannot be read.
func InvalidMetadata(format string, args ...any) *Refusal {
	return refuse(invalidClientMetadata, format, args...)
}

func badClient(format string, args ...any) *Refusal {
	return &Refusal{Code: invalidClient, Description: fmt.Sprintf(format, args...), Status: http.StatusUnauthorized}
}

// FromRefusal is a refusal of the house in the protocol's words.
func FromRefusal(e *models.Error) *Refusal {
	code := string(e.Code)
	switch {
	case e.Code == models.CodeValidation || e.Code == models.CodePayloadTooLarge || e.Code == models.CodeUnsupportedMediaType:
		code = invalidRequest
	case e.HTTPStatus() == http.StatusServiceUnavailable:
		code = temporarilyUnavailable
	case e.HTTPStatus() >= http.StatusInternalServerError:
		code = "server_error"
	}
	return &Refusal{Code: code, Description: e.Message, Status: e.HTTPStatus()}
}

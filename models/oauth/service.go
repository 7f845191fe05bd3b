package oauth

import (
	"slices"
	"strings"
	"time"

	"atelier/models"
)

// How long things last, and how many there may be.
const (
	// TokenLifetime is how long an access token lasts (contract 1, "Authentication" 6).
	TokenLifetime = 90 * 24 * time.Hour
	// codeLifetime is how long a code can be exchanged.
	codeLifetime = time.Minute
	// MaxApps is how many apps a person may register by hand (contract 1, "Limits").
	MaxApps = 5
	// maxConnected is how many apps may act for one person.
	maxConnected = 100
	// maxTokens is how many tokens one person's grant has at once; the oldest end first.
	maxTokens = 50
	// maxUnused is how many registrations may wait for their first use.
	maxUnused = 10_000
)

const (
	// CodePrefix begins an authorization code, SecretPrefix an app's secret.
	CodePrefix   = "svc_code_"
	SecretPrefix = "svc_secret_"
	// secretBytes is how random codes, secrets and tokens are: 256 bits.
	secretBytes = 32
)

// registrationLimit is how often programs of one network may register themselves
// (contract 1, "Limits"), approvalLimit how many codes a person gives out, and
// wrongSecrets how often one network may show a wrong secret of an app.
var (
	registrationLimit = models.Limit{Name: "oauth.register", Max: 10, Per: time.Minute}
	approvalLimit     = models.Limit{Name: "oauth.approve", Max: 60, Per: time.Minute}
	wrongSecrets      = models.Limit{Name: "oauth.secret", Max: 30, Per: 15 * time.Minute}
)

// Scopes are all scopes there are, in the order in which they are shown.
var Scopes = []models.Scope{models.ScopeExecute, models.ScopeJobsRead, models.ScopeWorkspacesRead, models.ScopeWorkspacesWrite}

// readScopes reads a list of scopes divided by spaces, in the order of Scopes; false where one is unknown.
func readScopes(text string) (scopes []models.Scope, known bool) {
	asked := strings.Fields(text)
	scopes = knownScopes(text)
	for _, name := range asked {
		if !slices.Contains(Scopes, models.Scope(name)) {
			return nil, false
		}
	}
	return scopes, true
}

// knownScopes are the scopes that a text names, in the order of Scopes; others are dropped.
func knownScopes(text string) (scopes []models.Scope) {
	asked := strings.Fields(text)
	for _, scope := range Scopes {
		if slices.Contains(asked, string(scope)) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

// scopesOf are the scopes that a column holds, in the order of Scopes.
func scopesOf(column models.Strings) []models.Scope {
	scopes := []models.Scope{}
	for _, scope := range Scopes {
		if slices.Contains(column, string(scope)) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

// column is how scopes are kept.
func column(scopes []models.Scope) models.Strings {
	names := make(models.Strings, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return names
}

// JoinScopes writes scopes as the protocol does.
func JoinScopes(scopes []models.Scope) string { return strings.Join(column(scopes), " ") }

package server

import (
	"strings"

	"atelier/models/oauth"
)

// connect registers an app of a teacher and lets a student allow it: what the pages of connected apps show. It comes
// before the clock walks on, because only a session of the last hour may make a secret.
func (d *demonstration) connect() error {
	const back = "https://noticeboard.northgate.example/oauth/back"
	made, err := d.OAuth.CreateApp(d.as("Daniel Okafor"), oauth.CreateAppInput{
		Name: "Noticeboard", RedirectURIs: []string{back}, AllowedOrigins: []string{"https://noticeboard.northgate.example"},
	})
	if err != nil {
		return err
	}
	kind, scope, challenge, method := "code", "workflows:execute jobs:read", strings.Repeat("n", 43), "S256"
	_, err = d.OAuth.Approve(d.as("Jonas Reuter"), oauth.AuthorizationInput{
		ClientID: made.App.ID.String(), RedirectURI: to(back), ResponseType: &kind, Scope: &scope, CodeChallenge: &challenge, CodeChallengeMethod: &method,
	})
	return err
}

package account

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// ConnectedApps lists the apps that may act for the person.
func (c Pages) ConnectedApps(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ConnectedApps(r.Context(), c.Client)
	if err != nil {
		return err
	}
	page := frame.Page{Title: t(r.Context(), "Connected apps"), Section: frame.SectionConnected}
	return c.Page(w, r, res.Shell, page, connectedAppsContent(res.ConnectedApps, c.Now()))
}

// AskRevokeConnectedApp says what ends with what was allowed to an app.
func (c Pages) AskRevokeConnectedApp(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ConnectedApps(r.Context(), c.Client)
	if err != nil {
		return err
	}
	for _, app := range res.ConnectedApps {
		if app.Id == frame.PathID(r) {
			page := frame.Page{Title: t(r.Context(), "Take back what an app may do"), Section: frame.SectionConnected}
			return c.Page(w, r, res.Shell, page, revokeConnectedContent(app, frame.FormOf(r)))
		}
	}
	return frame.ErrNotFound
}

// RevokeConnectedApp takes back all that the person allowed an app.
func (c Pages) RevokeConnectedApp(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RevokeConnectedApp(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.AskRevokeConnectedApp)
	}
	return c.Done(w, "/account/apps", t(r.Context(), "Taken back. The app cannot act for you any more, from now on."))
}

// placesText is where the answers of an app go, as far as a line holds it.
func placesText(ctx context.Context, places []string) string {
	const most = 3
	if len(places) > most {
		return tn(ctx, "%[2]s and %[1]d other place", "%[2]s and %[1]d other places", len(places)-most, strings.Join(places[:most], ", "))
	}
	return strings.Join(places, ", ")
}

// vouches is who answers for an app.
func vouches(ctx context.Context, app query.ConnectedApp) string {
	if app.SelfRegistered {
		return t(ctx, "Registered itself")
	}
	return t(ctx, "By %s", frame.Or(plainOwner(ctx, app.OwnerName), t(ctx, "a person who has left")))
}

// endsWith are the consequences of taking back what an app may do.
func endsWith(ctx context.Context, app query.ConnectedApp) []string {
	out := []string{t(ctx, "Its access ends at once, everywhere: it reads and starts nothing more for you.")}
	if app.Endpoints > 0 {
		out = append(out, tn(ctx, "%d webhook endpoint that it added: switched off. What still waited to be delivered there fails.", "%d webhook endpoints that it added: switched off. What still waited to be delivered there fails.", app.Endpoints))
	}
	return append(out,
		t(ctx, "What it has started goes on, and what it made stays."),
		t(ctx, "What it read before, it may still have."),
		t(ctx, "It can ask you again. You then see the same question as the first time."),
	)
}

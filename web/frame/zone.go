package frame

import (
	"net/http"
	"time"

	"atelier/web/query"
	"atelier/web/ui"
)

const (
	// toldZoneCookie is the zone that a browser told; its script writes it.
	toldZoneCookie = "atelier_zone"
	// ownZoneCookie is the zone that the account chose, for the parts of pages that load nothing of the account.
	ownZoneCookie = "atelier_own_zone"
)

// zoneOf is the zone of no matter who asks, as the browser knows it; the install's without that, and nil where that has none.
func (c *Console) zoneOf(r *http.Request) *time.Location {
	for _, name := range []string{CookieValue(r, ownZoneCookie), CookieValue(r, toldZoneCookie)} {
		if zone := ui.Zone(name); zone != nil {
			return zone
		}
	}
	return c.Config.Zone
}

// ToldZone is the zone that the browser told, nil when it told none.
func ToldZone(r *http.Request) *time.Location { return ui.Zone(CookieValue(r, toldZoneCookie)) }

// ZoneOf is the zone in which a page shows its times: what the account chose, else what the browser told.
func (c *Console) ZoneOf(r *http.Request, shell query.Shell) *time.Location {
	if zone := ui.Zone(Value(shell.Me.TimeZone)); zone != nil {
		return zone
	}
	if zone := ToldZone(r); zone != nil {
		return zone
	}
	return c.Config.Zone
}

// inZone is the request of a page that shows its times in the zone of the account; the parts that follow do so too.
func (c *Console) inZone(w http.ResponseWriter, r *http.Request, shell query.Shell) *http.Request {
	own := Value(shell.Me.TimeZone)
	if ui.Zone(own) == nil {
		own = ""
	}
	if own != CookieValue(r, ownZoneCookie) {
		c.SetCookie(w, ownZoneCookie, own, CookieYear)
	}
	return r.WithContext(ui.WithZone(r.Context(), c.ZoneOf(r, shell)))
}

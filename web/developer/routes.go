package developer

import "atelier/web/frame"

// Routes registers the pages for developers.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	on.Get("/developer", p.QuickStart)
	on.Get("/developer/reference", p.Reference)
	on.Get("/developer/reference/{group:[a-z0-9-]+}", p.ReferenceGroup)
	on.Get("/developer/reference/{group:[a-z0-9-]+}/{call:[a-z0-9-]+}", p.ReferenceCall)
	on.Get("/developer/events", p.Events)
	on.Get("/developer/oauth", p.OAuth)
}

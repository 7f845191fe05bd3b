package event

import "atelier/web/frame"

// Routes registers the pages of webhooks.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	endpoint := "/webhooks/{id" + frame.ID + "}"

	// Webhook endpoints and their deliveries.
	on.Get("/webhooks", p.Webhooks)
	on.Post("/webhooks", p.CreateWebhook)
	on.Get("/webhooks/new", p.NewWebhook)
	on.Get(endpoint, p.WebhookPage)
	on.Post(endpoint, p.UpdateWebhook)
	on.Post(endpoint+"/active", p.SetWebhookActive)
	on.Post(endpoint+"/test", p.TestWebhook)
	on.Get(endpoint+"/check", p.CheckPage)
	on.Post(endpoint+"/check", p.Check)
	on.Get(endpoint+"/again", p.AgainPage)
	on.Post(endpoint+"/again", p.Again)
	on.Get(endpoint+"/rotate", p.RotateWebhookPage)
	on.Post(endpoint+"/rotate", p.RotateWebhook)
	on.Get(endpoint+"/delete", p.DeleteWebhookPage)
	on.Post(endpoint+"/delete", p.DeleteWebhook)
	on.Get(endpoint+"/deliveries/{delivery"+frame.ID+"}", p.DeliveryPage)
	on.Post(endpoint+"/deliveries/{delivery"+frame.ID+"}/redeliver", p.Redeliver)
}

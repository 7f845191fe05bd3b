package operator

import "atelier/web/frame"

// Routes registers the pages of those who operate the install.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	pending := "/operator/orgs/{id" + frame.ID + "}"
	person := "/operator/people/{id" + frame.ID + "}"

	on.Get("/operator", p.Operator)
	on.Get("/operator/orgs", p.OperatorOrganizations)
	on.Get(pending, p.OperatorOrganization)
	on.Post(pending+"/approve", p.Approve)
	on.Get(pending+"/reject", p.AskReject)
	on.Post(pending+"/reject", p.Reject)
	on.Get(pending+"/suspend", p.AskSuspend)
	on.Post(pending+"/suspend", p.Suspend)
	on.Post(pending+"/reinstate", p.Reinstate)
	on.Get("/operator/sign-in", p.OperatorSignIn)
	on.Get("/operator/health", p.OperatorHealth)
	on.Get("/operator/settings", p.Settings)
	on.Post("/operator/settings", p.UpdateSettings)
	on.Upload("/operator/settings/logo", p.SetLogo)
	on.Post("/operator/settings/logo/remove", p.RemoveLogo)
	on.Get("/operator/people", p.OperatorPeople)
	on.Get(person, p.OperatorPerson)
	on.Post(person+"/reset-link", p.ResetLink)
	on.Post(person+"/end-sessions", p.EndSessionsOf)
	on.Post(person+"/reset-second-factor", p.ResetSecondFactor)
	on.Get(person+"/ban", p.AskBan)
	on.Post(person+"/ban", p.Ban)
	on.Post(person+"/unban", p.Unban)
	on.Get(person+"/delete", p.AskDeletePerson)
	on.Post(person+"/delete", p.DeletePerson)
	on.Get("/operator/grant", p.GrantPage)
	on.Post("/operator/grant", p.Grant)
}

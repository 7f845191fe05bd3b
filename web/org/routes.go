package org

import "atelier/web/frame"

// Routes registers the pages of organizations, their workspaces and their credits.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	organization := "/orgs/{id" + frame.ID + "}"
	workspace := "/workspaces/{id" + frame.ID + "}"
	people := organization + "/members"
	purchase := organization + "/purchases/{purchase" + frame.ID + "}"
	members := workspace + "/members"
	code := workspace + "/join-code"

	// Where to work.
	on.Get("/spaces", p.Spaces)

	// Organizations, their workspaces and credits.
	on.Get("/orgs", p.Organizations)
	on.Get("/orgs/new", p.NewOrganization)
	on.Get("/orgs/new/slug", p.SlugPreview)
	on.Post("/orgs", p.CreateOrganization)
	on.Get(organization, p.Overview)
	on.Get(organization+"/workspaces", p.Workspaces)
	on.Get(organization+"/workspaces/new", p.NewWorkspace)
	on.Post(organization+"/workspaces", p.CreateWorkspace)
	on.Get(organization+"/credits", p.Credits)
	on.Post(organization+"/credits/export", p.ExportLedger)
	on.Get(organization+"/usage", p.OrganizationUsage)
	on.Post(organization+"/usage/export", p.ExportOrganizationUsage)
	on.Get(organization+"/credits/allocate", p.AllocatePage)
	on.Get(organization+"/credits/preview", p.AllocatePreview)
	on.Post(organization+"/credits/allocate", p.Allocate)

	// Buying credits.
	on.Get(organization+"/credits/buy", p.BuyCredits)
	on.Post(organization+"/credits/checkout", p.Checkout)
	on.Get(organization+"/purchases", p.Purchases)
	on.Get(purchase, p.Purchase)
	on.Get(purchase+"/receipt", p.Receipt)
	on.Get(purchase+"/cancel", p.AskCancelPurchase)
	on.Post(purchase+"/cancel", p.CancelPurchase)
	on.Get(purchase+"/confirm", p.AskConfirmPurchase)
	on.Post(purchase+"/confirm", p.ConfirmPurchase)
	on.Get(purchase+"/refund", p.RefundPage)
	on.Get(purchase+"/refund/preview", p.RefundPreview)
	on.Post(purchase+"/refund", p.Refund)

	// People of an organization.
	on.Get(people, p.Members)
	on.Post(people+"/export", p.ExportMembers)
	on.Post(people+"/bulk", p.ChangeMembers)
	on.Get(people+"/{user"+frame.ID+"}", p.Member)
	on.Post(people+"/{user"+frame.ID+"}", p.UpdateMember)
	on.Get(people+"/{user"+frame.ID+"}/remove", p.AskRemoveMember)
	on.Post(people+"/{user"+frame.ID+"}/remove", p.RemoveMember)

	// Handing over, leaving, deleting.
	on.Get(organization+"/danger", p.Danger)
	on.Get(organization+"/archive", p.Takeout)
	on.Post(organization+"/danger/transfer", p.TransferOwnership)
	on.Post(organization+"/danger/return", p.ReturnCredits)
	on.Get(organization+"/leave", p.AskLeave)
	on.Post(organization+"/leave", p.LeaveOrganization)
	on.Post(organization+"/danger/delete", p.DeleteOrganization)

	// The audit log.
	on.Get(organization+"/audit", p.Audit)
	on.Get(organization+"/audit/verify", p.VerifyAudit)
	on.Post(organization+"/audit/export", p.ExportAudit)

	// A workspace, its home and its budget.
	on.Get(workspace, p.Workspace)
	on.Get(workspace+"/budget", p.WorkspaceBudget)
	on.Get(workspace+"/usage", p.WorkspaceUsage)
	on.Post(workspace+"/usage/export", p.ExportWorkspaceUsage)
	on.Post(workspace+"/requests/{request"+frame.ID+"}/grant", p.GrantRequest)
	on.Post(workspace+"/requests/{request"+frame.ID+"}/close", p.CloseRequest)
	on.Get(workspace+"/request", p.AskCredits)
	on.Post(workspace+"/request", p.RequestCredits)
	on.Get(workspace+"/archive", p.AskArchive)
	on.Post(workspace+"/archive", p.ArchiveWorkspace)
	on.Post(workspace+"/unarchive", p.UnarchiveWorkspace)

	// People of a workspace.
	on.Get(members, p.WorkspaceMembers)
	on.Post(members, p.AddWorkspaceMember)
	on.Post(members+"/bulk", p.ChangeWorkspaceMembers)
	on.Post(members+"/caps", p.SetCaps)
	on.Post(members+"/default-cap", p.SetDefaultCap)
	on.Post(members+"/default-cap/apply", p.ApplyDefaultCap)
	on.Get(members+"/{user"+frame.ID+"}", p.WorkspaceMember)
	on.Post(members+"/{user"+frame.ID+"}", p.UpdateWorkspaceMember)
	on.Get(members+"/{user"+frame.ID+"}/remove", p.AskRemoveWorkspaceMember)
	on.Post(members+"/{user"+frame.ID+"}/remove", p.RemoveWorkspaceMember)

	// Settings of both.
	on.Get(organization+"/settings", p.OrganizationSettings)
	on.Post(organization+"/settings", p.UpdateOrganization)
	on.Post(organization+"/settings/reset", p.ResetOrganizationSetting)
	on.Get(organization+"/settings/words", p.OrganizationWords)
	on.Post(organization+"/settings/words/preview", p.PreviewOrganizationWords)
	on.Get(organization+"/settings/rules", p.OrganizationRules)
	on.Get(organization+"/settings/sign-in", p.OrganizationSignIn)
	on.Get(organization+"/settings/runs", p.OrganizationRuns)
	on.Post(organization+"/settings/runs", p.KeepOrganizationRuns)
	on.Post(organization+"/settings/rules/preview", p.PreviewOrganizationRules)
	on.Get(organization+"/settings/domains", p.OrganizationDomains)
	on.Get(workspace+"/edit", p.WorkspaceSettings)
	on.Post(workspace+"/edit", p.UpdateWorkspace)
	on.Post(workspace+"/edit/reset", p.ResetWorkspaceSetting)
	on.Post(workspace+"/edit/preview", p.PreviewWorkspaceRules)

	// The join code of a workspace.
	on.Get(code, p.JoinCode)
	on.Get(code+"/rotate", p.AskRotate)
	on.Post(code+"/{action:enable|disable|rotate}", p.ChangeJoinCode)
	on.Post(code+"/until", p.EnableCodeUntil)
	on.Get(code+"/show", p.Projector)
	on.Get(code+"/show/joined", p.JoinedLive)
	on.Get(code+"/print", p.PrintCode)

	// Joining with a code.
	on.Get("/join", p.JoinPage)
	on.Get("/join/echo", p.JoinEcho)
	on.Get("/join/{code}", p.JoinPage)
	on.Post("/join", p.Join)
	on.Post("/join/leave", p.LeaveForJoin)

	// Invitations.
	on.Get(organization+"/invite", p.InvitePage)
	on.Post(organization+"/invite/count", p.InviteCount)
	on.Post(organization+"/invite/preview", p.InvitePreview)
	on.Post(organization+"/invite/change", p.InvitePage)
	on.Post(organization+"/invite", p.Invite)
	on.Post(organization+"/invite/table", p.InviteTable)
	on.Get(organization+"/invite/{batch"+frame.ID+"}", p.InviteProgress)
	on.Get(organization+"/invite/{batch"+frame.ID+"}/live", p.InviteLive)
	on.Post(organization+"/invite/{batch"+frame.ID+"}/retry", p.InviteRetry)
	on.Get(organization+"/invitations", p.Invitations)
	on.Post(organization+"/invitations", p.ChangeInvitations)
	on.Get(organization+"/invitations/{invitation"+frame.ID+"}/resend", p.AskResend)
	on.Get(organization+"/invitations/{invitation"+frame.ID+"}/link", p.AskNewLink)
	on.Get(organization+"/invitations/{invitation"+frame.ID+"}/withdraw", p.AskWithdraw)
	on.Post(organization+"/invitations/{invitation"+frame.ID+"}/{action:resend|link|withdraw}", p.ChangeInvitation)
	on.Get("/invitations/{token}", p.Invitation)
	on.Post("/invitations/{token}/accept", p.AcceptInvitation)
	on.Post("/invitations/{token}/leave", p.OtherAccount)
	on.Get("/operator/purchases", p.OperatorPurchases)
}

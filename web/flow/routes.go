package flow

import "atelier/web/frame"

// Routes registers the pages of workflows, apps and runs.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	managed := "/apps/{id" + frame.ID + "}"
	run := "/runs/{id" + frame.ID + "}"
	result := "/results/{id" + frame.ID + "}"
	job := "/jobs/{id" + frame.ID + "}"
	workflow := "/workflows/{id" + frame.ID + "}"
	app := "/app/{slug" + slugForm + "}"
	embed := "/embed/{slug" + slugForm + "}"
	nodes := workflow + "/nodes"
	editor := workflow + "/editor"
	appRun := app + "/runs/{id" + frame.ID + "}"
	embedRun := embed + "/runs/{id" + frame.ID + "}"

	// Workflows, their editor and their versions.
	for _, space := range frame.Spaces {
		editor := space + editor
		on.Get(space+"/workflows", p.Workflows)
		on.Large(space+"/workflows", p.CreateWorkflow)
		on.Get(space+"/workflows/new", p.NewWorkflow)
		on.Get(space+"/apps", p.Apps)
		on.Get(space+"/runs", p.Runs)
		on.Get(space+"/results", p.Results)
		on.Post(space+"/results/download", p.DownloadResults)
		on.Get(space+"/jobs", p.Jobs)
		on.Get(space+"/make", p.MakeList)
		on.Get(space+"/make/"+makeType, p.MakePage)
		on.Upload(space+"/make/"+makeType, p.MakeIt)
		on.Post(space+"/make/"+makeType+"/price", p.MakePrice)
		on.Get(space+"/keep/{id"+frame.ID+"}", p.KeepPage)
		on.Post(space+"/keep/{id"+frame.ID+"}", p.Keep)
		on.Large(editor+"/check", p.Answering(p.CheckGraph))
		on.Large(editor+"/save", p.SaveGraph)
		on.Get(editor+"/run", p.EditorRunForm)
		on.Get(editor+"/choices", p.Answering(p.EditorChoices))
		on.Post(editor+"/run", p.Answering(p.RunFromEditor))
		on.Post(editor+"/try", p.Answering(p.TryNode))
		on.Upload(editor+"/upload", p.Answering(p.UploadFromEditor))
		on.Get(editor+"/runs/{run"+frame.ID+"}/live", p.EditorRunLive)
		on.Get(editor+"/runs/{run"+frame.ID+"}/state", p.EditorRunState)
	}
	on.Get(workflow, p.WorkflowPage)
	on.Large(workflow, p.UpdateWorkflow)
	on.Post(workflow+"/run", p.RunWorkflow)
	on.Get(editor, p.EditorPage)
	on.Get(nodes, p.NodesPage)
	on.Post(nodes, p.ChangingGraph(addNode, p.NodesPage))
	on.Get(nodes+"/edit", p.NodePage)
	on.Large(nodes+"/edit", p.ChangingGraph(setFields, p.NodePage))
	on.Post(nodes+"/connect", p.ChangingGraph(connectNode, p.NodePage))
	on.Post(nodes+"/disconnect", p.ChangingGraph(disconnectNode, p.NodePage))
	on.Post(nodes+"/move", p.ChangingGraph(moveNode, p.NodesPage))
	on.Post(nodes+"/remove", p.ChangingGraph(removeNode, p.NodesPage))
	on.Get(workflow+"/versions", p.Versions)
	on.Get(workflow+"/versions/{version:[0-9]{1,9}}", p.VersionPage)
	on.Post(workflow+"/versions/{version:[0-9]{1,9}}/restore", p.RestoreVersion)
	on.Get(workflow+"/triggers", p.Triggers)
	on.Post(workflow+"/triggers", p.CreateTrigger)
	trigger := workflow + "/triggers/{trigger" + frame.ID + "}"
	on.Post(trigger+"/active", p.SetTriggerActive)
	on.Get(trigger+"/try", p.TryTriggerPage)
	on.Post(trigger+"/try", p.TryTrigger)
	on.Get(trigger+"/delete", p.DeleteTriggerPage)
	on.Post(trigger+"/delete", p.DeleteTrigger)
	on.Get(workflow+"/schedules", p.Schedules)
	on.Post(workflow+"/schedules", p.MakeSchedule)
	schedule := workflow + "/schedules/{schedule" + frame.ID + "}"
	on.Get(schedule, p.SchedulePage)
	on.Post(schedule, p.ChangeSchedule)
	on.Post(schedule+"/active", p.SwitchSchedule)
	on.Get(schedule+"/delete", p.DeleteSchedulePage)
	on.Post(schedule+"/delete", p.RemoveSchedule)
	on.Get(workflow+"/template", p.ExportTemplate)
	on.Get(workflow+"/delete", p.DeleteWorkflowPage)
	on.Post(workflow+"/delete", p.DeleteWorkflow)
	on.Get(workflow+"/publish", p.PublishPage)
	on.Post(workflow+"/publish", p.PublishWorkflow)
	on.Post(workflow+"/publish/preview", p.PreviewPublishing)

	// Sharing.
	on.Get("/shared", p.Shared)
	on.Get(workflow+"/sharing", p.Sharing)
	on.Post(workflow+"/sharing", p.AddCollaborator)
	on.Post(workflow+"/sharing/{user"+frame.ID+"}", p.UpdateCollaborator)
	on.Get(workflow+"/sharing/{user"+frame.ID+"}/remove", p.AskRemoveCollaborator)
	on.Post(workflow+"/sharing/{user"+frame.ID+"}/remove", p.RemoveCollaborator)

	// Published apps, on their own address and in frames of other sites.
	on.Get(managed+"/show", p.ShowApp)
	on.Get(managed, p.AppSettings)
	on.Post(managed, p.UpdateApp)
	on.Post(managed+"/active", p.SetAppActive)
	on.Post(managed+"/embedding", p.SetAppEmbedding)
	on.Get(managed+"/delete", p.DeleteAppPage)
	on.Post(managed+"/delete", p.DeleteApp)
	on.Get(app, p.AppPage)
	on.Post(app+"/markup", p.SetAppMarkup)
	on.Upload(app+"/run", p.RunApp)
	on.Get(app+"/runs", p.AppRuns)
	on.Get(appRun, p.AppRunPage)
	on.Get(appRun+"/live", p.AppRunLive)
	on.Post(appRun+"/cancel", p.CancelAppRun)
	on.Post(appRun+"/archive", p.ArchiveAppRun)
	on.Post(appRun+"/restore", p.RestoreAppRun)
	on.Get(appRun+"/delete", p.AskDeleteRun)
	on.Post(appRun+"/delete", p.DeleteAppRun)
	on.Get(embed, p.EmbedPage)
	on.Upload(embed+"/run", p.EmbedRun)
	on.Get(embedRun, p.EmbedRunPage)
	on.Get(embedRun+"/live", p.EmbedRunLive)
	on.Post(embedRun+"/cancel", p.CancelEmbedRun)

	// Runs and jobs.
	on.Get(run, p.RunPage)
	on.Get(run+"/live", p.RunLive)
	on.Post(run+"/cancel", p.CancelRun)
	on.Get(result, p.ResultPage)
	on.Get(result+"/text", p.ResultText)
	on.Post(result+"/share", p.ShareResult)
	on.Post(result+"/unshare", p.UnshareResult)
	on.Get("/credentials", p.Credentials)
	on.Post("/credentials", p.CreateCredential)
	on.Get("/credentials/new", p.NewCredential)
	on.Get("/credentials/{id"+frame.ID+"}", p.CredentialPage)
	on.Post("/credentials/{id"+frame.ID+"}", p.UpdateCredential)
	on.Get("/credentials/{id"+frame.ID+"}/delete", p.DeleteCredentialPage)
	on.Post("/credentials/{id"+frame.ID+"}/delete", p.DeleteCredential)
	on.Post(run+"/retry", p.RetryRun)
	on.Get(job, p.JobPage)
	on.Get(job+"/live", p.JobLive)
	on.Post(job+"/cancel", p.CancelJob)
	on.Post(job+"/approve", p.ApproveJob)
	on.Post(job+"/reject", p.RejectJob)
}

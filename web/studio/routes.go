package studio

import "atelier/web/frame"

// Routes registers the pages of productions, their shots and the pipelines that make them.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	production := "/studio/{id" + frame.ID + "}"
	shot := production + "/shots/{shot" + frame.ID + "}"
	pipeline := "/studio/pipelines/{id" + frame.ID + "}"

	// Lists of a space, and what is made in them.
	for _, space := range frame.Spaces {
		on.Get(space+"/studio", p.Productions)
		on.Post(space+"/studio", p.CreateProduction)
		on.Get(space+"/studio/new", p.NewProduction)
		on.Get(space+"/studio/pipelines", p.Pipelines)
		on.Post(space+"/studio/pipelines", p.CreatePipeline)
		on.Get(space+"/studio/pipelines/new", p.NewPipeline)
	}

	// One production.
	on.Get(production, p.ProductionPage)
	on.Get(production+"/live", p.ProductionLive)
	on.Get(production+"/settings", p.Settings)
	on.Upload(production+"/settings", p.UpdateProduction)
	on.Post(production+"/visibility", p.ShareProduction)
	on.Get(production+"/breakdown", p.BreakDownPage)
	on.Post(production+"/breakdown", p.BreakDown)
	on.Get(production+"/render", p.RenderPage)
	on.Post(production+"/render", p.RenderProduction)
	on.Post(production+"/cancel", p.CancelRender)
	on.Get(production+"/print", p.Print)
	on.Post(production+"/export", p.Export)
	on.Post(production+"/duplicate", p.DuplicateProduction)
	on.Get(production+"/delete", p.AskDelete)
	on.Post(production+"/delete", p.DeleteProduction)

	// Its shots, and what everyone sees of one.
	on.Upload(production+"/shots", p.CreateShot)
	on.Get(production+"/shots/new", p.NewShot)
	on.Post(production+"/order", p.OrderShots)
	on.Get(shot, p.ShotPage)
	on.Upload(shot, p.UpdateShot)
	on.Get(shot+"/share", p.SharePage)
	on.Post(shot+"/share", p.ShareShot)
	on.Get(shot+"/delete", p.AskDeleteShot)
	on.Post(shot+"/delete", p.DeleteShot)
	on.Get("/shots/{id"+frame.ID+"}", p.PublicShot)

	// One pipeline.
	on.Get(pipeline, p.PipelinePage)
	on.Get(pipeline+"/edit", p.EditPipeline)
	on.Post(pipeline+"/edit", p.UpdatePipeline)
	on.Post(pipeline+"/duplicate", p.DuplicatePipeline)
	on.Get(pipeline+"/delete", p.AskDeletePipeline)
	on.Post(pipeline+"/delete", p.DeletePipeline)
}

package library

import "atelier/web/frame"

// Routes registers the pages of what a space keeps to make things with.
func Routes(on frame.Routes, c *frame.Console) {
	p := Pages{Console: c}
	voice := "/voices/{id" + frame.ID + "}"
	preset := "/presets/{id" + frame.ID + "}"

	// Lists of a space, and what is made in them.
	for _, space := range frame.Spaces {
		for _, k := range Kinds {
			shelf := space + "/library/" + k.Path
			on.Get(shelf, p.Elements(k))
			on.Upload(shelf, p.CreateElement(k))
			on.Get(shelf+"/new", p.NewElement(k))
			if k.NodeType != "" {
				on.Post(shelf+"/generate", p.GenerateElement(k))
			}
		}
		on.Get(space+"/consents", p.Consents)
		on.Get(space+"/voices", p.Voices)
		on.Post(space+"/voices", p.CreateVoice)
		on.Get(space+"/voices/new", p.NewVoice)
		on.Upload(space+"/voices/clone", p.CloneVoice)
		on.Get(space+"/presets", p.Presets)
		on.Post(space+"/presets", p.CreatePreset)
		on.Get(space+"/presets/new", p.NewPreset)
		on.Post(space+"/presets/new", p.NewPreset)
		on.Get(space+"/presets/import", p.ImportPresetsPage)
		on.Post(space+"/presets/import", p.ImportPresets)
		on.Get(space+"/prompt-helper", p.PromptHelper)
		on.Post(space+"/prompt-helper", p.HelpWithPrompt)
		on.Post(space+"/prompt-helper/make", p.MakeNow)
	}

	// One element.
	for _, k := range Kinds {
		element := "/library/" + k.Path + "/{id" + frame.ID + "}"
		on.Get(element, p.ElementPage(k))
		on.Get(element+"/live", p.ElementLive)
		on.Get(element+"/edit", p.EditElement(k))
		on.Post(element+"/edit", p.UpdateElement(k))
		on.Upload(element+"/images", p.AddPicture(k))
		on.Post(element+"/images/{image"+frame.ID+"}", p.ChangePicture(k))
		on.Post(element+"/share", p.ShareElement(k))
		on.Post(element+"/export", p.ExportElement(k))
		on.Post(element+"/consent", p.GiveConsent(k))
		on.Get(element+"/consent/withdraw", p.AskWithdraw(k))
		on.Get(element+"/delete", p.AskDelete(k))
		on.Post(element+"/delete", p.DeleteElement(k))
		if k.NodeType != "" {
			on.Post(element+"/generate", p.MoreViews(k))
			on.Post(element+"/picture", p.MakePicture(k))
			on.Post(element+"/duplicate", p.DuplicateElement(k))
			on.Post(element+"/speak", p.Speak(k))
		}
		if k.Trains {
			on.Post(element+"/train", p.TrainElement(k))
		}
	}

	// One voice, one preset.
	on.Get(voice, p.VoicePage)
	on.Post(voice, p.UpdateVoice)
	on.Post(voice+"/preview", p.PreviewVoice)
	on.Post(voice+"/export", p.ExportVoice)
	on.Post(voice+"/consent", p.GiveVoiceConsent)
	on.Get(voice+"/consent/withdraw", p.AskWithdrawVoice)
	on.Get(voice+"/delete", p.AskDeleteVoice)
	on.Post(voice+"/delete", p.DeleteVoice)
	on.Get(preset, p.PresetPage)
	on.Post(preset, p.UpdatePreset)
	on.Post(preset+"/duplicate", p.DuplicatePreset)
	on.Post(preset+"/use", p.UsePreset)
	on.Get(preset+"/delete", p.AskDeletePreset)
	on.Post(preset+"/delete", p.DeletePreset)
}

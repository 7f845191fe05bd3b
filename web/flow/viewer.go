package flow

import (
	"context"

	"atelier/web/frame"
)

// viewerWords are what the viewer of 3D models says, by the names that web/viewer knows; "{}" is what a sentence names.
func viewerWords(ctx context.Context) string {
	const named = "{}"
	return frame.JSONOf(map[string]string{
		"turn": t(ctx, "Turn it in 3D"), "back": t(ctx, "Back to the picture"), "anyway": t(ctx, "Load it all the same"), "loading": t(ctx, "Loading the model…"),
		"view": t(ctx, "3D view"), "bar": t(ctx, "View of %s", named), "how": t(ctx, "Drag to turn it; pinch, or turn the wheel after a click, to move closer. "+
			"Arrow keys, + and − do the same, Home shows it as at first."),
		"canvas": t(ctx, "%s in 3D. The arrow keys turn it, plus and minus move closer and farther, Home shows it as at first.", named),
		"left":   t(ctx, "Turn left"), "right": t(ctx, "Turn right"), "up": t(ctx, "Tilt up"), "down": t(ctx, "Tilt down"),
		"closer": t(ctx, "Closer"), "farther": t(ctx, "Farther"), "home": t(ctx, "As at first"),
		"size":    t(ctx, "The model is large: %s MB. Loading it may take a while on this device.", named),
		"size8":   t(ctx, "The model is large: more than 8 MB. Loading it may take a while on this device."),
		"stays":   t(ctx, "The picture stays, and you can download the model."),
		"large":   t(ctx, "The model is too large to be shown in a browser."),
		"much":    t(ctx, "The model has too much in it to be shown in a browser."),
		"offline": t(ctx, "The model could not be loaded. Try again when you are online."), "gone": t(ctx, "The file of the model is not there any more."),
		"unreadable": t(ctx, "The model cannot be read."), "elsewhere": t(ctx, "The model points at other files."),
		"picture": t(ctx, "The model has a picture that is neither PNG nor JPEG."), "needs": t(ctx, "The model needs %s, which this page does not have.", named),
		"refused": t(ctx, "The model cannot be shown here."), "undrawn": t(ctx, "The model cannot be drawn on this device."),
		"without3D": t(ctx, "This browser draws nothing in 3D: WebGL is missing or switched off."),
		"lost":      t(ctx, "This device ran out of memory, so the view was closed. You can open it again."),
	})
}

// Package flow is the pages of workflows with their editor, of the apps made of them, and of runs and jobs.
package flow

import "atelier/web/frame"

// Pages are the pages of workflows, apps and runs.
type Pages struct{ *frame.Console }

package dbtest

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// Statements on runs say on which shard they look (models.ShardOf), and name no table beside that lies elsewhere, so that they
// can be made where runs lie on several servers. Tests fail for one that does not, except for those of these functions.

// everywhere are functions whose statements look on all shards, and why.
var everywhere = map[string]string{
	"models/run.(*Service).madeBy":           "of several runs, which schedules start at once in many spaces",
	"models/run.Jobs.List":                   "an account's jobs of all its spaces",
	"models/run.Jobs.Recent":                 "likewise",
	"models/run.Jobs.ByID":                   "several ids; one says its shard",
	"models/run.(*Service).attachExecutions": "the runs of an app, which the space of each of its people pays",
	"models/run.(*Service).listExecutions":   "a workflow's history, which everyone's space pays who ran it",
	"models/run.Executions.States":           "several ids",
	"models/run.Executions.NodeStates":       "several ids",
	"models/run.Executions.Graphs":           "several ids",
	"models/run.Executions.Briefs":           "several ids",
	"models/run.Results.ByExecution":         "several ids",
	"models/run.Executions.Titles":           "several ids",
	"models/run.Executions.Names":            "several ids",
	"models/run.Jobs.Begun":                  "several ids",
	"models/run.Executions.CancelUnfinished": "what uses an element, in whatever space it runs",
	"models/run.CountHeld":                   "of several workspaces",
	"models/run.(*Service).HasRun":           "whether an account ever ran anything, asked until it has",
	"models/run.(*Service).countRuns":        "what goes with an account, for the page that asks whether to delete it",
	"models/run.(*Service).eraseSome":        "the runs of a deleted account, by a chore",
	"models/run.(*Service).eraseRunsOf":      "the old runs of an organization, by a chore",
	"models/run.(*Service).dropMonth":        "a month of all runs, by a chore",
	"models/run.(*Service).keepForRetries":   "likewise",
	"models/run.detach":                      "likewise",
	"models/run.(*Service).sweepRefs":        "runs that ended days ago, by a chore",
	"models/run.(*Service).differences":      "all runs, to compare them with the ledger",
	"models/run.CountUnkept":                 "the old runs of an organization, for the page that asks whether to delete them",
	"models/run.dropFiles":                   "the retry of a run may be paid by another space",
	"models/run.GoingRuns":                   "runs of workflows, which everyone's space pays who runs them",
	"models/run.goingRunsApart":              "likewise",
	"models/org.(*Service).findListedMember": "one server alone: where there are several, the column is another (run.lastRun)",
	"models/org.WorkspaceMembers.List":       "likewise",
}

// together are functions whose statements name tables of runs and others.
var together = map[string]string{
	"models/usage.(*Service).runs":           "the runs of some days of an organization, for a file; the names of their workspaces and people beside them",
	"models/run.(*Service).sweepRefs":        "by a chore",
	"models/org.(*Service).findListedMember": "one server alone: where there are several, the column is another (run.lastRun)",
	"models/org.WorkspaceMembers.List":       "likewise",
}

var (
	namesRuns = regexp.MustCompile(`(?i)\b(?:from|join|into|update)\s+"?(?:executions|jobs|results)"?(?:\s|$|\))`)
	namesAny  = regexp.MustCompile(`(?i)\b(?:from|join|into|update)\s+"?([a-z_]+)"?(\(?)`)
	namesWith = regexp.MustCompile(`(?i)\b([a-z_]+)\s+as\s+(?:materialized\s+)?\(`)
)

// judged keeps what judge says of a statement.
var judged sync.Map

type judgement struct {
	all   bool   // it looks on all shards
	mixed string // a table beside those of runs
}

// judge looks at the text of a statement; nothing is said of one that names no runs.
func judge(statement string) (j judgement) {
	if known, ok := judged.Load(statement); ok {
		return known.(judgement)
	}
	if namesRuns.MatchString(statement) && !strings.Contains(statement, "pg_class") {
		j = judgement{!strings.Contains(statement, "shard"), mixesTables(statement)}
	}
	judged.Store(statement, j)
	return j
}

// shardFault is what is wrong with a statement on runs, empty for nothing, at the function that makes it.
func shardFault(statement string) (fault string) {
	j := judge(statement)
	if j == (judgement{}) {
		return ""
	}
	function := asking()
	switch {
	case function == "" || strings.HasPrefix(function, "graph/generated."): // how many a list has, of which its own function says why
		return ""
	case j.all && everywhere[function] == "":
		return fmt.Sprintf("%s looks for runs on all shards:\n%s", function, statement)
	case j.mixed != "" && together[function] == "":
		return fmt.Sprintf("%s names runs and %s in one statement:\n%s", function, j.mixed, statement)
	}
	return ""
}

// mixesTables is a table beside those of runs, empty where there is none. What a statement reads first by itself is fine.
func mixesTables(statement string) string {
	if strings.Contains(statement, "AS MATERIALIZED") {
		return ""
	}
	known := map[string]bool{
		"executions": true, "jobs": true, "results": true,
		"executions_": true, "jobs_": true, // and their partitions, whose months are not read
	}
	for _, with := range namesWith.FindAllStringSubmatch(statement, -1) {
		known[with[1]] = true
	}
	for _, table := range namesAny.FindAllStringSubmatch(statement, -1) {
		name := strings.ToLower(table[1])
		if table[2] == "" && !known[name] && name != "set" && name != "select" && name != "of" && name != "lateral" && name != "skip" {
			return name
		}
	}
	return ""
}

// asking is the function of an area that makes the statement, empty for a test's own.
func asking() string {
	var pcs [96]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "_test.go") {
			return ""
		}
		if name, area := strings.CutPrefix(frame.Function, "atelier/"); area && !strings.HasPrefix(name, "models.") && !strings.HasPrefix(name, "models/dbtest") && !strings.Contains(name, "test.") {
			for strings.Contains(name, ".func") { // a function within it
				name = name[:strings.LastIndex(name, ".func")]
			}
			return name
		}
		if !more {
			return ""
		}
	}
}

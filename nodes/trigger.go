package nodes

import "atelier/nodes/kit"

// parameterTypes are the kinds of value that a trigger or a webhook output names.
var parameterTypes = []string{"text", "imageUrl", "videoUrl", "audioUrl"}

// parameters is the list { name, type } of contract 2, "Webhook-trigger and
// webhook-output parameters".
func parameters(description string) kit.Property {
	kind := kit.Schema{Type: "string", Title: "Type", Description: "What the value is.", Enum: parameterTypes, Default: "text"}
	name := kit.Schema{Type: "string", Title: "Name", Description: "What the value is called.", MaxLength: 100}
	entry := kit.Object(kit.Property{Name: "name", Schema: name, Needed: true}, kit.Property{Name: "type", Schema: kind})
	return kit.List("parameters", "Parameters", description, entry, 50).As("parameters")
}

var webhookTriggerNode = &kit.Node{
	Type: "webhook-trigger", Label: "Webhook trigger", Category: "trigger", OutputType: "data", Control: true, Pool: kit.Cheap,
	Description:  "Starts the workflow when its URL is called; each parameter reads the key of that name.",
	Capabilities: []string{"trigger"},
	InputSchema: kit.Object(
		parameters("Keys of the JSON body that other nodes can use."),
		kit.Toggle("active", "Active", "Off: the URL starts nothing.", true),
	),
	MainOutput: "data",
}

var scheduleTriggerNode = &kit.Node{
	Type: "schedule-trigger", Label: "Schedule", Category: "trigger", OutputType: "data", Control: true, Pool: kit.Cheap, Lax: true,
	Description:  "Runs the workflow on a timetable.",
	Capabilities: []string{"trigger", "schedule"},
	InputSchema: kit.Object(
		kit.List("rules", "Rules", "The workflow runs when any rule matches the minute.", scheduleRule, 50).As("schedule"),
		kit.Line("timezone", "Time zone", "The zone of the rules' clock, such as Europe/Berlin; UTC when empty.").Or("UTC"),
		kit.Integer("maxExecutions", "Stop after", "Stop after this many runs; empty means never.", 1, 1_000_000_000),
		kit.Toggle("active", "Active", "Off: nothing runs by itself.", false),
	),
	MainOutput: "data",
}

// scheduleRule is a rule of contract 2, "Schedule config"; which fields count, and
// how far "every" goes, depends on the kind.
var scheduleRule = kit.Object(
	kit.Choice("kind", "Runs", "Unit of the rule; cron takes an expression.", "minutes", "hours", "days", "weeks", "months", "cron"),
	kit.Integer("every", "Every", "Every how many of these: up to 59 minutes, 23 hours, 31 days, 52 weeks or 12 months.", 1, 59),
	kit.Integer("hour", "Hour", "Hour of the day at which it runs, for days, weeks and months.", 0, 23),
	kit.Integer("minute", "Minute", "Minute of the hour at which it runs.", 0, 59),
	kit.List("weekdays", "Weekdays", "For weeks: 0 is Sunday, 6 is Saturday.", kit.Schema{Type: "integer"}, 7),
	kit.Integer("dayOfMonth", "Day of month", "For months: the day on which it runs, the last day where the month is shorter.", 1, 31),
	kit.Line("cron", "Expression", "Five fields: minute, hour, day of month, month, day of week. All of them must match; 0 and 7 are Sunday."),
)

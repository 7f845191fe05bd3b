// Package page names the pages and edges of the schema's lists, each an
// instance of the one generic connection.
package page

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/community"
	"atelier/models/credit"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/payment"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
	"atelier/models/trigger"
	"atelier/models/usage"
)

type (
	People                 = models.Connection[*account.User]
	PersonEdge             = models.Edge[*account.User]
	Organizations          = models.Connection[*org.Organization]
	OrganizationEdge       = models.Edge[*org.Organization]
	OrganizationMembers    = models.Connection[*org.OrganizationMember]
	OrganizationMemberEdge = models.Edge[*org.OrganizationMember]
	Workspaces             = models.Connection[*org.Workspace]
	WorkspaceEdge          = models.Edge[*org.Workspace]
	Invitations            = models.Connection[*org.Invitation]
	InvitationEdge         = models.Edge[*org.Invitation]
	WorkspaceMembers       = models.Connection[*org.ListedMember]
	WorkspaceMemberEdge    = models.Edge[*org.ListedMember]
	LedgerEntries          = models.Connection[*credit.Entry]
	LedgerEntryEdge        = models.Edge[*credit.Entry]
	Movements              = models.Connection[*credit.Movement]
	MovementEdge           = models.Edge[*credit.Movement]
	AuditEntries           = models.Connection[*models.AuditEntry]
	AuditEntryEdge         = models.Edge[*models.AuditEntry]
	Projects               = models.Connection[*space.Project]
	ProjectEdge            = models.Edge[*space.Project]
	Workflows              = models.Connection[*flow.Workflow]
	WorkflowEdge           = models.Edge[*flow.Workflow]
	SavedVersions          = models.Connection[*flow.Version]
	SavedVersionEdge       = models.Edge[*flow.Version]
	Triggers               = models.Connection[*trigger.Trigger]
	TriggerEdge            = models.Edge[*trigger.Trigger]
	ScheduleFires          = models.Connection[*trigger.ScheduleFire]
	ScheduleFireEdge       = models.Edge[*trigger.ScheduleFire]
	Collaborators          = models.Connection[*flow.Collaborator]
	CollaboratorEdge       = models.Edge[*flow.Collaborator]
	Apps                   = models.Connection[*flow.App]
	AppEdge                = models.Edge[*flow.App]
	AppRuns                = models.Connection[*run.AppRun]
	AppRunEdge             = models.Edge[*run.AppRun]
	Executions             = models.Connection[*run.Execution]
	ExecutionEdge          = models.Edge[*run.Execution]
	Jobs                   = models.Connection[*run.Job]
	JobEdge                = models.Edge[*run.Job]
	Results                = models.Connection[*run.Result]
	ResultEdge             = models.Edge[*run.Result]
	Notifications          = models.Connection[*notice.Notification]
	NotificationEdge       = models.Edge[*notice.Notification]
	Deliveries             = models.Connection[*event.Delivery]
	DeliveryEdge           = models.Edge[*event.Delivery]
	Purchases              = models.Connection[*payment.Purchase]
	PurchaseEdge           = models.Edge[*payment.Purchase]
	UsageRows              = models.Connection[*usage.Row]
	UsageRowEdge           = models.Edge[*usage.Row]
	Elements               = models.Connection[*library.Element]
	ElementEdge            = models.Edge[*library.Element]
	ElementUses            = models.Connection[*library.Use]
	ElementUseEdge         = models.Edge[*library.Use]
	Consents               = models.Connection[*library.ConsentItem]
	ConsentEdge            = models.Edge[*library.ConsentItem]
	Pipelines              = models.Connection[*studio.Pipeline]
	PipelineEdge           = models.Edge[*studio.Pipeline]
	Productions            = models.Connection[*studio.Production]
	ProductionEdge         = models.Edge[*studio.Production]
	Renders                = models.Connection[*studio.Render]
	RenderEdge             = models.Edge[*studio.Render]
	Presets                = models.Connection[*library.Preset]
	PresetEdge             = models.Edge[*library.Preset]
	Posts                  = models.Connection[*community.Post]
	PostEdge               = models.Edge[*community.Post]
	Voices                 = models.Connection[*library.Voice]
	VoiceEdge              = models.Edge[*library.Voice]
)

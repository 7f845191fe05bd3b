package graph

import (
	"context"
	"slices"
	"strings"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// What a token that is restricted to some workflows may ask for: what is open
// to everybody, and the ways to run and read its workflows with their runs,
// executions and jobs, and to upload. Of those it may see the types below and
// no other. Use cases then ask which workflow it is about.
var (
	publicFields = []string{
		"install", "app", "nodeTypes", "nodeType", "models", "invitationByToken", "publicShot",
		"signUp", "signIn", "verifyEmail", "forgotPassword", "resetPassword", "completeSignIn",
		"beginPasskey", "signInWithPasskey",
	}
	coveredFields = []string{
		"workflows", "workflow", "workflowVersion", "workflowAccess", "sharedWithMe",
		"executions", "execution", "executionChanged", "job", "jobs", "jobsByIds", "appRun",
		"runWorkflow", "runApp", "createDraftRun", "retryExecution", "saveToStorage",
	}
	coveredTypes = []string{
		"Workflow", "WorkflowConnection", "WorkflowListEdge", "WorkflowPermissions", "WorkflowNode", "WorkflowEdge", "Position",
		"WorkflowVersion", "SavedVersion", "SavedVersionConnection", "SavedVersionEdge", "SharedWorkflow",
		"Execution", "ExecutionConnection", "ExecutionEdge", "NodeState", "Job", "JobConnection", "JobEdge",
		"App", "AppVersion", "AppAdmin", "AppRun", "AppRunConnection", "AppRunEdge", "File", "User", "PageInfo",
	}
)

// coveredByToken refuses a document in which a restricted token asks for more:
// forbidden, and nothing of it is done.
type coveredByToken struct{}

func (coveredByToken) ExtensionName() string { return "CoveredByToken" }

func (coveredByToken) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext looks at all that the operation asks for.
func (coveredByToken) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	actor := models.ActorFrom(ctx)
	if !actor.Restricted() {
		return nil
	}
	look := covering{seen: map[*ast.FragmentDefinition]bool{}}
	if path := look.beyond(op.Operation.SelectionSet, nil); path != nil {
		return &gqlerror.Error{Err: actor.RequireUser(), Path: path}
	}
	return nil
}

// covering looks at the fields of a document, at each fragment once.
type covering struct {
	seen map[*ast.FragmentDefinition]bool
}

// beyond is the path of the first field that a restricted token may not ask
// for; nil when there is none. at leads to the selection, nil at the root.
func (c covering) beyond(set ast.SelectionSet, at ast.Path) (path ast.Path) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			path = c.field(s, at)
		case *ast.InlineFragment:
			path = c.beyond(s.SelectionSet, at)
		case *ast.FragmentSpread:
			if s.Definition != nil && !c.seen[s.Definition] {
				c.seen[s.Definition] = true
				path = c.beyond(s.Definition.SelectionSet, at)
			}
		}
		if path != nil {
			return path
		}
	}
	return nil
}

func (c covering) field(f *ast.Field, at ast.Path) ast.Path {
	root, path := len(at) == 0, append(slices.Clone(at), ast.PathName(f.Alias))
	switch {
	case strings.HasPrefix(f.Name, "__"), root && slices.Contains(publicFields, f.Name):
		return nil
	case root && !slices.Contains(coveredFields, f.Name):
		return path
	case !root && (f.ObjectDefinition == nil || !slices.Contains(coveredTypes, f.ObjectDefinition.Name)):
		return at
	}
	return c.beyond(f.SelectionSet, path)
}

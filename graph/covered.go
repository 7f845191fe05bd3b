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
		"install", "app", "nodeTypes", "nodeType", "models", "invitationByToken",
		"signUp", "signIn", "verifyEmail", "forgotPassword", "resetPassword",
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

// ExtensionName names the rule.
func (coveredByToken) ExtensionName() string { return "CoveredByToken" }

// Validate accepts every schema.
func (coveredByToken) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext looks at all that the operation asks for.
func (coveredByToken) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	actor := models.ActorFrom(ctx)
	if !actor.Restricted() || covered(op.Operation.SelectionSet, true, map[*ast.FragmentDefinition]bool{}) {
		return nil
	}
	return &gqlerror.Error{Err: actor.RequireUser()}
}

// covered tells whether a restricted token may ask for a selection; root says
// that its fields are the schema's entries. Each fragment is looked at once.
func covered(set ast.SelectionSet, root bool, seen map[*ast.FragmentDefinition]bool) bool {
	return !slices.ContainsFunc(set, func(selection ast.Selection) bool {
		switch s := selection.(type) {
		case *ast.Field:
			return !coveredField(s, root, seen)
		case *ast.InlineFragment:
			return !covered(s.SelectionSet, root, seen)
		case *ast.FragmentSpread:
			if s.Definition == nil || seen[s.Definition] {
				return false
			}
			seen[s.Definition] = true
			return !covered(s.Definition.SelectionSet, root, seen)
		}
		return true
	})
}

func coveredField(f *ast.Field, root bool, seen map[*ast.FragmentDefinition]bool) bool {
	switch {
	case strings.HasPrefix(f.Name, "__"), root && slices.Contains(publicFields, f.Name):
		return true
	case root && !slices.Contains(coveredFields, f.Name):
		return false
	case !root && (f.ObjectDefinition == nil || !slices.Contains(coveredTypes, f.ObjectDefinition.Name)):
		return false
	}
	return covered(f.SelectionSet, false, seen)
}

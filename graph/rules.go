package graph

import (
	"context"

	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/flow"
	"atelier/models/org"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// depthLimit refuses documents that nest deeper.
type depthLimit int

// ExtensionName names the rule.
func (depthLimit) ExtensionName() string { return "DepthLimit" }

// Validate accepts every schema.
func (depthLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext measures the operation.
func (limit depthLimit) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if deeper(op.Operation.SelectionSet, int(limit)) {
		return refuse("the query nests deeper than %d levels", int(limit))
	}
	return nil
}

// deeper tells whether a selection nests beyond limit; fragments count where
// they are used, and the parser has refused circles.
func deeper(set ast.SelectionSet, limit int) bool {
	if len(set) > 0 && limit == 0 {
		return true
	}
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if deeper(s.SelectionSet, limit-1) {
				return true
			}
		case *ast.InlineFragment:
			if deeper(s.SelectionSet, limit) {
				return true
			}
		case *ast.FragmentSpread:
			if s.Definition != nil && deeper(s.Definition.SelectionSet, limit) {
				return true
			}
		}
	}
	return false
}

// oneMutation admits one root field in a mutation, so that nothing is half done.
type oneMutation struct{}

// ExtensionName names the rule.
func (oneMutation) ExtensionName() string { return "OneMutation" }

// Validate accepts every schema.
func (oneMutation) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext counts the root fields, those of fragments too.
func (oneMutation) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if op.Operation.Operation == ast.Mutation && roots(op.Operation.SelectionSet) > 1 {
		return refuse("a document makes one change at a time: send one mutation")
	}
	return nil
}

func roots(set ast.SelectionSet) (n int) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			n++
		case *ast.InlineFragment:
			n += roots(s.SelectionSet)
		case *ast.FragmentSpread:
			if s.Definition != nil {
				n += roots(s.Definition.SelectionSet)
			}
		}
	}
	return n
}

func refuse(format string, args ...any) *gqlerror.Error {
	return &gqlerror.Error{Err: models.Err(models.CodeValidation, format, args...)}
}

// limitLists makes a list cost its length times its fields.
func limitLists(c *generated.ComplexityRoot) {
	paged := func(child int, first *int, _ *string) int { return length(first) * (child + 1) / 2 }
	c.Query.Organizations = paged
	c.Query.Workflows = paged
	c.Query.Projects = paged
	c.Query.Apps = paged
	c.Query.Executions = func(child int, first *int, after *string, _ *flow.ExecutionFilter) int {
		return paged(child, first, after)
	}
	c.Query.Jobs = func(child int, first *int, after *string, _ *flow.JobStatus) int { return paged(child, first, after) }
	c.Organization.Members = func(child int, _ *string, _ *org.Role, _ *org.MemberStatus, _ *models.ID, first *int, after *string) int {
		return paged(child, first, after)
	}
	c.Organization.Audit = func(child int, _ *org.AuditFilter, first *int, after *string) int {
		return paged(child, first, after)
	}
	c.Organization.Invitations = func(child int, _ *org.InvitationState, _ *models.ID, _ *bool, first *int, after *string) int {
		return paged(child, first, after)
	}
	c.Workspace.Members = paged
	c.Workflow.Executions = paged
	c.Workflow.Versions = paged
	c.Workflow.Collaborators = paged
	c.Query.SharedWithMe = func(child int) int { return models.MaxPageSize * (child + 1) / 4 }
	c.OrganizationCredits.Ledger = paged
	c.Query.Workspaces = func(child int, first *int, after *string, _ *bool, _ *string) int { return paged(child, first, after) }
	c.Organization.Workspaces = c.Query.Workspaces
	c.App.Runs = func(child int, first *int, after *string, _ *bool) int { return paged(child, first, after) }
}

// length is the size of a page, bounded so that nonsense cannot overflow.
func length(first *int) int {
	if first == nil {
		return models.DefaultPageSize
	}
	return min(max(*first, 1), models.MaxPageSize)
}

package mcp

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"atelier/models"
)

// nextSteps say what an agent does about a refusal, by its code.
var nextSteps = map[models.Code]string{
	models.CodeUnauthorized:          "The token does not count any more: the person has to connect this agent again.",
	models.CodeInsufficientScope:     "Ask the person to connect this agent again and to allow it this too.",
	models.CodeForbidden:             "This token may not do it. Tell the person; they can do it themselves in the console.",
	models.CodeInsufficientRole:      "Tell the person that their role does not allow it, and who could.",
	models.CodeNotFound:              "Look the id up with a list tool. It may lie in another workspace: list_workspaces shows them, and the argument workspace names one.",
	models.CodeValidation:            "Correct the arguments and call again. describe_node and describe_app show which values are taken.",
	models.CodeLockedField:           "Leave this value as the author set it.",
	models.CodeStale:                 "It was saved meanwhile. Call read_workflow again and make the change on the version that it shows.",
	models.CodeInsufficientCredits:   "There are too few credits. Tell the person the price and what is left (get_credits); do not try again before there are more.",
	models.CodeBudgetExceeded:        "The workspace has too few credits left. Tell the person; its admins can get more.",
	models.CodeMemberCapExceeded:     "The person's own limit in the workspace is reached. Tell them; the workspace's admins can raise it.",
	models.CodeIdempotencyReused:     "This idempotencyKey was used for another call. Take a new one for a new call.",
	models.CodeIdempotencyInProgress: "The first call with this idempotencyKey is still at work. Wait a few seconds and repeat the same call.",
	models.CodeOrgNotActive:          "Choose a workspace of another organization, or 'personal'. Tell the person; the owner of the organization knows more.",
	models.CodeNotAMember:            "Choose one of list_workspaces, or 'personal'.",
	models.CodeMemberSuspended:       "Tell the person that they are suspended there; an admin of the workspace can lift it.",
	models.CodeTokenWorkspace:        "This token works in one workspace alone: leave the argument workspace out.",
	models.CodeWorkspaceArchived:     "Nothing new begins in an archived workspace. Choose another one.",
	models.CodePersonalSpaceDisabled: "The organization allows no runs in the personal space. Choose a workspace with select_workspace.",
	models.CodeReauthentication:      "The person has to do this in the console, where they confirm who they are.",
	models.CodePayloadTooLarge:       "Put the file at a public https address and pass that, or have the person upload it.",
	models.CodeAlreadyFinished:       "It has ended already: get_run shows how.",
}

// refused is the answer that says why a call was not done, and what to do next.
func (c *call) refused(ctx context.Context, err error) *sdk.CallToolResult {
	refusal, known := models.AsError(err)
	if errors.Is(err, errCancelled) || errors.Is(err, context.Canceled) {
		refusal, known = &models.Error{Code: "cancelled", Message: "The call was cancelled."}, true
	}
	if !known {
		slog.ErrorContext(ctx, "tool failed", "tool", c.tool.Name, "error", err)
	}
	text := strings.TrimSuffix(refusal.Message, ".") + "."
	if refusal.Field != "" && !strings.Contains(refusal.Message, refusal.Field) {
		text += " It is about " + refusal.Field + "."
	}
	details := map[string]any{"code": refusal.Code, "status": refusal.HTTPStatus()}
	if refusal.Field != "" {
		details["field"] = refusal.Field
	}
	switch next := nextSteps[refusal.Code]; {
	case refusal.RetryAfter > 0:
		seconds := models.RetrySeconds(refusal.RetryAfter)
		details["retryAfter"] = seconds
		if !strings.Contains(text, "ry again") {
			text += " Try again in " + models.Several(seconds, "second") + "."
		}
	case next != "":
		text += " " + next
	}
	return &sdk.CallToolResult{
		IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text + " (" + string(refusal.Code) + ")"}}, Meta: sdk.Meta{"atelier/error": details},
	}
}

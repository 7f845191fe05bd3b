package rest

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
	"atelier/models/space"
)

const sharedWithMePath = "/v1/workflows/shared-with-me"

// sharingRoutes share single workflows (contract 3, "Sharing one workflow").
func (a *API) sharingRoutes() {
	const tag, one = "Sharing", "/v1/workflows/{id}"
	const all, each = one + "/collaborators", one + "/collaborators/{userId}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "GET", Path: sharedWithMePath, Tag: tag, Summary: "What is shared with the caller outside of their workspaces, the latest grant first", Scope: scope, Covered: true}, a.sharedWithMe)
	handle(a, route{Method: "GET", Path: one + "/access", Tag: tag, Summary: "What the caller may do with a workflow, without its graph", Scope: scope, Covered: true}, a.getWorkflowAccess)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "Whom the workflow is shared with, the latest grant first", Scope: scope}, a.listCollaborators)
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Share the workflow with a person, or change the role of one whom it is shared with", Scope: scope, Status: 201, Also: 200}, a.addCollaborator)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change what a person is granted", Scope: scope}, a.updateCollaborator)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "End a grant: those who may share the workflow, and each person their own", Scope: scope}, a.removeCollaborator)
}

// collaboratorView has no address.
type collaboratorView struct {
	UserID    models.ID             `json:"userId"`
	Name      string                `json:"name"`
	AvatarURL *string               `json:"avatarUrl"`
	Role      flow.CollaboratorRole `json:"role" enum:"viewer,editor"`
	CreatedAt timestamp             `json:"createdAt"`
}

func (a *API) viewCollaborator(ctx context.Context, c *flow.Collaborator) (collaboratorView, error) {
	user, err := a.Resolver.Collaborator().User(ctx, c)
	if err != nil {
		return collaboratorView{}, err
	}
	return collaboratorView{
		UserID: c.UserID, Name: user.DisplayName, AvatarURL: user.AvatarURL, Role: c.Role, CreatedAt: timestamp(c.CreatedAt),
	}, nil
}

func (a *API) listCollaborators(ctx context.Context, in *PageOfInput) (*many[collaboratorView], error) {
	found, err := a.query().WorkflowCollaborators(ctx, in.ID, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	views, err := withPeople(ctx, found.Nodes, func(c *flow.Collaborator) models.ID { return c.UserID }, a.viewCollaborator)
	return listed(views, found.Next(), err)
}

type addCollaboratorInput struct {
	IDPath
	Body struct {
		UserID *models.ID `json:"userId,omitempty" doc:"The person; or send email."`
		Email  *string    `json:"email,omitempty" doc:"The confirmed address of the person's account; or send userId."`
		Role   string     `json:"role" enum:"viewer,editor"`
	}
}

func (a *API) addCollaborator(ctx context.Context, in *addCollaboratorInput) (*single[collaboratorView], error) {
	c, err := a.mutation().AddCollaborator(ctx, in.ID, flow.AddCollaboratorInput{
		UserID: in.Body.UserID, Email: in.Body.Email, Role: flow.CollaboratorRole(in.Body.Role),
	})
	reply, err := a.showCollaborator(ctx, c, err)
	if err == nil && !c.Added {
		reply.Status = 200
	}
	return reply, err
}

type updateCollaboratorInput struct {
	MemberPath
	Body struct {
		Role string `json:"role" enum:"viewer,editor"`
	}
}

func (a *API) updateCollaborator(ctx context.Context, in *updateCollaboratorInput) (*single[collaboratorView], error) {
	c, err := a.mutation().UpdateCollaborator(ctx, in.ID, in.UserID, flow.UpdateCollaboratorInput{Role: flow.CollaboratorRole(in.Body.Role)})
	return a.showCollaborator(ctx, c, err)
}

func (a *API) showCollaborator(ctx context.Context, c *flow.Collaborator, err error) (*single[collaboratorView], error) {
	if err != nil {
		return nil, err
	}
	view, err := a.viewCollaborator(ctx, c)
	return one(view), err
}

func (a *API) removeCollaborator(ctx context.Context, in *MemberPath) (*success, error) {
	_, err := a.mutation().RemoveCollaborator(ctx, in.ID, in.UserID)
	return succeeded(err)
}

type sharedWorkflowView struct {
	ID          models.ID             `json:"id"`
	Name        string                `json:"name"`
	GrantedRole flow.CollaboratorRole `json:"grantedRole" enum:"viewer,editor"`
	GrantedBy   personView            `json:"grantedBy"`
	CreatedAt   timestamp             `json:"createdAt"`
}

func (a *API) sharedWithMe(ctx context.Context, _ *struct{}) (*many[sharedWorkflowView], error) {
	shared, err := a.query().SharedWithMe(ctx)
	if err != nil {
		return nil, err
	}
	views, err := withPeople(ctx, shared, func(w *flow.SharedWorkflow) models.ID { return w.GrantedBy }, a.viewSharedWorkflow)
	return listed(views, nil, err)
}

func (a *API) viewSharedWorkflow(ctx context.Context, w *flow.SharedWorkflow) (sharedWorkflowView, error) {
	user, err := a.Resolver.SharedWorkflow().GrantedBy(ctx, w)
	if err != nil {
		return sharedWorkflowView{}, err
	}
	return sharedWorkflowView{
		ID: w.ID, Name: w.Name, GrantedRole: w.GrantedRole, GrantedBy: viewPerson(user), CreatedAt: timestamp(w.CreatedAt),
	}, nil
}

func viewPerson(u *account.User) personView {
	return personView{UserID: u.ID, DisplayName: u.DisplayName}
}

type workflowAccessView struct {
	Access              space.Access     `json:"access" enum:"view,edit,creator"`
	WorkspaceID         *models.ID       `json:"workspaceId"`
	Visibility          space.Visibility `json:"visibility" enum:"private,workspace"`
	CanChangeVisibility bool             `json:"canChangeVisibility"`
	CanShare            bool             `json:"canShare"`
	CanRun              bool             `json:"canRun"`
}

func (a *API) getWorkflowAccess(ctx context.Context, in *IDPath) (*single[workflowAccessView], error) {
	w, err := a.query().WorkflowAccess(ctx, in.ID)
	return shown(w, err, func(w *flow.Workflow) workflowAccessView {
		return workflowAccessView{
			Access: w.Access, WorkspaceID: w.WorkspaceID, Visibility: w.Visibility,
			CanChangeVisibility: w.Can.ChangeVisibility, CanShare: w.Can.Share, CanRun: w.Can.Run,
		}
	})
}

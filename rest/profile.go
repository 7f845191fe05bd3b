package rest

import (
	"context"
	"net/http"

	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"

	"github.com/gorilla/mux"
)

// profileRoutes are the caller's own profile (contract 3, "Resources").
func (a *API) profileRoutes() {
	const tag = "Profile"
	handle(a, route{Method: "GET", Path: "/v1/me", Tag: tag, Summary: "The caller's profile", EveryApp: true, Tolerant: true}, a.me)
	handle(a, route{Method: "PATCH", Path: "/v1/me", Tag: tag, Summary: "Change name and picture"}, a.updateMe)
}

// profileView has its organization fields in three states: absent where the
// install has no organizations, present, or replaced by organizationsUnavailable.
type profileView struct {
	ID            models.ID `json:"id"`
	Email         string    `json:"email"`
	DisplayName   string    `json:"displayName"`
	AvatarURL     *string   `json:"avatarUrl"`
	EmailVerified bool      `json:"emailVerified"`
	CreatedAt     timestamp `json:"createdAt"`

	Organizations            *[]memberOrganization `json:"organizations,omitempty"`
	Workspaces               *[]memberWorkspace    `json:"workspaces,omitempty"`
	LastWorkspaceID          models.Opt[models.ID] `json:"lastWorkspaceId,omitzero" nullable:"true"`
	OrganizationsUnavailable bool                  `json:"organizationsUnavailable,omitempty"`
}

type memberOrganization struct {
	ID           models.ID         `json:"id"`
	Name         string            `json:"name"`
	Slug         string            `json:"slug"`
	Kind         org.Kind          `json:"kind"`
	Status       org.Status        `json:"status"`
	Role         *org.Role         `json:"role"`
	MemberStatus *org.MemberStatus `json:"memberStatus"`
	Vocabulary   vocabularyView    `json:"vocabulary"`
}

type memberWorkspace struct {
	ID             models.ID          `json:"id"`
	OrganizationID models.ID          `json:"organizationId"`
	Name           string             `json:"name"`
	Slug           string             `json:"slug"`
	Role           *org.WorkspaceRole `json:"role"`
	Status         *org.MemberStatus  `json:"status"`
	Archived       bool               `json:"archived"`
}

type meInput struct {
	IncludeArchived bool `query:"includeArchived" doc:"Whether archived workspaces are listed too."`
}

func (a *API) me(ctx context.Context, in *meInput) (*single[profileView], error) {
	user, err := a.query().Me(ctx)
	if err != nil {
		return nil, err
	}
	return a.profile(ctx, user, in.IncludeArchived)
}

type updateMeInput struct {
	Body struct {
		DisplayName models.Opt[string] `json:"displayName,omitzero"`
		AvatarURL   models.Opt[string] `json:"avatarUrl,omitzero" nullable:"true"`
	}
}

func (a *API) updateMe(ctx context.Context, in *updateMeInput) (*single[profileView], error) {
	user, err := a.mutation().UpdateProfile(ctx, account.UpdateProfileInput{DisplayName: in.Body.DisplayName, AvatarURL: in.Body.AvatarURL})
	if err != nil {
		return nil, err
	}
	return a.profile(ctx, user, false)
}

// profile is the account with its memberships.
func (a *API) profile(ctx context.Context, user *account.User, includeArchived bool) (*single[profileView], error) {
	view := profileView{
		ID: user.ID, Email: user.Email, DisplayName: user.DisplayName, AvatarURL: user.AvatarURL,
		EmailVerified: user.EmailVerified(), CreatedAt: timestamp(user.CreatedAt),
	}
	memberships, err := a.Resolver.Profile().Memberships(ctx, user, &includeArchived, nil)
	if err != nil || memberships == nil {
		return one(view), err
	}
	if memberships.Unavailable {
		view.OrganizationsUnavailable = true
		return one(view), nil
	}
	addMemberships(&view, user, memberships)
	return one(view), nil
}

func addMemberships(view *profileView, user *account.User, m *generated.Memberships) {
	organizations := mapAll(m.Organizations, func(o *org.Organization) memberOrganization {
		return memberOrganization{
			ID: o.ID, Name: o.Name, Slug: o.Slug, Kind: o.Kind, Status: o.Status,
			Role: o.Role, MemberStatus: o.MemberStatus, Vocabulary: viewVocabulary(o),
		}
	})
	workspaces := mapAll(m.Workspaces, func(w *org.Workspace) memberWorkspace {
		return memberWorkspace{
			ID: w.ID, OrganizationID: w.OrganizationID, Name: w.Name, Slug: w.Slug,
			Role: w.Role(), Status: w.MemberStatus(), Archived: w.Archived(),
		}
	})
	view.Organizations, view.Workspaces = &organizations, &workspaces
	view.LastWorkspaceID = models.Null[models.ID]()
	if user.LastWorkspaceID != nil {
		view.LastWorkspaceID = models.Some(*user.LastWorkspaceID)
	}
}

// PictureCaching is how long a browser keeps a person's picture: its address
// changes with it. No one else keeps it.
const PictureCaching = "private, max-age=86400, immutable"

// PictureHandler serves GET /pictures/{file} to those who are signed in.
func PictureHandler(accounts *account.Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		picture, err := accounts.FindPicture(r.Context(), mux.Vars(r)["file"])
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "image/jpeg")
		header.Set("Cache-Control", PictureCaching)
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		_, _ = w.Write(picture.Content)
	})
}

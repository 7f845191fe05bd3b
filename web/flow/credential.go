package flow

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// maxCredentials is how many credentials an account may have.
const maxCredentials = 50

// credentialView is the form of a credential: of a new one when ID is empty.
type credentialView struct {
	query.CredentialDetail
	Form frame.Form
}

// Credentials lists the account's keys, and where they are used.
func (c Pages) Credentials(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Credentials(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Credentials"), Section: frame.SectionCredentials}, credentialsContent(res.Credentials, c.Now()))
}

// NewCredential is the form of a new key.
func (c Pages) NewCredential(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v := credentialView{Form: frame.FormOf(r)}
	v.Kind, v.HeaderName = query.CredentialKindLocked, "Authorization"
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Add key"), Section: frame.SectionCredentials}, newCredentialContent(v))
}

// CreateCredential keeps a key.
func (c Pages) CreateCredential(w http.ResponseWriter, r *http.Request) error {
	in := query.CreateCredentialInput{
		Name: frame.Text(r, "name"), HeaderName: frame.Text(r, "headerName"), Key: frame.Pasted(r, "key"), Kind: query.CredentialKind(frame.Text(r, "kind")),
	}
	if in.Kind == query.CredentialKindLocked {
		in.LockedUrl, in.AllowSubpaths = new(frame.PastedLink(r, "lockedUrl")), new(frame.Text(r, "allowSubpaths") != "")
	}
	if _, err := query.CreateCredential(r.Context(), c.Client, in); err != nil {
		return frame.Again(w, r, err, c.NewCredential)
	}
	return c.Done(w, "/credentials", t(r.Context(), "The key is kept. Choose %s in a node that sends.", in.Name))
}

func (c Pages) showCredential(w http.ResponseWriter, r *http.Request, asks bool) error {
	res, err := query.CredentialPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := credentialView{res.Credential, frame.FormOf(r)}
	at := frame.Page{Title: v.Name, Section: frame.SectionCredentials}
	if asks {
		at.Title = t(r.Context(), "Delete the credential")
		return c.Page(w, r, res.Shell, at, deleteCredentialContent(v))
	}
	return c.Page(w, r, res.Shell, at, credentialContent(v, c.Now()))
}

// CredentialPage shows a credential except for its key, and changes it.
func (c Pages) CredentialPage(w http.ResponseWriter, r *http.Request) error {
	return c.showCredential(w, r, false)
}

// DeleteCredentialPage asks before a credential is deleted.
func (c Pages) DeleteCredentialPage(w http.ResponseWriter, r *http.Request) error {
	return c.showCredential(w, r, true)
}

// UpdateCredential saves a credential; an empty key stays as it is.
func (c Pages) UpdateCredential(w http.ResponseWriter, r *http.Request) error {
	kind := query.CredentialKind(frame.Text(r, "kind"))
	in := query.UpdateCredentialInput{Name: new(frame.Text(r, "name")), HeaderName: new(frame.Text(r, "headerName")), Kind: &kind, Key: frame.PastedOrNil(r, "key")}
	if kind == query.CredentialKindLocked {
		in.LockedUrl, in.AllowSubpaths = new(frame.PastedLink(r, "lockedUrl")), new(frame.Text(r, "allowSubpaths") != "")
	}
	if _, err := query.UpdateCredential(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return frame.Again(w, r, err, c.CredentialPage)
	}
	return c.Done(w, "/credentials/"+frame.PathID(r), t(r.Context(), "The credential is saved."))
}

// DeleteCredential deletes a credential.
func (c Pages) DeleteCredential(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteCredential(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.DeleteCredentialPage)
	}
	return c.Done(w, "/credentials", t(r.Context(), "The credential and its key are deleted."))
}

// credentialKinds are what a credential can be.
func credentialKinds(ctx context.Context) []ui.Option {
	return []ui.Option{
		{Value: string(query.CredentialKindLocked), Text: t(ctx, "To one address, in every run")},
		{Value: string(query.CredentialKindPlain), Text: t(ctx, "To any address, only in runs that you start yourself")},
	}
}

// credentialChoice is a credential where a node chooses one.
func credentialChoice(ctx context.Context, c query.CredentialChoice) string {
	if c.Kind == query.CredentialKindPlain {
		return t(ctx, "%s (only in your own runs)", c.Name)
	}
	return c.Name
}

// reach says where a credential is sent.
func reach(ctx context.Context, kind query.CredentialKind, lockedURL *string, subpaths bool) string {
	switch {
	case kind == query.CredentialKindPlain:
		return t(ctx, "Any address, in your own runs")
	case subpaths:
		return t(ctx, "%s and below", frame.Value(lockedURL))
	}
	return frame.Value(lockedURL)
}

// usedBy says how many workflows send with a credential.
func usedBy(ctx context.Context, n int) string {
	if n == 0 {
		return t(ctx, "No workflow")
	}
	return tn(ctx, "%d workflow", "%d workflows", n)
}

// deletedConsequences say what a deletion brings.
func deletedConsequences(ctx context.Context, v credentialView) []string {
	out := []string{t(ctx, "The key is gone; no one can show it again.")}
	if v.UseCount == 0 {
		return append(out, t(ctx, "No workflow sends with it."))
	}
	return append(out, tn(ctx, "%d workflow sends with it. Its nodes fail until another one is chosen in them.",
		"%d workflows send with it. Their nodes fail until another one is chosen in them.", v.UseCount))
}

package server

import (
	"context"
	"io"

	"atelier/models"
	"atelier/models/library"
	"atelier/nodes/kit"
	"atelier/rest"
	"atelier/web"
)

// keepUpload keeps a file that a person chose in the form of an app, as POST /v1/upload does for programs.
func (s *Server) keepUpload(ctx context.Context, r io.Reader) (string, error) {
	file, err := s.Resolver.Media.Upload(ctx, r)
	if err != nil {
		return "", pageError(err)
	}
	return s.Resolver.Media.URL(file), nil
}

// arriving counts what arrives in a form against the room of the caller.
func (s *Server) arriving(ctx context.Context) (context.Context, func(int64) error, func(), error) {
	counted, take, done, err := s.Resolver.Media.Arriving(ctx)
	if err == nil {
		err = s.Resolver.Media.CheckDisk()
	}
	if err != nil {
		if done != nil {
			done()
		}
		return nil, nil, nil, pageError(err)
	}
	return counted, func(n int64) error { return pageError(take(n)) }, done, nil
}

// keepPicture makes a small picture of what a person sent and keeps it as theirs.
func (s *Server) keepPicture(ctx context.Context, r io.Reader) error {
	if err := s.Accounts.MayChangePicture(ctx); err != nil {
		return pageError(err)
	}
	small, err := kit.Portrait(ctx, r)
	if err == nil {
		err = s.Accounts.SetPicture(ctx, small)
	}
	return pageError(err)
}

// keepLogo makes a small picture of what an operator sent and keeps it as the logo of the install.
func (s *Server) keepLogo(ctx context.Context, r io.Reader) error {
	if err := s.Settings.MaySetLogo(ctx); err != nil {
		return pageError(err)
	}
	small, err := kit.Logo(ctx, r)
	if err == nil {
		err = s.Settings.SetLogo(ctx, small)
	}
	return pageError(err)
}

// look is how pages look by the settings of the install; as the program's own where they cannot be read.
func (s *Server) look(ctx context.Context) web.Look {
	set, err := s.Settings.FindLook(ctx)
	if err != nil {
		return web.Look{}
	}
	return web.Look{Logo: models.Deref(set.LogoURL), Accent: set.Accent, Contact: set.Contact, HasTerms: set.HasTerms, HasPrivacy: set.HasPrivacy}
}

// confirmed is the context of a request whose session was confirmed within it.
func (s *Server) confirmed(ctx context.Context) context.Context {
	actor := models.ActorFrom(ctx)
	actor.ConfirmedAt = s.DB.Clock.Now()
	return models.WithActor(ctx, actor)
}

// pageError is a refusal as pages know it.
func pageError(err error) error {
	e, refused := models.AsError(err)
	if err == nil || !refused {
		return err
	}
	return &web.Error{Code: string(e.Code), Message: e.Message, Field: e.Field, Status: e.HTTPStatus(), RetryAfter: e.RetryAfter}
}

// archive is what is kept of an element or a voice, to be written to the one who takes it along.
type archive struct {
	ctx   context.Context
	write func(context.Context, io.Writer) error
}

// WriteTo writes the archive.
func (a archive) WriteTo(w io.Writer) (int64, error) { return 0, a.write(a.ctx, w) }

// export is an element or a voice as an archive, as GET /v1/{kinds}/:id/export is for programs.
func (s *Server) export(ctx context.Context, kind, id string) (io.WriterTo, string, error) {
	parsed, err := models.ParseID("id", id)
	if err != nil {
		return nil, "", pageError(err)
	}
	if kind == "voice" {
		voice, err := s.Resolver.Library.Voices().Export(ctx, parsed)
		if err != nil {
			return nil, "", pageError(err)
		}
		return archive{ctx, voice.Write}, voice.Name(), nil
	}
	export, err := s.Resolver.Library.Elements().Export(ctx, library.Kind(kind), parsed)
	if err != nil {
		return nil, "", pageError(err)
	}
	return archive{ctx, export.Write}, export.Name(), nil
}

// exportProduction is a production in a format, as GET /v1/studio/productions/:id/export is for programs.
func (s *Server) exportProduction(ctx context.Context, id, format string) (io.WriterTo, string, string, error) {
	parsed, err := models.ParseID("id", id)
	if err != nil {
		return nil, "", "", pageError(err)
	}
	file, err := s.Resolver.Studio.ExportProduction(ctx, parsed, format)
	if err != nil {
		return nil, "", "", pageError(err)
	}
	return archive{ctx, file.Write}, file.ContentType(), file.Name(), nil
}

// exportResults are results as an archive.
func (s *Server) exportResults(ctx context.Context, ids []string) (io.WriterTo, string, error) {
	parsed := make([]models.ID, len(ids))
	for i, id := range ids {
		var err error
		if parsed[i], err = models.ParseID("ids", id); err != nil {
			return nil, "", pageError(err)
		}
	}
	export, err := s.Resolver.Runs.Results().Export(ctx, parsed)
	if err != nil {
		return nil, "", pageError(err)
	}
	return archive{ctx, export.Write}, export.Name(), nil
}

// consentStatements are the texts of consents, for the pages on which they are confirmed.
func consentStatements() []web.Statement {
	var out []web.Statement
	for _, one := range library.Statements {
		out = append(out, web.Statement{Version: one.Version(), Language: one.Language, Subject: string(one.Subject), Text: one.Text})
	}
	return out
}

// inWorkspace is the context of a request that works in another workspace than its address names, or in the personal
// space where the id is empty. To look is not to choose: the space that a session was in last stays.
func (s *Server) inWorkspace(ctx context.Context, workspace string) (context.Context, error) {
	var wanted *models.ID
	if workspace != "" && s.withOrganizations() {
		id, err := models.ParseID("in", workspace)
		if err != nil {
			return nil, pageError(err)
		}
		wanted = &id
	}
	identity := rest.IdentityFrom(ctx)
	if wanted == nil && identity.Bound == nil {
		identity.Actor.WorkspaceID, identity.Actor.OrganizationID = nil, nil
		return rest.WithIdentity(ctx, identity), nil
	}
	identity.LastWorkspace = wanted
	ctx, err := rest.SelectWorkspace(ctx, s.Resolver, identity, wanted, true)
	return ctx, pageError(err)
}

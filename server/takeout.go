package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"atelier/backup"
	"atelier/config"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/media"
)

// takeouts bounds how many archives are made at once: each has a connection of its own for as long as it is sent.
var takeouts = make(chan struct{}, takeoutsAtOnce)

const (
	takeoutsAtOnce = 2
	// takeoutTime is how long one may take to be sent.
	takeoutTime = time.Hour
	// placeRetry is after how long to come again where there is no place.
	placeRetry = 5 * time.Minute
)

// placeWait is how long one waits for a place; shorter in tests.
var placeWait = 5 * time.Second

// takeout is everything of the caller, or of an organization of theirs, as a file that is made while it is sent.
func (s *Server) takeout(ctx context.Context, organization string) (io.WriterTo, string, error) {
	// A place is there before the archive is counted, and stays until the answer has left.
	err := models.ActorFrom(ctx).RequireSession()
	if err == nil {
		ctx, err = s.Accounts.Hold(ctx)
	}
	if err == nil {
		err = takePlace(ctx)
	}
	if err != nil {
		return nil, "", pageError(err)
	}
	of, name, err := s.subject(ctx, organization)
	if err != nil {
		return nil, "", pageError(err)
	}
	return archive{ctx, func(ctx context.Context, out io.Writer) error {
		ctx, cancel := context.WithTimeout(s.Accounts.WhileValid(ctx), takeoutTime)
		defer cancel()
		_, err := backup.Takeout(ctx, s.DB.Pool.Config().ConnConfig, s.Media.Bucket, of, out)
		if err != nil {
			err = cmp.Or(context.Cause(ctx), err)
		}
		return err
	}}, fmt.Sprintf("%s-%s.zip", name, s.DB.Clock.Now().UTC().Format(time.DateOnly)), nil
}

// takePlace takes one of takeouts until ctx ends. While archives that are read slowly have all of them it is service_unavailable.
func takePlace(ctx context.Context) error {
	wait := time.NewTimer(placeWait)
	defer wait.Stop()
	select {
	case takeouts <- struct{}{}:
		context.AfterFunc(ctx, func() { <-takeouts })
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-wait.C:
		refusal := models.Err(models.CodeServiceUnavailable, "Others are taking everything along just now. Try again in a few minutes.")
		refusal.RetryAfter = placeRetry
		return refusal
	}
}

// subject is whose things the caller may take along.
func (s *Server) subject(ctx context.Context, organization string) (of backup.Subject, name string, err error) {
	if organization == "" {
		id, err := s.Accounts.AdmitTakeout(ctx)
		return backup.Subject{Person: &id}, "atelier", err
	}
	id, err := models.ParseID("id", organization)
	if err != nil {
		return of, "", err
	}
	o, err := s.Orgs.FindOrganization(ctx, id)
	if err == nil {
		err = s.Orgs.Audit().RecordTakeout(ctx, id)
	}
	if err != nil {
		return of, "", err
	}
	return backup.Subject{Organization: &id}, o.Slug, nil
}

// Archive writes everything that is stored of a person or of an organization into a file.
func Archive(ctx context.Context, c config.Config, args []string, out io.Writer) error {
	if len(args) != 3 || args[0] != "person" && args[0] != "organization" {
		return errors.New("archive needs a person with their address, or an organization with its id, and a file: atelier archive person ada@example.org ada.zip")
	}
	path, err := filepath.Abs(args[2])
	if err != nil {
		return err
	}
	return withExisting(ctx, c, out, func(i *install) error {
		if err := i.sameProgram(ctx); err != nil {
			return err
		}
		of, err := i.named(ctx, args[0], args[1])
		if err != nil {
			return err
		}
		bucket, err := media.OpenBucket(ctx, i.StorageURL, i.DataDir)
		if err != nil {
			return fmt.Errorf("STORAGE_URL: %w", err)
		}
		defer bucket.Close()
		found, err := backup.WriteTakeout(ctx, i.DB.Pool.Config().ConnConfig, bucket, of, path, i.backupFloor(path))
		if err != nil {
			return err
		}
		var rows int64
		for _, n := range found.Rows {
			rows += n
		}
		fmt.Fprintf(out, "%s has %d records and %d files.\n", path, rows, found.Files)
		return nil
	})
}

// named finds a person by the address, an organization by its id.
func (i *install) named(ctx context.Context, kind, name string) (of backup.Subject, err error) {
	if kind == "person" {
		email, err := models.ParseEmail(name)
		if err != nil {
			return of, err
		}
		user, err := (&account.Service{DB: i.DB}).FindUserByEmail(ctx, email)
		if models.HasCode(err, models.CodeNotFound) {
			return of, fmt.Errorf("no account has the address %s", name)
		}
		if err != nil {
			return of, err
		}
		return backup.Subject{Person: &user.ID}, nil
	}
	id, err := models.ParseID("id", name)
	return backup.Subject{Organization: &id}, err
}

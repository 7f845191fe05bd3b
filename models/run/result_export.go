package run

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"

	"atelier/bulk"
	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
)

// How many results one archive holds, and how many bytes its files have together.
const (
	MaxExportedResults = 100
	MaxResultExport    = 2 << 30
)

// ResultExport are results with their files, to be written as an archive.
type ResultExport struct {
	results []*Result
	files   map[string]*media.File // by address
	run     *Service
}

// Export reads results to take along: those of the ids that Find would find, in their order. What was deleted meanwhile, or may
// not be seen any more, is left out; not_found when nothing is left. What refuses Find otherwise, such as member_suspended,
// refuses this, too. More than MaxExportedResults, or files that are larger than
// MaxResultExport together, are a validation_error.
func (s Results) Export(ctx context.Context, ids []models.ID) (*ResultExport, error) {
	if err := requireAllRuns(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	if len(ids) > MaxExportedResults {
		return nil, models.Invalid("ids", "must be at most %d results", MaxExportedResults)
	}
	x := &ResultExport{run: s.run}
	var err error
	if x.results, err = s.run.resultsInReach(ctx, ids); err != nil {
		return nil, err
	}
	if len(x.results) == 0 {
		return nil, models.NotFound("Result")
	}
	var addresses []string
	for _, r := range x.results {
		if r.Address != nil {
			addresses = append(addresses, *r.Address)
		}
	}
	if x.files, err = s.run.Media.FilesAt(s.run.DB.Read(ctx), addresses); err != nil {
		return nil, err
	}
	size := int64(0)
	for _, r := range x.results {
		if file := x.files[models.Deref(r.Address)]; file != nil {
			size += file.Size
		}
	}
	if size > MaxResultExport {
		return nil, models.Invalid("ids", "must be fewer: an archive of these results would be larger than %s", models.ByteSize(MaxResultExport))
	}
	return x, nil
}

// resultsInReach are the results that the caller may see, each once: one statement for them, and one question for each workspace.
func (s *Service) resultsInReach(ctx context.Context, ids []models.ID) ([]*Result, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	query := resultQuery(s.DB.Read(ctx)).Where(models.FitsIDs("results.execution_id", ids))
	if actor := models.ActorFrom(ctx); actor.OfApp() != nil {
		query = query.Where("e.client_app_id = ? AND results.account_id = ?", actor.ClientAppID, actor.UserID)
	}
	var rows []*Result
	if err := query.Find(&rows).Error; err != nil {
		return nil, err
	}
	byID := make(map[models.ID]*Result, len(rows))
	for _, r := range rows {
		byID[r.ExecutionID] = r
	}
	type access struct {
		viewer *space.Viewer
		err    error
	}
	asked := map[models.ID]access{}
	in := func(ctx context.Context, workspaceID *models.ID) (*space.Viewer, error) {
		a, known := asked[*workspaceID]
		if !known {
			a.viewer, a.err = s.Spaces.Viewer(ctx, workspaceID)
			asked[*workspaceID] = a
		}
		return a.viewer, a.err
	}
	var found []*Result
	for _, id := range ids {
		r := byID[id]
		if r == nil {
			continue
		}
		delete(byID, id)
		seen, err := s.seesResult(ctx, r, in)
		if err != nil {
			return nil, err
		}
		if seen {
			found = append(found, r)
		}
	}
	return found, nil
}

// Name is what the archive's file is called.
func (x *ResultExport) Name() string { return "results.zip" }

// Write writes the archive: a file for each result, a text with the address where the file lies elsewhere.
func (x *ResultExport) Write(ctx context.Context, out io.Writer) error {
	archive := zip.NewWriter(out)
	for i, r := range x.results {
		name := fmt.Sprintf("%02d-%s", i+1, r.spoken())
		if err := x.write(ctx, archive, name, r); err != nil {
			return err
		}
	}
	return archive.Close()
}

func (x *ResultExport) write(ctx context.Context, archive *zip.Writer, name string, r *Result) error {
	if file := x.files[models.Deref(r.Address)]; file != nil {
		return x.run.Media.WriteEntry(ctx, archive, name+path.Ext(x.run.Media.URL(file)), file, r.CreatedAt)
	}
	said := r.Address
	if said == nil {
		texts, err := bulk.Part(ctx, func(ctx context.Context) (map[models.ID]*string, error) {
			return x.run.Results().Texts(ctx, []models.ID{r.ExecutionID})
		})
		if err != nil {
			return err
		}
		said = texts[r.ExecutionID]
	} else if x.run.Media.Own(*said) {
		return nil // deleted meanwhile
	}
	if said == nil {
		return nil
	}
	entry, err := media.CreateEntry(archive, name+".txt", r.CreatedAt, zip.Deflate)
	if err != nil {
		return err
	}
	_, err = io.WriteString(entry, *said)
	return err
}

// maxInFileName is how much of what a run was about its file is named after, in characters.
const maxInFileName = 60

// spoken is what a result was about, in a form that every file system takes; its kind where that is not known.
func (r *Result) spoken() string {
	var b strings.Builder
	n := 0
	for _, c := range models.Deref(r.Subject) {
		if n++; n > maxInFileName {
			break
		}
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			b.WriteRune(unicode.ToLower(c))
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if name := strings.Trim(b.String(), "-"); name != "" {
		return name
	}
	return string(r.Kind)
}

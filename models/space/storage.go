package space

import (
	"context"

	"atelier/models"
)

// Quota is how much one space may keep; nil is without end. The database
// counts what comes and goes and refuses what has no room: limit_reached.
type Quota struct {
	// Files, Outputs and Graphs are bytes: of files, of what ended runs took in
	// and put out, and of workflows with their saved versions.
	Files, Outputs, Graphs *int64
	// Workflows is how many there may be.
	Workflows *int64
}

// Storage is what one space keeps, and how much it may.
type Storage struct {
	Files, Outputs, Graphs, Workflows int64
	Quota                             Quota `gorm:"embedded;embeddedPrefix:quota_"`
}

// StorageKind is something that spaces keep.
type StorageKind string

const (
	KeptFiles     StorageKind = "files"
	KeptOutputs   StorageKind = "outputs"
	KeptGraphs    StorageKind = "graphs"
	KeptWorkflows StorageKind = "workflows" // counted, not measured
)

// StoragePart is what a space keeps of one kind, and how much it may; a nil
// quota is without end.
type StoragePart struct {
	Kind  StorageKind
	Used  int
	Quota *int
}

// Parts are the kinds one by one.
func (s *Storage) Parts() []*StoragePart {
	part := func(kind StorageKind, used int64, quota *int64) *StoragePart {
		p := &StoragePart{Kind: kind, Used: int(used)}
		if quota != nil {
			most := int(*quota)
			p.Quota = &most
		}
		return p
	}
	return []*StoragePart{
		part(KeptFiles, s.Files, s.Quota.Files), part(KeptOutputs, s.Outputs, s.Quota.Outputs),
		part(KeptGraphs, s.Graphs, s.Quota.Graphs), part(KeptWorkflows, s.Workflows, s.Quota.Workflows),
	}
}

// Spaces in which things are kept.
const (
	accountSpace   = "account"
	workspaceSpace = "workspace"
)

// SetQuotas takes over the quotas of the configuration. What is kept beyond
// them stays; nothing more is let in.
func (s *Service) SetQuotas(ctx context.Context, account, workspace Quota) error {
	set := func(tx *models.Tx, space string, q Quota) error {
		return tx.Table("storage_quotas").Where("space = ?", space).
			UpdateColumns(map[string]any{"files": q.Files, "outputs": q.Outputs, "graphs": q.Graphs, "workflows": q.Workflows}).Error
	}
	// Replicas start at once: each takes the rows in this order.
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := set(tx, accountSpace, account); err != nil {
			return err
		}
		return set(tx, workspaceSpace, workspace)
	})
}

// FindStorage is what the caller's personal space keeps.
func (s *Service) FindStorage(ctx context.Context) (*Storage, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeExecute); err != nil {
		return nil, err
	}
	return s.StorageOfAccount(ctx, actor.UserID)
}

// FindWorkspaceStorage is what a workspace keeps (its members).
func (s *Service) FindWorkspaceStorage(ctx context.Context, workspaceID models.ID) (*Storage, error) {
	w, err := s.Orgs.Workspaces().Find(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return s.storageOf(ctx, workspaceSpace, w.ID)
}

// StorageOfAccount is what the personal space of an account keeps. It asks nothing about access.
func (s *Service) StorageOfAccount(ctx context.Context, userID models.ID) (*Storage, error) {
	return s.storageOf(ctx, accountSpace, userID)
}

// ErrFilesFull refuses a file for which an account has no room: limit_reached. quota is in bytes.
func ErrFilesFull(quota int64) error {
	return models.StorageFull(string(KeptFiles), accountSpace, quota)
}

func (s *Service) storageOf(ctx context.Context, space string, ownerID models.ID) (*Storage, error) {
	return models.First[Storage](s.DB.Read(ctx).Table("storage_quotas q").
		Select(`coalesce(u.files, 0) AS files, outputs_of(q.space, ?) AS outputs, coalesce(u.graphs, 0) AS graphs, coalesce(u.workflows, 0) AS workflows,
			q.files AS quota_files, q.outputs AS quota_outputs, q.graphs AS quota_graphs, q.workflows AS quota_workflows`, ownerID).
		Joins("LEFT JOIN storage_usage u ON u.space = q.space AND u.owner_id = ?", ownerID).
		Where("q.space = ?", space), models.NotFound("Storage"))
}

// countedAtOnce is how many ended runs one statement takes over.
const countedAtOnce = 5_000

// CountOutputs lets the counters take over what runs have put out since; until
// then it is added up whenever it is asked for.
func (s *Service) CountOutputs(ctx context.Context) error {
	for {
		var n int
		if err := s.DB.Pool.QueryRow(ctx, `SELECT count_outputs($1)`, countedAtOnce).Scan(&n); err != nil || n < countedAtOnce {
			return err
		}
	}
}

// RebuildStorage recomputes the counters from the rows, and says how many were
// wrong. Nothing is kept or dropped meanwhile.
func (s *Service) RebuildStorage(ctx context.Context) (wrong int64, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		err := tx.Exec(`LOCK TABLE storage_usage, media_files, workflows, workflow_versions, app_versions, kept_outputs IN SHARE ROW EXCLUSIVE MODE`).Error
		if err != nil {
			return err
		}
		wrong, err = models.Affected(tx.Exec(`
			INSERT INTO storage_usage AS u (space, owner_id, files, outputs, graphs, workflows)
			SELECT space, owner_id, coalesce(s.files, 0), coalesce(s.outputs, 0), coalesce(s.graphs, 0), coalesce(s.workflows, 0)
			FROM storage_usage x FULL JOIN storage_sums s USING (space, owner_id)
			ON CONFLICT (space, owner_id) DO UPDATE
				SET files = EXCLUDED.files, outputs = EXCLUDED.outputs, graphs = EXCLUDED.graphs, workflows = EXCLUDED.workflows
				WHERE (u.files, u.outputs, u.graphs, u.workflows) <> (EXCLUDED.files, EXCLUDED.outputs, EXCLUDED.graphs, EXCLUDED.workflows)`))
		return err
	})
	return wrong, err
}

// KeptByAll is how many bytes all spaces keep together.
func (s *Service) KeptByAll(ctx context.Context) (kept int64, err error) {
	err = s.DB.Read(ctx).Raw(`SELECT coalesce(sum(files + outputs + graphs), 0)::bigint FROM storage_usage`).Row().Scan(&kept)
	return kept, err
}

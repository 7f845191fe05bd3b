package backup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"atelier/migrations"
	"atelier/models/media"
)

// Target is the empty install that becomes what the backup is of.
type Target struct {
	Database *pgx.ConnConfig
	// DatabaseURL is the same for migrations.
	DatabaseURL string
	Bucket      *blob.Bucket
	// Sync brings what is in the bucket to the disk; nil where the bucket does.
	Sync func()
	// KeepKeys stores the keys; it is called before anything else is written, so that no program that is started on half an
	// install makes keys of its own.
	KeepKeys func(Keys) error
}

// Refusals of an install.
var (
	errNotEmpty = errors.New("the database is not empty: a restore goes into an empty database, or a fresh DATA_DIR, and changes nothing of another")
	ErrHasFiles = errors.New("there are files where the files of the backup are to go: a restore goes into an empty folder or bucket")
	errAnother  = errors.New("another restore into this database is under way")
)

// Knows refuses a backup whose schema this program does not know.
func (a *Archive) Knows() error {
	known, err := migrations.Knows(a.About.Versions)
	if err != nil || known {
		return err
	}
	latest, err := migrations.Latest()
	if err != nil {
		return err
	}
	return fmt.Errorf("the backup has the schema %d.%d of another program (%s), this one knows up to %d.%d: restore it with that one, or with a newer one",
		a.About.Versions.Schema, a.About.Versions.River, a.About.Program, latest.Schema, latest.River)
}

// HasFiles tells whether there is anything in a bucket.
func HasFiles(ctx context.Context, bucket *blob.Bucket) (bool, error) {
	_, err := bucket.List(nil).Next(ctx)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// restoring is one restore under way.
type restoring struct {
	*Archive
	Target
	tx      pgx.Tx
	touched time.Time
	// schema are the tables that there are to fill.
	schema map[string]Table
	keys   []foreignKey
}

// Restore fills an empty install, or one whose restore was not finished. What the database gets, it gets in one transaction,
// the last step of all: until then the database is marked, and no service starts on it.
func (a *Archive) Restore(ctx context.Context, target Target) error {
	if err := a.Knows(); err != nil {
		return err
	}
	conn, guard, err := open(ctx, target.Database, pgx.TxOptions{})
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := mayRestore(ctx, guard, target); err != nil {
		return err
	}
	if err := target.KeepKeys(a.Keys); err != nil {
		return err
	}
	marking, err := pgx.ConnectConfig(ctx, target.Database)
	if err != nil {
		return err
	}
	err = migrations.BeginRestore(ctx, marking)
	marking.Close(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if err := migrations.UpTo(ctx, target.DatabaseURL, a.About.Versions); err != nil {
		return err
	}
	// From here on the transaction that guards is the one that fills.
	r := &restoring{Archive: a, Target: target, tx: guard, touched: time.Now()}
	if err := r.all(ctx, conn); err != nil {
		return err
	}
	if err := guard.Commit(ctx); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, `ANALYZE`); err != nil {
		slog.WarnContext(ctx, "the database's statistics could not be made", "error", err)
	}
	return migrations.Up(ctx, target.DatabaseURL)
}

// mayRestore refuses an install that is not empty, and a second restore beside the first.
func mayRestore(ctx context.Context, tx pgx.Tx, target Target) error {
	var mine bool
	if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(hashtextextended('atelier restore', 0))`).Scan(&mine); err != nil {
		return err
	}
	if !mine {
		return errAnother
	}
	if unfinished, err := migrations.Unfinished(ctx, tx); err != nil || unfinished {
		return err
	}
	var taken bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_toast%' AND n.nspname NOT LIKE 'pg\_temp%'
		AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))`).Scan(&taken)
	if err != nil {
		return err
	}
	if taken {
		return errNotEmpty
	}
	files, err := HasFiles(ctx, target.Bucket)
	if err == nil && files {
		err = ErrHasFiles
	}
	return err
}

func (r *restoring) all(ctx context.Context, conn *pgx.Conn) error {
	if err := r.clear(ctx); err != nil {
		return err
	}
	entries, _, err := r.entries(ctx)
	if err != nil {
		return err
	}
	for {
		header, err := entries.Next()
		for err == nil && partName.MatchString(header.Name) {
			header, err = r.table(ctx, conn, entries, header)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if content := contentName.FindStringSubmatch(header.Name); content != nil {
			if err := r.content(ctx, content[1], header.Size, entries); err != nil {
				return fmt.Errorf("file %s: %w", content[1], err)
			}
		}
	}
	if r.Sync != nil {
		r.Sync() // files are on the disk before the rows that name them
	}
	return r.finish(ctx)
}

// foreignKey is a constraint that is made again once all rows are there.
type foreignKey struct{ Table, Name, Definition string }

// clear makes ready for rows: nothing is in the way, nothing is counted by triggers, nothing is compared before all is there.
func (r *restoring) clear(ctx context.Context) error {
	if err := r.makePartitions(ctx); err != nil {
		return err
	}
	all, err := tables(ctx, r.tx)
	if err != nil {
		return err
	}
	r.schema = map[string]Table{}
	rows, err := r.tx.Query(ctx, `SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace ORDER BY 1, 2`)
	if err != nil {
		return err
	}
	if r.keys, err = pgx.CollectRows(rows, pgx.RowToStructByPos[foreignKey]); err != nil {
		return err
	}
	var script strings.Builder
	for _, key := range r.keys {
		fmt.Fprintf(&script, "ALTER TABLE %s DROP CONSTRAINT %s;\n", key.Table, quoted(key.Name))
	}
	var names []string
	for _, table := range all {
		r.schema[table.Name] = table
		names = append(names, quoted(table.Name))
	}
	r.triggers(&script, "DISABLE")
	fmt.Fprintf(&script, "TRUNCATE %s;\n", strings.Join(names, ", "))
	_, err = r.tx.Exec(ctx, script.String())
	return err
}

// triggers switches those of all tables.
func (r *restoring) triggers(script *strings.Builder, how string) {
	for name := range r.schema {
		fmt.Fprintf(script, "ALTER TABLE %s %s TRIGGER USER;\n", quoted(name), how)
	}
	for _, partition := range r.About.Partitions {
		fmt.Fprintf(script, "ALTER TABLE %s %s TRIGGER USER;\n", quoted(partition.Name), how)
	}
}

// makePartitions makes those that there were, for rows that no partition takes would go into the default one.
func (r *restoring) makePartitions(ctx context.Context) error {
	there, err := partitions(ctx, r.tx)
	if err != nil {
		return err
	}
	for _, partition := range r.About.Partitions {
		if slices.ContainsFunc(there, func(p Partition) bool { return p.Name == partition.Name }) {
			continue
		}
		if !bounds.MatchString(partition.Bound) {
			return fmt.Errorf("the partition %s has bounds that are not known: %s", partition.Name, partition.Bound)
		}
		if _, err := r.tx.Exec(ctx, fmt.Sprintf(`CREATE TABLE %s PARTITION OF %s %s`, quoted(partition.Name), quoted(partition.Of), partition.Bound)); err != nil {
			return err
		}
	}
	return nil
}

// table fills a table from its first part on, and returns the entry behind its last.
func (r *restoring) table(ctx context.Context, conn *pgx.Conn, entries *tar.Reader, first *tar.Header) (next *tar.Header, err error) {
	name := partName.FindStringSubmatch(first.Name)[1]
	i := slices.IndexFunc(r.About.Tables, func(t Table) bool { return t.Name == name })
	rows := &joined{entries: entries, header: first, table: name}
	if _, known := r.schema[name]; !known {
		slog.WarnContext(ctx, "the backup has a table that is none of the service's; it is left out", "table", name)
		_, err = io.Copy(io.Discard, rows)
	} else {
		var tag pgconn.CommandTag
		tag, err = conn.PgConn().CopyFrom(ctx, rows, r.About.Tables[i].copyIn())
		if err == nil && tag.RowsAffected() != r.End.Rows[name] {
			err = fmt.Errorf("%d rows arrived of %d", tag.RowsAffected(), r.End.Rows[name])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", name, err)
	}
	r.touched = time.Now()
	return rows.header, rows.end
}

// joined reads the parts of a table one behind the other.
type joined struct {
	entries *tar.Reader
	table   string
	header  *tar.Header // of the part that is read; in the end the next entry of something else
	zip     *gzip.Reader
	end     error // of the archive
}

func (j *joined) Read(b []byte) (int, error) {
	for {
		if j.zip == nil {
			part := []string{"", ""}
			if j.header != nil {
				part = append(partName.FindStringSubmatch(j.header.Name), "", "")
			}
			if j.end != nil || part[1] != j.table {
				return 0, io.EOF
			}
			var err error
			if j.zip, err = gzip.NewReader(j.entries); err != nil {
				return 0, err
			}
		}
		n, err := j.zip.Read(b)
		if err != io.EOF {
			return n, err
		}
		j.zip = nil
		j.header, j.end = j.entries.Next()
		if n > 0 {
			return n, nil
		}
	}
}

// content brings a content to its place, unless an earlier try did.
func (r *restoring) content(ctx context.Context, name string, size int64, content io.Reader) error {
	if time.Since(r.touched) > askHold {
		r.touched = time.Now()
		if _, err := r.tx.Exec(ctx, `SELECT`); err != nil {
			return err
		}
	}
	sum, err := hex.DecodeString(name)
	if err != nil {
		return err
	}
	place := media.BlobName(sum)
	there, err := r.Bucket.Attributes(ctx, place)
	if err == nil && there.Size == size {
		return nil
	}
	if err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return err
	}
	return r.Bucket.Upload(ctx, place, content, &blob.WriterOptions{ContentType: "application/octet-stream"})
}

// finish makes constraints again, lets triggers act and numbers go on, and takes the mark away.
func (r *restoring) finish(ctx context.Context) error {
	var script strings.Builder
	for _, key := range r.keys {
		fmt.Fprintf(&script, "ALTER TABLE %s ADD CONSTRAINT %s %s;\n", key.Table, quoted(key.Name), key.Definition)
	}
	r.triggers(&script, "ENABLE")
	if _, err := r.tx.Exec(ctx, script.String()); err != nil {
		return err
	}
	for name, last := range r.About.Sequences {
		if _, err := r.tx.Exec(ctx, `SELECT setval(to_regclass(quote_ident($1)), $2) WHERE to_regclass(quote_ident($1)) IS NOT NULL`, name, last); err != nil {
			return err
		}
	}
	return migrations.EndRestore(ctx, r.tx)
}

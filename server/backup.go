package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"atelier/backup"
	"atelier/config"
	"atelier/migrations"
	"atelier/models"
	"atelier/models/media"
)

// withExisting opens an install as it is, beside a service or without one: nothing is made, migrated or generated.
func withExisting(ctx context.Context, c config.Config, out io.Writer, fn func(*install) error) (err error) {
	if notMade(c) {
		return fmt.Errorf("there is no install in %s: set DATA_DIR, or DATABASE_URL, as for the service", c.DataDir)
	}
	databaseURL, own, err := openDatabase(ctx, c, beside)
	if err != nil {
		return err
	}
	if own != nil {
		defer func() { err = errors.Join(err, own.Stop()) }()
	}
	pool, err := PoolConfig(databaseURL)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	standby, err := standbyConfig(c.DatabaseReadURL)
	if err != nil {
		return err
	}
	i := &install{Config: c, out: out, clock: &models.DatabaseClock{}}
	if i.DB, err = models.Open(models.Config{Database: pool, Standby: standby, Clock: i.clock, Secret: c.SessionKey, Pooled: true}); err != nil {
		return err
	}
	defer i.DB.Close()
	return fn(i)
}

// notMade is whether the install has a PostgreSQL of its own that was not made yet.
func notMade(c config.Config) bool {
	_, err := os.Stat(c.DataPath("postgres", "PG_VERSION"))
	return c.DatabaseURL == "" && err != nil
}

// Backup writes the install into a file, while the service runs or not.
func Backup(ctx context.Context, c config.Config, args []string, out io.Writer) error {
	path, err := oneFile(c, "backup", args)
	if err != nil {
		return err
	}
	if err := c.ReadKeys(); err != nil {
		return err
	}
	err = withExisting(ctx, c, out, func(i *install) error { return i.backup(ctx, path) })
	if ctx.Err() != nil {
		return errors.New("interrupted: no backup was made")
	}
	return err
}

// oneFile is the argument of a command that needs a passphrase.
func oneFile(c config.Config, command string, args []string) (string, error) {
	if len(args) != 1 || args[0] == "" {
		return "", fmt.Errorf("%s needs one file: atelier %s <file>", command, command)
	}
	if c.BackupPassphrase == "" {
		return "", errors.New("BACKUP_PASSPHRASE must be set: it encrypts backups and opens them, and without it nothing in them can be read")
	}
	return filepath.Abs(args[0])
}

// easyPassphrase is how many characters are found by trying.
const easyPassphrase = 12

func (i *install) backup(ctx context.Context, path string) error {
	if len(i.BackupPassphrase) < easyPassphrase {
		slog.WarnContext(ctx, "BACKUP_PASSPHRASE is short: anyone who gets hold of the backup finds it by trying", "characters", len(i.BackupPassphrase))
	}
	if err := i.sameProgram(ctx); err != nil {
		return err
	}
	if err := i.sameKeys(ctx); err != nil {
		return err
	}
	if i.DB.Spread() {
		return errors.New("the runs of this install lie on several database servers, which one statement does not see at one moment: " +
			"back up all of them at one restore point (citus_create_restore_point; docs/scale.md says how)")
	}
	bucket, err := media.OpenBucket(ctx, i.StorageURL, i.DataDir)
	if err != nil {
		return fmt.Errorf("STORAGE_URL: %w", err)
	}
	defer bucket.Close()
	began := time.Now()
	about, end, err := backup.Write(ctx, backup.Source{
		Database: i.DB.Pool.Config().ConnConfig, Bucket: bucket, Program: Version(), PublicURL: i.PublicURL, Floor: i.backupFloor(path),
		Keys: backup.Keys{Session: i.SessionKey, Encryption: i.EncryptionKeys, OperatorCode: i.OperatorCode},
	}, path, i.BackupPassphrase)
	if err != nil {
		return err
	}
	warnOfContents(end)
	written, err := os.Stat(path)
	if err != nil {
		return err
	}
	if i.BackupStamp != "" {
		if err := touch(i.BackupStamp); err != nil {
			slog.WarnContext(ctx, "BACKUP_STAMP could not be touched", "error", err)
		}
	}
	fmt.Fprintf(i.out, "%s has the install as of %s: %d rows of %d tables, %d files (%s) and the keys, in %s after %s.\n", path,
		about.MadeAt.UTC().Format(time.RFC3339), end.AllRows(), len(about.Tables), end.Files, size(end.FileBytes), size(written.Size()), time.Since(began).Round(time.Millisecond))
	return nil
}

// warnOfContents says which contents are not as they were when they came.
func warnOfContents(end *backup.End) {
	if end.MissingCount > 0 {
		slog.Warn("contents of files are not where files lie, and in no backup of now", "count", end.MissingCount, "first", end.Missing[0])
	}
	if end.DamagedCount > 0 {
		slog.Warn("contents of files are not what they were when they came; the backup has them as they are", "count", end.DamagedCount, "first", end.Damaged[0])
	}
}

// backupFloor is how much of the disk of a backup stays free: on that of DATA_DIR the service needs it.
func (i *install) backupFloor(path string) int64 {
	var there, here syscall.Stat_t
	if syscall.Stat(filepath.Dir(path), &there) != nil || syscall.Stat(i.DataDir, &here) != nil || there.Dev != here.Dev {
		return 0
	}
	return max(i.DiskFloor, minDisk)
}

func touch(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	now := time.Now()
	return errors.Join(file.Close(), os.Chtimes(path, now, now))
}

// sameProgram refuses a database that another version of the program works with.
func (i *install) sameProgram(ctx context.Context) error {
	pending, err := migrations.Pending(ctx, i.DB.SQL)
	if err != nil {
		return err
	}
	if pending {
		return errors.New("the database was made by an older program: make the backup with the one that serves it, or bring it up first (atelier migrate up)")
	}
	newer, err := migrations.Newer(ctx, i.DB.SQL)
	if err == nil && newer {
		err = errors.New("the database was made by a newer program: make the backup with the one that serves it")
	}
	return err
}

// sameKeys refuses keys that are not those of the database: a backup with them could not be worked with.
func (i *install) sameKeys(ctx context.Context) error {
	for _, key := range i.sharedKeys() {
		known, err := models.KeyFingerprint(ctx, i.DB, key.variable)
		if err != nil {
			return err
		}
		if known != "" && len(key.fingerprints) > 0 && !slices.Contains(key.fingerprints, known) {
			return fmt.Errorf("%s is not the key that this database is used with: use the settings and the DATA_DIR of the service", key.variable)
		}
	}
	return nil
}

// Restore makes an empty install what the one was that a backup is of.
func Restore(ctx context.Context, c config.Config, args []string, out io.Writer) error {
	path, err := oneFile(c, "restore", args)
	if err != nil {
		return err
	}
	began := time.Now()
	archive, err := backup.Open(ctx, path, c.BackupPassphrase)
	if err == nil {
		defer archive.Close()
		err = archive.Knows()
	}
	if err == nil {
		err = c.FitKeys(archive.Keys.Session, archive.Keys.Encryption)
	}
	if err == nil {
		err = roomToRestore(c, archive)
	}
	if err == nil {
		err = restore(ctx, c, archive)
	}
	if ctx.Err() != nil {
		return errors.New("interrupted: the restore is not finished; run it again")
	}
	if err != nil {
		return err
	}
	warnOfContents(&archive.End)
	fmt.Fprintf(out, "The install is what it was at %s: %d rows of %d tables, %d files (%s) and the keys, after %s. Start it with atelier serve.\n",
		archive.About.MadeAt.UTC().Format(time.RFC3339), archive.End.AllRows(), len(archive.About.Tables), archive.End.Files, size(archive.End.FileBytes), time.Since(began).Round(time.Millisecond))
	if archive.About.PublicURL != c.PublicURL {
		fmt.Fprintf(out, "PUBLIC_URL is %s here and was %s: what earlier runs put out goes on naming the other.\n", c.PublicURL, archive.About.PublicURL)
	}
	return nil
}

func restore(ctx context.Context, c config.Config, archive *backup.Archive) (err error) {
	if notMade(c) {
		if has, err := hasFiles(ctx, c); err != nil || has {
			return cmp.Or(err, backup.ErrHasFiles)
		}
	}
	databaseURL, own, err := openDatabase(ctx, c, alone)
	if err != nil {
		return err
	}
	if own != nil {
		defer func() { err = errors.Join(err, own.Stop()) }()
	}
	pool, err := PoolConfig(databaseURL)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	bucket, err := media.OpenBucket(ctx, c.StorageURL, c.DataDir)
	if err != nil {
		return fmt.Errorf("STORAGE_URL: %w", err)
	}
	defer bucket.Close()
	var sync func()
	if !strings.HasPrefix(c.StorageURL, "s3:") {
		sync = syscall.Sync
	}
	return archive.Restore(ctx, backup.Target{
		Database: pool.ConnConfig, DatabaseURL: databaseURL, Bucket: bucket, Sync: sync,
		KeepKeys: func(k backup.Keys) error { return c.KeepKeys(k.Session, k.Encryption, k.OperatorCode) },
	})
}

// hasFiles looks for files without making their folder.
func hasFiles(ctx context.Context, c config.Config) (bool, error) {
	if _, err := os.Stat(c.DataPath("media")); c.StorageURL == "" && errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	bucket, err := media.OpenBucket(ctx, c.StorageURL, c.DataDir)
	if err != nil {
		return false, fmt.Errorf("STORAGE_URL: %w", err)
	}
	defer bucket.Close()
	return backup.HasFiles(ctx, bucket)
}

// rowsInDatabase is how many times as large as in a backup rows are in a database, with their indexes and its log.
const rowsInDatabase = 4

// roomToRestore refuses a disk that is too small for what comes.
func roomToRestore(c config.Config, archive *backup.Archive) error {
	need := int64(minDisk)
	if c.StorageURL == "" {
		need += archive.End.FileBytes
	}
	if c.DatabaseURL == "" {
		need += rowsInDatabase * archive.End.RowBytes
	}
	dir := c.DataDir
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	disk, err := media.DiskOf(dir)
	if err != nil {
		return fmt.Errorf("DATA_DIR: %w", err)
	}
	if disk.Free < need {
		return fmt.Errorf("the disk of DATA_DIR has %s free, and the backup needs %s", size(disk.Free), size(need))
	}
	return nil
}

package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"atelier/migrations"
)

// templateLock is the advisory lock under which the template is made.
const templateLock = 7_305_802_118

var template struct {
	sync.Mutex
	names map[templateKind]string
}

// templateKind is what templates differ by.
type templateKind string

const (
	// strict has every run's shard, and conditions on shards that leave out what lies on others, as on several servers.
	strict templateKind = "strict"
	// plain is as installs on one server are, for what is measured.
	plain templateKind = "plain"
)

// migratedTemplate is the name of the migrated database of a kind that tests are cloned
// from; the first process that needs it makes it. Its name holds the hash of
// the migrations, so that changed migrations make a new one.
func migratedTemplate(ctx context.Context, server string, kind templateKind) (string, error) {
	template.Lock()
	defer template.Unlock()
	if name := template.names[kind]; name != "" {
		return name, nil
	}
	hash, err := migrationsHash()
	if err != nil {
		return "", err
	}
	name := "atelier_template_" + string(kind) + "_" + hash
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx) // releases the advisory lock too
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, templateLock); err != nil {
		return "", err
	}
	var exists bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists)
	if err != nil {
		return "", err
	}
	if !exists {
		if err := makeTemplate(ctx, conn, server, name, kind); err != nil {
			return "", fmt.Errorf("making the template database: %w", err)
		}
	}
	if template.names == nil {
		template.names = map[templateKind]string{}
	}
	template.names[kind] = name
	return name, nil
}

// makeTemplate migrates under another name first, so that a template is
// complete as soon as it has its name.
func makeTemplate(ctx context.Context, conn *pgx.Conn, server, name string, kind templateKind) error {
	unfinished, nodes := name+"_new", nodesOf(server)
	if err := onAll(ctx, nodes, `DROP DATABASE IF EXISTS `+unfinished+` WITH (FORCE)`); err != nil {
		return err
	}
	if err := onAll(ctx, nodes, `CREATE DATABASE `+unfinished+` TEMPLATE template0`); err != nil {
		return err
	}
	if kind == spread {
		if err := makeSpread(ctx, nodes, unfinished); err != nil {
			return err
		}
		if err := closeTemplate(ctx, nodes, unfinished); err != nil {
			return err
		}
		return whenUnused(func() error { return onAll(ctx, nodes, `ALTER DATABASE `+unfinished+` RENAME TO `+name) })
	}
	if err := migrations.Up(ctx, withDatabase(server, unfinished)); err != nil {
		return err
	}
	if kind == strict {
		err := execute(ctx, withDatabase(server, unfinished), migrations.ShardFunctions(uuid.Nil.String())+`
			ALTER TABLE executions ALTER shard SET NOT NULL;
			ALTER TABLE jobs ALTER shard SET NOT NULL;
			ALTER TABLE results ALTER shard SET NOT NULL;`)
		if err != nil {
			return err
		}
	}
	return whenUnused(func() error {
		_, err := conn.Exec(ctx, `ALTER DATABASE `+unfinished+` RENAME TO `+name)
		return err
	})
}

// clone copies the files of the template on the throwaway cluster, whose checkpoints cost nothing. Other servers log each page.
func clone(ctx context.Context, server, template, name string) error {
	strategy := ""
	if os.Getenv("TEST_DATABASE_URL") == "" {
		strategy = " STRATEGY file_copy"
	}
	for _, node := range nodesOf(server) {
		err := whenUnused(func() error { return administer(ctx, node, `CREATE DATABASE `+name+` TEMPLATE `+template+strategy) })
		if err != nil {
			return err
		}
	}
	return nil
}

// whenUnused tries again while a person's connection to the database is still ending.
func whenUnused(fn func() error) error {
	for tries := 0; ; tries++ {
		err := fn()
		var pg *pgconn.PgError
		if tries == 100 || !errors.As(err, &pg) || pg.Code != "55006" { // object_in_use
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func migrationsHash() (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(migrations.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(migrations.Files, path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(body), body)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}

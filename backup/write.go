package backup

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"atelier/migrations"
	"atelier/models/media"
)

// Source is the install that a backup is made of.
type Source struct {
	Database  *pgx.ConnConfig
	Bucket    *blob.Bucket
	Keys      Keys
	Program   string
	PublicURL string
	// Floor is how many bytes of the backup's disk stay free.
	Floor int64

	// snapshotTaken is called by tests once the moment of the backup has passed.
	snapshotTaken func()
}

// writer writes the archive of one backup.
type writer struct {
	Source
	tar    *tar.Writer
	about  About
	end    End
	hold   pgx.Tx // keeps contents from being removed
	asked  time.Time
	listed *os.File // SHA-256 of the contents, one behind the other
}

// Write makes a backup at a path at which nothing is: whole, or not at all. It is of the moment at which it begins.
// What is written to the database later does not get into it. Contents of files are kept from being removed until it is done,
// by a lock that ends with this process, so that those of files that are deleted meanwhile are in it too.
func Write(ctx context.Context, s Source, path, passphrase string) (*About, *End, error) {
	to, err := recipient(passphrase)
	if err != nil {
		return nil, nil, err
	}
	file, err := begin(path, s.Floor)
	if err != nil {
		return nil, nil, err
	}
	defer file.discard()
	sealed, err := age.Encrypt(file, to)
	if err != nil {
		return nil, nil, err
	}
	w := &writer{Source: s, tar: tar.NewWriter(sealed), end: End{Rows: map[string]int64{}}}
	if err := w.all(ctx, file); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(w.tar.Close(), sealed.Close()); err != nil {
		return nil, nil, err
	}
	return &w.about, &w.end, file.publish()
}

// lock names the lock that lets one backup be made at a time.
const lock = `hashtextextended('atelier backup', 0)`

func (w *writer) all(ctx context.Context, file *partial) error {
	conn, hold, err := open(ctx, w.Database, pgx.TxOptions{})
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var mine bool
	if err := hold.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(`+lock+`)`).Scan(&mine); err != nil {
		return err
	}
	if !mine {
		return errors.New("another backup of this install is being made")
	}
	if err := media.HoldContents(ctx, hold); err != nil {
		return err
	}
	w.hold, w.asked = hold, time.Now()
	if w.listed, err = os.CreateTemp("", "atelier-backup-"); err != nil {
		return err
	}
	defer w.listed.Close()
	if err := os.Remove(w.listed.Name()); err != nil {
		return err
	}
	if err := w.database(ctx, file); err != nil {
		return err
	}
	if err := w.contents(ctx); err != nil {
		return err
	}
	if err := w.held(ctx, 0); err != nil {
		return err
	}
	return w.description("end.json", w.end)
}

// held finds out, at most once in a while, whether contents are still kept from being removed.
func (w *writer) held(ctx context.Context, while time.Duration) error {
	if time.Since(w.asked) < while {
		return nil
	}
	w.asked = time.Now()
	if _, err := w.hold.Exec(ctx, `SELECT`); err != nil {
		return fmt.Errorf("the connection that keeps files from being removed was closed, so some may be missing and no backup was made: %w", err)
	}
	return nil
}

// database writes what the database has at one moment, and lists the contents.
func (w *writer) database(ctx context.Context, file *partial) error {
	conn, tx, err := open(ctx, w.Database, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if unfinished, err := migrations.Unfinished(ctx, tx); err != nil || unfinished {
		return cmp.Or(err, migrations.ErrUnfinished)
	}
	w.about = About{Format: format, Program: w.Program, PublicURL: w.PublicURL}
	if err := w.about.describe(ctx, tx); err != nil {
		return err
	}
	if w.snapshotTaken != nil {
		w.snapshotTaken()
	}
	var bytes int64
	err = media.EachContent(ctx, tx, func(sum []byte, size int64) error {
		bytes += size
		_, err := w.listed.Write(sum)
		return err
	})
	if err != nil {
		return err
	}
	if err := file.hasRoom(bytes); err != nil {
		return err
	}
	if err := w.description("backup.json", w.about); err != nil {
		return err
	}
	if err := w.description("keys.json", w.Keys); err != nil {
		return err
	}
	for _, table := range w.about.Tables {
		if err := w.table(ctx, conn, table); err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
		if err := w.held(ctx, askHold); err != nil {
			return err
		}
	}
	return tx.Rollback(ctx)
}

// askHold is how often the connection that holds contents is used, so that nothing on its way closes it.
const askHold = 20 * time.Second

// table writes a table in parts.
func (w *writer) table(ctx context.Context, conn *pgx.Conn, table Table) error {
	p := &parts{ctx: ctx, w: w, table: table.Name}
	p.zip, _ = gzip.NewWriterLevel(&p.packed, gzip.BestSpeed)
	tag, err := conn.PgConn().CopyTo(ctx, p, table.copyOut())
	if err == nil && p.raw > 0 {
		err = p.flush()
	}
	w.end.Rows[table.Name] = tag.RowsAffected()
	return err
}

// parts packs what COPY writes into entries.
type parts struct {
	ctx    context.Context
	w      *writer
	table  string
	packed bytes.Buffer
	zip    *gzip.Writer
	raw    int
	number int
}

func (p *parts) Write(b []byte) (int, error) {
	n, err := p.zip.Write(b)
	if p.raw += n; err == nil && p.raw >= partBytes {
		err = p.flush()
	}
	return n, err
}

func (p *parts) flush() error {
	if err := p.zip.Close(); err != nil {
		return err
	}
	p.number++
	p.w.end.RowBytes += int64(p.raw)
	err := p.w.entry(fmt.Sprintf("database/%s/%06d.copy.gz", p.table, p.number), int64(p.packed.Len()), &p.packed)
	p.packed.Reset()
	p.zip.Reset(&p.packed)
	p.raw = 0
	if err != nil {
		return err
	}
	return p.w.held(p.ctx, askHold)
}

// contents writes the contents that are listed.
func (w *writer) contents(ctx context.Context) error {
	if _, err := w.listed.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum := make([]byte, sha256.Size)
	for {
		if _, err := io.ReadFull(w.listed, sum); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := w.content(ctx, sum); err != nil {
			return fmt.Errorf("file %x: %w", sum, err)
		}
		if err := w.held(ctx, askHold); err != nil {
			return err
		}
	}
}

// content writes one content. Where one is not there, it was not before either; the backup has what there is, and says so.
func (w *writer) content(ctx context.Context, sum []byte) error {
	name := hex.EncodeToString(sum)
	r, err := w.Bucket.NewReader(ctx, media.BlobName(sum), nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		w.end.note(&w.end.Missing, &w.end.MissingCount, name)
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	hashed := sha256.New()
	if err := w.entry("files/"+name, r.Size(), io.TeeReader(r, hashed)); err != nil {
		return err
	}
	if !is(hashed, sum) {
		w.end.note(&w.end.Damaged, &w.end.DamagedCount, name)
	}
	w.end.Files++
	w.end.FileBytes += r.Size()
	return nil
}

func is(hashed hash.Hash, sum []byte) bool { return bytes.Equal(hashed.Sum(nil), sum) }

func (w *writer) description(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return w.entry(name, int64(len(text)), bytes.NewReader(text))
}

func (w *writer) entry(name string, size int64, content io.Reader) error {
	if err := w.tar.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, ModTime: w.about.MadeAt, Typeflag: tar.TypeReg}); err != nil {
		return err
	}
	n, err := io.Copy(w.tar, content)
	if err == nil && n != size {
		err = fmt.Errorf("%s changed while it was read", name)
	}
	return err
}

package backup

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"atelier/mediatype"
	"atelier/models"
	"atelier/models/media"
	"atelier/web/locale"
)

// Subject is whose things an archive has.
type Subject struct {
	Person       *models.ID
	Organization *models.ID
}

// take says which rows of a table are a subject's: the condition is about $1, its id.
type take map[string]string

const (
	ofOwner       = `owner_id = $1`
	ofUser        = `user_id = $1`
	ofAccount     = `account_id = $1`
	ofSchool      = `organization_id = $1`
	rooms         = `(SELECT id FROM workspaces WHERE organization_id = $1)`
	inRoom        = `workspace_id IN ` + rooms
	ownWorkflows  = `(SELECT id FROM workflows WHERE owner_id = $1)`
	roomWorkflows = `(SELECT id FROM workflows WHERE ` + inRoom + `)`
)

// ofPerson are the tables with rows about a person, and with what a person made.
var ofPerson = take{
	"users": `id = $1`, "sessions": ofUser, "api_tokens": ofUser, "external_identities": ofUser, "passkeys": ofUser, "user_pictures": ofUser,
	"organization_members": ofUser, "workspace_members": ofUser, "member_budgets": ofUser, "wallets": ofUser, "ledger_entries": ofUser,
	"credit_requests": `requester_id = $1`, "purchases": `created_by = $1`, "notifications": `recipient_id = $1`, "notification_choices": ofUser,
	"audit_entries": `actor_id = $1`, "operator_acts": `actor_id = $1`, "kept_suspensions": ofUser,
	"projects": ofUser, "workflows": ofOwner, "workflow_versions": `workflow_id IN ` + ownWorkflows, "workflow_collaborators": ofUser,
	"workflow_triggers": `workflow_id IN ` + ownWorkflows, "schedule_fires": `trigger_id IN (SELECT id FROM workflow_triggers WHERE workflow_id IN ` + ownWorkflows + `)`,
	"credentials": ofAccount, "apps": ofOwner, "app_versions": `app_id IN (SELECT id FROM apps WHERE owner_id = $1)`, "app_runs": ofAccount, "app_daily_runs": ofUser,
	"executions": ofAccount, "jobs": ofAccount, "results": ofAccount, "media_files": ofAccount,
	"elements": ofOwner, "element_images": `element_id IN (SELECT id FROM elements WHERE owner_id = $1)`, "element_uses": ofUser, "voices": ofOwner, "consents": ofUser,
	"node_presets": ofOwner, "pipelines": ofOwner, "productions": ofOwner, "shots": `production_id IN (SELECT id FROM productions WHERE owner_id = $1)`,
	"community_posts": `author_id = $1`, "community_marks": ofUser,
	"webhook_endpoints": ofAccount, "webhook_deliveries": ofAccount, "webhook_attempts": `delivery_id IN (SELECT id FROM webhook_deliveries WHERE account_id = $1)`,
	"oauth_apps": ofOwner, "oauth_grants": ofUser,
}

// ofOrganization are the tables with rows of an organization and its workspaces.
var ofOrganization = take{
	"organizations": `id = $1`, "workspaces": ofSchool, "organization_members": ofSchool, "workspace_members": ofSchool, "invitations": ofSchool,
	"invitation_batches": ofSchool, "invitation_sends": ofSchool, "join_codes": inRoom, "kept_suspensions": ofSchool,
	"users":              `id IN (SELECT user_id FROM organization_members WHERE organization_id = $1)`,
	"organization_pools": ofSchool, "workspace_budgets": ofSchool, "member_budgets": inRoom, "ledger_entries": ofSchool, "credit_requests": ofSchool,
	"purchases": ofSchool, "purchase_reversals": `purchase_id IN (SELECT id FROM purchases WHERE organization_id = $1)`, "audit_entries": ofSchool,
	"projects": inRoom, "workflows": inRoom, "workflow_versions": `workflow_id IN ` + roomWorkflows, "workflow_collaborators": `workflow_id IN ` + roomWorkflows,
	"workflow_triggers": `workflow_id IN ` + roomWorkflows, "schedule_fires": `trigger_id IN (SELECT id FROM workflow_triggers WHERE workflow_id IN ` + roomWorkflows + `)`,
	"apps": inRoom, "app_versions": `app_id IN (SELECT id FROM apps WHERE ` + inRoom + `)`, "app_runs": inRoom,
	"executions": inRoom, "jobs": inRoom, "results": inRoom, "media_files": inRoom,
	"elements": ofSchool, "element_images": `element_id IN (SELECT id FROM elements WHERE organization_id = $1)`, "voices": ofSchool, "consents": ofSchool,
	"node_presets": ofSchool, "pipelines": ofSchool, "productions": ofSchool, "shots": `production_id IN (SELECT id FROM productions WHERE organization_id = $1)`,
	"community_posts": ofSchool,
}

// ofNoSubject are the tables that no archive has rows of, with why.
var ofNoSubject = map[string]string{
	"account_erasures": machineryOf, "token_calls": machineryOf, "agent_workspaces": machineryOf, "audit_heads": machineryOf, "breakdown_jobs": machineryOf, "content_removals": machineryOf, "element_cancels": machineryOf,
	"idempotency_keys": machineryOf, "job_refs": machineryOf, "kept_outputs": machineryOf, "lane_items": machineryOf, "lane_owners": machineryOf, "lanes": machineryOf,
	"library_jobs": machineryOf, "library_removals": machineryOf, "production_renders": machineryOf, "provider_removals": machineryOf, "rate_windows": machineryOf,
	"render_cancels": machineryOf, "result_erasures": machineryOf, "shot_results": machineryOf, "shot_shares": machineryOf, "storage_usage": machineryOf,
	"studio_removals": machineryOf, "usage_months": machineryOf, "usage_open": machineryOf, "workers": machineryOf, "credential_nodes": machineryOf, "passkey_challenges": machineryOf,
	"usage_gaps": sumsOf, "usage_quarters": sumsOf, "usage_sums": sumsOf, "spending_hours": sumsOf,
	"email_tokens": secretsOf, "oauth_codes": secretsOf, "oauth_tokens": secretsOf, "recovery_codes": secretsOf, "second_steps": secretsOf, "sso_tokens": secretsOf,
	"totp_secrets": secretsOf, "used_assertions": secretsOf, "sign_ups": secretsOf,
	"external_sign_ins": installOf, "install_changes": installOf, "install_settings": installOf, "key_fingerprints": installOf, "ledger_comparisons": installOf, "spending_folded": installOf, "payment_events": installOf, "receipt_numbers": installOf, "storage_quotas": installOf,
}

const (
	machineryOf = "what the service notes for its own work"
	sumsOf      = "sums of what is in the archive"
	secretsOf   = "secrets, which prove who someone is"
	installOf   = "of the install as a whole"
)

// leftOut are columns that no archive has: what proves who someone is, and what is made of the others.
var leftOut = []string{
	"password_hash", "token_hash", "token_sealed", "key_sealed", "secret", "secret_hash", "previous_secret", "credential", "credential_id", "code",
	"share_id", "search", "content", "session", "hash",
}

// contentColumns are those of leftOut that some tables have all the same: the words of a post, a picture, the chain of an audit log.
var contentColumns = map[string]string{"community_posts": "content", "user_pictures": "content", "audit_entries": "hash"}

// ofOthers are columns of a table that are about others, for an archive of a person.
var ofOthers = map[string][]string{"operator_acts": {"target_name"}}

// ofMembers are the only columns of accounts in an archive of an organization.
var ofMembers = []string{"id", "email", "display_name", "created_at"}

// Found is how much an archive has.
type Found struct {
	Rows  map[string]int64
	Files int64
	// Missing are contents that were not there.
	Missing []string
}

// WriteTakeout writes an archive of everything that is a subject's into a new file: rows as lines of JSON, files as they are.
func WriteTakeout(ctx context.Context, database *pgx.ConnConfig, bucket *blob.Bucket, of Subject, path string, floor int64) (*Found, error) {
	file, err := begin(path, floor)
	if err != nil {
		return nil, err
	}
	defer file.discard()
	found, err := Takeout(ctx, database, bucket, of, file)
	if err != nil {
		return nil, err
	}
	return found, file.publish()
}

// Takeout writes the archive as it is made: a zip with README.txt, data/<table>.jsonl and files/<sha256>.<extension>.
func Takeout(ctx context.Context, database *pgx.ConnConfig, bucket *blob.Bucket, of Subject, out io.Writer) (*Found, error) {
	conn, tx, err := open(ctx, database, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	t := &takeout{zip: zip.NewWriter(&whileLasts{ctx, out}), tx: tx, bucket: bucket, found: Found{Rows: map[string]int64{}}}
	parts := ofPerson
	switch {
	case of.Person != nil:
		t.id = *of.Person
	case of.Organization != nil:
		t.id, t.organization, parts = *of.Organization, true, ofOrganization
	default:
		return nil, errors.New("an archive is of a person or of an organization")
	}
	for _, table := range slices.Sorted(maps.Keys(parts)) {
		if err := t.rows(ctx, table, parts[table]); err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
	}
	if err := t.files(ctx, parts["media_files"]); err != nil {
		return nil, err
	}
	if err := t.readme(ctx); err != nil {
		return nil, err
	}
	return &t.found, t.zip.Close()
}

// whileLasts writes until the context ends.
type whileLasts struct {
	ctx context.Context
	io.Writer
}

func (w *whileLasts) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if err == nil {
		err = context.Cause(w.ctx)
	}
	return n, err
}

type takeout struct {
	zip          *zip.Writer
	tx           pgx.Tx
	bucket       *blob.Bucket
	id           models.ID
	organization bool
	found        Found
}

// rows writes those of a table, one JSON document a line.
func (t *takeout) rows(ctx context.Context, table, where string) error {
	without := slices.DeleteFunc(slices.Clone(leftOut), func(column string) bool { return contentColumns[table] == column })
	document := `to_jsonb(t) - $2::text[]`
	switch {
	case !t.organization:
		without = append(without, ofOthers[table]...)
	case table == "users":
		document = `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(t) - $2::text[]) WHERE key = ANY (string_to_array('` + strings.Join(ofMembers, ",") + `', ',')))`
	}
	rows, err := t.tx.Query(ctx, fmt.Sprintf(`SELECT %s FROM %s t WHERE %s`, document, quoted(table), where), t.id, without)
	if err != nil {
		return err
	}
	defer rows.Close()
	var entry *bufio.Writer
	for rows.Next() {
		if entry == nil {
			w, err := t.zip.Create("data/" + table + ".jsonl")
			if err != nil {
				return err
			}
			entry = bufio.NewWriterSize(w, 1<<16)
		}
		line := rows.RawValues()[0]
		if len(line) > 0 && line[0] == 1 {
			line = line[1:] // the version of jsonb in its binary form
		}
		if _, err := entry.Write(append(slices.Clone(line), '\n')); err != nil {
			return err
		}
		t.found.Rows[table]++
	}
	if err := rows.Err(); err != nil || entry == nil {
		return err
	}
	return entry.Flush()
}

// filesAtOnce is how many contents are asked for at once.
const filesAtOnce = 500

// files writes each content once. The database finds and sorts them once, and hands them out in pages.
func (t *takeout) files(ctx context.Context, where string) error {
	if _, err := t.tx.Exec(ctx, fmt.Sprintf(`DECLARE contents NO SCROLL CURSOR FOR
		SELECT DISTINCT ON (sha256) sha256, content_type FROM media_files WHERE %s ORDER BY sha256, content_type`, where), t.id); err != nil {
		return err
	}
	for {
		rows, err := t.tx.Query(ctx, fmt.Sprintf(`FETCH %d FROM contents`, filesAtOnce))
		if err != nil {
			return err
		}
		type kept struct {
			Sum  []byte
			Type string
		}
		page, err := pgx.CollectRows(rows, pgx.RowToStructByPos[kept])
		if err != nil || len(page) == 0 {
			return err
		}
		for _, one := range page {
			if err := t.file(ctx, one.Sum, one.Type); err != nil {
				return err
			}
		}
	}
}

func (t *takeout) file(ctx context.Context, sum []byte, contentType string) error {
	name := hex.EncodeToString(sum)
	r, err := t.bucket.NewReader(ctx, media.BlobName(sum), nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		t.found.Missing = append(t.found.Missing, name)
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	// Pictures and films are packed already.
	w, err := t.zip.CreateHeader(&zip.FileHeader{Name: "files/" + name + "." + mediatype.Extension(contentType), Method: zip.Store})
	if err == nil {
		_, err = io.Copy(w, r)
	}
	t.found.Files++
	return err
}

// readme says what is in the archive, in the language of its reader.
func (t *takeout) readme(ctx context.Context) error {
	w, err := t.zip.Create("README.txt")
	if err != nil {
		return err
	}
	now := locale.MomentInFull(ctx, time.Now())
	whose := locale.T(ctx, "Everything that is stored of a person (%s), as of %s.", t.id, now)
	if t.organization {
		whose = locale.T(ctx, "Everything that is stored of an organization (%s), as of %s.", t.id, now)
	}
	var text strings.Builder
	for _, part := range []string{
		whose + "\n",
		locale.T(ctx, "data/   a file for each kind of record: a JSON document in each line (jsonlines.org), in UTF-8. Times are in UTC; amounts of\n"+
			"        credits are in thousandths; ids begin with the time at which the record was made."),
		locale.T(ctx, "files/  what was uploaded and what runs made, under its SHA-256; data/media_files.jsonl names each with its type.") + "\n",
		locale.T(ctx, "Not in here are secrets (passwords, tokens, keys), which prove who someone is.") + "\n",
	} {
		text.WriteString(part + "\n")
	}
	for _, table := range slices.Sorted(maps.Keys(t.found.Rows)) {
		fmt.Fprintf(&text, "%8d  %s\n", t.found.Rows[table], table)
	}
	for _, name := range t.found.Missing {
		text.WriteString(locale.T(ctx, "The file %s was not where files lie.", name) + "\n")
	}
	_, err = io.WriteString(w, text.String())
	return err
}

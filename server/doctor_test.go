package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/config"
	"atelier/migrations"
	"atelier/models/dbtest"
)

// setsUp is an install that has what it needs; the settings of the tests' own server are none of its.
func setsUp(t *testing.T) (config.Config, string) {
	t.Helper()
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
	t.Cleanup(outside.Close)
	databaseURL := dbtest.NewURL(t)
	set := map[string]string{
		"DATABASE_URL": databaseURL, "DATA_DIR": t.TempDir(), "PUBLIC_URL": outside.URL, "PLATFORM_OPERATOR_EMAILS": "op@example.com",
		"DISK_FLOOR": "0B", "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": outside.URL + "/v1", "BACKUP_STAMP": t.TempDir() + "/stamp",
	}
	c, err := config.Load(func(name string) (string, bool) { value, ok := set[name]; return value, ok })
	if err != nil {
		t.Fatal(err)
	}
	made := c
	if err := made.LoadKeys(); err != nil {
		t.Fatal(err)
	}
	if err := touch(c.BackupStamp); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(c.DataPath("media"), 0o700); err != nil {
		t.Fatal(err)
	}
	return c, databaseURL
}

// todos are the names of what has to be done; each says what.
func todos(t *testing.T, found []finding) (names []string) {
	t.Helper()
	for _, f := range found {
		if (f.Do == "") != (f.State == findsWell) || !strings.HasSuffix(f.Says, ".") && f.Name != "Settings" && f.Name != "Keys" {
			t.Errorf("%+v", f)
		}
		if f.State == findsWrong && f.Name != "Database settings" {
			names = append(names, f.Name)
		}
	}
	return names
}

func TestDoctorSaysWhatToDo(t *testing.T) {
	c, _ := setsUp(t)
	if got := todos(t, examine(t.Context(), c)); len(got) > 0 {
		t.Errorf("an install that has what it needs: %v", got)
	}
	nowhere, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nowhere.Close()
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
	}))
	defer late.Close()
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	for name, spoil := range map[string]func(*config.Config){
		"Settings": func(c *config.Config) { c.OperatorEmails = nil },
		"Disk":     func(c *config.Config) { c.DiskFloor = 1 << 60 },
		"Storage":  func(c *config.Config) { c.StorageURL = "file:///nowhere/at/all" },
		"Mail": func(c *config.Config) {
			c.SMTPURL, c.MailFrom = &url.URL{Scheme: "smtp", Host: nowhere.Addr().String()}, "a@example.com"
		},
		"Outbound network": func(c *config.Config) { c.OpenAIBaseURL = "http://" + nowhere.Addr().String() },
		"Clock":            func(c *config.Config) { c.OpenAIBaseURL = late.URL },
		"Public address":   func(c *config.Config) { c.PublicURL = elsewhere.URL },
		"Backup":           func(c *config.Config) { c.BackupStamp += ".old" },
		"Keys":             func(c *config.Config) { c.DataDir = t.TempDir() },
	} {
		other := c
		spoil(&other)
		if got := slices.Compact(todos(t, examine(t.Context(), other))); !slices.Equal(got, []string{name}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if err := os.Chmod(c.DataPath("session.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := todos(t, examine(t.Context(), c)); !slices.Equal(got, []string{"Disk"}) {
		t.Errorf("a key that others read: %v", got)
	}
}

func TestDoctorOfADatabase(t *testing.T) {
	c, databaseURL := setsUp(t)
	if err := migrations.Down(t.Context(), databaseURL); err != nil {
		t.Fatal(err)
	}
	if got := todos(t, examine(t.Context(), c)); !slices.Equal(got, []string{"Schema"}) {
		t.Errorf("an older schema: %v", got)
	}
	unreachable := c
	unreachable.DatabaseURL = "postgres://a:secret@127.0.0.1:1/x"
	found := examine(t.Context(), unreachable)
	if got := todos(t, found); !slices.Equal(got, []string{"Database"}) {
		t.Errorf("without a database: %v", got)
	}
	for _, asJSON := range []bool{true, false} {
		var out bytes.Buffer
		if err := printFindings(&out, found, asJSON); err != nil || strings.Contains(out.String(), "secret") {
			t.Errorf("%v: %s", err, &out)
		}
	}
	half := c
	half.DatabaseURL = dbtest.NewEmptyURL(t)
	conn, err := pgx.Connect(t.Context(), half.DatabaseURL)
	if err == nil {
		err = errors.Join(migrations.BeginRestore(t.Context(), conn), conn.Close(t.Context()))
	}
	if err != nil {
		t.Fatal(err)
	}
	if found := examine(t.Context(), half); !slices.ContainsFunc(found, func(f finding) bool { return f.Name == "Database" && f.Do == "Run atelier restore again." }) {
		t.Errorf("a restore that was not finished: %v", found)
	}
	none := c
	none.DatabaseURL, none.DataDir = "", t.TempDir()
	if got := todos(t, examine(t.Context(), none)); !slices.Contains(got, "Database") {
		t.Errorf("without an install: %v", got)
	}
	if left, _ := os.ReadDir(none.DataDir); len(left) > 0 {
		t.Errorf("a look made %v", left)
	}
}

func TestDoctorAsJSON(t *testing.T) {
	c, _ := setsUp(t)
	c.TrustedProxies = []netip.Prefix{}
	c.BackupStamp += ".old"
	var out bytes.Buffer
	err := Doctor(t.Context(), c, nil, []string{"--json"}, &out)
	var said struct {
		OK       bool
		Version  string
		Findings []struct{ Name, State, Says, Do string }
	}
	if decoded := json.Unmarshal(out.Bytes(), &said); decoded != nil || said.OK || len(said.Findings) < 10 || err == nil || !strings.Contains(err.Error(), "to be done") {
		t.Errorf("%v, %v: %s", err, decoded, &out)
	}
	if err := Doctor(t.Context(), config.Config{}, config.Error{"LISTEN_ADDR: no", "SIGN_UP: no"}, nil, &out); err == nil || !strings.HasPrefix(err.Error(), "2 things") {
		t.Errorf("settings that are malformed: %v", err)
	}
	if err := Doctor(t.Context(), c, nil, []string{"--yaml"}, &out); err == nil || errors.Is(err, errPending) {
		t.Error("a word that is unknown is taken")
	}
}

package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
	"atelier/nodes/kit"
)

// child is a worker in a process of its own, which can be killed: this test
// program once more, told by a variable what to do.
type child struct {
	Database string
	Provider string
	// Now stops the child's clock; zero is the database's own time, in which
	// it works until it is killed.
	Now time.Time
	// Kill is the commit at which the child kills itself, counted from 1;
	// After says whether once it has been confirmed, or before it is sent.
	Kill  int
	After bool
	// Poison has the nodes of poisonNodes, instead of those of chaosNodes; Lease
	// is the one job that the child does then.
	Poison string
	Lease  *lane.Lease
	// App is one that all of People run again and again, at the same time, until the child is killed.
	App    string
	People []models.ID
}

const childVariable = "ATELIER_ENGINE_CHILD"

// lostLease is the exit code of a child whose lease was lost.
const lostLease = 3

func TestMain(m *testing.M) {
	settings := os.Getenv(childVariable)
	if settings == "" {
		os.Exit(m.Run())
	}
	var c child
	if err := json.Unmarshal([]byte(settings), &c); err != nil {
		panic(err)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	err := c.run()
	if errors.Is(err, lane.ErrLost) {
		os.Exit(lostLease)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// start starts the child.
func (c child) start(t testing.TB) *exec.Cmd {
	t.Helper()
	cmd, err := c.launch()
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}

func (c child) launch() (*exec.Cmd, error) {
	settings, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(settings))
	if c.Poison == "" { // which ends with the traces of all that runs
		cmd.Stderr = os.Stderr
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd, cmd.Start()
}

// supervised is a child that is started again whenever it has ended, as a
// service manager does: one whose connection is cut while it starts ends by
// itself.
type supervised struct {
	mu    sync.Mutex
	cmd   *exec.Cmd
	ended bool
}

// supervise starts the child and keeps one going until the test has ended.
func (c child) supervise(t testing.TB) *supervised {
	s := &supervised{cmd: c.start(t)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			_ = s.cmd.Wait()
			s.mu.Lock()
			if !s.ended {
				var err error
				if s.cmd, err = c.launch(); err != nil {
					t.Error(err)
					s.ended = true
				}
			}
			ended := s.ended
			s.mu.Unlock()
			if ended {
				return
			}
		}
	}()
	t.Cleanup(func() {
		s.mu.Lock()
		s.ended = true
		s.mu.Unlock()
		s.kill()
		<-done
	})
	return s
}

func (s *supervised) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.cmd.Process.Kill()
}

func (c child) run() error {
	config, err := pgxpool.ParseConfig(c.Database)
	if err != nil {
		return err
	}
	config.ConnConfig.Tracer = &killer{child: c}
	var clock models.Clock = &models.DatabaseClock{}
	if !c.Now.IsZero() {
		fixed := dbtest.NewClock()
		fixed.Set(c.Now)
		clock = fixed
	}
	db, err := models.Open(models.Config{Database: config, Clock: clock, Secret: []byte("a secret that only this child uses")})
	if err != nil {
		return err
	}
	s := newService(db)
	if c.App != "" {
		return c.ask(s)
	}
	if c.Poison != "" {
		poisonNodes(c.Poison)
		if c.Lease != nil {
			return s.RunJob(context.Background(), *c.Lease)
		}
		s.RunInChild = c.apart
		return c.work(s)
	}
	if c.Now.IsZero() {
		chaosNodes()
		return c.work(s)
	}
	providerNodes(c.Provider)
	return c.workOff(s)
}

// ask asks for runs for good.
func (c child) ask(s *Service) error {
	var all sync.WaitGroup
	failed := make(chan error, len(c.People))
	for _, who := range c.People {
		all.Go(func() {
			ctx := models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: who, SessionID: who})
			for {
				if _, err := s.AppRuns().Start(ctx, c.App, AppInput{}); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	return <-failed
}

// workOff does what is due, one job after another.
func (c child) workOff(s *Service) error {
	for {
		var leases []lane.Lease
		for _, name := range []kit.Pool{kit.Cheap, kit.Program} {
			more, err := lane.Claim(context.Background(), s.DB, Pools[name].Kind, "child", 1-len(leases))
			if err != nil {
				return err
			}
			leases = append(leases, more...)
		}
		if len(leases) == 0 {
			return nil
		}
		if err := s.RunJob(context.Background(), leases[0]); err != nil {
			return err
		}
	}
}

// work works for good.
func (c child) work(s *Service) error {
	ctx := context.Background()
	go s.DB.Bus.Run(ctx)
	var all sync.WaitGroup
	for _, pool := range Pools {
		d := &lane.Dispatcher{DB: s.DB, Kind: pool.Kind, Worker: fmt.Sprint(os.Getpid()), Slots: 4, Handle: s.RunJob}
		all.Go(func() { d.Run(ctx) })
	}
	all.Wait()
	return nil
}

type killKey struct{}

// killer kills its own process at a commit, as a power cut would.
type killer struct {
	child child
	mu    sync.Mutex
	n     int
}

func (k *killer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if data.SQL != "commit" {
		return ctx
	}
	return k.begin(ctx)
}

// TraceBatchStart is before statements that go out together; outside of a
// transaction they are one of their own, which commits with the last.
func (k *killer) TraceBatchStart(ctx context.Context, conn *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	if conn.PgConn().TxStatus() != 'I' {
		return ctx
	}
	return k.begin(ctx)
}

func (k *killer) begin(ctx context.Context) context.Context {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.n++
	if k.n != k.child.Kill {
		return ctx
	}
	if k.child.After {
		return context.WithValue(ctx, killKey{}, true)
	}
	die()
	return ctx
}

func (k *killer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if ctx.Value(killKey{}) != nil {
		die()
	}
}

func (k *killer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (k *killer) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, _ pgx.TraceBatchEndData) {
	k.TraceQueryEnd(ctx, conn, pgx.TraceQueryEndData{})
}

func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// providerNodes makes combine-text a node that asks a provider, and costs.
func providerNodes(provider string) {
	kind, _ := catalogue.Find("combine-text")
	kind.Inline, kind.Cost = false, 1500
	kind.Run = func(ctx context.Context, in *kit.Call) (kit.Output, error) {
		label, _ := in.Input["label"].(string)
		texts, _ := json.Marshal(in.Input["texts"])
		request, err := http.NewRequestWithContext(ctx, "GET", provider+"?"+url.Values{"node": {label}, "texts": {string(texts)}}.Encode(), nil)
		if err != nil {
			return nil, err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		return kit.Output{"text": string(answer)}, err
	}
}

// chaosNodes are nodes of three kinds: done inline, done by a worker, and
// failing. Leases are short, for workers to die within a test.
func chaosNodes() {
	for name, pool := range Pools {
		pool.Kind.Lease = 2 * time.Second
		Pools[name] = pool
	}
	for name, cost := range map[string]models.Credits{"text": 250, "combine-text": 1500, "template-text": 400} {
		kind, _ := catalogue.Find(name)
		kind.Cost = cost
		kind.Inline = name == "text"
	}
	combine, _ := catalogue.Find("combine-text")
	run := combine.Run
	combine.Run = func(ctx context.Context, in *kit.Call) (kit.Output, error) {
		time.Sleep(20 * time.Millisecond)
		return run(ctx, in)
	}
	template, _ := catalogue.Find("template-text")
	template.Run = func(context.Context, *kit.Call) (kit.Output, error) {
		return nil, &kit.Failure{Message: "no"}
	}
}

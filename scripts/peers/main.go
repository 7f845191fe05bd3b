// Peers measures runs of the service beside those of other engines, and of a program that does the same by hand. Each works on
// the same PostgreSQL, which confirms its writes to the disk (Restate on its own log), and is reached through HTTP. They take
// turns; a row tells the medians.
//
//	peers -atelier ../../bin/atelier -postgres /usr/lib/postgresql/15/bin -restate …/restate-server
//
// It is a module of its own, for nothing that the service needs belongs to it.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// connections is how many each program keeps to its database.
const connections = 32

// long is how many steps the long run has.
const long = 400

var programs = []string{"Atelier", "net/http + pgx: a transaction for each step, no queue", "DBOS", "River", "Restate"}

// settings are the flags of a measurement.
type settings struct {
	atelier, postgres, restate string
	span                       time.Duration
	turns                      int
	only                       string
}

func main() {
	log.SetFlags(0)
	if len(os.Args) == 5 && os.Args[1] == "serve" {
		if err := serve(os.Args[2], os.Args[3], os.Args[4]); err != nil {
			log.Fatal(err)
		}
		return
	}
	var s settings
	flag.StringVar(&s.atelier, "atelier", "../../bin/atelier", "the service's program")
	flag.StringVar(&s.postgres, "postgres", "", "the folder of PostgreSQL's programs")
	flag.StringVar(&s.restate, "restate", "", "Restate's server; without it Restate is left out")
	flag.DurationVar(&s.span, "span", 10*time.Second, "how long each rate is measured")
	flag.IntVar(&s.turns, "turns", 3, "how many turns are taken")
	flag.StringVar(&s.only, "only", "", "one of them: "+fmt.Sprint(programs))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, s); err != nil {
		log.Fatal(err)
	}
}

// figures are what one turn of a program gave.
type figures struct {
	fifty, eight float64       // runs of three steps a second, of so many clients
	one, chain   time.Duration // medians: of three steps by one client, and of the long run
}

func measure(ctx context.Context, s settings) error {
	db, err := startPostgres(ctx, s.postgres)
	if err != nil {
		return err
	}
	defer db.stop()
	of := map[string][]figures{}
	for turn := range s.turns {
		for _, name := range programs {
			if s.only != "" && s.only != name || name == "Restate" && s.restate == "" {
				continue
			}
			got, err := measureOne(ctx, s, db, name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			log.Printf("turn %d, %s: %.0f and %.0f runs a second, %s, %s", turn+1, name, got.fifty, got.eight, got.one.Round(10*time.Microsecond), got.chain.Round(time.Millisecond))
			of[name] = append(of[name], got)
		}
	}
	fmt.Printf("| | Three steps, 50 clients, a second | 8 clients, a second | one client, p50 | %d steps in a row |\n| --- | --- | --- | --- | --- |\n", long)
	for _, name := range programs {
		if all := of[name]; len(all) > 0 {
			fmt.Printf("| %s | %.0f | %.0f | %.1f ms | %.0f ms |\n", name, median(all, func(f figures) float64 { return f.fifty }), median(all, func(f figures) float64 { return f.eight }),
				median(all, func(f figures) float64 { return f.one.Seconds() })*1000, median(all, func(f figures) float64 { return f.chain.Seconds() })*1000)
		}
	}
	return nil
}

func median(all []figures, of func(figures) float64) float64 {
	values := make([]float64, len(all))
	for i, f := range all {
		values[i] = of(f)
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// measureOne starts a program, measures it and stops it.
func measureOne(ctx context.Context, s settings, db *postgres, name string) (f figures, err error) {
	url, err := db.fresh(ctx)
	if err != nil {
		return f, err
	}
	var short, chain requests
	switch name {
	case "Atelier":
		stop, address, err := startAtelier(ctx, s.atelier, url)
		if err != nil {
			return f, err
		}
		defer stop()
		if short, chain, err = atelierRequests(ctx, address); err != nil {
			return f, err
		}
	case "Restate":
		stop, ingress, err := startRestate(ctx, s.restate)
		if err != nil {
			return f, err
		}
		defer stop()
		short, chain = steps(ingress+"/Peer/Run", 3), steps(ingress+"/Peer/Run", long)
	default:
		stop, address, err := startPeer(ctx, name, url)
		if err != nil {
			return f, err
		}
		defer stop()
		short, chain = steps(address+"/run", 3), steps(address+"/run", long)
	}
	if _, _, err = drive(ctx, short, 50, s.span/5); err != nil { // warm
		return f, err
	}
	if f.fifty, _, err = drive(ctx, short, 50, s.span); err != nil {
		return f, err
	}
	if f.eight, _, err = drive(ctx, short, 8, s.span); err != nil {
		return f, err
	}
	if _, f.one, err = drive(ctx, short, 1, s.span/2); err != nil {
		return f, err
	}
	_, f.chain, err = drive(ctx, chain, 1, s.span/2)
	return f, err
}

// startPeer starts one of the programs here, in a process of its own.
func startPeer(ctx context.Context, name, databaseURL string) (stop func(), address string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	listen := freeAddress()
	stop, err = start(exec.Command(self, "serve", name, listen, databaseURL), "http://"+listen+"/ready")
	return stop, "http://" + listen, err
}

// start starts a program and waits until it is ready; stop ends it.
func start(cmd *exec.Cmd, ready string) (stop func(), err error) {
	cmd.Stderr = os.Stderr
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill()
		}
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-ended:
			return nil, fmt.Errorf("%s ended: %v", cmd.Path, err)
		default:
		}
		if r, err := http.Get(ready); err == nil {
			r.Body.Close()
			if r.StatusCode < 300 {
				return stop, nil
			}
		}
	}
	stop()
	return nil, fmt.Errorf("%s is not ready", cmd.Path)
}

// freeAddress is an address on loopback that nothing listens on.
func freeAddress() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serve is the program of a peer.
func serve(name, listen, databaseURL string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if name == "Restate" {
		return serveRestate(ctx, listen)
	}
	pool, err := openPool(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	var run func(context.Context, int) (string, error)
	switch name {
	case "DBOS":
		run, err = newDBOS(ctx, pool)
	case "River":
		run, err = newRiver(ctx, pool)
	default:
		run, err = newBare(ctx, pool)
	}
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ready", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /run", func(w http.ResponseWriter, r *http.Request) {
		n, err := stepsOf(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		out, err := run(r.Context(), n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, strconv.Quote(out))
	})
	server := &http.Server{Addr: listen, Handler: mux}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		return err
	}
	return nil
}

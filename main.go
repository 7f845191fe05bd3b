// Atelier runs workflows for schools and teams: one program, one PostgreSQL.
// This file holds the subcommands; server puts the rooms of the house together.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"atelier/config"
	"atelier/server"
)

const usage = `Atelier: workflows and media generation that schools and teams run themselves.

  atelier serve [--workers=false]   the service: HTTP and background workers
  atelier worker                    background workers alone
  atelier migrate up|down|status    the database schema
  atelier distribute [--dry-run]    spread runs over the servers of a Citus cluster; with --dry-run say what would be done
  atelier keys [accept]             compare the keys with those of the database
  atelier reconcile [--repair]      compare every counter of money with the ledger
  atelier doctor [--json]           look at everything that the install needs; exit 1 when something has to be done
  atelier backup <file>             database, files and keys into one file, while serving
  atelier restore <file>            an empty install becomes what the backup is of
  atelier archive person <address> <file>
                                    everything that is stored of a person, in open formats;
                                    organization <id> <file> the same of an organization
  atelier demo                      fill an empty install with a believable demo
  atelier docs <folder>             write the documentation as web pages, to be served from anywhere
  atelier openapi                   print the OpenAPI 3.1 document of /v1
  atelier schema                    print the GraphQL schema
  atelier serve --help              list every setting with its default
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "atelier:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("unknown command; see atelier help")

// run is the program: everything that it reads and writes comes in.
func run(ctx context.Context, args []string, lookup func(string) (string, bool), out io.Writer) error {
	command, rest := "help", []string{}
	if len(args) > 0 {
		command, rest = args[0], args[1:]
	}
	if len(rest) == 1 && (rest[0] == "--help" || rest[0] == "-h") {
		config.WriteHelp(out)
		return nil
	}
	switch command {
	case "help", "--help", "-h":
		_, err := io.WriteString(out, usage)
		return err
	case "openapi":
		return server.WriteOpenAPI(out)
	case "schema":
		return server.WriteSchema(out)
	case "docs":
		return server.WriteDocs(rest)
	}
	c, err := config.Load(lookup)
	if command == "doctor" {
		return server.Doctor(ctx, c, err, rest, out)
	}
	if err != nil {
		return err
	}
	server.StartLogging(c)
	switch command {
	case "serve":
		return server.Serve(ctx, c, workersWanted(rest), out)
	case "worker":
		return server.Work(ctx, c, out)
	case server.JobCommand:
		return server.RunJob(ctx, c, os.Stdin, out)
	case "migrate":
		return server.Migrate(ctx, c, rest, out)
	case "distribute":
		return server.Distribute(ctx, c, rest, out)
	case "keys":
		return server.Keys(ctx, c, rest, out)
	case "reconcile":
		return server.Reconcile(ctx, c, rest, out)
	case "backup":
		return server.Backup(ctx, c, rest, out)
	case "restore":
		return server.Restore(ctx, c, rest, out)
	case "archive":
		return server.Archive(ctx, c, rest, out)
	case "demo":
		return server.Demo(ctx, c, out)
	}
	return errUsage
}

// workersWanted is whether serve runs the background workers as well.
func workersWanted(args []string) bool {
	for _, arg := range args {
		if arg == "--workers=false" {
			return false
		}
	}
	return true
}

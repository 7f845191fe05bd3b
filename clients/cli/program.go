package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// program is one call of atelierctl.
type program struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) (string, bool)

	// What all commands take.
	json               bool
	profile, workspace string
	url                string
}

func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use: "atelierctl", Short: "Work with Atelier from a terminal and from scripts", Version: version,
		SilenceErrors: true, SilenceUsage: true, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
		Long: "Work with Atelier from a terminal and from scripts: run apps, keep workflows as files, follow jobs.\n\n" +
			"Begin with: atelierctl login https://atelier.example.org",
	}
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	flags := root.PersistentFlags()
	flags.BoolVar(&p.json, "json", false, "print what the service answers, as JSON")
	flags.StringVarP(&p.profile, "profile", "p", "", "the profile to act by (ATELIER_PROFILE)")
	flags.StringVarP(&p.workspace, "workspace", "w", "", "the workspace to act in, by id, slug or name; none is the personal space (ATELIER_WORKSPACE)")
	flags.StringVar(&p.url, "url", "", "the address of the install (ATELIER_URL)")
	_ = root.RegisterFlagCompletionFunc("profile", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		c, _ := p.readConfig()
		return c.names(), cobra.ShellCompDirectiveNoFileComp
	})
	root.AddCommand(
		p.loginCommand(), p.logoutCommand(), p.profilesCommand(), p.whoamiCommand(),
		p.appsCommand(), p.runCommand(), p.runsCommand(), p.jobsCommand(), p.uploadCommand(), p.workflowsCommand(),
		p.productionsCommand(), p.eventsCommand(), p.usageCommand(), p.openCommand(), p.mcpCommand(),
	)
	unknownIsUsage(root)
	return root
}

// unknownIsUsage makes a word too many and an unknown subcommand a mistake of usage.
func unknownIsUsage(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usageError{err}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		unknownIsUsage(sub)
	}
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(commands...)
	return c
}

// printJSON prints a value as JSON, for programs.
func (p *program) printJSON(value any) error {
	e := json.NewEncoder(p.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// table prints rows in columns.
func (p *program) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		fmt.Fprintln(p.err, "There are none.")
		return
	}
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, row := range rows {
		for i := range row {
			row[i] = brief(row[i])
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush()
}

// brief is the beginning of a text, in one line.
func brief(s string) string {
	const most = 60
	s = printable(strings.Join(strings.Fields(s), " "))
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

// printable leaves out of what others wrote the characters that a terminal acts on.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return -1
	}, s)
}

// isTerminal tells whether a stream is one that a person looks at.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// getenv reads a variable, empty when it is not set.
func (p *program) getenv(name string) string {
	value, _ := p.env(name)
	return value
}

// credits writes an amount as people do.
func credits(amount float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", amount), "0"), ".")
}

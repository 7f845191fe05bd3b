package main

import (
	"fmt"
	"net/url"
	"os"

	"github.com/spf13/cobra"
)

func (p *program) openCommand() *cobra.Command {
	var printIt bool
	pages := map[string]string{"app": "/app/", "workflow": "/workflows/", "run": "/runs/", "job": "/jobs/", "production": "/studio/"}
	c := &cobra.Command{
		Use: "open [app|workflow|run|job|production] [which]", Short: "Open a page of the console in the browser", Args: cobra.MaximumNArgs(2),
		Long: "Open a page of the console in the browser: the console itself; an app by its slug; a workflow by its file, name or id; a\n" +
			"run by its execution, a job or a production by its id.",
		ValidArgs: []string{"app", "workflow", "run", "job", "production"},
		RunE: func(c *cobra.Command, args []string) error {
			acts, err := p.chosen()
			if err != nil {
				return err
			}
			path := "/"
			if len(args) > 0 {
				under, ok := pages[args[0]]
				if !ok || len(args) != 2 {
					return usagef("open app <slug>, open workflow <file, name or id>, open run <id>, open job <id> or open production <id>")
				}
				which := args[1]
				if args[0] == "workflow" && !isID(which) {
					if which, err = p.workflowNamed(c, which); err != nil {
						return err
					}
				}
				path = under + url.PathEscape(which)
			}
			address := acts.URL + path
			if printIt || p.json || openBrowser(address) != nil {
				if p.json {
					return p.printJSON(map[string]string{"url": address})
				}
				fmt.Fprintln(p.out, address)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&printIt, "print", false, "print the address in place of opening it")
	return c
}

// workflowNamed is the id of a workflow that is named by its file or its name.
func (p *program) workflowNamed(c *cobra.Command, named string) (string, error) {
	if _, err := os.Stat(named); err == nil {
		f, err := readWorkflow(named)
		if err != nil {
			return "", err
		}
		if f.ID == "" {
			return "", usagef("%s is not pushed yet", named)
		}
		return f.ID, nil
	}
	client, err := p.client(c.Context())
	if err != nil {
		return "", err
	}
	return workflowID(c.Context(), client, named)
}

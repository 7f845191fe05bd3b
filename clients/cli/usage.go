package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"

	"github.com/spf13/cobra"
)

// usageChoices are what a report is asked for by.
type usageChoices struct {
	org, from, to, by string
	csv               bool
}

func (p *program) usageCommand() *cobra.Command {
	var u usageChoices
	c := &cobra.Command{
		Use: "usage", Short: "Show what was spent, and what is left", Args: cobra.NoArgs,
		Long: "Show what was spent, and what is left: of the personal space its balance and latest transactions; of a workspace\n" +
			"(--workspace) or an organization (--org) a report of its runs.",
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			switch {
			case u.org != "":
				id, err := organizationID(c.Context(), client, u.org)
				if err != nil {
					return err
				}
				return p.report(c.Context(), client, "/v1/orgs/"+url.PathEscape(id)+"/usage", &u, "workspace")
			case client.Workspace() != "":
				return p.report(c.Context(), client, "/v1/workspaces/"+url.PathEscape(client.Workspace())+"/usage", &u, "model")
			}
			return p.balance(c.Context(), client)
		},
	}
	c.Flags().StringVar(&u.org, "org", "", "an organization, by id, slug or name")
	c.Flags().StringVar(&u.from, "from", "", "the first day, YYYY-MM-DD; the last 30 days when absent")
	c.Flags().StringVar(&u.to, "to", "", "the last day, inclusive")
	c.Flags().StringVar(&u.by, "group-by", "", "workspace, member, model, day, or none for single runs")
	c.Flags().BoolVar(&u.csv, "csv", false, "print the report as a table for spreadsheets")
	_ = c.RegisterFlagCompletionFunc("group-by", cobra.FixedCompletions([]string{"workspace", "member", "model", "day", "none"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (p *program) balance(ctx context.Context, client *atelier.Client) error {
	balance, err := client.API.GetCreditsBalance(ctx)
	if err != nil {
		return err
	}
	latest, err := client.API.GetCreditsTransactions(ctx, nil)
	if atelier.IsCode(err, atelier.CodeForbidden) { // a sign-in by the browser sees no history
		latest, err = &api.ManyTransactionViewBody{}, nil
	}
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]any{"balance": balance.Data, "transactions": latest.Data})
	}
	fmt.Fprintf(p.out, "%s credits available, %s reserved.\n", credits(balance.Data.Available), credits(balance.Data.Reserved))
	var rows [][]string
	for _, t := range latest.Data {
		rows = append(rows, []string{when(t.CreatedAt), t.Kind, credits(t.Amount), t.Description})
	}
	if len(rows) > 0 {
		fmt.Fprintln(p.out)
		p.table([]string{"WHEN", "KIND", "CREDITS", "WHAT"}, rows)
	}
	return nil
}

func (p *program) report(ctx context.Context, client *atelier.Client, path string, u *usageChoices, by string) error {
	query := url.Values{"groupBy": {by}}
	for name, value := range map[string]string{"from": u.from, "to": u.to, "groupBy": u.by} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if u.csv {
		query.Set("format", "csv")
		response, err := client.Call(ctx, "GET", path, query, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(p.out, response.Body)
		return errors.Join(err, response.Body.Close())
	}
	var report api.UsageBody
	if err := client.JSON(ctx, "GET", path, query, nil, &report); err != nil {
		return err
	}
	if p.json {
		return p.printJSON(report)
	}
	data := report.Data
	fmt.Fprintf(p.out, "%s to %s: %s credits, of which %s in flight.\n\n", data.From, data.To, credits(data.Totals.Credits), credits(data.Totals.InFlightCredits))
	var rows [][]string
	for _, row := range data.Rows {
		what := orNone(row.Label)
		if row.Label == nil && row.Key != nil {
			what = *row.Key
		}
		if row.RunID != nil {
			what = *row.RunID + " " + orNone(row.Model)
		}
		rows = append(rows, []string{what, credits(row.Credits)})
	}
	p.table([]string{"WHAT", "CREDITS"}, rows)
	return nil
}

// organizationID finds an organization by its id, its slug or its name.
func organizationID(ctx context.Context, client *atelier.Client, named string) (string, error) {
	if isID(named) {
		return named, nil
	}
	me, err := client.API.GetMe(ctx, nil)
	if err != nil {
		return "", err
	}
	var found []string
	for _, o := range me.Data.Organizations {
		if o.Slug == named || strings.EqualFold(o.Name, named) {
			found = append(found, o.ID)
		}
	}
	return onlyOne("organizations", named, found, usagef("there is no organization %q among yours", named))
}

package main

import (
	"fmt"
	"strconv"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"

	"github.com/spf13/cobra"
)

func (p *program) appsCommand() *cobra.Command {
	list := &cobra.Command{
		Use: "apps", Short: "List the apps that you published", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			rows, all := [][]string{}, []api.ManagedApp{}
			for app, err := range client.API.GetAppsAll(c.Context(), nil) {
				if err != nil {
					return err
				}
				all = append(all, app)
				state := "active"
				if !app.IsActive {
					state = "off"
				}
				rows = append(rows, []string{app.Slug, app.Name, strconv.Itoa(app.Version), credits(app.EstimatedCredits), state})
			}
			if p.json {
				return p.printJSON(all)
			}
			p.table([]string{"SLUG", "NAME", "VERSION", "CREDITS", "STATE"}, rows)
			return nil
		},
	}
	list.AddCommand(&cobra.Command{
		Use: "show <app>", Short: "Show what an app asks for and costs", Args: cobra.ExactArgs(1), ValidArgsFunction: p.completeApps,
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.visitor()
			if err != nil {
				return err
			}
			app, err := client.API.GetAppSlug(c.Context(), args[0])
			if err != nil {
				return err
			}
			if p.json {
				return p.printJSON(app)
			}
			form, err := client.Form(c.Context(), app)
			if err != nil {
				return err
			}
			fmt.Fprintf(p.out, "%s, version %d, %s credits\n", printable(app.Name), app.Version, credits(app.EstimatedCredits))
			if app.MaxRunsPerUserPerDay != nil {
				fmt.Fprintf(p.out, "At most %d runs a day.\n", *app.MaxRunsPerUserPerDay)
			}
			if app.Description != "" {
				fmt.Fprintf(p.out, "%s\n", printable(app.Description))
			}
			fmt.Fprintln(p.out)
			var rows [][]string
			for _, field := range form {
				f := &formFlag{Field: field}
				rows = append(rows, []string{"--" + flagName(field.ID), f.Type(), field.Label, valueText(field.Value)})
			}
			p.table([]string{"FLAG", "TYPE", "WHAT", "PUBLISHED WITH"}, rows)
			return nil
		},
	})
	return list
}

// completeApps are the slugs of the person's apps.
func (p *program) completeApps(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	client, err := p.client(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var slugs []string
	fields := "slug,name"
	for app, err := range client.API.GetAppsAll(c.Context(), &api.GetAppsParams{Fields: &fields}) {
		if err != nil || len(slugs) == 200 {
			break
		}
		slugs = append(slugs, app.Slug+"\t"+brief(app.Name))
	}
	return slugs, cobra.ShellCompDirectiveNoFileComp
}

// formOf is an app and what it asks for; both are public.
func (p *program) formOf(c *cobra.Command, slug string) (*atelier.App, []atelier.Field, error) {
	client, err := p.visitor()
	if err != nil {
		return nil, nil, err
	}
	app, err := client.API.GetAppSlug(c.Context(), slug)
	if err != nil {
		return nil, nil, err
	}
	form, err := client.Form(c.Context(), app)
	return app, form, err
}

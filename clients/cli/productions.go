package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"

	"github.com/spf13/cobra"
)

func (p *program) productionsCommand() *cobra.Command {
	return group("productions", "See and render productions of the studio", p.listProductions(), p.renderCommand())
}

func (p *program) listProductions() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the productions of the space", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			rows, all := [][]string{}, []api.ProductionView{}
			for made, err := range client.API.GetStudioProductionsAll(c.Context(), nil) {
				if err != nil {
					return err
				}
				all = append(all, made)
				rows = append(rows, []string{made.ID, made.Name, string(made.Status), fmt.Sprint(made.ShotCount), fmt.Sprintf("%.0f s", made.Duration)})
			}
			if p.json {
				return p.printJSON(all)
			}
			p.table([]string{"ID", "NAME", "STATUS", "SHOTS", "LENGTH"}, rows)
			return nil
		},
	}
}

// productionID finds a production by its id or its name.
func productionID(ctx context.Context, client *atelier.Client, named string) (string, error) {
	if isID(named) {
		return named, nil
	}
	fields := "id,name"
	var found []string
	for made, err := range client.API.GetStudioProductionsAll(ctx, &api.GetStudioProductionsParams{Fields: &fields, Q: &named}) {
		if err != nil {
			return "", err
		}
		if strings.EqualFold(made.Name, named) {
			found = append(found, made.ID)
		}
	}
	return onlyOne("productions", named, found, &atelier.Error{Status: 404, Code: atelier.CodeNotFound, Message: fmt.Sprintf("There is no production %q here.", named)})
}

func (p *program) renderCommand() *cobra.Command {
	var body api.RenderBody
	var stage, save string
	var most float64
	var yes, force, noWait bool
	c := &cobra.Command{
		Use: "render <production>", Short: "Render a production, named by its id or name", Args: cobra.ExactArgs(1),
		Long: "Render a production: say first what it costs, ask, and follow the render to its end. What did not change since the last\n" +
			"render is not made again. Without a terminal to ask at, --yes or --max-credits is needed.",
		RunE: func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			client, err := p.client(ctx)
			if err != nil {
				return err
			}
			id, err := productionID(ctx, client, args[0])
			if err != nil {
				return err
			}
			if stage != "" {
				at := api.RenderBodyStage(stage)
				body.Stage = &at
			}
			body.Force = &force
			estimate, err := client.API.PostStudioProductionsIDEstimate(ctx, id, body)
			if err != nil {
				return err
			}
			cost := estimate.Data.Credits
			if !p.json {
				fmt.Fprintf(p.err, "%s credits, %.0f seconds of film.\n", credits(cost), estimate.Data.Seconds)
			}
			if c.Flags().Changed("max-credits") {
				body.MaxCredits = &most
			} else {
				if !yes && cost > 0 && len(estimate.Data.Refused) == 0 {
					if err := p.confirm("Render it?"); err != nil {
						return err
					}
				}
				body.MaxCredits = &cost // what was agreed to
			}
			answer, err := client.API.PostStudioProductionsIDRender(ctx, id, body)
			if err != nil {
				return err
			}
			if answer.JSON202 == nil {
				return errors.New("the render was answered with a result")
			}
			if noWait {
				if p.json {
					return p.printJSON(answer.JSON202)
				}
				fmt.Fprintln(p.out, answer.JSON202.ExecutionID)
				return nil
			}
			bar := p.newBar("render")
			_, err = client.AwaitExecution(ctx, answer.JSON202.ExecutionID, bar.run())
			bar.end()
			if err != nil {
				return err
			}
			return p.showProduction(ctx, client, id, save)
		},
	}
	flags := c.Flags()
	flags.StringVar(&stage, "stage", "", "stop after this stage")
	flags.StringSliceVar(&body.ShotIds, "shot", nil, "make these shots alone, by their ids")
	flags.Float64Var(&most, "max-credits", 0, "render without asking, unless it costs more")
	flags.BoolVarP(&yes, "yes", "y", false, "do not ask")
	flags.BoolVar(&force, "force", false, "make again also what did not change")
	flags.BoolVar(&noWait, "no-wait", false, "print the execution's id and do not wait")
	flags.StringVarP(&save, "output", "o", "", "save the film to this file")
	_ = c.RegisterFlagCompletionFunc("stage", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (p *program) showProduction(ctx context.Context, client *atelier.Client, id, save string) error {
	made, err := client.API.GetStudioProductionsID(ctx, id)
	if err != nil {
		return err
	}
	film := made.Data.VideoURL
	if save != "" && film != nil {
		if err := saveOutput(ctx, client, atelier.Output{NodeID: "film", URL: *film}, save, p.out); err != nil {
			return err
		}
	}
	if p.json {
		return p.printJSON(made.Data)
	}
	if film != nil && save == "" {
		fmt.Fprintln(p.out, printable(*film))
	}
	return nil
}

// confirm asks a question that only y answers with yes.
func (p *program) confirm(question string) error {
	if !isTerminal(p.in) {
		return usagef("there is no terminal to ask at: --yes")
	}
	fmt.Fprintf(p.err, "%s [y/N] ", question)
	line, _ := bufio.NewReader(p.in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return errors.New("not done")
	}
	return nil
}

package main

import (
	"context"
	"fmt"
	"strconv"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"

	"github.com/spf13/cobra"
)

func (p *program) jobsCommand() *cobra.Command {
	return group("jobs", "See and steer the work of single nodes",
		p.listJobs(),
		p.jobCommand("get <job>", "Show a job", func(ctx context.Context, client *atelier.Client, id string) (*atelier.Job, error) {
			answer, err := client.API.GetJobsID(ctx, id)
			if err != nil {
				return nil, err
			}
			return &answer.Data, nil
		}),
		p.jobCommand("wait <job>", "Follow a job to its end", func(ctx context.Context, client *atelier.Client, id string) (*atelier.Job, error) {
			bar := p.newBar("job")
			defer bar.end()
			return client.AwaitJob(ctx, id, bar.run())
		}),
		p.jobCommand("cancel <job>", "Cancel a job", func(ctx context.Context, client *atelier.Client, id string) (*atelier.Job, error) {
			if _, err := client.API.PostJobsIDCancel(ctx, id); err != nil {
				return nil, err
			}
			answer, err := client.API.GetJobsID(ctx, id)
			if err != nil {
				return nil, err
			}
			return &answer.Data, nil
		}),
		p.jobCommand("approve <job>", "Approve a job that is held for review", func(ctx context.Context, client *atelier.Client, id string) (*atelier.Job, error) {
			answer, err := client.API.PostJobsIDApprove(ctx, id)
			if err != nil {
				return nil, err
			}
			return &answer.Data, nil
		}),
		p.jobCommand("reject <job>", "Reject a job that is held for review", func(ctx context.Context, client *atelier.Client, id string) (*atelier.Job, error) {
			answer, err := client.API.PostJobsIDReject(ctx, id)
			if err != nil {
				return nil, err
			}
			return &answer.Data, nil
		}),
	)
}

func (p *program) listJobs() *cobra.Command {
	var most int
	c := &cobra.Command{
		Use: "list", Short: "List your jobs, newest first", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			rows, all := [][]string{}, []atelier.Job{}
			page := min(most, maxPage)
			for job, err := range client.API.GetJobsAll(c.Context(), &api.GetJobsParams{Limit: &page}) {
				if err != nil {
					return err
				}
				all = append(all, job)
				rows = append(rows, []string{job.ID, job.JobType, job.Status, fmt.Sprintf("%d%%", job.Progress), charged(job.CreditsCharged), when(job.CreatedAt)})
				if len(all) == most {
					break
				}
			}
			if p.json {
				return p.printJSON(all)
			}
			p.table([]string{"ID", "TYPE", "STATUS", "DONE", "CREDITS", "BEGUN"}, rows)
			return nil
		},
	}
	limited(c, &most)
	return c
}

// maxPage is how many of a list are asked for at once: the service has no more jobs on a page.
const maxPage = 100

// limited gives a list a bound.
func limited(c *cobra.Command, most *int) {
	c.Flags().IntVarP(most, "limit", "n", 20, "how many at most")
	c.PreRunE = func(*cobra.Command, []string) error {
		if *most < 1 {
			return usagef("--limit is 1 at least")
		}
		return nil
	}
}

func charged(amount *float64) string {
	if amount == nil {
		return "–"
	}
	return credits(*amount)
}

// jobCommand is a command that does something with one job and shows it.
func (p *program) jobCommand(use, short string, do func(context.Context, *atelier.Client, string) (*atelier.Job, error)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			job, err := do(c.Context(), client, args[0])
			if err != nil {
				return err
			}
			if p.json {
				return p.printJSON(job)
			}
			rows := [][]string{
				{"id", job.ID}, {"type", job.JobType}, {"status", job.Status}, {"done", strconv.Itoa(job.Progress) + "%"},
				{"credits", charged(job.CreditsCharged)}, {"source", job.Source}, {"begun", when(job.CreatedAt)},
			}
			if job.ErrorMessage != nil {
				rows = append(rows, []string{"error", *job.ErrorMessage})
			}
			p.table([]string{"", ""}, rows)
			if output, ok := atelier.OutputOf(job.NodeID, atelier.NodeState{Output: job.OutputData}); ok {
				p.printOutput(output)
			}
			return nil
		},
	}
}

func (p *program) runsCommand() *cobra.Command {
	var most int
	var archived bool
	list := &cobra.Command{
		Use: "list <app>", Short: "List your runs of an app, newest first", Args: cobra.ExactArgs(1), ValidArgsFunction: p.completeApps,
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			rows, all := [][]string{}, []atelier.Run{}
			page := min(most, maxPage)
			for run, err := range client.API.GetAppSlugRunsAll(c.Context(), args[0], &api.GetAppSlugRunsParams{Limit: &page, Archived: &archived}) {
				if err != nil {
					return err
				}
				all = append(all, run)
				rows = append(rows, []string{run.ID, run.Status, credits(run.CreditsUsed), when(run.CreatedAt)})
				if len(all) == most {
					break
				}
			}
			if p.json {
				return p.printJSON(all)
			}
			p.table([]string{"ID", "STATUS", "CREDITS", "BEGUN"}, rows)
			return nil
		},
	}
	limited(list, &most)
	list.Flags().BoolVar(&archived, "archived", false, "list the archive")
	var save string
	var show bool
	get := &cobra.Command{
		Use: "get <app> <run>", Short: "Follow a run to its end, and print its result", Args: cobra.ExactArgs(2), ValidArgsFunction: p.completeApps,
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			app, err := client.API.GetAppSlug(c.Context(), args[0])
			if err != nil {
				return err
			}
			bar := p.newBar(app.Name)
			run, err := client.AwaitRun(c.Context(), args[0], args[1], bar.run())
			bar.end()
			if err != nil {
				return err
			}
			return p.showRun(c, client, app, run, save, show)
		},
	}
	get.Flags().StringVarP(&save, "output", "o", "", "save the result to this file, or all results to this folder/")
	get.Flags().BoolVar(&show, "show", true, "show a picture in terminals that can")
	archive := &cobra.Command{
		Use: "archive <app> <run>", Short: "Move a run to the archive", Args: cobra.ExactArgs(2), ValidArgsFunction: p.completeApps,
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			answer, err := client.API.DeleteAppSlugRunsRunID(c.Context(), args[0], args[1])
			if err == nil && p.json {
				return p.printJSON(answer)
			}
			return err
		},
	}
	return group("runs", "See your runs of an app", list, get, archive)
}

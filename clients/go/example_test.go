package atelier_test

import (
	"context"
	"fmt"
	"log"
	"os"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"
)

func Example() {
	ctx := context.Background()
	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	run, err := client.RunApp(ctx, "poster", map[string]any{"topic": "a fox"}, atelier.OnProgress(func(p atelier.Progress) {
		log.Printf("%s: %d of %d", p.Status, p.Completed, p.Total)
	}))
	switch {
	case atelier.IsCode(err, atelier.CodeBudgetExceeded, atelier.CodeInsufficientAppCredits):
		log.Fatal("not enough credits")
	case err != nil:
		log.Fatal(err)
	}
	app, err := client.API.GetAppSlug(ctx, "poster")
	if err != nil {
		log.Fatal(err)
	}
	picture, err := os.Create("poster.png")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = picture.Close() }()
	if result, ok := atelier.MainOutput(app, run); ok {
		if _, err := client.Download(ctx, result.URL, picture); err != nil {
			log.Fatal(err)
		}
	}
}

func ExampleClient_Upload() {
	ctx := context.Background()
	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	file, err := client.UploadFile(ctx, "fox.png", atelier.OnSent(func(sent, total int64) { fmt.Println(sent, "of", total) }))
	if err != nil {
		log.Fatal(err)
	}
	run, err := client.RunApp(ctx, "postcard", map[string]any{"photo": file.URL})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.CreditsUsed)
}

// Lists are gone through row by row; the next page is asked for when it is needed.
func ExampleClient_pages() {
	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	for job, err := range client.API.GetJobsAll(context.Background(), &api.GetJobsParams{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(job.ID, job.JobType, job.Status)
	}
}

// A run is started in one place and followed in another, as a queue and a page would.
func ExampleClient_FollowRun() {
	ctx := context.Background()
	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	started, err := client.StartApp(ctx, "poster", map[string]any{"topic": "a fox"})
	if err != nil {
		log.Fatal(err)
	}
	for run, err := range client.FollowRun(ctx, "poster", started.RunID) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(run.Status)
	}
	for run, err := range client.API.GetAppSlugRunsAll(ctx, "poster", nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(run.CreatedAt, run.Status)
	}
}

// A class pays for what the client of the class runs.
func ExampleClient_In() {
	ctx := context.Background()
	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	class := client.In(os.Getenv("CLASS"))
	run, err := class.RunApp(ctx, "poster", map[string]any{"topic": "a fox"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.CreditsUsed)
}

// The form of an app says what it asks for.
func ExampleClient_Form() {
	ctx := context.Background()
	client, err := atelier.New("https://atelier.example.org")
	if err != nil {
		log.Fatal(err)
	}
	app, err := client.API.GetAppSlug(ctx, "poster")
	if err != nil {
		log.Fatal(err)
	}
	fields, err := client.Form(ctx, app)
	if err != nil {
		log.Fatal(err)
	}
	for _, field := range fields {
		fmt.Println(field.Label, field.Required)
	}
}

// Workflows are run by their id, single nodes by their type.
func ExampleClient_RunWorkflow() {
	ctx := context.Background()
	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	id := os.Getenv("WORKFLOW")
	execution, err := client.RunWorkflow(ctx, id, map[string]any{"word.text": "ahoy"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(execution.Status)
	for state, err := range client.FollowExecution(ctx, execution.ID) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(state.CompletedNodes, state.TotalNodes)
	}
	job, err := client.RunNode(ctx, "qr-code", map[string]any{"text": "https://example.org"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Status)
}

// What there is to spend, which nodes there are, and what has been saved.
func ExampleClient_API() {
	ctx := context.Background()
	client, err := atelier.New("https://atelier.example.org", atelier.WithToken(os.Getenv("ATELIER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	me, err := client.API.GetMe(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	balance, err := client.API.GetCreditsBalance(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(me.Data.DisplayName, balance.Data.Available)
	nodes, err := client.API.GetNodes(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, node := range nodes.Data {
		fmt.Println(node.Type, node.Label)
	}
	for app, err := range client.API.GetAppsAll(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(app.Slug, app.Name)
	}
	for workflow, err := range client.API.GetWorkflowsAll(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(workflow.ID, workflow.Name)
	}
	if _, err := client.API.PostJobsIDCancel(ctx, os.Getenv("JOB")); err != nil {
		log.Fatal(err)
	}
}

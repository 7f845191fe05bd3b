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

package webhook_test

import (
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"atelier/webhook"
)

// A receiver: it verifies, sees whether it has had the event, keeps it, answers,
// and works afterwards. A real one keeps ids where they outlive a restart, in the
// transaction that keeps the event.
func Example() {
	verifier := webhook.Verifier{Secrets: []string{os.Getenv("WEBHOOK_SECRET"), os.Getenv("WEBHOOK_SECRET_BEFORE")}}
	queue := make(chan *webhook.Event, 1000)
	var seen sync.Map

	http.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) {
		event, err := verifier.Receive(r)
		if err != nil {
			log.Print(err) // "webhook: signature_mismatch: …"
			http.Error(w, "not accepted", http.StatusBadRequest)
			return
		}
		if _, had := seen.LoadOrStore(event.ID, time.Now()); !had {
			select {
			case queue <- event:
			default: // full: forget it, so that the repeat is taken
				seen.Delete(event.ID)
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})

	go func() {
		for event := range queue {
			switch event.Type {
			case webhook.JobCompleted:
				log.Printf("job %s: %s", event.Job.ID, event.Job.OutputData)
			case webhook.JobFailed:
				log.Printf("job %s failed", event.Job.ID)
			}
		}
	}()
	log.Fatal(http.ListenAndServe(":8090", nil))
}

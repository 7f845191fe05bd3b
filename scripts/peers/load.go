package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// requests makes the n-th request of a load.
type requests func(n int) (*http.Request, error)

// steps asks a peer for runs of so many steps.
func steps(url string, count int) requests {
	return func(int) (*http.Request, error) { return post(url, count) }
}

// stepsOf is what such a request asks for.
func stepsOf(r *http.Request) (n int, err error) {
	if err = json.NewDecoder(io.LimitReader(r.Body, 100)).Decode(&n); err == nil && (n < 1 || n > 10_000) {
		err = fmt.Errorf("%d steps", n)
	}
	return n, err
}

func post(url string, body any) (*http.Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(text))
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}

var keeping = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: time.Minute}

// send makes a request and reads the answer, which has to be a good one.
func send(r *http.Request) ([]byte, error) {
	response, err := keeping.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %.300s", r.Method, r.URL.Path, response.Status, body)
	}
	return body, err
}

// drive has clients make requests one after another for a while, and gives how many a second and the median of one.
func drive(ctx context.Context, all requests, clients int, span time.Duration) (rate float64, p50 time.Duration, err error) {
	ctx, stop := context.WithTimeout(ctx, span)
	defer stop()
	var mu sync.Mutex
	var took []time.Duration
	var next int
	var group sync.WaitGroup
	began := time.Now()
	for range clients {
		group.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				n := next
				next++
				mu.Unlock()
				r, e := all(n)
				from := time.Now()
				if e == nil {
					_, e = send(r)
				}
				mu.Lock()
				if e != nil && err == nil {
					err = e
					stop()
				}
				took = append(took, time.Since(from))
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if err != nil {
		return 0, 0, err
	}
	slices.Sort(took)
	return float64(len(took)) / time.Since(began).Seconds(), took[len(took)/2], nil
}

// name of a step.
func stepName(i int) string { return "s" + strconv.Itoa(i) }

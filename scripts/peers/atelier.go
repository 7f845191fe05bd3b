package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
)

// accounts is how many people run things: one may begin 300 runs a minute.
const accounts = 100

// startAtelier starts the service on a database.
func startAtelier(ctx context.Context, program, databaseURL string) (stop func(), address string, err error) {
	dir, err := os.MkdirTemp("/var/tmp", "peers-atelier-")
	if err != nil {
		return nil, "", err
	}
	listen := freeAddress()
	address = "http://" + listen
	cmd := exec.Command(program, "serve")
	cmd.Env = append(os.Environ(), "LISTEN_ADDR="+listen, "PUBLIC_URL="+address, "DATA_DIR="+dir, "DATABASE_URL="+databaseURL, "LOG_LEVEL=error",
		"TRUSTED_PROXIES=127.0.0.1/32")
	halt, err := start(cmd, address+"/readyz")
	if err != nil {
		os.RemoveAll(dir)
		return nil, "", err
	}
	return func() { halt(); os.RemoveAll(dir) }, address, nil
}

// person runs what is theirs.
type person struct{ token, short, long string }

// atelierRequests signs people up, each with a workflow of three steps and a long one, and gives the requests that run these and
// wait for their results. The people take turns.
func atelierRequests(ctx context.Context, address string) (short, chain requests, err error) {
	all := make([]person, accounts)
	for i := range all {
		body := map[string]string{"email": fmt.Sprintf("p%d@example.com", i), "password": "a password of some length", "displayName": "P"}
		var made struct {
			Data struct{ Token string }
		}
		if err := ask(ctx, address+"/auth/sign-up", "", i, body, &made); err != nil {
			return nil, nil, err
		}
		all[i].token = made.Data.Token
		for count, id := range map[int]*string{3: &all[i].short, long: &all[i].long} {
			var saved struct{ Data struct{ ID string } }
			if err := ask(ctx, address+"/v1/workflows", all[i].token, i, workflow(count), &saved); err != nil {
				return nil, nil, err
			}
			*id = saved.Data.ID
		}
	}
	run := func(of func(person) string) requests {
		return func(n int) (*http.Request, error) {
			who := all[n%len(all)]
			r, err := post(address+"/v1/workflows/"+of(who)+"/run?wait=true", struct{}{})
			if err == nil {
				r.Header.Set("Authorization", "Bearer "+who.token)
			}
			return r, err
		}
	}
	return run(func(p person) string { return p.short }), run(func(p person) string { return p.long }), nil
}

// ask makes a request of a person, from an address of their own.
func ask(ctx context.Context, url, token string, person int, body, into any) error {
	r, err := post(url, body)
	if err != nil {
		return err
	}
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", person+1))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	text, err := send(r.WithContext(ctx))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// workflow is a chain of nodes of text.
func workflow(count int) any {
	type object = map[string]any
	nodes, edges := []object{{"id": stepName(0), "type": "text", "data": object{"text": "x"}}}, []object{}
	for i := 1; i < count; i++ {
		nodes = append(nodes, object{"id": stepName(i), "type": "text", "data": object{}})
		edges = append(edges, object{"id": "e" + strconv.Itoa(i), "source": stepName(i - 1), "target": stepName(i)})
	}
	return object{"name": "Chain", "nodes": nodes, "edges": edges}
}

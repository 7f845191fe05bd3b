# `make help` lists every target.

SHELL := /usr/bin/env bash
.DEFAULT_GOAL := help

# A checkout that belongs to another account (a container's volume, say) makes
# Go's version stamping fail the build.
export GOFLAGS := -buildvcs=false $(filter-out -buildvcs=%,$(GOFLAGS))

# Go keeps its caches below the home; a service's environment may name none.
ifeq ($(HOME),)
export HOME := $(shell unset HOME; echo ~)
endif

ATELIER := bin/atelier

.PHONY: help run demo test test-fast test-citus generate lint fmt bench bench-peers profile soak openapi clients setup build cli release

help: ## list every target
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup build ## install what is missing, build, serve on http://localhost:8080
	@exec ./$(ATELIER) serve

demo: setup build ## fill an empty install with a school and a team, and print the sign-ins
	@exec ./$(ATELIER) demo

test: ## everything: format, vet, staticcheck, generated code, import arrows, all tests
	@scripts/setup debian
	@scripts/test

test-fast: ## within 2 minutes: lint, and tests without the race detector, browsers and hammers
	@scripts/setup test
	@scripts/test-fast

generate: ## write the generated code anew (templ, gqlgen, genqlient)
	@scripts/generate

lint: ## format, words of comments, style sheets, size of files, go.mod, vet, staticcheck, import arrows, owners of tables
	@scripts/lint

fmt: ## format the Go and templ files and the style sheets
	@find . \( -name node_modules -o -name .git -o -path ./data \) -prune -o -name '*.go' -print0 | xargs -0 gofmt -w
	@go tool templ fmt web
	@node_modules/.bin/prettier --log-level warn --write 'web/assets/css/*.css'

bench: ## measure the service beside bare baselines, and the packages; writes docs/performance.md
	@scripts/bench

bench-peers: ## measure runs beside those of DBOS, River, Restate and a program by hand, by turns; writes docs/performance.md
	@scripts/bench-peers

profile: ## tell where the time of accepting, running and reading goes, in the service and in PostgreSQL
	@scripts/profile

test-citus: ## run the tests on a Citus cluster of three, with CITUS_BIN or CITUS_DATABASE_URL
	@scripts/test-citus

soak: ## run the long tests (files with the build tag soak), then an hour of fuzzing
	@scripts/soak

openapi: build ## print the OpenAPI 3.1 document
	@./$(ATELIER) openapi

clients: ## build the packages of the clients into bin/clients
	@scripts/clients

setup: ## install the Debian packages that a running service uses, when they are missing
	@scripts/setup run

release: ## build dist/: stripped programs for linux amd64 and arm64, Debian packages, an OCI image, a Helm chart, lists of components, checksums
	@scripts/release

build: ## build bin/atelier
	@scripts/build $(ATELIER)

cli: ## build bin/atelierctl, the command line
	@scripts/build bin/atelierctl ./clients/cli

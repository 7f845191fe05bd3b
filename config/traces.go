package config

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Traces is where traces go and what they say of this install, by the standard
// variables of OpenTelemetry.
type Traces struct {
	Endpoint string // empty: nothing is traced
	// Headers go along with what is sent; they may be keys.
	Headers map[string]string
	// Ratio is the share of traces that are sent.
	Ratio float64
	// Resource is what is told of the process: at least its service.name.
	Resource map[string]string

	base, protocol, sampler, service string
	share                            *float64
	common, own, named               map[string]string
}

const (
	tracesPath     = "/v1/traces"
	tracesProtocol = "http/protobuf"
)

var traceVariables = Group{"Traces", []Variable{
	{"OTEL_EXPORTER_OTLP_ENDPOINT", "", "collector of OpenTelemetry, such as http://localhost:4318, to whose /v1/traces traces are sent; unset: nothing is traced",
		into(func(c *Config) *string { return &c.Traces.base }, parseBaseURL)},
	{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "", "the same as a whole address, which goes before",
		into(func(c *Config) *string { return &c.Traces.Endpoint }, parseBaseURL)},
	{"OTEL_EXPORTER_OTLP_PROTOCOL", tracesProtocol, "how they are sent: http/protobuf is the only way",
		into(func(c *Config) *string { return &c.Traces.protocol }, parseText)},
	{"OTEL_EXPORTER_OTLP_HEADERS", "", "headers that go along: name=value, more after commas, values percent-encoded",
		into(func(c *Config) *map[string]string { return &c.Traces.common }, parseHeaders)},
	{"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "", "headers in place of those",
		into(func(c *Config) *map[string]string { return &c.Traces.own }, parseHeaders)},
	{"OTEL_SERVICE_NAME", "", "what the install is called in traces; unset: atelier",
		into(func(c *Config) *string { return &c.Traces.service }, parseText)},
	{"OTEL_RESOURCE_ATTRIBUTES", "", "what else is told of it: name=value, more after commas, values percent-encoded",
		into(func(c *Config) *map[string]string { return &c.Traces.named }, parsePairs)},
	{"OTEL_TRACES_SAMPLER", "parentbased_always_on", "which traces are sent: always_on, always_off or traceidratio; those with parentbased_ in front are the same, for no client decides",
		into(func(c *Config) *string { return &c.Traces.sampler }, oneOf("always_on", "always_off", "traceidratio",
			"parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"))},
	{"OTEL_TRACES_SAMPLER_ARG", "", "the share of traces for traceidratio, from 0 to 1; unset: 1",
		into(func(c *Config) **float64 { return &c.Traces.share }, parseShare)},
}}

// complete makes what is asked for of what was read.
func (t *Traces) complete() {
	if t.Endpoint == "" && t.base != "" {
		t.Endpoint = t.base + tracesPath
	}
	if t.Headers = t.common; t.own != nil {
		t.Headers = t.own
	}
	t.Ratio = 1
	switch strings.TrimPrefix(t.sampler, "parentbased_") {
	case "always_off":
		t.Ratio = 0
	case "traceidratio":
		if t.share != nil {
			t.Ratio = *t.share
		}
	}
	t.Resource = map[string]string{"service.name": "atelier"}
	maps.Copy(t.Resource, t.named)
	if t.service != "" {
		t.Resource["service.name"] = t.service
	}
}

// problem is why traces cannot be sent as it was said; empty if they can.
func (t *Traces) problem() string {
	if t.Endpoint != "" && t.protocol != tracesProtocol {
		return "OTEL_EXPORTER_OTLP_PROTOCOL: is not " + tracesProtocol + ", and traces are sent in no other way"
	}
	return ""
}

// parsePairs takes name=value, more after commas, values percent-encoded.
func parsePairs(s string) (map[string]string, error) {
	pairs := map[string]string{}
	for i, entry := range strings.Split(s, ",") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, value, given := strings.Cut(entry, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !given || name == "" || err != nil { // which may be a secret
			return nil, fmt.Errorf("entry %d is not name=value with a percent-encoded value", i+1)
		}
		pairs[name] = value
	}
	return pairs, nil
}

func parseHeaders(s string) (map[string]string, error) {
	pairs, err := parsePairs(s)
	if err != nil {
		return nil, err
	}
	headers := map[string]string{}
	for name, value := range pairs {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("must be names and values of HTTP headers")
		}
		headers[http.CanonicalHeaderKey(name)] = value
	}
	return headers, nil
}

func parseShare(s string) (*float64, error) {
	share, err := strconv.ParseFloat(s, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return nil, errors.New("must be a number from 0 to 1")
	}
	return &share, nil
}

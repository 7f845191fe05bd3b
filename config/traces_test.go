package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestTraces(t *testing.T) {
	for name, test := range map[string]struct {
		env  map[string]string
		want Traces
	}{
		"off": {nil, Traces{Ratio: 1, Resource: map[string]string{"service.name": "atelier"}}},
		"a collector": {
			map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318/"},
			Traces{Endpoint: "http://collector:4318/v1/traces", Ratio: 1, Resource: map[string]string{"service.name": "atelier"}},
		},
		"all of it": {
			map[string]string{
				"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://traces.example/in",
				"OTEL_EXPORTER_OTLP_HEADERS": "a=1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "authorization=Basic%20YTpi , x-team = art=deco",
				"OTEL_SERVICE_NAME": "studio", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=test,service.name=other,",
				"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.25",
			},
			Traces{
				Endpoint: "https://traces.example/in", Headers: map[string]string{"Authorization": "Basic YTpi", "X-Team": "art=deco"}, Ratio: 0.25,
				Resource: map[string]string{"service.name": "studio", "deployment.environment": "test"},
			},
		},
		"none are sampled": {
			map[string]string{"OTEL_TRACES_SAMPLER": "always_off", "OTEL_TRACES_SAMPLER_ARG": "1", "OTEL_RESOURCE_ATTRIBUTES": "service.name=named"},
			Traces{Resource: map[string]string{"service.name": "named"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := mustLoad(t, test.env).Traces
			read := Traces{Endpoint: got.Endpoint, Headers: got.Headers, Ratio: got.Ratio, Resource: got.Resource}
			if !reflect.DeepEqual(read, test.want) {
				t.Errorf("%+v, not %+v", read, test.want)
			}
		})
	}
}

func TestTraceRefusals(t *testing.T) {
	const at = "OTEL_EXPORTER_OTLP_ENDPOINT"
	for _, test := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{at: "collector:4318"}, at},
		{map[string]string{at: "http://key@collector:4318"}, at},
		{map[string]string{at: "http://collector:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL"},
		{map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=hush%zz"}, "OTEL_EXPORTER_OTLP_HEADERS"},
		{map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a b=hush"}, "OTEL_EXPORTER_OTLP_HEADERS"},
		{map[string]string{"OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=hush%0d%0ab"}, "OTEL_EXPORTER_OTLP_TRACES_HEADERS"},
		{map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "hush"}, "OTEL_RESOURCE_ATTRIBUTES"},
		{map[string]string{"OTEL_TRACES_SAMPLER": "jaeger_remote"}, "OTEL_TRACES_SAMPLER"},
		{map[string]string{"OTEL_TRACES_SAMPLER_ARG": "NaN"}, "OTEL_TRACES_SAMPLER_ARG"},
		{map[string]string{"OTEL_TRACES_SAMPLER_ARG": "2"}, "OTEL_TRACES_SAMPLER_ARG"},
	} {
		_, err := Load(lookupIn(test.env))
		if err == nil || !strings.Contains(err.Error(), test.want+": ") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%v is answered with %v", test.env, err)
		}
	}
	mustLoad(t, map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}) // nothing is sent
}

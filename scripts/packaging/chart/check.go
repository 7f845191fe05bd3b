package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// values are what operators may write into a values file.
type values = map[string]any

// least are the values that every install has to give.
func least() values {
	return values{"publicUrl": "https://atelier.example.org", "existingSecret": "atelier", "settings": values{"STORAGE_URL": "s3://media?region=eu-central-1"}}
}

func with(more values) values {
	all := least()
	maps.Copy(all, more)
	return all
}

// good are values of installs that there may be; bad are no install's, by why.
var (
	good = map[string]values{
		"least":   least(),
		"ingress": with(values{"ingress": values{"enabled": true, "className": "nginx", "tlsSecret": "tls", "annotations": values{"a/b": "c"}}}),
		"all": with(values{
			"worker":           values{"replicas": 5, "image": values{"repository": "registry.example.org/atelier-media", "tag": "7"}, "resources": values{"limits": values{"cpu": "4"}}},
			"imagePullSecrets": []any{values{"name": "pull"}}, "metricsPort": 0, "nodeSelector": values{"disk": "ssd"},
			"tolerations": []any{values{"key": "media", "operator": "Exists"}}, "serviceAccount": values{"annotations": values{"role": "media"}}, "podAnnotations": values{"x": "y"},
			"settings": values{"STORAGE_URL": "s3://media", "LOG_FORMAT": "text", "CREDIT_PACKS": `[{"id":"small"}]`, "PLATFORM_OPERATOR_EMAILS": "op@example.org"},
		}),
	}
	bad = map[string]values{
		"no values":               {},
		"no address":              with(values{"publicUrl": ""}),
		"an address with a path":  with(values{"publicUrl": "https://example.org/atelier"}),
		"no secret":               with(values{"existingSecret": ""}),
		"no storage":              with(values{"settings": values{"STORAGE_URL": ""}}),
		"a secret in the open":    with(values{"settings": values{"STORAGE_URL": "s3://media", "DATABASE_URL": "postgres://"}}),
		"a number":                with(values{"settings": values{"STORAGE_URL": "s3://media", "RETENTION_RUNS": 13}}),
		"an unknown key":          with(values{"replicas": 2}),
		"no process that answers": with(values{"serve": values{"replicas": 0}}),
	}
)

// check renders the chart with all values.
func check(tag string) error {
	for name, v := range bad {
		if _, err := render(v, tag); err == nil || !strings.Contains(err.Error(), "schema") {
			return fmt.Errorf("%s: the schema does not refuse it: %v", name, err)
		}
	}
	for name, v := range good {
		files, err := render(v, tag)
		if err == nil {
			err = resources(files, name == "ingress")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// render is what helm would send to a cluster, by file.
func render(v values, tag string) (map[string]string, error) {
	chart, err := loader.Load(folder)
	if err != nil {
		return nil, err
	}
	if err := chart.Validate(); err != nil {
		return nil, err
	}
	chart.Metadata.AppVersion = tag
	all, err := chartutil.ToRenderValues(chart, v, chartutil.ReleaseOptions{Name: "school", Namespace: "atelier", IsInstall: true, Revision: 1}, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	return engine.Engine{Strict: true}.Render(chart, all)
}

// kinds are the resources of the chart, with their form.
var kinds = map[string]func() any{
	"apps/v1 Deployment":            func() any { return &apps.Deployment{} },
	"v1 ConfigMap":                  func() any { return &core.ConfigMap{} },
	"v1 Service":                    func() any { return &core.Service{} },
	"v1 ServiceAccount":             func() any { return &core.ServiceAccount{} },
	"policy/v1 PodDisruptionBudget": func() any { return &policy.PodDisruptionBudget{} },
	"networking.k8s.io/v1 Ingress":  func() any { return &networking.Ingress{} },
}

// resources reads what was rendered: every field must be one that the kind has, and what one names another must be.
func resources(files map[string]string, withIngress bool) error {
	made := map[string]any{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(file, ".yaml") {
			continue
		}
		for _, document := range strings.Split(files[file], "\n---\n") {
			if strings.TrimSpace(document) == "" {
				continue
			}
			var head struct {
				APIVersion, Kind string
				Metadata         struct{ Name string }
			}
			if err := yaml.Unmarshal([]byte(document), &head); err != nil {
				return fmt.Errorf("%s: %w\n%s", file, err, document)
			}
			form := kinds[head.APIVersion+" "+head.Kind]
			if form == nil {
				return fmt.Errorf("%s: %s %s is no resource that is known here", file, head.APIVersion, head.Kind)
			}
			resource := form()
			if err := yaml.UnmarshalStrict([]byte(document), resource); err != nil {
				return fmt.Errorf("%s: %w\n%s", file, err, document)
			}
			made[head.Kind+" "+head.Metadata.Name] = resource
		}
	}
	want := 6
	if withIngress {
		want++
	}
	if len(made) != want {
		return fmt.Errorf("%d resources, want %d: %v", len(made), want, slices.Sorted(maps.Keys(made)))
	}
	for name, resource := range made {
		var err error
		switch r := resource.(type) {
		case *apps.Deployment:
			err = deployment(r, made)
		case *core.Service:
			err = selects(r.Spec.Selector, made, "serve")
		case *policy.PodDisruptionBudget:
			err = selects(r.Spec.Selector.MatchLabels, made, "serve")
		case *networking.Ingress:
			for _, rule := range r.Spec.Rules {
				backend := rule.HTTP.Paths[0].Backend.Service
				if service, there := made["Service "+backend.Name].(*core.Service); !there || service.Spec.Ports[0].Name != backend.Port.Name || rule.Host != "atelier.example.org" {
					err = fmt.Errorf("leads to %+v", backend)
				}
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func deployment(d *apps.Deployment, made map[string]any) error {
	pod := d.Spec.Template
	for key, value := range d.Spec.Selector.MatchLabels {
		if pod.Labels[key] != value {
			return fmt.Errorf("does not select its own pods: %s", key)
		}
	}
	if made["ServiceAccount "+pod.Spec.ServiceAccountName] == nil {
		return fmt.Errorf("has no account %s", pod.Spec.ServiceAccountName)
	}
	c := pod.Spec.Containers[0]
	repository, tag, found := strings.Cut(c.Image, ":")
	if !found || repository == "" || tag == "" || len(c.Args) == 0 {
		return fmt.Errorf("starts %q with %v", c.Image, c.Args)
	}
	if settings, there := made["ConfigMap "+c.EnvFrom[0].ConfigMapRef.Name].(*core.ConfigMap); !there || settings.Data["STORAGE_URL"] == "" || settings.Data["PUBLIC_URL"] != "https://atelier.example.org" {
		return fmt.Errorf("has the settings %v", settings)
	}
	if c.EnvFrom[1].SecretRef.Name != "atelier" {
		return fmt.Errorf("has the secrets of %s", c.EnvFrom[1].SecretRef.Name)
	}
	for _, mount := range c.VolumeMounts {
		if !slices.ContainsFunc(pod.Spec.Volumes, func(v core.Volume) bool { return v.Name == mount.Name }) {
			return fmt.Errorf("has no volume %s", mount.Name)
		}
	}
	if probe := c.ReadinessProbe; (probe != nil) != strings.HasSuffix(d.Name, "-serve") {
		return fmt.Errorf("is asked whether it is ready: %v", probe)
	}
	return nil
}

// selects tells whether labels find the pods of a component.
func selects(labels map[string]string, made map[string]any, component string) error {
	for name, resource := range made {
		d, is := resource.(*apps.Deployment)
		if !is || len(labels) == 0 {
			continue
		}
		fits := true
		for key, value := range labels {
			fits = fits && d.Spec.Template.Labels[key] == value
		}
		if fits != strings.HasSuffix(name, "-"+component) {
			return fmt.Errorf("%s is selected: %v", name, fits)
		}
	}
	return nil
}

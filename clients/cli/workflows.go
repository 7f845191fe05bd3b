package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	atelier "atelier/clients/go"
	"atelier/clients/go/api"

	"github.com/spf13/cobra"
)

func (p *program) workflowsCommand() *cobra.Command {
	return group("workflows", "Keep workflows as files, and run them",
		p.listWorkflows(), p.pullCommand(), p.pushCommand(), p.diffCommand(), p.runWorkflowCommand())
}

func (p *program) listWorkflows() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the workflows of the space", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			fields := "id,name,version,access,updatedAt,createdAt,createdBy,description,projectId,visibility,workspaceId"
			rows, all := [][]string{}, []api.WorkflowView{}
			for w, err := range client.API.GetWorkflowsAll(c.Context(), &api.GetWorkflowsParams{Fields: &fields}) {
				if err != nil {
					return err
				}
				all = append(all, w)
				rows = append(rows, []string{w.ID, w.Name, strconv.Itoa(w.Version), string(w.Access), when(w.UpdatedAt)})
			}
			if p.json {
				return p.printJSON(all)
			}
			p.table([]string{"ID", "NAME", "VERSION", "ACCESS", "CHANGED"}, rows)
			return nil
		},
	}
}

// when is a moment as lists show it.
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// fetch reads a workflow without losing digits of its numbers.
func fetch(ctx context.Context, client *atelier.Client, id string) (*workflow, error) {
	var answer struct{ Data json.RawMessage }
	if err := client.JSON(ctx, "GET", "/v1/workflows/"+url.PathEscape(id), nil, nil, &answer); err != nil {
		return nil, err
	}
	return readDetail(answer.Data)
}

// readDetail reads a workflow as the service answers it.
func readDetail(content []byte) (*workflow, error) {
	var values map[string]any
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		return nil, err
	}
	w := &workflow{Values: map[string]any{}}
	w.ID, _ = values["id"].(string)
	version, _ := values["version"].(json.Number)
	w.Version, _ = strconv.Atoi(string(version))
	for _, key := range contentKeys {
		w.Values[key] = values[key]
	}
	return w, nil
}

// workflowID finds a workflow by its id or its name.
func workflowID(ctx context.Context, client *atelier.Client, named string) (string, error) {
	if isID(named) {
		return named, nil
	}
	fields := "id,name"
	var found []string
	for w, err := range client.API.GetWorkflowsAll(ctx, &api.GetWorkflowsParams{Fields: &fields}) {
		if err != nil {
			return "", err
		}
		if strings.EqualFold(w.Name, named) {
			found = append(found, w.ID)
		}
	}
	return onlyOne("workflows", named, found, &atelier.Error{Status: 404, Code: atelier.CodeNotFound, Message: fmt.Sprintf("There is no workflow %q here.", named)})
}

func (p *program) pullCommand() *cobra.Command {
	var folder string
	var force bool
	c := &cobra.Command{
		Use: "pull [workflow]…", Short: "Write workflows to files",
		Long: "Write workflows to files: those that are named by id or name, or all of the space. A file that is there keeps its\n" +
			"name, its comments and its notation; only what differs changes. Files with changes that are not pushed stay as they\n" +
			"are, unless --force.",
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			files, problems, err := filesIn(folder)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			ids, err := pulled(c.Context(), client, args)
			if err != nil {
				return err
			}
			done := []map[string]any{}
			for _, id := range ids {
				f := files[id]
				if f == nil {
					f = &workflowFile{}
				}
				change, err := pull(c.Context(), client, f, id, folder, force)
				if err != nil {
					problems = append(problems, err)
					continue
				}
				done = append(done, map[string]any{"id": id, "file": f.path, "version": f.Version, "change": change})
				if !p.json {
					fmt.Fprintf(p.out, "%-9s %s\n", change, f.path)
				}
			}
			if p.json {
				if err := p.printJSON(done); err != nil {
					return err
				}
			}
			return errors.Join(problems...)
		},
	}
	c.Flags().StringVarP(&folder, "dir", "d", ".", "the folder of the files")
	c.Flags().BoolVar(&force, "force", false, "overwrite changes that are not pushed")
	return c
}

// pulled are the ids of the workflows that are wanted: those that are named, or all.
func pulled(ctx context.Context, client *atelier.Client, named []string) (ids []string, err error) {
	for _, name := range named {
		id, err := workflowID(ctx, client, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if len(named) > 0 {
		return ids, nil
	}
	fields := "id"
	for w, err := range client.API.GetWorkflowsAll(ctx, &api.GetWorkflowsParams{Fields: &fields}) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, w.ID)
	}
	slices.Sort(ids) // oldest first, so that names are given out in the same order everywhere
	return ids, nil
}

func pull(ctx context.Context, client *atelier.Client, f *workflowFile, id, folder string, force bool) (change string, err error) {
	from, err := fetch(ctx, client, id)
	if err != nil {
		return "", err
	}
	switch {
	case f.path == "":
		name, _ := from.Values["name"].(string)
		f.path, change = pathFor(folder, name), "new"
	case f.same(from):
		change = "unchanged"
	case f.mark() != f.synced && !force:
		return "", fmt.Errorf("%s has changes that are not pushed: push them, or pull --force", f.path)
	default:
		change = "changed"
	}
	f.take(from)
	return change, f.write()
}

func (p *program) pushCommand() *cobra.Command {
	var folder string
	var force bool
	c := &cobra.Command{
		Use: "push [file]…", Short: "Save files as workflows",
		Long: "Save files as workflows: those that are named, or all of the folder. A file without an id is a new workflow, and gets\n" +
			"its id. What was changed at the service since the file was pulled is refused, unless --force.",
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			files, problems, err := named(folder, args)
			if err != nil {
				return err
			}
			done := []map[string]any{}
			for _, f := range files {
				change, err := push(c.Context(), client, f, force)
				if err != nil {
					problems = append(problems, fmt.Errorf("%s: %w", f.path, err))
					continue
				}
				done = append(done, map[string]any{"id": f.ID, "file": f.path, "version": f.Version, "change": change})
				if !p.json {
					fmt.Fprintf(p.out, "%-9s %s\n", change, f.path)
				}
			}
			if p.json {
				if err := p.printJSON(done); err != nil {
					return err
				}
			}
			return errors.Join(problems...)
		},
	}
	c.Flags().StringVarP(&folder, "dir", "d", ".", "the folder of the files, when none is named")
	c.Flags().BoolVar(&force, "force", false, "save over what was changed at the service")
	return c
}

// named are the files of a command: those that are named, or those of a folder that are workflows, in the order of their
// paths, and what is wrong with others of it.
func named(folder string, paths []string) (files []*workflowFile, problems []error, err error) {
	if len(paths) == 0 {
		found, problems, err := filesIn(folder)
		if err != nil {
			return nil, nil, err
		}
		if len(found) == 0 && len(problems) == 0 {
			return nil, nil, usagef("%s has no files of workflows: atelierctl workflows pull", folder)
		}
		return slices.SortedFunc(maps.Values(found), func(a, b *workflowFile) int { return strings.Compare(a.path, b.path) }), problems, nil
	}
	for _, path := range paths {
		f, err := readWorkflow(path)
		if err != nil {
			return nil, nil, usageError{err}
		}
		files = append(files, f)
	}
	return files, nil, nil
}

func push(ctx context.Context, client *atelier.Client, f *workflowFile, force bool) (change string, err error) {
	method, path, body := "POST", "/v1/workflows", map[string]any{}
	for key, value := range f.Values {
		body[key] = value
	}
	change = "new"
	if f.ID != "" {
		from, err := fetch(ctx, client, f.ID)
		if err != nil {
			return "", err
		}
		if f.same(from) {
			f.take(from)
			return "unchanged", f.write()
		}
		method, path, change = "PATCH", path+"/"+url.PathEscape(f.ID), "changed"
		switch {
		case force:
		case f.synced == "":
			body["version"] = f.Version
		case f.synced != from.mark(): // a name or a description makes no version
			return "", &atelier.Error{Status: 409, Code: atelier.CodeStaleVersion, Message: "It was changed at the service since it was pulled: pull --force, or push --force"}
		default:
			body["version"] = from.Version
		}
	}
	var answer struct{ Data json.RawMessage }
	err = client.JSON(ctx, method, path, nil, body, &answer)
	if atelier.IsCode(err, atelier.CodeStaleVersion) {
		return "", fmt.Errorf("it was changed at the service since it was pulled: pull --force, or push --force: %w", err)
	}
	if err != nil {
		return "", err
	}
	saved, err := readDetail(answer.Data)
	if err != nil {
		return "", err
	}
	f.take(saved)
	return change, f.write()
}

func (p *program) diffCommand() *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use: "diff [file]…", Short: "Show what a push would change",
		Long: "Show what a push would change, in the form of diff -u. The exit code is 0 when nothing differs and 1 when something does.",
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			files, problems, err := named(folder, args)
			if err != nil {
				return err
			}
			differing := []map[string]any{}
			for _, f := range files {
				text, err := diff(c.Context(), client, f)
				if err != nil {
					return err
				}
				if text == "" {
					continue
				}
				differing = append(differing, map[string]any{"id": f.ID, "file": f.path, "diff": text})
				if !p.json {
					fmt.Fprint(p.out, text)
				}
			}
			if p.json {
				if err := p.printJSON(differing); err != nil {
					return err
				}
			}
			if len(differing) == 0 {
				return errors.Join(problems...)
			}
			if len(problems) > 0 {
				p.complain(errors.Join(problems...))
			}
			return errDiffers
		},
	}
	c.Flags().StringVarP(&folder, "dir", "d", ".", "the folder of the files, when none is named")
	return c
}

// diff shows what a push of the file would change: the file beside what a pull would make of it.
func diff(ctx context.Context, client *atelier.Client, f *workflowFile) (string, error) {
	if f.ID == "" {
		content, err := f.bytes()
		return lineDiff("/dev/null", f.path, "", string(content)), err
	}
	from, err := fetch(ctx, client, f.ID)
	if err != nil {
		return "", err
	}
	if f.same(from) {
		return "", nil
	}
	content, err := f.bytes()
	if err != nil {
		return "", err
	}
	there, err := parseWorkflow(content)
	if err != nil {
		return "", err
	}
	there.take(from)
	if here := child(f.root.Content[0], "version"); here != nil {
		*child(there.root.Content[0], "version") = *here // the content is what is compared
	}
	other, err := there.bytes()
	if err != nil {
		return "", err
	}
	return lineDiff(fmt.Sprintf("%s (at the service, version %d)", f.path, from.Version), f.path, string(other), string(content)), nil
}

func (p *program) runWorkflowCommand() *cobra.Command {
	var inputs []string
	var save string
	var watch, pushIt, noWait bool
	c := &cobra.Command{
		Use: "run <workflow>", Short: "Run a workflow, named by its file, its name or its id", Args: cobra.ExactArgs(1),
		Long: "Run a workflow as the service has it, and follow the run. With --push the file is saved first; with --watch it is saved\n" +
			"and run again whenever it changes, until you interrupt.",
		Example: "  atelierctl workflows run poster.yaml --input topic=\"a fox\" --watch",
		RunE: func(c *cobra.Command, args []string) error {
			client, err := p.client(c.Context())
			if err != nil {
				return err
			}
			path := args[0]
			_, err = os.Stat(path)
			isFile := err == nil
			if (watch || pushIt) && !isFile {
				return usagef("--push and --watch need a file")
			}
			id := ""
			once := func(saved func()) error {
				if isFile {
					f, err := readWorkflow(path)
					if err != nil {
						return err
					}
					if watch || pushIt {
						change, err := push(c.Context(), client, f, false)
						if err != nil {
							return err
						}
						saved()
						fmt.Fprintf(p.err, "%s %s\n", change, f.path)
					}
					if id = f.ID; id == "" {
						return usagef("%s is not pushed yet: --push", path)
					}
				} else if id, err = workflowID(c.Context(), client, path); err != nil {
					return err
				}
				return p.runOnce(c, client, id, inputs, save, noWait)
			}
			if !watch {
				return once(func() {})
			}
			return p.watch(c.Context(), path, once)
		},
	}
	c.Flags().StringArrayVarP(&inputs, "input", "i", nil, "name=value of an input; its name is <node>.<field>, or the field where only one has it")
	c.Flags().StringVarP(&save, "output", "o", "", "save the results to this folder")
	c.Flags().BoolVar(&watch, "watch", false, "save and run again whenever the file changes")
	c.Flags().BoolVar(&pushIt, "push", false, "save the file first")
	c.Flags().BoolVar(&noWait, "no-wait", false, "print the execution's id and do not wait")
	return c
}

func (p *program) runOnce(c *cobra.Command, client *atelier.Client, id string, inputs []string, save string, noWait bool) error {
	values, err := p.typed(c.Context(), client, id, inputs)
	if err != nil {
		return err
	}
	started, err := client.StartWorkflow(c.Context(), id, values)
	if err != nil {
		return err
	}
	if noWait {
		if p.json {
			return p.printJSON(started)
		}
		fmt.Fprintln(p.out, started.ExecutionID)
		return nil
	}
	bar := p.newBar("run")
	execution, err := client.AwaitExecution(c.Context(), started.ExecutionID, bar.run())
	bar.end()
	if err != nil {
		return err
	}
	outputs := atelier.OutputsOf(execution.NodeStates)
	if save != "" {
		if err := p.saveAll(c.Context(), client, outputs, save); err != nil {
			return err
		}
	}
	if p.json {
		return p.printJSON(execution)
	}
	if save == "" {
		var rows [][]string
		for _, o := range outputs {
			made := o.URL
			if made == "" {
				made = o.Text
			}
			if made == "" {
				made = valueText(o.Data)
			}
			rows = append(rows, []string{o.NodeID, made})
		}
		for _, row := range rows {
			fmt.Fprintf(p.out, "%s\t%s\n", printable(row[0]), strings.ReplaceAll(printable(row[1]), "\n", " "))
		}
	}
	fmt.Fprintf(p.err, "%s credits.\n", credits(execution.TotalCreditsUsed))
	return nil
}

// typed reads name=value as the inputs of a workflow have it: a text as it is, anything else as JSON.
func (p *program) typed(ctx context.Context, client *atelier.Client, id string, inputs []string) (map[string]any, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	schema, err := client.API.GetAPISchema(ctx, &api.GetAPISchemaParams{WorkflowID: id})
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, input := range inputs {
		name, text, ok := strings.Cut(input, "=")
		if !ok {
			return nil, usagef("--input %s: an input is name=value", input)
		}
		values[name] = text
		for _, known := range schema.Inputs {
			if known.ID != name && known.Field != name || known.Schema["type"] == "string" {
				continue
			}
			if value, err := readValue(text, p.in); err == nil {
				values[name] = value
			}
		}
	}
	return values, nil
}

// betweenLooks is how often a watched file is looked at.
const betweenLooks = 300 * time.Millisecond

// watch does something now and whenever a file changes. What goes wrong is told, and the next change is waited for. What
// is done says when it saved, and that its own writing is no change.
func (p *program) watch(ctx context.Context, path string, do func(saved func()) error) error {
	var had []byte
	saved := func() {
		if content, err := os.ReadFile(path); err == nil { // a push writes the version
			had = content
		}
	}
	for {
		content, err := os.ReadFile(path)
		if err == nil && !bytes.Equal(content, had) {
			had = content
			if err := do(saved); err != nil && ctx.Err() == nil {
				p.complain(err)
			}
			if ctx.Err() == nil && !p.json {
				fmt.Fprintf(p.err, "Waiting for changes of %s.\n", path)
			}
		}
		if err := pause(ctx, betweenLooks); err != nil {
			return err
		}
	}
}

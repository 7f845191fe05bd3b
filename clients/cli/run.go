package main

import (
	"errors"
	"fmt"
	"strings"

	atelier "atelier/clients/go"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runChoices are the flags of run that are the same for every app.
type runChoices struct {
	save    string
	noWait  bool
	version int
	inputs  string
	show    bool
}

func (p *program) runCommand() *cobra.Command {
	var choices runChoices
	c := &cobra.Command{
		Use: "run <app> [--<input> value]…", Short: "Run an app, with a flag for each field of its form",
		Long: "Run an app, follow the run, and print the result: the address of a file, or a text.\n\n" +
			"Each field of the app's form is a flag: atelierctl run <app> --help lists them. A file of this machine is uploaded\n" +
			"first. --output saves the result; --no-wait prints the run's id at once (atelierctl runs get <app> <id>).",
		Example:            "  atelierctl run poster --topic \"a fox\" --output fox.png\n  atelierctl run poster --help",
		DisableFlagParsing: true, // the flags are known once the app is
	}
	own := c.Flags()
	own.StringVarP(&choices.save, "output", "o", "", "save the result to this file, or all results to this folder/")
	own.BoolVar(&choices.noWait, "no-wait", false, "print the run's id and do not wait")
	own.IntVar(&choices.version, "version", 0, "run this version of the app")
	own.StringVar(&choices.inputs, "inputs", "", "all inputs as a JSON object, from a file (@name) or the input (@-); flags win")
	own.BoolVar(&choices.show, "show", true, "show a picture in terminals that can")
	c.RunE = func(c *cobra.Command, args []string) error { return p.runApp(c, &choices, args) }
	c.ValidArgsFunction = p.completeRun
	return c
}

// slugIn finds the app in the arguments of run, whose own flags may stand before it.
func slugIn(flags *pflag.FlagSet, args []string) (slug string, rest []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			break
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			return arg, append(append([]string{}, args[:i]...), args[i+1:]...)
		}
		var flag *pflag.Flag
		if name, long := strings.CutPrefix(arg, "--"); long {
			flag = flags.Lookup(name)
		} else if len(arg) == 2 {
			flag = flags.ShorthandLookup(arg[1:])
		}
		if flag != nil && flag.NoOptDefVal == "" && flag.Value.Type() != "bool" {
			i++ // its value
		}
	}
	return "", args
}

func (p *program) runApp(c *cobra.Command, choices *runChoices, args []string) error {
	ctx := c.Context()
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.SetOutput(p.err)
	flags.Usage = func() {}
	flags.AddFlagSet(c.InheritedFlags())
	flags.AddFlagSet(c.LocalNonPersistentFlags())
	if flags.Lookup("help") == nil {
		flags.BoolP("help", "h", false, "help for run")
	}
	slug, rest := slugIn(flags, args)
	if slug == "" {
		if err := flags.Parse(args); err != nil && !errors.Is(err, pflag.ErrHelp) {
			return usageError{err}
		}
		if help, _ := flags.GetBool("help"); help {
			return c.Help()
		}
		return usagef("which app? atelierctl run <app>")
	}
	// What names the install has to be known before the app's own flags can be.
	early := pflag.NewFlagSet("run", pflag.ContinueOnError)
	early.ParseErrorsAllowlist.UnknownFlags = true
	early.Usage = func() {}
	early.AddFlagSet(flags)
	_ = early.Parse(rest)
	app, form, err := p.formOf(c, slug)
	if err != nil {
		return err
	}
	inputs := addForm(flags, form, p.in)
	if err := flags.Parse(rest); err != nil {
		return usageError{err}
	}
	if help, _ := flags.GetBool("help"); help {
		p.helpRun(slug, app, flags)
		return nil
	}
	if flags.NArg() > 0 {
		return usagef("%q is one word too many: inputs are flags (atelierctl run %s --help)", flags.Arg(0), slug)
	}
	client, err := p.client(ctx)
	if err != nil {
		return err
	}
	values, err := p.valuesOf(c, client, choices.inputs, inputs)
	if err != nil {
		return err
	}
	var options []atelier.RunOption
	if choices.version != 0 {
		options = append(options, atelier.OfVersion(choices.version))
	}
	started, err := client.StartApp(ctx, slug, values, options...)
	if err != nil {
		return err
	}
	if choices.noWait {
		if p.json {
			return p.printJSON(started)
		}
		fmt.Fprintln(p.out, started.RunID)
		return nil
	}
	bar := p.newBar(app.Name)
	run, err := client.AwaitRun(ctx, slug, started.RunID, bar.run())
	bar.end()
	if err != nil {
		if ctx.Err() != nil && !p.json {
			fmt.Fprintf(p.err, "The run goes on: atelierctl runs get %s %s\n", slug, started.RunID)
		}
		return err
	}
	return p.showRun(c, client, app, run, choices.save, choices.show)
}

// valuesOf are a run's inputs; files of this machine are uploaded.
func (p *program) valuesOf(c *cobra.Command, client *atelier.Client, all string, inputs []*formFlag) (map[string]any, error) {
	values := map[string]any{}
	if all != "" {
		read, err := readValue(all, p.in)
		if err != nil {
			return nil, usagef("--inputs: %w", err)
		}
		given, ok := read.(map[string]any)
		if !ok {
			return nil, usagef("--inputs: not a JSON object")
		}
		values = given
	}
	for _, input := range inputs {
		if !input.set {
			continue
		}
		if input.file != "" {
			file, err := p.send(c.Context(), client, input.file)
			if err != nil {
				return nil, err
			}
			input.value = file.URL
		}
		values[input.ID] = input.value
	}
	return values, nil
}

// helpRun tells what an app asks for.
func (p *program) helpRun(slug string, app *atelier.App, flags *pflag.FlagSet) {
	fmt.Fprintf(p.out, "Run %s: %s credits.\n", printable(app.Name), credits(app.EstimatedCredits))
	if app.Description != "" {
		fmt.Fprintf(p.out, "%s\n", printable(app.Description))
	}
	form, others := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	form.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[formAnnotation] != nil {
			form.AddFlag(f)
		} else {
			others.AddFlag(f)
		}
	})
	fmt.Fprintf(p.out, "\nUsage:\n  atelierctl run %s [flags]\n", slug)
	if form.HasFlags() {
		fmt.Fprintf(p.out, "\nInputs:\n%s", form.FlagUsages())
	}
	fmt.Fprintf(p.out, "\nFlags:\n%s", others.FlagUsages())
}

// completeRun completes apps, then the flags of the chosen app's form and their choices.
func (p *program) completeRun(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags.AddFlagSet(c.InheritedFlags())
	flags.AddFlagSet(c.LocalNonPersistentFlags())
	slug, _ := slugIn(flags, args)
	if slug == "" {
		return p.completeApps(c, nil, begun)
	}
	_, form, err := p.formOf(c, slug)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	addForm(flags, form, p.in)
	if len(args) > 0 {
		if before := flags.Lookup(strings.TrimPrefix(args[len(args)-1], "--")); before != nil && strings.HasPrefix(args[len(args)-1], "--") {
			if f, ok := before.Value.(*formFlag); ok && f.Control != atelier.ControlToggle {
				var options []string
				for _, option := range f.Options {
					options = append(options, valueText(option))
				}
				if f.Control == atelier.ControlFile {
					return nil, cobra.ShellCompDirectiveDefault
				}
				return options, cobra.ShellCompDirectiveNoFileComp
			}
		}
	}
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[formAnnotation] != nil && strings.HasPrefix("--"+f.Name, begun) { // the others are known to cobra
			usage, _, _ := strings.Cut(f.Usage, "\n")
			names = append(names, "--"+f.Name+"\t"+brief(usage))
		}
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

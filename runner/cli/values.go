package cli

import (
	"context"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/inspect/report"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/runner/lsp"
)

// What a run for an editor may take. Nobody has asked for it, so that it ends where a person would wait.
const (
	valuesTime   = 10 * time.Second
	valuesBytes  = 1 << 30 // of tensors
	valuesBudget = 1 << 26 // of the launch that is looked at
)

// valuesOf runs a text in the place of a file, and gives the values of the first launch of each of its kernels, by the
// program with the first problem.
func (o *checkOptions) valuesOf(ctx context.Context, e *Env, path, text string, open map[string]string,
	lang diag.Lang) (list []lsp.Value) {
	doc, _ := document.Parse(path, text)
	tree, wrong := syntax.Parse(source.NewFile(path, text))
	if doc == nil || wrong.HasErrors() || len(lower.Kernels(tree)) == 0 {
		return nil
	}
	files, err := foldersOf(e, path, o.packages)
	if err != nil {
		return nil
	}
	defer files.Close()
	files.asModule()
	files.replace(open)
	ctx, cancel := context.WithTimeout(ctx, valuesTime)
	defer cancel()
	d := cpu.New(cpu.Options{})
	defer d.Close()
	options := files.options()
	options.Argv, options.Triton = []string{path}, o.triton
	options.Tensors = tensor.New(tensor.Options{MaxBytes: valuesBytes, MaxElements: valuesBytes / 4})
	var run *script.Run
	seen := map[string]bool{}
	run = script.New(doc.Script(), script.Options{Host: options, Launcher: &script.Launcher{Device: d}, Script: true,
		Tests: host.HasTests(path, text), Keep: script.Keep{Launches: 1 << 10, Bytes: valuesBytes, Alike: 1},
		Emit: func(event script.Event) {
			if event.Kind == script.Launched && !seen[event.Launch.Kernel] {
				seen[event.Launch.Kernel] = true
				list = append(list, valuesOfLaunch(ctx, run, event.Launch, lang)...)
			}
		}})
	run.All(ctx)
	return list
}

// valuesOfLaunch are the values in the document of one program of a launch; of a loop those of its first iteration.
func valuesOfLaunch(ctx context.Context, run *script.Run, of *script.Launch, lang diag.Lang) (list []lsp.Value) {
	k, args, _, ok := run.Open(of)
	if !ok {
		return nil
	}
	l, why := inspect.New(k, args, of.Shapes(args), device.Launch{Grid: of.Grid, Budget: valuesBudget})
	if why != nil {
		return nil
	}
	r, err := l.RunProblem(ctx, 0, nil)
	if err != nil {
		return nil
	}
	lines := map[int]int{} // the value of a line by its place in the list
	add := func(at source.Span, text, detail string) {
		if _, _, ok := run.Ran(at.Start); !ok { // it is in a module
			return
		}
		line := report.LineOf(run.Sources(), at)
		if i, ok := lines[line]; ok {
			list[i].Text += ", " + text
			list[i].Detail += "\n" + detail
			return
		}
		lines[line] = len(list)
		list = append(list, lsp.Value{Line: line, Text: text, Detail: detail})
	}
	add(of.Span, diag.Text{Key: "report.launch", Args: []any{of.Kernel, inspect.ProgramText(r.Grid, r.Program),
		inspect.ProgramText(r.Grid, r.Grid)}}.In(lang), "")
	type place struct {
		at   source.Span
		name string
	}
	shown := map[place]bool{}
	for _, step := range r.Steps {
		if step.Name == "" || step.Value == nil || shown[place{step.Span, step.Name}] {
			continue
		}
		shown[place{step.Span, step.Name}] = true
		detail := step.Name + ": " + step.Value.TypeText()
		if step.Access != nil {
			detail += "\n" + step.Access.Sentence.In(lang)
		}
		add(step.Span, step.Name+" = "+step.Value.In(lang), detail)
	}
	return list
}

package api

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// launch is a launch as the page lists it.
func (s *stream) launch(l *script.Launch) CellLaunch {
	out := CellLaunch{
		Number: l.Number, Kernel: l.Kernel, Grid: l.Grid[:], Line: s.places.Position(l.Span.Start).Line,
		MS: milliseconds(l.Took), OK: l.Failure == nil, Kept: l.State == script.Kept,
	}
	for _, a := range l.Args {
		out.Args = append(out.Args, LaunchArg{Name: a.Name, Text: cmp.Or(tensorType(a), shortened(a.Value))})
	}
	out.Options = optionsOf(l.Options)
	if l.Failure != nil {
		out.Message = l.Failure.In(s.call.lang).Headline
	}
	return out
}

// optionsOf are the options of a launch: those that every launch has, then others by their names.
func optionsOf(given map[string]string) []LaunchArg {
	list := []LaunchArg{
		{"num_warps", cmp.Or(given["num_warps"], strconv.Itoa(script.DefaultWarps))},
		{"num_stages", cmp.Or(given["num_stages"], strconv.Itoa(script.DefaultStages))},
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if name != "num_warps" && name != "num_stages" {
			list = append(list, LaunchArg{name, shortened(given[name])})
		}
	}
	return list
}

// tensorType is a tensor argument's dtype and shape; "" for other arguments.
func tensorType(a script.Arg) string {
	if a.DType == "" {
		return ""
	}
	return a.DType + " " + strings.ReplaceAll(fmt.Sprint(a.Shape), " ", ", ")
}

func shortened(text string) string {
	if len(text) > 80 {
		return strings.ToValidUTF8(text[:80], "") + "…"
	}
	return text
}

// opened makes a launch of a session ready to be made again: nil where what it takes is not kept.
func (d *documents) opened(
	sessionName string, number int,
) (*script.Launch, *launch.Kernel, []launch.Arg, launch.Target) {
	s := d.session
	if s == nil || s.name != sessionName {
		return nil, nil, nil, launch.Target{}
	}
	list, _ := s.run.Launches()
	at := slices.IndexFunc(list, func(l *script.Launch) bool { return l.Number == number })
	if at < 0 {
		return nil, nil, nil, launch.Target{}
	}
	k, args, target, ok := s.run.Open(list[at])
	if !ok {
		return nil, nil, nil, launch.Target{}
	}
	return list[at], k, args, target
}

// look makes a launch once more, on copies of its tensors, and shows what it does to them.
func (d *documents) look(c *call, r *LookRequest) *FreeReply {
	out := &FreeReply{}
	l, k, args, _ := d.opened(r.Session, r.Number)
	if k == nil {
		return out
	}
	before := make([][]byte, len(args))
	for i, a := range args {
		if a.Tensor != nil {
			before[i] = a.Tensor.Elements(l.Shape(i, a.Tensor))
		}
	}
	places := &cellPlaces{d.session, r.Text}
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	report, fault := k.Run(ctx, launch.Target{Device: launch.Interpreter}, args,
		device.Launch{Grid: l.Grid, Budget: c.budget})
	list := report.Diagnostics
	if fault != nil {
		list.Add(fault)
		out.Message = fault.In(c.lang).Headline
	}
	out.OK, out.Grid, out.RunMS = len(list) == 0, l.Grid[:], milliseconds(l.Took)
	out.Diagnostics, out.Prints = c.diagnostics(places, list), prints(places, report.Prints)
	for i, a := range args {
		if a.Tensor == nil {
			continue
		}
		shape := l.Shape(i, a.Tensor)
		t := judge.Array{
			Array: puzzles.Array{Name: a.Name, DType: a.Tensor.DType, Shape: shape.Sizes},
			Data:  a.Tensor.Elements(shape),
		}
		out.Tensors = append(out.Tensors, FreeTensor{
			View: *sampleOf(t.Shape, nil).view(t), Text: tensorText(t), Changed: changed(t, before[i]),
		})
	}
	return out
}

// inspect shows what a launch does, made once more on copies of its tensors.
func (d *documents) inspect(c *call, r *InspectRequest) { c.inspectLaunch(r, d.find(c, c.observed)) }

// find finds launches of a session, too.
func (d *documents) find(c *call, other finds) finds {
	return func(r *InspectRequest, out *InspectReply) *inspected {
		if r.Look == nil {
			return other(r, out)
		}
		of := d.inspected(r.Look)
		if of == nil {
			out.Message = c.text("inspect.gone")
		}
		return of
	}
}

// inspected is a launch of a session; nil where what it takes is not kept.
func (d *documents) inspected(r *LookRequest) *inspected {
	l, k, args, target := d.opened(r.Session, r.Number)
	if k == nil {
		return nil
	}
	return &inspected{
		places: &cellPlaces{d.session, r.Text}, kernel: k, args: args, shapes: l.Shapes(args),
		with: device.Launch{Grid: l.Grid}, options: target.Options,
	}
}

// launchIR is the kernel of a launch. Its spans are places in the document's text.
func (d *documents) launchIR(r *LookRequest) *IRReply {
	l, k, _, target := d.opened(r.Session, r.Number)
	if k == nil {
		return &IRReply{}
	}
	fn, err := d.inText(k.Func, r.Text)
	if err != nil {
		return &IRReply{}
	}
	lowered, err := d.inText(k.Observable().Func, r.Text)
	if err != nil {
		return &IRReply{}
	}
	return &IRReply{
		IR: wireOf(fn), Lowered: wireOf(lowered), Kernel: l.Kernel, Signature: k.Signature,
		NumWarps: target.NumWarps, NumStages: target.NumStages,
	}
}

// inText is a function whose spans are places in the document's text.
func (d *documents) inText(of *ir.Func, text string) (*ir.Func, error) {
	fn, err := ir.Decode(ir.Encode(of)) // a copy
	if err != nil {
		return nil, err
	}
	places := &cellPlaces{d.session, text}
	moved := map[source.Span]source.Span{} // most operations share theirs with others
	fn.Body.Walk(func(in *ir.Instr) {
		to, ok := moved[in.Span]
		if !ok {
			to = source.Span{Start: places.at(in.Span.Start), End: places.at(in.Span.End)}
			moved[in.Span] = to
		}
		in.Span = to
	})
	return fn, nil
}

package api

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"slices"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/interp/launch"
)

// check compiles without running: for a puzzle's classic launch, for a form's arguments, or for
// what can be guessed where neither is there.
func (c *call) check(r *CheckRequest) *CheckReply {
	if r.Document && c.extra != nil {
		file, list, live := c.extra.checked(r.Source, r.Files)
		list = append(list, c.diagnose(file, r, live)...)
		list.Sort()
		text := source.NewFile(documentFile, r.Source)
		return &CheckReply{Diagnostics: c.diagnostics(linePlaces{file, text}, list)}
	}
	file := source.NewFile("kernel.py", r.Source)
	out := &CheckReply{Diagnostics: c.diagnostics(file, c.diagnose(file, r, nil))}
	if len(r.Args) > 0 {
		out.Field = c.form.problem
	}
	return out
}

func (c *call) diagnose(file *source.File, r *CheckRequest, live func(*syntax.Module) *syntax.Module) diag.List {
	if j, ok := c.judgeOf(r.Puzzle, r.Custom); ok {
		return j.Diagnose(file, r.Strict)
	}
	if args := c.formArgs(r); len(args) > 0 {
		_, list := launch.Compile(file, r.Kernel, args, r.Strict)
		return list
	}
	return editor.Check(context.Background(), file, editor.Options{Strict: r.Strict, Live: live})
}

// ir compiles what a check would, and gives the kernel's IR.
func (c *call) ir(r *CheckRequest) *IRReply {
	file := source.NewFile("kernel.py", r.Source)
	var k *launch.Kernel
	if j, ok := c.judgeOf(r.Puzzle, r.Custom); ok {
		k, _ = j.Compile(file, r.Strict)
	} else if args := c.formArgs(r); len(args) > 0 {
		k, _ = launch.Compile(file, r.Kernel, args, r.Strict)
	}
	if k == nil {
		return &IRReply{}
	}
	return &IRReply{IR: wireOf(k.Func), Lowered: wireOf(k.Observable().Func), Kernel: k.Kernel, Signature: k.Signature}
}

// wireOf is a function as the compiler to PTX takes it.
func wireOf(fn *ir.Func) string { return base64.StdEncoding.EncodeToString(ir.Encode(fn)) }

// form is the form that was evaluated last for a check: while somebody types it stays the same.
type form struct {
	of      []FreeArg
	grid    string
	lang    diag.Lang
	args    []launch.Arg  // without the tensors' memory, which compiling does not need
	problem *FieldProblem // why there are none
}

// formArgs are a form's arguments; none where it has none, or where one of its fields is wrong.
func (c *call) formArgs(r *CheckRequest) []launch.Arg {
	if len(r.Args) == 0 {
		return nil
	}
	if !slices.Equal(c.form.of, r.Args) || c.form.grid != r.Grid || c.form.lang != c.lang {
		c.form = form{of: r.Args, grid: r.Grid, lang: c.lang}
		// A form whose grid is still empty can be checked; it cannot run.
		f, err := c.evaluate(&FreeRequest{Args: r.Args, Grid: cmp.Or(r.Grid, "1")})
		if p, ok := errors.AsType[*problem](err); ok {
			c.form.problem = &FieldProblem{p.field, p.text}
			return nil
		}
		c.form.args = f.args
		for _, a := range f.args {
			if a.Tensor != nil {
				// A form that is kept between keystrokes would keep megabytes.
				a.Tensor.Data = nil
			}
		}
	}
	return c.form.args
}

func (c *call) text(key string, args ...any) string {
	return diag.Text{Key: key, Args: args}.In(c.lang)
}

func (c *call) docOf(t tl.Text) string {
	if c.lang == diag.Chinese {
		return t.Zh
	}
	return t.En
}

func (c *call) complete(r *CompleteRequest) *CompleteReply {
	file := source.NewFile("kernel.py", r.Source)
	from, items := editor.Complete(file, offset(r.Source, r.Offset), r.Needed)
	out := &CompleteReply{From: file.UTF16(int32(from)), Items: make([]Completion, 0, len(items))}
	for _, i := range items {
		out.Items = append(out.Items, Completion{
			Label: i.Label, Kind: i.Kind, Detail: i.Detail, Doc: c.docOf(i.Doc), Rank: i.Rank,
		})
	}
	return out
}

func (c *call) signature(r *SignatureRequest) *SignatureReply {
	file := source.NewFile("kernel.py", r.Source)
	h := editor.SignatureAt(file, offset(r.Source, r.Offset))
	if h == nil {
		return &SignatureReply{Params: []string{}}
	}
	return &SignatureReply{
		Open: file.UTF16(int32(h.Open)), Name: h.Name, Params: h.Params, Active: h.Active, Doc: c.docOf(h.Doc),
	}
}

func (c *call) hover(r *HoverRequest) *HoverReply {
	file := source.NewFile("kernel.py", r.Source)
	h := editor.Hover(file, offset(r.Source, r.Offset), compiler.Options{})
	if h == nil {
		return &HoverReply{}
	}
	return &HoverReply{
		From: file.UTF16(h.Span.Start), To: file.UTF16(h.Span.End),
		Signature: h.Signature, Doc: c.docOf(h.Doc), Example: h.Example,
	}
}

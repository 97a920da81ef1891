package api

import (
	"encoding/base64"
	"slices"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/interp/launch"
)

// check compiles without running: for a puzzle's classic launch, for a form's arguments, or for
// what can be guessed where neither is there.
func (c *call) check(r *CheckRequest) *CheckReply {
	file := source.NewFile("kernel.py", r.Source)
	return &CheckReply{Diagnostics: c.diagnostics(file, c.diagnose(file, r))}
}

func (c *call) diagnose(file *source.File, r *CheckRequest) diag.List {
	if j, ok := c.judgeOf(r.Puzzle, r.Custom); ok {
		return j.Diagnose(file, r.Strict)
	}
	if args := c.formArgs(r.Args); len(args) > 0 {
		_, list := launch.Compile(file, r.Kernel, args, r.Strict)
		return list
	}
	return compiler.Check(file, r.Strict)
}

// ir compiles what a check would, and gives the kernel's IR.
func (c *call) ir(r *CheckRequest) *IRReply {
	file := source.NewFile("kernel.py", r.Source)
	var k *launch.Kernel
	if j, ok := c.judgeOf(r.Puzzle, r.Custom); ok {
		k, _ = j.Compile(file, r.Strict)
	} else if args := c.formArgs(r.Args); len(args) > 0 {
		k, _ = launch.Compile(file, r.Kernel, args, r.Strict)
	}
	if k == nil {
		return &IRReply{}
	}
	return &IRReply{IR: base64.StdEncoding.EncodeToString(ir.Encode(k.Func)), Kernel: k.Kernel, Signature: k.Signature}
}

// form is the form that was evaluated last for a check: while somebody types it stays the same.
type form struct {
	of   []FreeArg
	args []launch.Arg // without the tensors' memory, which compiling does not need
}

// formArgs are a form's arguments; none where it has none, or where one of them is wrong.
func (c *call) formArgs(of []FreeArg) []launch.Arg {
	if len(of) == 0 {
		return nil
	}
	if !slices.Equal(c.form.of, of) {
		c.form = form{of: of}
		if f, err := c.evaluate(&FreeRequest{Args: of, Grid: "1"}); err == nil {
			c.form.args = f.args
			for _, a := range f.args {
				if a.Tensor != nil {
					a.Tensor.Data = nil
				}
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
	from, items := compiler.Complete(file, offset(r.Source, r.Offset))
	out := &CompleteReply{From: file.UTF16(int32(from)), Items: make([]Completion, 0, len(items))}
	for _, i := range items {
		out.Items = append(out.Items, Completion{Label: i.Label, Kind: i.Kind, Detail: i.Detail, Doc: c.docOf(i.Doc)})
	}
	return out
}

func (c *call) hover(r *HoverRequest) *HoverReply {
	file := source.NewFile("kernel.py", r.Source)
	h := compiler.Hover(file, offset(r.Source, r.Offset), compiler.Options{})
	if h == nil {
		return &HoverReply{}
	}
	return &HoverReply{
		From: file.UTF16(h.Span.Start), To: file.UTF16(h.Span.End),
		Signature: h.Signature, Doc: c.docOf(h.Doc), Example: h.Example,
	}
}

package api

import (
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/propose"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/usage"
)

// kernels lists a source's kernels, each with a launch that is likely to suit it.
func (c *call) kernels(r *KernelsRequest) *KernelsReply {
	m, _ := syntax.Parse(source.NewFile("kernel.py", r.Source))
	info, _ := resolve.Resolve(m)
	uses := usage.Infer(info, nil)
	out := &KernelsReply{Kernels: []Kernel{}}
	for _, fn := range lower.Kernels(m) {
		launch := propose.For(fn, uses)
		k := Kernel{Name: fn.Name, Args: make([]FreeArg, 0, len(launch.Args)), Grid: launch.Grid}
		for _, a := range launch.Args {
			k.Args = append(k.Args, FreeArg(a))
		}
		out.Kernels = append(out.Kernels, k)
	}
	return out
}

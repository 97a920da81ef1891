package api

import (
	"strings"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// kernels lists a source's kernels, each with arguments that are likely to suit it.
func (c *call) kernels(r *KernelsRequest) *KernelsReply {
	m, _ := syntax.Parse(source.NewFile("kernel.py", r.Source))
	out := &KernelsReply{Kernels: []Kernel{}}
	for _, fn := range lower.Kernels(m) {
		k := Kernel{Name: fn.Name, Args: make([]FreeArg, 0, len(fn.Params.List))}
		for i := range fn.Params.List {
			k.Args = append(k.Args, propose(&fn.Params.List[i]))
		}
		out.Kernels = append(out.Kernels, k)
	}
	return out
}

// proposals guess an argument from its parameter's name: the first that fits counts. A name fits where it
// begins or ends with one of the affixes.
var proposals = []struct {
	affixes []string
	arg     FreeArg
}{
	{[]string{"out", "z_ptr", "c_ptr", "o_ptr", "dst"}, FreeArg{Kind: "tensor", DType: "float32", Shape: "1024", Fill: "zeros"}},
	{[]string{"ptr", "_p"}, FreeArg{Kind: "tensor", DType: "float32", Shape: "1024", Fill: "rand"}},
	{[]string{"eps"}, FreeArg{Kind: "float", Value: "1e-5"}},
	{[]string{"scale", "alpha", "beta"}, FreeArg{Kind: "float", Value: "1.0"}},
	{[]string{"stride"}, FreeArg{Kind: "int", Value: "1"}},
}

// propose is the argument proposed for a parameter.
func propose(p *syntax.Param) FreeArg {
	constexpr := p.Annotation != nil && strings.HasSuffix(syntax.String(p.Annotation), "constexpr")
	arg := FreeArg{Kind: "int", Value: "1024"}
	switch name := strings.ToLower(p.Name); {
	case p.Default != nil && constexpr:
		arg = FreeArg{Kind: "constexpr", Value: syntax.String(p.Default)}
	case constexpr:
		arg = FreeArg{Kind: "constexpr", Value: "128"}
	default:
		for _, g := range proposals {
			if fits(name, g.affixes) {
				arg = g.arg
				break
			}
		}
	}
	arg.Name = p.Name
	return arg
}

func fits(name string, affixes []string) bool {
	for _, a := range affixes {
		if strings.HasPrefix(name, a) || strings.HasSuffix(name, a) {
			return true
		}
	}
	return false
}

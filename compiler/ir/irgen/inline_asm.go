package irgen

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	_ "github.com/newtlab/newt/compiler/ptx/sim" // the assembler of inline assembly
	"github.com/newtlab/newt/compiler/types"
)

// inlineTexts are texts whose results depend on each element alone.
var inlineTexts = []struct {
	text, constraints string
	results, args     []num.DType
	pack              int
}{
	{"xor.b32 $0, $1, $2;", "=r,r,r", []num.DType{num.Int32}, []num.DType{num.Int32, num.Int32}, 1},
	{"and.b32 $0, $1, $2;", "=r,r,r", []num.DType{num.Int8}, []num.DType{num.Int8, num.Int8}, 4},
	{"or.b32 $0, $1, $2;", "=r,r,r", []num.DType{num.Uint16}, []num.DType{num.Uint16, num.Uint16}, 2},
	{"mov.b32 {$0, $1}, $2;", "=h,=h,r", []num.DType{num.Int16, num.Int16}, []num.DType{num.Int32}, 1},
	{"selp.b32 $0, $1, 7, $2;", "=r,r,b", []num.DType{num.Int32}, []num.DType{num.Int32, num.Int1}, 1},
	{"{ .reg .pred %p1; setp.lt.s64 %p1, $1, $2; @%p1 add.s64 $0, $1, 3; @!%p1 mov.b64 $0, $2; }", "=l,l,l",
		[]num.DType{num.Int64}, []num.DType{num.Int64, num.Int64}, 1},
}

func (g *generator) genInlineAsm(op ops.Op) {
	a := pick(g, inlineTexts)
	shape := pick(g, g.cfg.Shapes)
	for _, d := range slices.Concat(a.results, a.args) {
		if !slices.Contains(g.cfg.DTypes, d) {
			return
		}
	}
	if len(shape) > 0 && types.Tile(num.Int32, shape...).Numel()%a.pack != 0 {
		return
	}
	var args []*ir.Value
	for _, d := range a.args {
		args = append(args, g.wantValue(types.Tile(d, shape...)))
	}
	var names []string
	for _, d := range a.results {
		names = append(names, d.Info().Short)
	}
	g.addToPool(g.emit(op, args, attr("text", a.text), attr("constraints", a.constraints),
		attr("results", strings.Join(names, ",")), attr("pack", int64(a.pack)))...)
}

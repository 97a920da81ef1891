package ops

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	_ "github.com/newtlab/newt/compiler/ptx/sim" // the assembler of inline assembly
	"github.com/newtlab/newt/compiler/types"
)

// TestInlineAsmOfStrangers: what comes over the network may have any text, constraints and types.
func TestInlineAsmOfStrangers(t *testing.T) {
	word, tile := types.Scalar(num.Int32), types.Tile(num.Int32, 2)
	pointer := types.PointerTo(num.Int32)
	const add = "add.s32 $0, $1, 1;"
	for _, c := range []struct {
		text, constraints, results string
		pack                       int64
		operand                    *types.Type
		taken                      bool
	}{
		{add, "=r,r", "i32", 1, &word, true},
		{add, "=r,r", "u32", 1, &tile, true},
		{add, "=r,r", "i32", 1, &pointer, false},
		{add, "=r,r", "i32,i32", 1, &word, false},
		{add, "=r,r", "int32", 1, &word, false},
		{add, "=r,r", "", 1, &word, false},
		{add, "=r,r", "i32", 1 << 40, &word, false},
		{add, "=r,r", "i32", -1, &word, false},
		{add, "=r,n", "i32", 1, &word, false},
		{"mov.b32 $0, $1; mov.b32 $0, $2; mov.b32 $0, $3;", "=r,=r,=r,=r,r,r,r,r", "i32", 4, &tile, false},
		{"", "=r,r", "i32", 1, &word, true},
		{"} st.global.b32 [$1], $1; {", "=r,r", "i32", 1, &word, false},
		{"st.global.b32 [$1], $1;", "=r,r", "i32", 1, &word, false},
		{"@p trap;", "=r,r", "i32", 1, &word, false},
		{"mov.b32 $0, %r1;", "=r,r", "i32", 1, &word, false},
		{strings.Repeat(" ", 5000), "=r,r", "i32", 1, &word, false},
	} {
		attrs := Attrs{{"text", c.text}, {"constraints", c.constraints}, {"results", c.results}, {"pack", c.pack}}
		for _, op := range []Op{InlineAsm, InlineAsmVolatile} {
			if _, m := Infer(op, []*types.Type{c.operand}, attrs); (m == nil) != c.taken {
				t.Errorf("%s %q: %v", op, c.text, m)
			}
		}
	}
}

package isa

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ptx/arch"
)

// wrong is a statement that ptxas refuses. It ends every module: then ptxas, which reports all that is wrong with the
// text, generates no code, which would take twenty times as long, and the test knows that refusals are read.
const wrong = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%d0], %r1;"

// TestAssembles has ptxas assemble each row of the table with every choice of its modifiers and with made-up operands,
// for every target that the row has, in the least version that it claims.
func TestAssembles(t *testing.T) {
	ptxas.Need(t)
	for _, target := range ptxas.All {
		for version, list := range Statements(target) {
			t.Run(fmt.Sprint(target, "/", version), func(t *testing.T) {
				found := false
				t.Parallel()
				text := ModuleOf(target, version, append(list, wrong))
				refused := ptxas.Refused(t, target, text)
				lines := strings.Split(text, "\n")
				for _, line := range slices.Sorted(maps.Keys(refused)) {
					if s := strings.TrimSpace(lines[line-1]); s != wrong {
						t.Errorf("%s: %s", s, refused[line])
						continue
					}
					found = true
				}
				if !found {
					t.Errorf("ptxas takes %s", wrong)
				}
			})
		}
	}
}

// Statements are made of each row of the table that a target has, by the least version: with every choice of its
// modifiers, without and with its optional operands.
func Statements(target string) map[int][]string {
	byBase()
	all := map[int][]string{}
	for _, s := range table {
		for i := range s.rows {
			in := &s.rows[i]
			for _, words := range in.spellings() {
				if f := in.form(words); f.On(target) && !tooWide(words) {
					v := max(f.Version, arch.Find(target).Version)
					all[v] = append(all[v], statements(f, words)...)
				}
			}
		}
	}
	return all
}

// spellings are the opcodes of a row, in words.
func (in *Instruction) spellings() (all [][]string) {
	all = [][]string{nil}
	for _, p := range in.parts {
		var next [][]string
		for _, words := range all {
			if p.optional {
				next = append(next, words)
			}
			for _, a := range p.alternatives {
				for _, n := range numbersIn(a) {
					next = append(next, append(slices.Clip(words), strings.Replace(a, "*", n, 1)))
				}
			}
		}
		all = next
	}
	return all
}

// numbersIn are some numbers that stand for the * of an alternative.
func numbersIn(alternative string) []string {
	if strings.Contains(alternative, "*") {
		return []string{"8", "64", "256"} // the columns of wgmma
	}
	return []string{""}
}

// statements are an instruction without and with its optional operands.
func statements(f Form, words []string) (list []string) {
	least, most := f.Arity()
	for _, n := range slices.Compact([]int{least, most}) {
		list = append(list, statement(f, words, n))
	}
	return list
}

func statement(f Form, words []string, operands int) string {
	var dst, src []string
	w := writer{words: words}
	for i, o := range f.Dst {
		if i < operands {
			dst = append(dst, w.operand(o))
		}
	}
	for i, o := range f.Src {
		if i+len(f.Dst) < operands || !o.Optional {
			src = append(src, w.operand(o))
		}
	}
	parts := src
	if len(dst) > 0 {
		parts = append([]string{strings.Join(dst, "|")}, src...)
	}
	return strings.Join(words, ".") + " " + strings.Join(parts, ", ") + ";"
}

// writer makes operands up: registers in order.
type writer struct {
	words []string
	next  int
}

var registerPrefixes = map[int]string{1: "%p", 16: "%h", 32: "%r", 64: "%d"}

// immediates are those that an opcode accepts where 1 is none.
var immediates = map[string]string{"cp.async.ca": "16", "cp.async.cg": "16", "setmaxnreg": "40"}

func (w *writer) operand(o Operand) string {
	op := strings.Join(w.words, ".")
	switch o.Kind {
	case Immediate:
		for prefix, value := range immediates {
			if strings.HasPrefix(op, prefix) {
				return value
			}
		}
		return "1"
	case Label:
		return "end"
	case Memory:
		if strings.HasPrefix(op, "ld.param") {
			return "[parameter]"
		}
		return "[%d0]"
	case Box:
		return "[%d0, {%r0, %r1, %r2}]"
	case Vector:
		n := cmp.Or(o.Len, accumulators(w.words))
		var list []string
		for range n {
			list = append(list, w.register(o.Bits))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	return w.register(o.Bits)
}

func (w *writer) register(bits int) string {
	w.next++
	return registerPrefixes[bits] + strconv.Itoa(w.next)
}

// accumulators is how many registers of a thread have the accumulator of wgmma.
func accumulators(words []string) int {
	for _, word := range words {
		var n, k int
		if got, _ := fmt.Sscanf(word, "m64n%dk%d", &n, &k); got == 2 {
			return n / 2
		}
	}
	return 1
}

// ModuleOf is a module of entries that have the statements between them.
func ModuleOf(target string, version int, list []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".version %d.%d\n.target %s\n.address_size 64\n", version/10, version%10, target)
	for some := range slices.Chunk(list, 200) {
		fmt.Fprintf(&b, ".entry k%d(.param .align 16 .b8 parameter[64]) {\n", b.Len())
		b.WriteString(".reg .pred %p<200>;\n.reg .b16 %h<200>;\n.reg .b32 %r<200>;\n.reg .b64 %d<200>;\n")
		for _, s := range some {
			b.WriteString("\t" + s + "\n")
		}
		b.WriteString("end:\n\tret;\n}\n")
	}
	return b.String()
}

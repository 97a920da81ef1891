package host

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/infra/soak"
)

// grammar is that of testdata/differential/grammar.txt: the alternatives of each name.
type grammar map[string][]string

func readGrammar(t *testing.T) grammar {
	text, err := os.ReadFile("testdata/differential/grammar.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := grammar{}
	for line := range strings.Lines(string(text)) {
		if name, alternatives, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && name[0] != '#' {
			g[name] = strings.Split(alternatives, " | ")
		}
	}
	return g
}

// expand writes a random text of a name. Beyond a depth it takes one of the first alternatives.
func (g grammar) expand(b *strings.Builder, r *rand.Rand, name string, depth int) {
	list := g[name]
	if depth <= 0 {
		list = list[:min(len(list), 2)]
	}
	for rest := list[r.IntN(len(list))]; rest != ""; {
		brace := strings.IndexAny(rest, "{}")
		if brace < 0 {
			b.WriteString(rest)
			return
		}
		b.WriteString(rest[:brace])
		inner, after, _ := strings.Cut(rest[brace+1:], "}")
		switch {
		case rest[brace:brace+2] == rest[brace:brace+1]+rest[brace:brace+1]:
			b.WriteByte(rest[brace])
			rest = rest[brace+2:]
		case g[inner] == nil:
			panic("the grammar has no " + inner)
		default:
			g.expand(b, r, inner, depth-1)
			rest = after
		}
	}
}

// since311 is what Python says since 3.12, as newt does, and varies what two runs of Python may differ in: 3.12 takes
// f-strings that 3.11 does not.
var (
	since311 = regexp.MustCompile(`iterable argument is empty|OrderedDict\(\{|argument for islice|is_integer`)
	varies   = regexp.MustCompile(` SyntaxError | at 0x|is_integer`)
)

// snippets is how many expressions a script has.
const snippets = 400

// script is a program that prints the values of random expressions, or their exceptions, a line each.
func (g grammar) script(r *rand.Rand, setup string) (text string, expressions []string) {
	var b strings.Builder
	b.WriteString(setup)
	for i := range snippets {
		var e strings.Builder
		g.expand(&e, r, "any", 2+r.IntN(3))
		expressions = append(expressions, e.String())
		fmt.Fprintf(&b, "show(%d, %s)\n", i, python.Repr(python.Str(e.String())))
	}
	return b.String(), expressions
}

// TestDifferential compares random expressions with the machine's CPython, where it is the version that the recorded
// answers are from.
func TestDifferential(t *testing.T) {
	version, err := exec.Command("python3", "-c", "import sys; print(sys.version_info[:2])").Output()
	if err != nil || strings.TrimSpace(string(version)) != "(3, 11)" {
		t.Skip("there is no CPython 3.11")
	}
	setup, err := os.ReadFile("testdata/differential/setup.py")
	if err != nil {
		t.Fatal(err)
	}
	g := readGrammar(t)
	for seed := range soak.Times(8) {
		text, expressions := g.script(rand.New(rand.NewPCG(seed, 0)), string(setup))
		cpython := exec.Command("python3", "-W", "ignore", "-")
		cpython.Stdin = strings.NewReader(text)
		cpython.Env = append(os.Environ(), "PYTHONUTF8=1")
		want, err := cpython.Output()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, diags := run(text, withLibraries(Options{}))
		theirs, ours := strings.Split(string(want), "\n"), strings.Split(got, "\n")
		for i, e := range expressions {
			if i < len(ours) && (ours[i] == theirs[i] || since311.MatchString(ours[i]) || varies.MatchString(theirs[i])) {
				continue
			}
			t.Errorf("seed %d: %s\n\tgives %s\n\twant  %s", seed, e, at(ours, i), theirs[i])
		}
		if diags.HasErrors() {
			t.Errorf("seed %d: %s", seed, words(diags))
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

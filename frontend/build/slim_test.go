package main

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/infra/vectorgen"
)

// program is a program whose output says whether the runtime still does what it does with what
// slim keeps: collecting garbage on deep stacks, defer, recover, reflect, nil receivers.
const program = `package main

import (
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

//go:embed manual.txt
var manual string

//go:noinline
func page(n int) string { return manual[n:n+8] }

type point struct{ x, y int }

func (p point) Sum() int { return p.x + p.y }

type summer interface{ Sum() int }

func total(all []summer) (sum int) {
	for _, s := range all {
		sum += s.Sum()
	}
	return sum
}

func attempt(f func()) (fault any) {
	defer func() { fault = recover() }()
	f()
	return nil
}

func deep(n int) []string {
	if n == 0 {
		runtime.GC()
		return nil
	}
	text := strings.Repeat("x", n%7)
	return append(deep(n-1), text)
}

func main() {
	texts := deep(5000)
	slices.Sort(texts)
	fmt.Println(len(strings.Join(texts, "")))
	var missing *point
	fmt.Println(attempt(func() { total([]summer{point{1, 2}, missing}) }))
	fmt.Println(attempt(func() { _ = []int{1}[len(deep(3))] }))
	swap := reflect.MakeFunc(reflect.TypeFor[func(string, int) (int, string)](), func(a []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{a[1], a[0]}
	}).Interface().(func(string, int) (int, string))
	fmt.Println(swap(strings.Repeat("ab", 2), 7))
	fmt.Println(reflect.ValueOf(point{1, 2}).Method(0).Call(nil)[0].Int())
	done := make(chan error)
	go func() { done <- errors.New("told") }()
	fmt.Println(<-done)
	fmt.Println(page(len(manual) - 8))
}
`

// manualText is what the program embeds.
var manualText = strings.Repeat("once upon a time\n", 200) + "The end."

const programOutput = `14997
value method main.point.Sum called using nil *point pointer
runtime error: index out of range [3] with length 1
7 abab
3
told
The end.
`

// linkProgram is the program as Go's linker writes it.
func linkProgram(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "manual.txt"), []byte(manualText), 0o644); err != nil {
		t.Fatal(err)
	}
	return link(t, "build", source)
}

// link is what a command of go makes of a package for WebAssembly, as Go's linker writes it.
func link(t *testing.T, command ...string) []byte {
	t.Helper()
	module := filepath.Join(t.TempDir(), "main.wasm")
	last := len(command) - 1
	args := append(command[:last:last], "-trimpath", "-ldflags=-s -w", "-o", module, command[last])
	build := exec.Command("go", args...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	linked, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	return linked
}

func slimProgram(t *testing.T) []byte {
	t.Helper()
	slimmed, err := slim(linkProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	return slimmed
}

func TestSlim(t *testing.T) {
	linked := linkProgram(t)
	slimmed, err := slim(bytes.Clone(linked))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(slimmed, []byte("main.attempt")) || !bytes.Contains(linked, []byte("main.attempt")) {
		t.Error("names that only traces tell are kept")
	}
	runParts(t, slimmed)
}

func TestSlimRefuses(t *testing.T) {
	const header = "\x00asm\x01\x00\x00\x00"
	for name, module := range map[string]string{
		"nothing":                  "",
		"a section cut short":      header + "\x0b\x05\x00",
		"data without a table":     header + "\x0b\x07\x01\x00\x41\x00\x0b\x01x",
		"a segment cut short":      header + "\x0b\x07\x01\x00\x41\x00\x0b\x09x",
		"a passive segment":        header + "\x0b\x04\x01\x01\x01x",
		"an address out of range":  header + "\x0b\x07\x01\x00\x41\x7f\x0b\x01x",
		"a table cut short":        header + "\x0b\x0e\x01\x00\x41\x00\x0b\x08" + string(tableMagic),
		"more functions than code": header + "\x03\x02\x01\x00\x0a\x01\x00",
		"a function of no type":    header + "\x03\x02\x01\x00\x0a\x04\x01\x02\x00\x0b",
		"an unknown instruction":   header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x05\x01\x03\x00\xff\x0b",
		"an instruction cut":       header + "\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x0a\x05\x01\x03\x00\x0b\x41",
		"a table of nothing":       header + "\x0b\xce\x00\x01\x00\x41\x00\x0b\xc8\x00" + string(tableMagic) + strings.Repeat("\x00", headerSize-8),
	} {
		if _, err := slim([]byte(module)); !errors.Is(err, errModule) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSigned(t *testing.T) {
	for _, n := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 31, math.MaxInt64, -1, -64, -65, -8192, math.MinInt64} {
		packed := vectorgen.AppendSigned(nil, n)
		if got, err := readSigned(bytes.NewReader(packed)); err != nil || got != n {
			t.Errorf("%d: % x reads as %d, %v", n, packed, got, err)
		}
	}
}

func TestReturns(t *testing.T) {
	// Two parameters, a local group of three i32; locals 1 and 2 read; the address of block 5
	// pushed, of another function's block 5 not, and a constant that is not pushed neither.
	text := []byte{1, 3, 0x7f, 0x20, 1, 0x20, 2, 0x42, 0x85, 0x80, 0x84, 0x80, 0x01, 0x37, 3, 0,
		0x42, 0x85, 0x80, 0x88, 0x80, 0x01, 0x37, 3, 0, 0x42, 0x85, 0x80, 0x84, 0x80, 0x01, 0x1a, 0x0b}
	want := []byte{2, 1, 0x7e, 3, 0x7f, 0x42, 0x80, 0x80, 0x84, 0x80, 0x01, 0x21, 2,
		0x20, 1, 0x20, 3, 0x20, 2, 0x42, 5, 0x84, 0x37, 3, 0,
		0x42, 0x85, 0x80, 0x88, 0x80, 0x01, 0x37, 3, 0, 0x42, 0x85, 0x80, 0x84, 0x80, 0x01, 0x1a, 0x0b}
	f := function{text: text, local: 2, address: 0x1001 << 16}
	if got, err := f.rewrite(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, %v\nwant\n% x", got, err, want)
	}
	plain := []byte{1, 3, 0x7f, 0x20, 1, 0x1a, 0x0b}
	f = function{text: plain, local: 2, address: 0x1001 << 16}
	if got, err := f.rewrite(); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("% x, %v: a function without calls is changed", got, err)
	}
}

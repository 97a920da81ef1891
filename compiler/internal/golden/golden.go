// Package golden reads what Triton 3.6 did on a GPU, operation by operation and dtype by dtype:
// the truth that the type rules, the arithmetic and the whole compiler are tested against.
package golden

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

//go:embed testdata/ops.jsonl.gz
var archive []byte

// Case is one recorded operation over vectors of 64 elements.
type Case struct {
	Kind string // binary, scalar, cast, unary, reduce, dot
	Op   string // add, truediv, +, exp, sum, …
	Expr string // as the kernel says it, over x and y
	X, Y string // the operands' dtypes as tl names them; Y may be empty
	To   string // the target of a cast
	Args []string
	// DType is the result's, as Triton prints it; empty where Triton's front end refused.
	DType string
	Hex   string // the result's bytes; empty where values were not recorded
	Error string // Triton's refusal
}

// Input is a recorded argument.
type Input struct {
	DType num.DType
	Raw   []byte
}

// Recording is the whole file.
type Recording struct {
	Inputs map[string]Input
	Cases  []Case
}

type line struct {
	Case
	Input string
	Hex   string
	DType string
}

var read = sync.OnceValues(func() (*Recording, error) {
	zip, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	rec := &Recording{Inputs: map[string]Input{}}
	scan := bufio.NewScanner(zip)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var l line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			return nil, err
		}
		switch {
		case l.Input != "":
			raw, err := hex.DecodeString(l.Hex)
			if err != nil {
				return nil, err
			}
			rec.Inputs[l.Input] = Input{dtypeOf(l.Input), raw}
		case l.Kind != "":
			l.Case.Hex, l.Case.DType = l.Hex, l.DType
			rec.Cases = append(rec.Cases, l.Case)
		}
	}
	return rec, scan.Err()
})

// dtypeOf reads the dtype off an input's name: x.float16, small.float8e4nv.
func dtypeOf(input string) num.DType {
	_, name, _ := strings.Cut(input, ".")
	d, _ := num.Parse(name)
	return d
}

// Ops returns the recording of operations. The result is shared: it must not be changed.
func Ops(t testing.TB) *Recording {
	t.Helper()
	rec, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// Bytes are the recorded result's.
func (c *Case) Bytes(t testing.TB) []byte {
	t.Helper()
	raw, err := hex.DecodeString(c.Hex)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Words is Triton's refusal without the exception's name around it.
func (c *Case) Words() string {
	w := c.Error
	if _, inner, ok := strings.Cut(w, "('"); ok && strings.HasSuffix(w, "')") {
		w = strings.TrimSuffix(inner, "')")
	}
	return w
}

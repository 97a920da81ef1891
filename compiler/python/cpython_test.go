package python

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
)

// TestAgainstCPython replays what CPython 3.11 answered: one line a case, with the kind of
// operation, its name, its arguments, and the result or the exception.
func TestAgainstCPython(t *testing.T) {
	file, err := os.Open("testdata/cpython.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	seen, wrong := map[string]int{}, 0
	for lines.Scan() {
		var row struct {
			kind, op string
			args     []any
			want     []any
		}
		if err := json.Unmarshal(lines.Bytes(), &[]any{&row.kind, &row.op, &row.args, &row.want}); err != nil {
			t.Fatal(err)
		}
		seen[row.kind]++
		args := make([]Value, len(row.args))
		for i, a := range row.args {
			args[i] = decode(t, a.([]any))
		}
		got, want := show(replay(row.kind, row.op, args)), ""
		if row.want[0] == "e" {
			want = fmt.Sprintf("%s: %s", row.want[1], row.want[2])
		} else {
			want = show(decode(t, row.want), nil)
		}
		if got != want {
			wrong++
			if wrong <= 60 {
				t.Errorf("%s %q %s\n got  %s\n want %s", row.kind, row.op, reprAll(args), got, want)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"binary", "compare", "unary", "call", "format", "percent", "method", "index", "slice"} {
		if seen[kind] < 30 {
			t.Errorf("only %d cases of %s", seen[kind], kind)
		}
	}
	if wrong > 0 {
		t.Errorf("%d wrong of %v", wrong, seen)
	}
}

func replay(kind, op string, args []Value) (Value, *Error) {
	text := func(s string, err *Error) (Value, *Error) { return Str(s), err }
	switch kind {
	case "binary":
		return Binary(op, args[0], args[1])
	case "compare":
		b, err := Compare(op, args[0], args[1])
		return Bool(b), err
	case "unary":
		return Unary(op, args[0])
	case "call":
		return Call(op, args)
	case "format":
		return text(Format(args[0], op))
	case "percent":
		return text(Percent(op, args))
	case "method":
		return args[0].(Str).Method(op, args[1:])
	case "index":
		return args[0].(Str).Index(args[1])
	}
	return args[0].(Str).Slice(args[1], args[2], args[3])
}

// show tells values apart exactly: classes, signs of zeros, every bit of a float.
func show(v Value, err *Error) string {
	if err != nil {
		return err.Class + ": " + err.Message
	}
	if f, ok := v.(Float); ok {
		return fmt.Sprintf("float %s (%s)", strconv.FormatFloat(float64(f), 'x', -1, 64), Repr(f))
	}
	return v.Type() + " " + Repr(v)
}

func decode(t *testing.T, a []any) Value {
	t.Helper()
	switch a[0] {
	case "n":
		return None{}
	case "b":
		return Bool(a[1].(bool))
	case "i":
		i, err := ParseInt(a[1].(string))
		if err != nil {
			t.Fatal(err)
		}
		return i
	case "f":
		f, err := strconv.ParseFloat(a[1].(string), 64)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(f) {
			f = math.NaN()
		}
		return Float(f)
	case "s":
		return Str(a[1].(string))
	}
	list := make([]Value, 0)
	for _, v := range a[1].([]any) {
		list = append(list, decode(t, v.([]any)))
	}
	if a[0] == "t" {
		return Tuple(list)
	}
	return List(list)
}

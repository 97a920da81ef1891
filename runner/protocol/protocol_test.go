package protocol

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
)

var update = flag.Bool("update", false, "regenerate the example, the messages and the limits in README files")

// example is a session as README.md shows it.
func example(t *testing.T) string {
	var out strings.Builder
	client := func(m ClientMessage) {
		text := encode(t, m)
		back, err := ReadClient([]byte(text))
		if err != nil || !reflect.DeepEqual(*back, m) {
			t.Errorf("%s is read as %+v, %v", text, back, err)
		}
		fmt.Fprintf(&out, "    → %s\n", text)
	}
	server := func(m ServerMessage) {
		text := encode(t, m)
		back, err := ReadServer([]byte(text))
		if err != nil || !reflect.DeepEqual(*back, m) {
			t.Errorf("%s is read as %+v, %v", text, back, err)
		}
		fmt.Fprintf(&out, "    ← %s\n", text)
	}
	frame := func(arrow string, h Header, payload string) {
		var head [HeaderBytes]byte
		h.Put(head[:])
		if back, err := ReadHeader(head[:]); err != nil || back != h {
			t.Errorf("%+v is read as %+v, %v", h, back, err)
		}
		fmt.Fprintf(&out, "    %s binary %s | %s\n", arrow, hex.EncodeToString(head[:]), payload)
	}
	first, zero := 0, 0
	client(ClientMessage{Hello: &ClientHello{Version: Version, Token: "correct-horse-battery", Name: "example"}})
	server(ServerMessage{Hello: &ServerHello{
		Version: Version, Newt: "v1.2.3", Session: "6f1d…", Jobs: []JobState{},
		Devices: []Device{{ID: "cpu", Name: "CPU", DTypes: []string{"i32"}, Deterministic: true, Poisons: true, FindsRaces: true, Times: true}},
		Limits:  DefaultLimits(),
	}})
	submit := &Submit{
		Job: 1, IRBytes: 97, Grid: []int{1, 1, 1}, Tensors: []Tensor{{Bytes: 8, Return: true}},
		Args: []Arg{{DType: "i32", Tensor: &first, Name: "x"}, ScalarArg(num.FromInt(num.Int32, 2))},
	}
	if why := submit.Check(DefaultLimits()); why != nil {
		t.Error(why.In(diag.English))
	}
	client(ClientMessage{Submit: submit})
	frame("→", Header{Kind: IRFrame, Job: 1}, "6e65777401…")
	frame("→", Header{Kind: TensorFrame, Job: 1}, "0a00000014000000")
	server(ServerMessage{Job: 1, Queued: &Queued{Position: 2}})
	server(ServerMessage{Job: 1, Seq: 1, Started: &Started{Device: "cpu"}})
	frame("←", Header{Kind: ResultFrame, Job: 1, Seq: 2}, "0b00000015000000")
	server(ServerMessage{Job: 1, Seq: 3, Done: &Done{State: StateDone, Programs: 1, ElapsedNS: 5120, QueueMS: 12.5, LoadMS: 0.25, RunMS: 0.125}})
	client(ClientMessage{Release: &JobRef{Job: 1}})
	client(ClientMessage{Submit: &Submit{
		Job: 2, IRBytes: 97, Grid: []int{1, 1, 1}, Tensors: []Tensor{{Bytes: 4, Zero: true}}, Args: []Arg{{DType: "fp31", Tensor: &zero}},
	}})
	refused := FromDiag(diag.New("runner-request", source.Span{}, "dtype", `"fp31"`, "i1 i8 … fp64"))
	server(ServerMessage{Job: 2, Error: &Error{Diagnostic: refused}})
	return out.String()
}

func encode(t *testing.T, m any) string {
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readMessages parses messages.go.
func readMessages(t *testing.T) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), "messages.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// messages is every message with every field, from the types and comments of messages.go. Limits have
// a table of their own.
func messages(t *testing.T) string {
	var out strings.Builder
	for _, decl := range readMessages(t).Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		spec := d.Specs[0].(*ast.TypeSpec)
		if spec.Name.Name == "Limits" {
			continue
		}
		fmt.Fprintf(&out, "#### %s\n\n%s\n\n| field | type | |\n|---|---|---|\n", spec.Name, sentence(d.Doc))
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			name, options, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
			if f.Comment == nil {
				t.Errorf("%s.%s has no comment", spec.Name, f.Names[0])
			}
			kind := jsonType(f.Type)
			if options == "omitempty" {
				kind += ", optional"
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", name, kind, sentence(f.Comment))
		}
		out.WriteByte('\n')
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func sentence(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }

// jsonType names a Go type as JSON has it, with links to the messages.
func jsonType(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return jsonType(e.X)
	case *ast.ArrayType:
		return "array of " + jsonType(e.Elt)
	case *ast.MapType:
		return "object of " + jsonType(e.Value)
	}
	name := e.(*ast.Ident).Name
	switch name {
	case "string", "bool":
		return name
	case "int", "int64":
		return "integer"
	case "float64":
		return "number"
	}
	return "[" + name + "](#" + strings.ToLower(name) + ")"
}

// table is the limits with their comments in messages.go.
func table(t *testing.T) string {
	fields := readMessages(t).Scope.Lookup("Limits").Decl.(*ast.TypeSpec).Type.(*ast.StructType).Fields.List
	values := reflect.ValueOf(DefaultLimits())
	out := "| limit | default | of |\n|---|---|---|\n"
	for i, f := range fields {
		name := values.Type().Field(i).Tag.Get("json")
		out += fmt.Sprintf("| `%s` | %d | %s |\n", name, values.Field(i).Int(), strings.TrimSpace(f.Comment.Text()))
		if values.Field(i).Int() <= 0 {
			t.Errorf("%s is not limited", name)
		}
	}
	return out
}

// shortTable is the limits that people meet, as the repository's own README.md shows them.
func shortTable(*testing.T) string {
	l := DefaultLimits()
	mib := func(bytes int64) string { return fmt.Sprintf("%d MiB", bytes>>20) }
	seconds := func(ms int) string { return fmt.Sprintf("%d s", ms/1000) }
	out := "| limit | by default | name |\n|---|---|---|\n"
	for _, row := range [][3]string{
		{"size of a kernel's IR", mib(int64(l.IRBytes)), "irBytes"},
		{"tensors of one job", mib(l.JobBytes), "jobBytes"},
		{"tensors of all jobs together", mib(l.TotalBytes), "totalBytes"},
		{"time to compile and run, unless a job asks for less or more", seconds(l.DefaultJobMS), "defaultJobMs"},
		{"time that a job may ask for", seconds(l.MaxJobMS), "maxJobMs"},
		{"jobs of one client that have not ended", fmt.Sprint(l.ClientJobs), "clientJobs"},
		{"jobs that wait for a device", fmt.Sprint(l.QueuedJobs), "queuedJobs"},
		{"connections", fmt.Sprint(l.Connections), "connections"},
		{"time that a result waits to be fetched", seconds(l.ResultTTLMS), "resultTtlMs"},
	} {
		out += fmt.Sprintf("| %s | %s | `%s` |\n", row[0], row[1], row[2])
	}
	return out
}

// The README files hold messages that are read and written as they say, and the limits that are
// kept.
func TestGoldenREADME(t *testing.T) {
	for file, parts := range map[string]map[string]func(*testing.T) string{
		"README.md":       {"example": example, "messages": messages, "limits": table},
		"../../README.md": {"limits": shortTable},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := string(text)
		for name, part := range parts {
			begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
			i, j := strings.Index(want, begin), strings.Index(want, end)
			if i < 0 || j < i {
				t.Fatalf("%s has no place for the %s", file, name)
			}
			want = want[:i+len(begin)] + "\n" + part(t) + "\n" + want[j:]
		}
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if want != string(text) {
			t.Errorf("%s is out of date: go test ./runner/protocol -update", file)
		}
	}
}

// A diagnostic that crossed the wire says the same in both languages.
func TestDiagnostics(t *testing.T) {
	d := diag.New("out-of-bounds-store", source.Span{Start: 3, End: 9}, "out", int64(40), 32, "(1, 0, 0)", int64(8))
	d.Runtime = &diag.Runtime{Program: [3]int{1, 0, 0}, Tensor: "out", Index: 40, Size: 32, Count: 8}
	d.Because(source.Span{Start: 1, End: 2}, "race-other-store")
	nested := diag.Warn("runner-request", source.Span{}, diag.Text{Key: "race-other-load"}, 5, "x")
	for _, d := range []*diag.Diagnostic{d, nested} {
		var back Diagnostic
		if err := json.Unmarshal([]byte(encode(t, FromDiag(d))), &back); err != nil {
			t.Fatal(err)
		}
		got := back.Diag()
		for _, lang := range []diag.Lang{diag.English, diag.Chinese} {
			if g, w := got.In(lang), d.In(lang); !reflect.DeepEqual(g, w) {
				t.Errorf("%s: %+v, want %+v", lang, g, w)
			}
		}
		if got.Severity != d.Severity || got.Primary.Span != d.Primary.Span || !reflect.DeepEqual(got.Runtime, d.Runtime) {
			t.Errorf("%+v, want %+v", got, d)
		}
	}
	if en := FromDiag(d).En; en.Headline != "`out` is written at index 40, but it has 32 elements" {
		t.Errorf("the words are %+v", en)
	}
}

// What a hostile runner says is in range after it was read.
func TestHostileDiagnostic(t *testing.T) {
	d := Diagnostic{Code: "no-such-code", Start: -5, End: -9, Runtime: &Runtime{Program: []int{1, 2, 3, 4, 5}}, Related: []Related{{Start: 1 << 60, End: 1}}}
	got := d.Diag()
	if got.Primary.Span != (source.Span{}) || got.Related[0].Span.Start > got.Related[0].Span.End || got.Runtime.Program != [3]int{1, 2, 3} {
		t.Errorf("%+v", got)
	}
}

func TestScalars(t *testing.T) {
	for _, s := range []num.Scalar{num.FromInt(num.Int32, -1), num.FromInt(num.Int64, -1), num.FromFloat(num.Float16, 1.5), num.FromBool(true), num.FromInt(num.Uint64, 0)} {
		a := ScalarArg(s)
		if got, ok := a.Scalar(); !ok || got != s {
			t.Errorf("%+v came back as %+v", s, got)
		}
	}
}

package sanitize

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// launch runs a kernel of two int32 tensors, of 16 elements each, over n programs.
func launch(t *testing.T, text string, n int, o trace.Observer, args ...tile.Arg) {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	k, err := tile.Plan(fn)
	if err != nil {
		t.Fatal(err)
	}
	if args == nil {
		args = []tile.Arg{tensor(16), tensor(16)}
	}
	if _, fault := k.Run(context.Background(), tile.Launch{Grid: [3]int{n, 1, 1}, Args: args, Observer: o}); fault != nil {
		t.Fatal(fault)
	}
}

func tensor(n int) tile.Buffer { return tile.Buffer{DType: num.Int32, Data: make([]byte, 4*n)} }

// kernel has %pid, the constants %zero, %one, the tile %r = 0 … 3 and the tiles %a and %b of
// pointers to elements AT+pid*STEP … of x and z.
func kernel(body string) string {
	return `func @k(%x: *i32, %z: *i32) {
  %pid = program_id {axis=0} : i32
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %two = const {value=i32(2)} : i32
  %r = arange {start=0, end=4} : i32[4]
  %xs = splat %x {shape=[4]} : *i32[4]
  %a = addptr %xs, %r : *i32[4]
  %zs = splat %z {shape=[4]} : *i32[4]
  %b = addptr %zs, %r : *i32[4]
  %id = splat %pid {shape=[4]} : i32[4]
  %zi = addptr %z, %pid : *i32
  %xi = addptr %x, %pid : *i32
` + body + "  return\n}\n"
}

func TestRaces(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"every program its own element", "store %zi, %pid @1:2\n", ""},
		{"the same elements", "store %b, %id @1:2\n", "race-stores z[0] ×8 (0, 0, 0) (1, 0, 0) @1 @1"},
		{"the same value", "store %zi, %pid\nstore %z, %zero @1:2\n", "race-same-value z[0] ×2 (0, 0, 0) (1, 0, 0) @1 @1"},
		{"masked off in all but one", `
  %first = eq %id, %r : i1[4]
  store %b, %id, %first
`, ""},
		{"reads of what others write", `
  %v = load %b : i32[4] @1:2
  store %zi, %one @3:4
`, "race-load-store z[0] ×3 (0, 0, 0) (1, 0, 0) @3 @1; race-load-store z[1] ×2 (0, 0, 0) (1, 0, 0) @1 @3"},
		{"reads only", `
  %v = load %b : i32[4]
  store %xi, %one
`, ""},
		{"atomics", `
  %old = atomic_rmw %z, %one {rmw=add, sem=relaxed, scope=gpu} : i32
`, ""},
		{"an atomic and a plain load", `
  %v = load %z : i32 @1:2
  %old = atomic_rmw %z, %one {rmw=add, sem=relaxed, scope=gpu} : i32 @3:4
`, "race-load-store z[0] ×2 (0, 0, 0) (1, 0, 0) @3 @1"},
		{"the last of all programs reads what the others wrote", `
  store %xi, %one
  %old = atomic_rmw %z, %one {rmw=add, sem=acq_rel, scope=gpu} : i32
  %last = eq %old, %two : i1
  if %last then {
    %v = load %a : i32[4]
    store %b, %v
    yield
  } else {
    yield
  }
`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			races := &Races{}
			launch(t, kernel(c.body), 3, races)
			var got []string
			for _, f := range races.Found() {
				d := f.Diagnostic()
				for _, lang := range []diag.Lang{diag.English, diag.Chinese} {
					if r := d.In(lang); r.Headline == f.Code || strings.Contains(r.Headline+r.Label+r.Why, "{") {
						t.Errorf("%q %q", r.Headline, r.Label)
					}
				}
				got = append(got, fmt.Sprintf("%s %s[%d] ×%d %s %s @%d @%d", f.Code, f.Tensor, f.Index, f.Count,
					programText(f.Programs[0]), programText(f.Programs[1]), f.First.Start, f.Second.Start))
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("found %q, want %q", s, c.want)
			}
		})
	}
}

// TestRacesThroughTwoArguments passes one storage twice, once from its fourth element on.
func TestRacesThroughTwoArguments(t *testing.T) {
	x := tensor(16)
	z := x
	z.Offset = 4
	races := &Races{}
	// Program 4 writes x[4], which is z[0], which program 0 writes.
	launch(t, kernel("store %xi, %one @1:2\nstore %zi, %two @3:4\n"), 5, races, x, z)
	found := races.Found()
	if len(found) != 1 || found[0].Tensor != "x" || found[0].Index != 4 || found[0].Programs != [2][3]int{{0, 0, 0}, {4, 0, 0}} {
		t.Errorf("%+v", found)
	}
}

// TestRacesOfBlocks: lanes that cover the shadow's blocks whole or in part are judged one by one all the same.
func TestRacesOfBlocks(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"blocks of its own", "%p = mul %pid, %size : i32\n STORE", ""},
		{"stores that overlap in part", "%p = mul %pid, %half : i32\n STORE", "race-stores z[12] ×40 lanes [12 0]"},
		{"stores that overlap beside blocks", "%p = mul %pid, %odd : i32\n STORE", "race-stores z[7] ×50 lanes [7 0]"},
		{"loads of what another program stores", "%p = mul %pid, %size : i32\n LOAD STORE",
			"race-load-store z[0] ×64 lanes [0 0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := strings.NewReplacer("LOAD", "%v = load %first : i32[32]\n", "STORE", `%at = addptr %z, %p : *i32
  %ats = splat %at {shape=[32]} : *i32[32]
  %to = addptr %ats, %lanes : *i32[32]
  %ids = splat %pid {shape=[32]} : i32[32]
  store %to, %ids
`).Replace(c.body)
			races := &Races{}
			launch(t, kernel(`%size = const {value=i32(32)} : i32
  %half = const {value=i32(12)} : i32
  %odd = const {value=i32(7)} : i32
  %lanes = arange {start=0, end=32} : i32[32]
  %zw = splat %z {shape=[32]} : *i32[32]
  %first = addptr %zw, %lanes : *i32[32]
`+body), 3, races, tensor(4), tensor(100))
			var got []string
			for _, f := range races.Found() {
				got = append(got, fmt.Sprintf("%s %s[%d] ×%d lanes %v", f.Code, f.Tensor, f.Index, f.Count, f.Lanes))
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("found %q, want %q", s, c.want)
			}
		})
	}
}

// TestRacesIncomplete: what is remembered of a launch is bounded, and the launch is told where that was not enough.
func TestRacesIncomplete(t *testing.T) {
	const atomic = "%old = atomic_rmw %z, %one {rmw=add, sem=relaxed, scope=gpu} : i32\n"
	for _, c := range []struct {
		name, body string
		programs   int
		args       []tile.Arg
		incomplete bool
		races      int
	}{
		{"few programs", atomic, 3, nil, false, 0},
		{"programs that release, and a race before", "store %b, %id\n" + strings.Replace(atomic, "relaxed", "acq_rel", 1), maxReleases + 10, nil, true, 1},
		{"a large tensor", "store %b, %id\n", 2, []tile.Arg{tensor(4), tensor(maxCells + 1)}, true, 0},
		{"many races", stores(maxFound + 1), 2, []tile.Arg{tensor(4), tensor(maxFound + 1)}, true, maxFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			races := &Races{}
			launch(t, kernel(c.body), c.programs, races, c.args...)
			if n := len(races.order.releases); n > maxReleases+1 || len(races.found) != c.races {
				t.Errorf("%d releases, %d races are remembered, want at most %d and %d", n, len(races.found), maxReleases+1, c.races)
			}
			if d := races.Incomplete(); (d != nil) != c.incomplete {
				t.Errorf("incomplete: %v, want %v", d, c.incomplete)
			} else if d != nil && (d.Severity != diag.Hint || strings.Contains(d.In(diag.English).Why, "{")) {
				t.Errorf("%+v", d.In(diag.English))
			}
		})
	}
}

// stores are n stores of every program, each to an element of its own.
func stores(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%%n%d = const {value=i32(%[1]d)} : i32\n%%p%[1]d = addptr %%z, %%n%[1]d : *i32\n", i)
		fmt.Fprintf(&b, "store %%p%d, %%pid @%d:%d\n", i, 2*i+1, 2*i+2)
	}
	return b.String()
}

// TestFindingsAreBounded: what is beyond the bound on findings is said to be missing.
func TestFindingsAreBounded(t *testing.T) {
	for _, n := range []int{maxFound, maxFound + 1} {
		z := tensor(n)
		z.Undefined = true
		u := &Unwritten{}
		loads := regexp.MustCompile(`store %p(\d+), %pid`).ReplaceAllString(stores(n), "%v$1 = load %p$1 : i32")
		launch(t, kernel(loads), 1, u, tensor(4), z)
		list := u.Diagnostics()
		if missing := list[len(list)-1].Code == "sanitize-findings"; missing != (n > maxFound) {
			t.Errorf("%d findings: %d are listed, missing: %v", n, len(list), missing)
		}
	}
}

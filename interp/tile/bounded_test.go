package tile

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// widePrint prints a tile of 2^20 elements operands times, with axes so short that no summary shortens it.
func widePrint(operands int) string {
	shape := strings.TrimSuffix(strings.Repeat("2, ", 20), ", ")
	return fmt.Sprintf(`func @wide(%%p: *i32) {
  %%i = arange {start=0, end=1048576} : i32[1048576]
  %%x = reshape %%i {shape=[%s]} : i32[%[1]s]
  print%[2]s {text=%[3]q, style=python}
  print {text="after", style=python}
  return
}`, shape, strings.TrimSuffix(strings.Repeat(" %x,", operands), ","), strings.Repeat("{}", operands))
}

// TestLongPrint: a text that is too long is not kept, nor is any print after it, and little memory is taken for it.
func TestLongPrint(t *testing.T) {
	for _, operands := range []int{1, 60} {
		k := plan(t, widePrint(operands))
		var report *Report
		allocated := testing.AllocsPerRun(1, func() { report = launch(t, k, 1, i32(0)) })
		if len(report.Prints) != 0 || report.PrintsDropped != 2 {
			t.Errorf("%d operands: %d prints, %d dropped, want 0 and 2", operands, len(report.Prints), report.PrintsDropped)
		}
		if allocated > 1000 {
			t.Errorf("%d operands: %.0f allocations for a print that is dropped", operands, allocated)
		}
	}
}

// TestPrintsEnd: what is printed after the first print without room is dropped, whichever worker comes to it.
func TestPrintsEnd(t *testing.T) {
	k := plan(t, `func @some(%p: *i32) {
  %pid = program_id {axis=0} : i32
  %n = const {value=i32(37)} : i32
  %c = lt %pid, %n : i1
  %i = arange {start=0, end=512} : i32[512]
  if %c then {
    print %i {text="{}", style=python}
    yield
  } else {
    %s = expand_dims %i {axis=0} : i32[1, 512]
    print %s, %s, %s {text="{}{}{}", style=python}
    yield
  }
  return
}`)
	var want string
	for workers := range 4 {
		report, fault := k.Run(context.Background(), Launch{Grid: [3]int{MaxPrints + 50, 1, 1}, Args: []Arg{i32(0)}, Workers: workers + 1})
		if fault != nil {
			t.Fatal(fault)
		}
		got := fmt.Sprint(report.Prints, report.PrintsDropped)
		if workers == 0 {
			want = got
		}
		if got != want || len(report.Prints)+report.PrintsDropped != MaxPrints+50 {
			t.Errorf("%d workers: %d prints and %d dropped, or other ones than a single worker's", workers+1, len(report.Prints), report.PrintsDropped)
		}
	}
}

// slow are steps that take seconds each where nothing stops them.
var slow = map[string]string{
	"dot bf16x6": `func @slow(%p: *i32) {
  %a = const {value=fp32(1), shape=[1024, 1024]} : fp32[1024, 1024]
  %c = dot %a, %a, %a {input_precision=bf16x6} : fp32[1024, 1024]
  print %c {text="{}", style=python}
  return
}`,
	"dot i32": `func @slow(%p: *i32) {
  %a = const {value=i32(1), shape=[1024, 1024]} : i32[1024, 1024]
  %c = dot %a, %a, %a {input_precision=ieee} : i32[1024, 1024]
  print %c {text="{}", style=python}
  return
}`,
	"print of fp16": `func @slow(%p: *i32) {
  %i = arange {start=0, end=262144} : i32[262144]
  %f = cast %i {to=fp16, rounding=rtne} : fp16[262144]
  %s = sin %f : fp16[262144]
  %x = reshape %s {shape=[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]} : fp16[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
  print %x {text="{}", style=python}
  return
}`,
}

// TestInterrupt: a step that takes long asks many times whether it is to go on, and ends at the first no.
func TestInterrupt(t *testing.T) {
	for name, text := range slow {
		t.Run(name, func(t *testing.T) {
			k := plan(t, text)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			const most = 20
			yields := 0
			_, fault := k.Run(ctx, Launch{Grid: [3]int{1, 1, 1}, Args: []Arg{i32(0)}, Workers: 1, Yield: func() {
				if yields++; yields == most {
					cancel()
				}
			}})
			if fault == nil || fault.Code != "launch-cancelled" || yields != most {
				t.Errorf("it ended with %v after %d polls, told to stop at the %dth", fault, yields, most)
			}
		})
	}
}

// ending is a context that ends when it was asked left times.
type ending struct {
	context.Context
	asked, left int
}

func (c *ending) Err() error {
	if c.asked++; c.asked > c.left {
		return context.Canceled
	}
	return nil
}

// TestLivenessContext: each of the walks over a kernel asks the context, at the latest after 1024 instructions, and what
// follows ends when it did.
func TestLivenessContext(t *testing.T) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "  %%x%d = program_id {axis=0} : i32\n", i)
	}
	fn := mustParse(t, "func @f(%z: *i32) {\n"+text.String()+"  return\n}\n")
	whole := &ending{left: 1 << 30}
	newLiveness(whole, fn, nothing)
	if whole.asked < 3*4 {
		t.Errorf("the context was asked %d times for 5000 instructions", whole.asked)
	}
	for left := range whole.asked {
		c := &ending{left: left}
		k, err := PlanContext(c, fn)
		if f, ok := err.(*Fault); k != nil || !ok || f.Code != "launch-cancelled" {
			t.Fatalf("a kernel was made ready though the context ended when it was asked for the %d. time: %v", left+1, err)
		}
		if c.asked > left+5 {
			t.Fatalf("liveness went on: a context that had ended was asked %d times more", c.asked-left)
		}
	}
}

// TestPlanContext: making a kernel ready ends when it is told to.
func TestPlanContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	k, err := PlanContext(ctx, mustParse(t, slow["dot i32"]))
	if f, ok := err.(*Fault); k != nil || !ok || f.Code != "launch-cancelled" {
		t.Errorf("a kernel was made ready: %v", err)
	}
}

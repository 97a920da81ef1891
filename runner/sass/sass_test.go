package sass

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

// fetched is where `make need-cuda` puts the tools.
const fetched = "../../.build/cuda/bin"

// tools skips a test where there are none.
func tools(t *testing.T) Tools {
	t.Helper()
	found, err := Find(there(fetched+"/ptxas"), there(fetched+"/nvdisasm"))
	if err != nil {
		t.Fatal(err)
	}
	if found.Missing() != "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no ptxas or no nvdisasm: make need-cuda fetches them")
		}
		t.Skip("no ptxas or no nvdisasm: make need-cuda fetches them")
	}
	return found
}

// there is an absolute path; empty where there is no file.
func there(path string) string {
	full, err := filepath.Abs(path)
	if _, missing := os.Stat(full); err != nil || missing != nil {
		return ""
	}
	return full
}

const kernel = `import triton
import triton.language as tl


@triton.jit
def k(x, z, n):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    a = tl.load(x + i, mask=i < n)
    tl.store(z + i, tl.exp(a), mask=i < n)
`

// TestDisassembly: the machine code of a kernel loads, computes and stores on the lines of the source that do.
func TestDisassembly(t *testing.T) {
	tools := tools(t)
	file := source.NewFile("k.py", kernel)
	args, err := compiler.ParseSignature("*fp32:16, *fp32:16, i32")
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(file, compiler.Options{Args: args})
	if art == nil {
		t.Fatal(list)
	}
	for arch, target := range map[string]string{"": "sm_90a", "sm_80": "sm_80"} {
		m, err := tools.Disassembly(t.Context(), art.Func, device.Options{}, device.Capabilities{Arch: arch}, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(m.Text, "\n"), "\n")
		if m.Arch != target || !m.Assembled || len(m.Lines) != 2*len(lines) || lines[0] != "k:" {
			t.Fatalf("%s: %d lines, %d places, beginning with %q", m.Arch, len(lines), len(m.Lines), lines[0])
		}
		for instruction, line := range map[string]int{"LDG.": 8, "MUFU.EX2": 9, "STG.": 9} {
			found := false
			for i, text := range lines {
				found = found || strings.Contains(text, instruction) && file.Position(int32(m.Lines[2*i])).Line == line
			}
			if !found {
				t.Errorf("%s: no %s comes from line %d:\n%s", target, instruction, line, m.Text)
			}
		}
	}
}

// TestToolsAreBounded: a tool that does not end, prints without end or fails is an error, and a cubin that is too long
// is not given to one.
func TestToolsAreBounded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tools are shell scripts")
	}
	script := func(text string) Tools {
		path := filepath.Join(t.TempDir(), "tool")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return Tools{PTXAS: path, NVDisasm: path, deadline: 100 * time.Millisecond}
	}
	sleeping := script("exec /bin/sleep 60")
	if _, err := sleeping.Disassemble(t.Context(), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a tool that sleeps: %v", err)
	}
	endless := script("exec /usr/bin/yes '/*0000*/ NOP ;'")
	endless.deadline = time.Minute
	if _, err := endless.Disassemble(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "too much") {
		t.Errorf("a tool that prints: %v", err)
	}
	failing := script("echo no; exit 3")
	failing.deadline = time.Minute
	if _, said, err := failing.Assemble(t.Context(), "", "sm_80"); err == nil || said != "no\n" {
		t.Errorf("a tool that fails: %q, %v", said, err)
	}
	if _, err := failing.Disassemble(t.Context(), make([]byte, maxCubin+1)); err == nil || strings.Contains(err.Error(), "exit") {
		t.Errorf("a cubin that is too long: %v", err)
	}
	lonely := script(`test "$(env | grep -c NEWT)" = 0 && cat "$3"`)
	lonely.deadline = time.Minute
	t.Setenv("NEWT_TOKEN", "secret")
	if list, err := lonely.Disassemble(t.Context(), []byte("    /*0010*/  EXIT ;\n")); err != nil || len(list) != 1 {
		t.Errorf("a tool that prints its file: %v, %v", list, err)
	}
}

// TestFind: a tool that is named must be there.
func TestFind(t *testing.T) {
	if _, err := Find("/nowhere/ptxas", ""); err == nil || !strings.Contains(err.Error(), "--ptxas") {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if found, err := Find("", ""); err != nil || there(toolkit) == "" && found.Missing() != "ptxas" {
		t.Errorf("%+v, %v", found, err)
	}
	for _, c := range []struct {
		tools Tools
		arch  string
		can   bool
	}{
		{Tools{}, "sm_90a", false}, {Tools{NVDisasm: "n"}, "sm_90a", true}, {Tools{NVDisasm: "n"}, "", false},
		{Tools{PTXAS: "p", NVDisasm: "n"}, "", true}, {Tools{PTXAS: "p"}, "sm_90a", false},
	} {
		if got := c.tools.Disassembles(device.Capabilities{Arch: c.arch}); got != c.can {
			t.Errorf("%+v on %q: %v", c.tools, c.arch, got)
		}
	}
}

const listing = `	.headerflags	@"EF_CUDA_SM90"

//--------------------- .text.k    --------------------------
	.section	.text.k,"ax",@progbits
        .global         k
k:
.text.k:
	//## File ".nv_debug_ptx_txt", line 17
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 EXIT ;
.L_x_1:
	//## File ".nv_debug_ptx_txt", line 99999999999999999999
        /*0020*/                   BRA ` + "`(.L_x_1)" + ` ;
`

func TestParse(t *testing.T) {
	want := []Line{
		{"k:", 0}, {"    /*0000*/  LDC R1, c[0x0][0x28] ;", 17}, {"    /*0010*/  @!P0 EXIT ;", 17}, {".L_x_1:", 0},
		{"    /*0020*/  BRA `(.L_x_1) ;", 0},
	}
	got := parse(listing)
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d is %+v", i, got[i])
		}
	}
}

// FuzzParse: whatever a tool prints, a line of code is one line, and its place is one or none.
func FuzzParse(f *testing.F) {
	f.Add(listing)
	f.Add("/*00*/ x\r\n//## File \"a\", line -1\nlabel:\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range parse(text) {
			if strings.Contains(l.Text, "\n") || l.PTX < 0 {
				t.Errorf("%+v", l)
			}
		}
	})
}

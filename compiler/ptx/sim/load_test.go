package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLoadErrors wants the line and words of the message.
func TestLoadErrors(t *testing.T) {
	for body, want := range map[string]string{
		"frob.u32 %r1, %r2;":                              "1: frob.u32: there is no such opcode",
		"\nadd.u32.foo %r1, %r2, 1;":                      "2: add.u32.foo: there is no such opcode",
		"add.wide.u32 %r1, %r2, 1;":                       "there is no such opcode",
		"add.u32 %r1, %r2;":                               "it takes 3 operands, not 2",
		"add.u32 %r1, %r2, 1, 2;":                         "it takes 3 operands, not 4",
		"add.u32 %r1, %x2, 1;":                            "there is no register %x2",
		"add.u32 %r1, %r64, 1;":                           "there is no register %r64",
		"add.u32 %r1, %f1, 1;":                            "register %f1 is .f32, which does not go with .u32",
		"add.f32 %f1, %f1, 1;":                            "the immediate operand does not go with .f32",
		"add.u64 %rd1, %r1, 1;":                           "register %r1 is .b32",
		"bra nowhere;":                                    "there is no label nowhere",
		"a: a: ret;":                                      "label a exists already",
		"cvt.f32.s32 %f1, %r1;":                           "there is no such opcode",
		"cvt.rn.f32.f16 %f1, %h1;":                        "there is no such opcode",
		"cvt.s32.f32 %r1, %f1;":                           "there is no such opcode",
		"cvt.rn.e4m3x2.f32 %h1, %f1, %f2;":                "there is no such opcode",
		"ld.global.v4.u64 {%rd1,%rd1,%rd1,%rd1}, [%rd2];": "there is no such opcode",
		"ld.param.u64 %rd1, [nothing];":                   "there is no parameter nothing",
		"ld.param.u64 %rd1, [out+8];":                     "are not in the parameter",
		"atom.global.add.f16 %h1, [%rd1], %h2;":           "there is no such opcode",
		"atom.global.add.s64 %rd1, [%rd1], %rd2;":         "there is no such opcode",
		"cp.async.cg.shared.global [smem], [%rd1], 8;":    "with .cg 16",
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f1,%f1,%f1,%f1},{%r1,%r1,%r1,%r1},{%r1,%r1},{%f1,%f1,%f1,%f1};": "there is no such opcode",
		"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f1}, %rd1, %rd1, %p1, 1, 1, 0, 0;":                              "there is no such opcode",
		"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd1, 1, 1, 1, 0, 0;":                     "must be a predicate",
		"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd1, %p1, 1, 2, 0, 0;":                   "must be 1 or -1",
		"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3}, %rd1, %rd1, %p1, 1, 1, 0, 0;":                       "must be a vector of 4",
		"wgmma.fence.sync;":             "there is no such opcode",
		"mov.b32 %r1, %r2+4;":           "an offset goes with the name of a variable alone",
		".reg .b32 %r<5>;":              "register %r exists already",
		".reg .b128 %q;":                "is not a type",
		"mov.u32 %r1, %nosuch;":         "there is no register %nosuch",
		"mov.u64 %rd1, %tid.x;":         "%tid.x has 32 bits",
		"ld.shared.u32 %r1, [%rd1;":     `"]" is missing`,
		"/* ":                           "the comment has no end",
		"shfl.idx.b32 %r1, %r1, 0, 31;": "there is no such opcode",
		"setp.lt.b32 %p1, %r1, %r2;":    "there is no such opcode",
	} {
		_, err := Load(head + body + "\n}\n")
		var e *LoadError
		if !errors.As(err, &e) {
			t.Errorf("%q loads", body)
			continue
		}
		if text := fmt.Sprintf("%d: %s", e.Line-headLines, e.Message); !strings.Contains(text, want) {
			t.Errorf("%q: %q, want %q", body, text, want)
		}
	}
	for text, want := range map[string]string{
		"":                        "starts with .version",
		".version 8.6\n.frob":     "not a directive",
		".visible .func f() {}":   "not a directive",
		strings.Repeat("{", 1000): "a directive is missing",
	} {
		if _, err := Load(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestLaunchErrors(t *testing.T) {
	m, err := Load(head + "again: bra again;\n}")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]LaunchConfig{
		"no parameters":     {Threads: 32},
		"no threads":        {Params: []uint64{0, 0}},
		"too many threads":  {Threads: 1025, Params: []uint64{0, 0}},
		"too much shared":   {Threads: 32, Shared: maxShared + 1, Params: []uint64{0, 0}},
		"unknown entry":     {Entry: "x", Threads: 32, Params: []uint64{0, 0}},
		"grid":              {Grid: [3]int{1, 65536}, Threads: 32, Params: []uint64{0, 0}},
		"too many resident": {Threads: 32, Resident: 1000, Params: []uint64{0, 0}},
	} {
		if r, err := m.Launch(context.Background(), c); err == nil || r != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := m.Launch(ctx, LaunchConfig{Threads: 32, Params: []uint64{0, 0}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an endless kernel ends with %v", err)
	}
}

func TestMemory(t *testing.T) {
	m := NewMemory(1000)
	a, err := m.Alloc(100)
	if err != nil || a%256 != 0 {
		t.Fatal(a, err)
	}
	b, _ := m.Alloc(0)
	if err := m.Write(a+10, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 5)
	if err := m.Read(a+10, got); err != nil || string(got) != "hello" {
		t.Fatal(string(got), err)
	}
	if m.Read(a+96, got) == nil || m.Read(b, got) == nil || m.Write(1, got) == nil || m.Free(a+1) == nil {
		t.Error("bytes outside allocations are there")
	}
	if _, err := m.Alloc(901); err == nil {
		t.Error("the limit is not kept")
	}
	if m.Free(a) != nil || m.Free(a) == nil || m.Read(a, got) == nil {
		t.Error("freed memory is there")
	}
}

// TestModifiers has combinations of types and modifiers that the assembler refuses, and some that
// it takes.
func TestModifiers(t *testing.T) {
	for text, valid := range map[string]bool{
		"cvt.sat.u16.u8 %h1, %h2;":                    false,
		"cvt.sat.u16.s8 %h1, %h2;":                    true,
		"cvt.rn.bf16.u8 %h1, %h2;":                    false,
		"cvt.rna.f16.f32 %h1, %f2;":                   false,
		"cvt.rm.f16x2.f32 %r1, %f2, %f3;":             false,
		"cvt.f16x2.e4m3x2 %r1, %h2;":                  false,
		"cvt.rn.relu.tf32.f32 %r1, %f2;":              true,
		"cvt.rn.satfinite.f16.f32 %h1, %f2;":          true,
		"cvt.rn.relu.f32.f64 %f1, %d2;":               false,
		"cvt.ftz.f64.f32 %d1, %f1;":                   true,
		"cvt.ftz.f64.f16 %d1, %h1;":                   false,
		"setp.lo.s32 %p1, %r1, %r2;":                  false,
		"setp.lt.ftz.u32 %p1, %r1, %r2;":              false,
		"setp.lt.f16 %p1|%p2, %h1, %h2;":              false,
		"add.rz.f16 %h1, %h2, %h3;":                   false,
		"add.sat.f16 %h1, %h2, %h3;":                  true,
		"add.ftz.bf16 %h1, %h2, %h3;":                 false,
		"min.rn.f32 %f1, %f2, %f3;":                   false,
		"mad.rn.f16 %h1, %h2, %h3, %h4;":              false,
		"fma.f32 %f1, %f2, %f3, %f4;":                 false,
		"ex2.approx.bf16 %h1, %h2;":                   false,
		"ex2.approx.ftz.bf16 %h1, %h2;":               true,
		"tanh.approx.ftz.f32 %f1, %f2;":               false,
		"div.full.f64 %d1, %d2, %d3;":                 false,
		"red.global.exch.b32 [%rd1], %r1;":            false,
		"red.global.add.v2.f32 [%rd1], {%f1,%f2};":    true,
		"red.global.add.v2.u32 [%rd1], {%r1,%r2};":    false,
		"atom.global.max.noftz.f16 %h1, [%rd1], %h2;": false,
		"mov.f16 %h1, %h2;":                           false,
	} {
		if _, err := Load(head + text + "\n}\n"); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
}

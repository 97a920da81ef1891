package sass

import (
	"cmp"
	"context"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// Disassembles reports whether the tools can print code for a device: what its driver has made, or what ptxas makes.
func (t Tools) Disassembles(c device.Capabilities) bool {
	return t.NVDisasm != "" && (t.PTXAS != "" || c.Arch != "")
}

// Disassembly is the machine code of a kernel: what the device has made of it, or else what ptxas makes of its PTX.
// made is what the device says of the kernel; nil where it says nothing.
func (t Tools) Disassembly(ctx context.Context, fn *ir.Func, o device.Options, c device.Capabilities,
	made *device.Compiled) (*protocol.SASS, error) {
	target := cmp.Or(c.Arch, arch.Default) // the device may have no machine code of its own
	if made == nil || made.PTX == "" {
		m, err := ptx.Compile(fn, ptx.Options{Target: target, NumWarps: o.NumWarps, NumStages: o.NumStages})
		if err != nil {
			return nil, err
		}
		made = &device.Compiled{PTX: m.Text, Lines: m.Lines}
	}
	out := &protocol.SASS{Arch: target}
	cubin := made.Cubin
	if len(cubin) == 0 {
		out.Assembled = true
		var err error
		if cubin, _, err = t.Assemble(ctx, made.PTX, target); err != nil {
			return nil, err
		}
	}
	list, err := t.Disassemble(ctx, cubin)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	for _, l := range list {
		text.WriteString(l.Text + "\n")
		at := l.Span(made.Lines)
		out.Lines = append(out.Lines, int(at.Start), int(at.End))
	}
	out.Text = text.String()
	return out, nil
}

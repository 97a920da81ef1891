package script

import (
	"cmp"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
)

// Assembler makes code for a GPU of a function: target is "sm_90a" or the like.
type Assembler func(fn *ir.Func, target string, o device.Options) (*device.Compiled, error)

// Triton's defaults for the options of a launch.
const (
	defaultWarps  = 4
	defaultStages = 3
	defaultTarget = "sm_90a" // of code that is made where no GPU is
)

// compiled implements host.Compiled: a kernel with the target that it was launched on.
type compiled struct {
	*launch.Kernel
	on       launch.Target
	assemble Assembler
	span     source.Span // of the launch
}

func (l *Launcher) compiled(of host.Launch, k *launch.Kernel) host.Compiled {
	return &compiled{k, l.target(of), l.Assemble, of.Span}
}

// IR implements host.Compiled.
func (c *compiled) IR() string { return c.Func.String() }

// Code implements host.Compiled.
func (c *compiled) Code() (host.Code, *diag.Diagnostic) {
	code := host.Code{Warps: cmp.Or(c.on.NumWarps, c.NumWarps, defaultWarps),
		Stages: cmp.Or(c.on.NumStages, c.NumStages, defaultStages)}
	made, fault := c.Made(c.on)
	target := cmp.Or(c.on.Capabilities().Arch, defaultTarget)
	if made == nil && fault == nil && c.assemble != nil {
		var err error
		made, err = c.assemble(c.Func, target, device.Options{NumWarps: code.Warps, NumStages: code.Stages})
		if err != nil {
			fault = launch.Diagnostic(err)
		}
	}
	switch {
	case fault != nil:
		return code, fault
	case made == nil:
		return code, diag.New("no-gpu-code", c.span, c.Func.Name)
	}
	code.Target, code.PTX, code.Registers = target, made.PTX, made.Registers
	code.SpillBytes, code.SharedBytes, code.Took = made.SpillBytes, made.SharedBytes, made.ToPTX+made.ToSASS
	return code, nil
}

package script

import (
	"cmp"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
)

// Assembler makes code for a GPU of a function: target is a name of package arch.
type Assembler func(fn *ir.Func, target string, o device.Options) (*device.Compiled, error)

// TritonShared is how much shared memory Triton allocates at least for a program of a function, and how much there is
// on a target.
type TritonShared func(fn *ir.Func, target string, o device.Options) (required, limit int)

// Triton's defaults for the options of a launch.
const (
	DefaultWarps  = 4
	DefaultStages = 3
)

// compiled implements host.Compiled: a kernel with the target that it was launched on.
type compiled struct {
	*launch.Kernel
	on       launch.Target
	assemble Assembler
	triton   int         // host.Code.TritonSharedBytes
	span     source.Span // of the launch
}

func (l *Launcher) compiled(of host.Launch, k *launch.Kernel) host.Compiled {
	required, _, _ := l.tritonShared(of, k)
	return &compiled{k, l.target(of), l.Assemble, required, of.Span}
}

// tritonShared is what TritonShared says of a launch, and the target for which.
func (l *Launcher) tritonShared(of host.Launch, k *launch.Kernel) (required, limit int, target string) {
	on := l.target(of)
	target = cmp.Or(on.Capabilities().Arch, arch.Default)
	if l.TritonShared == nil || of.Interpreted || of.Internal {
		return 0, 0, target
	}
	key := sharedKey{k, target, device.Options{NumWarps: cmp.Or(on.NumWarps, k.NumWarps, DefaultWarps),
		NumStages: cmp.Or(on.NumStages, k.NumStages, DefaultStages)}}
	x, ok := l.shared[key]
	if !ok {
		x.required, x.limit = l.TritonShared(k.Func, target, key.Options)
		if l.shared == nil {
			l.shared = map[sharedKey]tritonBytes{}
		}
		l.shared[key] = x
	}
	return x.required, x.limit, target
}

// sharedKey is what TritonShared depends on, tritonBytes what it says.
type (
	sharedKey struct {
		*launch.Kernel
		target string
		device.Options
	}
	tritonBytes struct{ required, limit int }
)

// tritonRefuses is Triton's OutOfResources for a launch that newt can make with fewer stages: an exception where a
// config is tried or under Strict, else a warning and nil.
func (l *Launcher) tritonRefuses(of host.Launch, k *launch.Kernel) *host.Failure {
	required, limit, target := l.tritonShared(of, k)
	if required <= limit {
		return nil
	}
	d := diag.New("triton-shared-memory", of.Span, of.Kernel.Name, required, limit, target)
	if l.Strict || of.Tuning {
		return failureOf(outOfResources, diag.List{d}, d)
	}
	d.Severity = diag.Warning
	l.Said.AddNew(d)
	return nil
}

// IR implements host.Compiled.
func (c *compiled) IR() string { return c.Func.String() }

// Code implements host.Compiled.
func (c *compiled) Code() (host.Code, *diag.Diagnostic) {
	code := host.Code{Warps: cmp.Or(c.on.NumWarps, c.NumWarps, DefaultWarps),
		Stages: cmp.Or(c.on.NumStages, c.NumStages, DefaultStages), TritonSharedBytes: c.triton}
	made, fault := c.Made(c.on)
	target := cmp.Or(c.on.Capabilities().Arch, arch.Default)
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

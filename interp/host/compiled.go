package host

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
)

// Compiled is what a kernel became for the arguments of a launch.
type Compiled interface {
	// IR is the tile IR that every engine runs, as text.
	IR() string
	// Code is what a GPU runs. It is made when it is first asked for.
	Code() (Code, *diag.Diagnostic)
}

// Code is a kernel's machine code and what it takes.
type Code struct {
	Target      string // "sm_90a"; "" if there is no code
	PTX         string
	Registers   int // of one thread; 0 if no driver has counted them
	SpillBytes  int // of one thread
	SharedBytes int // of one program
	// TritonSharedBytes is how many Triton's code takes at least, 0 if that is not known.
	TritonSharedBytes int
	Warps             int
	Stages            int
	Took              time.Duration // to compile, 0 if not known
}

// What a compiled kernel says of itself where no driver has counted: enough for the arithmetic that scripts do with
// it, such as the number of programs that are resident at a time.
const (
	assumedRegisters   = 32
	assumedSharedBytes = 1024
)

// compiledKernel is the handle that a launch returns. Called as handle[grid](…) it launches the kernel again with the
// same options.
type compiledKernel struct {
	launch   Launch
	compiled Compiled
}

// compiledKernelClass is triton.compiler.CompiledKernel.
var compiledKernelClass = &Class{Name: "CompiledKernel", shared: true, has: is[*compiledKernel]}

// Type is the name of Triton's class.
func (*compiledKernel) Type() string { return "CompiledKernel" }

// run launches with the options that the kernel was compiled with.
func (k *compiledKernel) run(m *machine, c launchCall) Value {
	l := k.launch
	l.Span, l.Args = m.callerPlace(), k.launch.Kernel.bind(c.arguments, map[string]Value{})
	return m.runLaunch(l, c)
}

// code is the kernel's code; where there is none, the assumptions above with a hint that says so.
func (k *compiledKernel) code(m *machine) Code {
	code, none := k.compiled.Code()
	if none != nil {
		m.said.AddNew(advice(none))
	}
	if code.Registers == 0 {
		code.Registers = assumedRegisters
		m.said.AddNew(advice(diag.New("registers-assumed", k.launch.Span, k.launch.Kernel.Name, assumedRegisters)))
	}
	if code.Target == "" {
		code.SharedBytes = assumedSharedBytes
	}
	return code
}

// attr is an attribute of the handle, as Triton's CompiledKernel has it.
func (k *compiledKernel) attr(m *machine, name string) (Value, bool) {
	kernel := k.launch.Kernel
	switch name {
	case "name", "__name__":
		return python.Str(kernel.Name), true
	case "src", "fn":
		return kernel, true
	case "asm":
		return k.stages(), true
	case "n_regs":
		return intValue(k.code(m).Registers), true
	case "n_spills":
		return intValue(k.code(m).SpillBytes), true
	case "n_max_threads":
		return intValue(1024), true // of one block, on every GPU that newt compiles for
	case "metadata", "packed_metadata":
		return k.metadata(m), true
	case "_init_handles":
		return &Builtin{Name: name, call: ignore}, true
	case "hash":
		h := fnv.New128a()
		h.Write([]byte(k.compiled.IR()))
		return python.Str(hex.EncodeToString(h.Sum(nil))), true
	case "kernel", "function", "module": // handles of Triton's driver, for which scripts have no use
		return intValue(0), true
	case "metadata_path":
		lack("AttributeError", "CompiledKernel."+name, []string{"asm", "name", "n_regs", "n_spills", "metadata"})
	}
	return nil, false
}

// metadata is what Triton keeps of a kernel's compilation.
func (k *compiledKernel) metadata(m *machine) Value {
	code := k.code(m)
	if code.Target != "" && code.TritonSharedBytes > code.SharedBytes {
		m.said.AddNew(advice(diag.New("metadata-shared", k.launch.Span, k.launch.Kernel.Name, code.SharedBytes,
			code.TritonSharedBytes)))
	}
	driver := m.libraryMember("triton.runtime.driver", "active")
	rows := []keyword{
		{"name", python.Str(k.launch.Kernel.Name)}, {"shared", intValue(code.SharedBytes)},
		{"num_warps", intValue(code.Warps)}, {"num_stages", intValue(code.Stages)}, {"num_ctas", intValue(1)},
		{"target", m.callWith(m.attrOf(driver, "get_current_target"))}, {"warp_size", intValue(32)}, {"maxnreg", none},
		{"debug", python.Bool(false)}, {"enable_fp_fusion", python.Bool(true)}, {"global_scratch_size", intValue(0)},
		{"tmem_size", none}, {"launch_cooperative_grid", python.Bool(false)}, {"launch_pdl", python.Bool(false)},
	}
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.name
	}
	return namedTupleClass("triton.compiler.compiler", "KernelMetadata", names, nil).make(m, arguments{keywords: rows})
}

// stages is asm: PTX where there is some, and for the stages of Triton's that newt does not have a text that says so.
func (k *compiledKernel) stages() *Dict {
	asm := newDict()
	set := func(stage, format string, args ...any) {
		asm.set(python.Str(stage), python.Str(fmt.Sprintf(format, args...)))
	}
	set("source", "%s", k.compiled.IR())
	set("ttir", "// newt has no TTIR. This is its own tile IR, after optimisation.\n%s", k.compiled.IR())
	set("ttgir", "// newt has no TTGIR: layouts, dots, pipelines and barriers are planned when PTX is made. "+
		"newt compile --emit plan prints the plan.\n")
	set("llir", "// newt has no LLVM IR: PTX is made from tile IR. See asm[\"ptx\"].\n")
	code, why := k.compiled.Code()
	if why != nil {
		set("ptx", "// %s\n", why.In(diag.English).Headline)
	} else {
		set("ptx", "%s", code.PTX)
	}
	// The driver makes the machine code from the PTX when it loads the kernel; newt does not keep it.
	asm.set(python.Str("cubin"), Bytes(""))
	return asm
}

// Package launch launches kernels: it compiles a kernel for the arguments of a call, as Triton's JIT does, keeps what
// was compiled for calls that are specialized alike, and runs it on a device.
//
// A call goes through four steps:
//
//   - Arg describes an argument as the caller has it: a tensor in this process's memory, or a Python value.
//   - specialize (specialize.go) reduces each argument to what the compiler may know of it: its type, whether a
//     pointer's address or an integer is a multiple of 16, and the value if it is a constexpr.
//   - JITFunction (cache.go) compiles a kernel for such arguments, or finds the Kernel that it compiled earlier.
//   - Kernel.Run (run.go) binds the arguments to the parameters that are left at run time, and launches on the tensors
//     in the device's memory: a device.Storage is there already, or is copied there to stay; Data is copied there and
//     back.
package launch

import (
	"math/big"
	"sync"
	"time"
	"unsafe"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

// Arg is one argument of a call: a tensor, or a number.
type Arg struct {
	Name       string      // passed by keyword; "" is by position
	Tensor     *Tensor     // nil for the rest
	Value      any         // what compiler.Arg.Value may be, but no int
	Constexpr  bool        // Value is known while compiling
	Descriptor *Descriptor // of a tensor descriptor, whose base is Tensor
	// Tuple is set for a tuple. Its items are arguments behind it, named by lower.TupleClass.Item.
	Tuple   *lower.TupleArg
	General bool // nothing about Value, nor the address, is compiled in (do_not_specialize)
}

// Descriptor is what a tensor descriptor says of its tensor and of the blocks that a kernel accesses.
type Descriptor struct {
	lower.Descriptor
	Shape, Strides []int64 // in elements; the last stride is 1
}

// IsReachable reports whether the argument is memory that the kernel has no parameter for: see Tensor.Reachable.
func (a Arg) IsReachable() bool { return a.Tensor != nil && a.Tensor.Reachable }

// Tensor is memory that a pointer argument points into: the whole of it, little-endian. Tensors may share it.
type Tensor struct {
	Name    string // in messages; the parameter's name where empty
	DType   num.DType
	Data    []byte          // of this process: it is copied to the device for each launch, and back
	Storage *device.Storage // in place of Data: it stays where a launch has left it
	Offset  int             // the element that the pointer points to
	// Undefined says that nobody has written to the memory; a Storage knows for itself.
	Undefined bool
	// Address is what kernels take for the address of the first byte, a multiple of 256; 0 leaves it open.
	Address int64
	// Reachable says that no parameter points to the tensor: kernels that make pointers of addresses reach it by its
	// Address.
	Reachable bool
}

// memory identifies the tensor's memory, and gives its size.
func (t *Tensor) memory() (key any, bytes int) {
	if t.Storage != nil {
		return t.Storage, t.Storage.Len()
	}
	return unsafe.SliceData(t.Data), len(t.Data)
}

// undefined reports whether nobody has written to the tensor's memory.
func (t *Tensor) undefined() bool { return t.Undefined || t.Storage != nil && t.Storage.Undefined }

// Bytes is the size of the tensor's memory.
func (t *Tensor) Bytes() int {
	_, bytes := t.memory()
	return bytes
}

// read gives the tensor's memory as it is in this process, or comes here.
func (t *Tensor) read() ([]byte, error) {
	if t.Storage != nil {
		return t.Storage.Read()
	}
	return t.Data, nil
}

// Kernel is a kernel compiled for the arguments of one call, or of others specialized alike. Several goroutines may run
// one at the same time.
type Kernel struct {
	*compiler.Artifact
	Took time.Duration // source to optimized IR

	file   *source.File
	of     compiler.Options // what it was compiled with; Args are those of its launches
	lock   sync.Mutex
	loaded map[Target]device.Kernel

	takesAddresses, makesPointers bool // see ir.Func.TakesAddresses and Addresses

	observable *Kernel                // see Observable; nil until it is asked for
	written    func() map[string]bool // by parameter: whether the kernel may write to its memory
}

// Compile compiles the kernel of that name for the arguments. It is nil where the list has errors.
func Compile(file *source.File, name string, args []Arg, strict bool) (*Kernel, diag.List) {
	return Named(file, name, strict).compile(specialize(args))
}

// compile compiles for args, and plans the run of an interpreter: a kernel that is too large for it is refused here,
// whatever device the kernel is for.
func (f *JITFunction) compile(args []compiler.Arg) (*Kernel, diag.List) {
	start := time.Now()
	o := f.options
	o.Args = args
	artifact, list := compiler.Compile(f.file, o)
	if artifact == nil {
		return nil, list
	}
	k := &Kernel{Artifact: artifact, Took: time.Since(start), file: f.file, of: o,
		loaded: map[Target]device.Kernel{}, takesAddresses: artifact.Func.TakesAddresses(),
		makesPointers: artifact.Func.Addresses()}
	k.written = sync.OnceValue(k.writes)
	// The interpreter is the reference for every device: what it cannot run could not be checked.
	if _, err := k.load(Target{Device: f.interpreter}); err != nil {
		list.Add(Diagnostic(err))
		return nil, list
	}
	return k, list
}

func (k *Kernel) writes() map[string]bool {
	out := map[string]bool{}
	for i, written := range k.Func.Written() {
		out[k.Func.Params[i].Name] = written
	}
	return out
}

// Source is the file that the kernel was compiled from.
func (k *Kernel) Source() *source.File { return k.file }

// Observable is the kernel compiled once more, for launches that are observed: without the optimizer, so that each
// expression of the source has an operation of its own. It is k where that is too large to run.
func (k *Kernel) Observable() *Kernel {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.observable == nil {
		if k.observable = observable(k.file, k.of); k.observable == nil {
			k.observable = k
		}
	}
	return k.observable
}

// observable compiles what Observable gives; nil where that cannot be.
func observable(file *source.File, o compiler.Options) *Kernel {
	o.Unoptimized = true
	k, _ := newFunction(file, o, ObservingInterpreter).compile(o.Args)
	if k != nil {
		k.observable = k
	}
	return k
}

// Param names the parameter of the i-th argument, which a call passes by that name, or by position where it is empty.
func (k *Kernel) Param(i int, name string) string {
	if name == "" && i < len(k.Params) {
		return k.Params[i]
	}
	return name
}

// bind lists the arguments of the parameters that are left at run time, in their order, and the memory that the kernel
// may reach by addresses; nil where one is missing, which devices refuse. memory gives a tensor's memory on the device,
// for a kernel that may write to it or does not.
func (k *Kernel) bind(args []Arg, memory func(t *Tensor, written bool) (device.Memory, error)) ([]device.Arg, error) {
	byName := map[string]*Arg{}
	for i := range args {
		name := k.Param(i, args[i].Name)
		byName[name] = &args[i]
		if d := args[i].Descriptor; d != nil {
			for dim := range d.Shape {
				byName[lower.DescriptorExtent(name, dim)] = &Arg{Value: d.Shape[dim]}
				byName[lower.DescriptorStride(name, dim)] = &Arg{Value: d.Strides[dim]}
			}
		}
	}
	out, written, known := make([]device.Arg, len(k.Func.Params)), k.written(), addresses{}
	for i, p := range k.Func.Params {
		switch a := byName[p.Name]; {
		case a == nil:
		case a.Tensor != nil:
			m, err := memory(a.Tensor, written[p.Name])
			if err != nil {
				return nil, err
			}
			out[i] = device.Pointer{Name: a.Tensor.Name, Memory: m, DType: a.Tensor.DType, Offset: a.Tensor.Offset,
				Undefined: a.Tensor.undefined(), Address: known.of(a.Tensor)}
		default:
			out[i] = device.Scalar{Scalar: scalar(p, a.Value)}
		}
	}
	if !k.makesPointers {
		return out, nil
	}
	// An address may also be that of an argument, where the kernel takes it.
	passed := map[any]bool{}
	for _, a := range args {
		if !a.IsReachable() && (a.Tensor == nil || !k.takesAddresses) {
			continue
		}
		t := a.Tensor
		key, _ := t.memory()
		if passed[key] {
			continue
		}
		passed[key] = true
		m, err := memory(t, true)
		if err != nil {
			return nil, err
		}
		out = append(out, device.Pointer{Name: t.Name, Memory: m, DType: t.DType, Undefined: t.undefined(),
			Address: known.of(t)})
	}
	return out, nil
}

// addresses are those that a launch gives memory that has none, by its identity.
type addresses map[any]int64

// firstAddress is the first of them, far from those that scripts know, which follow one another by more than any
// memory has bytes.
const (
	firstAddress  = 1 << 46
	addressStride = 1 << 36
)

// of is the address of the first byte of a tensor's memory.
func (a addresses) of(t *Tensor) int64 {
	if t.Address != 0 {
		return t.Address
	}
	key, _ := t.memory()
	if a[key] == 0 {
		a[key] = firstAddress + int64(len(a))*addressStride
	}
	return a[key]
}

// scalar converts a Python number to the dtype of a parameter, as Triton's launcher does.
func scalar(p *ir.Param, value any) num.Scalar {
	d := p.Value.Type.DType
	switch v := value.(type) {
	case bool:
		// True is 1 in a wider integer, where the bit of an int1 extended by its sign would be -1.
		return num.FromInt(d, int64(num.FromBool(v).Bits))
	case int64:
		return num.FromInt(d, v)
	case *big.Int:
		if d.Info().Float {
			f, _ := v.Float64()
			return num.FromFloat(d, f)
		}
		// Only a uint64 gets here (specialize): its bits are kept, whatever the sign of the dtype.
		return num.FromInt(d, int64(v.Uint64()))
	case float64:
		return num.FromFloat(d, v)
	}
	// Other values are compiled in (specialize): no parameter is left for them.
	return num.FromInt(d, 0)
}

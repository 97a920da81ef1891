package tensor

import (
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// Device is torch.device: where a tensor lies. All storages are memory of this process; a device decides which tensors
// may meet in an operation, which random stream fills them and how they print.
type Device struct {
	Type  string // "cpu" or "cuda"
	Index int    // -1 where none was named
}

// The devices that tensors lie on.
var (
	CPU  = Device{"cpu", -1}
	CUDA = Device{"cuda", 0}
)

// String is the device as str() gives it: cpu, cuda:0.
func (d Device) String() string {
	if d.Index < 0 {
		return d.Type
	}
	return d.Type + ":" + strconv.Itoa(d.Index)
}

// Repr is the device as repr() gives it.
func (d Device) Repr() string {
	if d.Index < 0 {
		return "device(type='" + d.Type + "')"
	}
	return "device(type='" + d.Type + "', index=" + strconv.Itoa(d.Index) + ")"
}

// foreignDevices are the types of device that torch knows besides cpu and cuda.
const foreignDevices = "ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone"

// ParseDevice reads a device from a Device, a string such as "cuda:0", or the index of a GPU. A failure is an *Error.
func ParseDevice(v any) (d Device, err error) {
	defer guard(&err)
	return parseDevice(v), nil
}

func parseDevice(v any) Device {
	switch v := v.(type) {
	case Device:
		return v
	case int64:
		if v < 0 {
			runtimeError("Device index must not be negative")
		}
		return Device{"cuda", int(v)}
	case string:
		return deviceNamed(v)
	}
	typeError("device(): argument 'type' must be str, not %s", pythonType(v))
	return CPU
}

func deviceNamed(name string) Device {
	kind, index, numbered := strings.Cut(name, ":")
	d := Device{kind, -1}
	if numbered {
		n, err := strconv.Atoi(index)
		if err != nil || n < 0 {
			runtimeError("Invalid device string: '%s'", name)
		}
		d.Index = n
	}
	switch {
	case kind == "cpu" || kind == "cuda":
	case kind != "" && strings.Contains(", "+foreignDevices+",", ", "+kind+","): // onCUDA refuses it
	default:
		runtimeError("Expected one of cpu, cuda, %s device type at start of device string: %s", foreignDevices, kind)
	}
	return d
}

// onCUDA reports which of the two memories d names. There is one GPU.
func (d Device) onCUDA() bool {
	if d.Type != "cpu" && d.Type != "cuda" {
		lack("NotImplementedError", "torch.device('%s'); tensors lie on cpu or cuda", d)
	}
	if d.Type == "cuda" && d.Index > 0 {
		raise("AcceleratorError", "CUDA error: invalid device ordinal\nGPU device may be out of range, "+
			"do you have enough GPUs?\nCUDA kernel errors might be asynchronously reported at some other API call, "+
			"so the stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"+
			"Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n")
	}
	return d.Type == "cuda"
}

// Device is where t lies.
func (t *Tensor) Device() Device { return deviceOf(t.storage.cuda) }

func deviceOf(cuda bool) Device {
	if cuda {
		return CUDA
	}
	return CPU
}

// placeOn makes new storages lie on one device until the function that it returns is called.
func (c *Context) placeOn(cuda bool) (restore func()) {
	before := c.cuda
	c.cuda = cuda
	return func() { c.cuda = before }
}

// place is where the results of a call lie: on the device that it names, else on that of its tensors, which must be
// one, else on the default device.
func (c *Context) place(op *Op, a args) bool {
	if op.device >= 0 && a.has(op.device) {
		return a[op.device].(Device).onCUDA()
	}
	var m meeting
	for _, v := range a {
		m.add(v)
		if op.mixes && m.seen { // its first tensor says where
			return m.first
		}
	}
	switch {
	case m.cuda && m.cpu:
		op.refuseMeeting(a)
		runtimeError("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!")
	case !m.seen:
		return c.DefaultDevice.onCUDA()
	}
	return m.cuda
}

// A check is a kernel of torch's that looks at its tensors' devices one by one, in the order of their names.
type check struct {
	kernel string
	names  []string
	order  []int // of the tensors among the arguments; nil: as they come
}

// checks are the kernels that operations are handed to; elementwise ones look at all tensors at once.
var checks = map[string]func(a args) check{
	"mm":     checking(check{"mm", []string{"self", "mat2"}, nil}),
	"bmm":    checking(check{"bmm", []string{"self", "mat2"}, nil}),
	"matmul": checkOfMatmul,
	"addmm":  checking(check{"addmm", []string{"self", "mat1", "mat2"}, nil}),
	"linear": func(a args) check {
		if a.has(2) && len(a.tensor(0).shape) == 2 {
			return check{"addmm", []string{"self", "mat1", "mat2"}, []int{2, 0, 1}}
		}
		return checkOfMatmul(a)
	},
	"baddbmm":       checking(check{"baddbmm", []string{"self", "batch1", "batch2"}, nil}),
	"cat":           checking(check{"cat", []string{"tensors"}, nil}),
	"stack":         checking(check{"cat", []string{"tensors"}, nil}),
	"equal":         checking(check{"_equal", []string{"self", "other"}, nil}),
	"gather":        checking(check{"gather", []string{"self", "index"}, nil}),
	"scatter":       checking(check{"scatter", []string{"self", "index", "src"}, nil}),
	"scatter_add":   checking(check{"scatter_add", []string{"self", "index", "src"}, nil}),
	"index_select":  checking(check{"index_select", []string{"self", "index"}, nil}),
	"embedding":     checking(check{"_index_select", []string{"self", "index"}, []int{1, 0}}),
	"layer_norm":    checking(check{"_native_layer_norm", []string{"input", "weight", "bias"}, nil}),
	"nll_loss":      checking(check{"nll_loss_forward", []string{"self", "target", "weight"}, nil}),
	"cross_entropy": checking(check{"nll_loss_forward", []string{"self", "target", "weight"}, nil}),
}

func checking(c check) func(args) check { return func(args) check { return c } }

// checkOfMatmul is that of the kernel which torch.matmul chooses by rank.
func checkOfMatmul(a args) check {
	switch x, y := len(a.tensor(0).shape), len(a.tensor(1).shape); {
	case x == 1 && y == 1:
		return check{"dot", []string{"self", "tensor"}, nil}
	case y == 1:
		return check{"addmv_", []string{"self", "mat", "vec"}, nil}
	case x > 2 && y > 2:
		return check{"bmm", []string{"self", "mat2"}, nil}
	}
	return check{"mm", []string{"self", "mat2"}, nil}
}

// refuseMeeting says which tensor is not where the first one is, if the operation's kernel looks at them in turn.
func (op *Op) refuseMeeting(a args) {
	find, ok := checks[op.Name]
	if !ok {
		return
	}
	c := find(a)
	if c.order != nil {
		ordered := make(args, len(c.order))
		for i, at := range c.order {
			ordered[i] = a[at]
		}
		a = ordered
	}
	var tensors []*Tensor
	for _, v := range a {
		switch v := v.(type) {
		case *Tensor:
			tensors = append(tensors, v)
		case []*Tensor:
			tensors = append(tensors, v...)
		}
	}
	for i, t := range tensors {
		if first := tensors[0]; t.storage.cuda != first.storage.cuda {
			runtimeError("Expected all tensors to be on the same device, but got %s is on %s, "+
				"different from other tensors "+
				"on %s (when checking argument in method wrapper_CUDA_%s)",
				c.names[min(i, len(c.names)-1)], t.Device(), first.Device(), c.kernel)
		}
	}
}

// meeting notes on which devices the tensors of a call lie.
type meeting struct {
	seen, first bool
	cuda, cpu   bool
}

func (m *meeting) add(v any) {
	switch v := v.(type) {
	case *Tensor:
		if !m.seen {
			m.seen, m.first = true, v.storage.cuda
		}
		m.cuda = m.cuda || v.storage.cuda
		// A number in a tensor of the CPU may meet tensors of any device.
		m.cpu = m.cpu || !v.storage.cuda && len(v.shape) > 0
	case operand:
		if !v.number {
			m.add(v.Tensor)
		}
	case []*Tensor:
		for _, t := range v {
			m.add(t)
		}
	}
}

// toDevice converts t to a device and a dtype; a tensor that is there already is returned as it is.
func toDevice(c *Context, t *Tensor, cuda bool, d num.DType) *Tensor {
	defer c.placeOn(cuda)()
	if t.storage.cuda == cuda {
		return toDType(c, t, d)
	}
	out := c.alloc(d, t.shape...)
	out.copyFrom(t)
	return c.record(out, "to", []*Tensor{t}, func(g *Tensor) []*Tensor { return []*Tensor{g} })
}

// takeTarget reads an argument of Tensor.to: a dtype, a device, or a tensor that has both.
func takeTarget(v any, cuda *bool, d *num.DType) {
	switch v := v.(type) {
	case nil, bool: // non_blocking and copy may come by position
	case num.DType:
		*d = v
	case *Tensor:
		*cuda, *d = v.storage.cuda, v.dtype
	default:
		*cuda = parseDevice(v).onCUDA()
	}
}

// Package recorded reads recorded launches of Triton kernels, and makes them again.
//
// A .launch file is a zip archive that runner/recorder/newt_record.py writes on a machine with torch and Triton:
//
//	manifest.json     a Manifest
//	sources/….py      the text of a kernel and of all that it uses: a module of its own
//	storages/…        the bytes of a tensor's storage, little-endian
//
// The manifest refers to the other members by their names; those that are the same are there once. Its fields are those
// of the types below, in JSON, by the names in their tags: a Launch has the kernel's name, its source, the grid, the
// options (num_warps and such), and the arguments by the names of the parameters. A Value has one field, which says
// what it is. A tensor is a view of one of its launch's storages, which are recorded before and after the launch;
// tensors that share memory share a storage. Notes say in English what was left out, and why.
//
// Read checks all of it, so that the rest of the package need not: a file may come from anybody. Document makes a
// script of the launches, which makes the tensors from the storages and launches the kernels as the recorded program
// did. The page opens it, and Replay runs it and compares what it leaves in the storages.
package recorded

import "encoding/json"

// Format and Version are what the manifest of a file says of itself. Files of another version are refused.
const (
	Format  = "newt.launch"
	Version = 1
)

// Limits of a file.
const (
	MaxBytes    = 1 << 30 // of all members, unpacked
	maxElements = 1 << 30 // of a tensor, whose stride may be 0
	maxManifest = 4 << 20 // bytes
	maxSource   = 1 << 20 // bytes
	maxLaunches = 4096
	maxArgs     = 1024    // of a launch, those within tuples included
	maxAddress  = 1 << 16 // of a launch
	maxDims     = 64
	maxDepth    = 8 // of tuples
	maxNotes    = 1000
)

// File is a file that Read accepted.
type File struct {
	Name string
	Manifest
	members map[string][]byte
}

// Before is what a storage of a launch held before it.
func (f *File) Before(launch, storage int) []byte {
	return f.members[f.Launches[launch].Storages[storage].Before]
}

// Manifest is what manifest.json holds.
type Manifest struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Versions map[string]string `json:"versions"` // of python, torch, triton; gpu is its name
	Launches []Launch          `json:"launches"`
	Notes    []string          `json:"notes"`
}

// Launch is one launch of a kernel.
type Launch struct {
	Kernel   string                     `json:"kernel"`
	Source   string                     `json:"source"` // a member
	At       string                     `json:"at"`     // the file and line of the program that made it
	Grid     [3]int                     `json:"grid"`
	Options  map[string]json.RawMessage `json:"options"` // bools, ints and strings
	Args     []Arg                      `json:"args"`
	Storages []Storage                  `json:"storages"`
	// Addresses are where the storages hold addresses of other storages: kernels make pointers of them.
	Addresses []Address `json:"addresses,omitempty"`
	Notes     []string  `json:"notes"`
}

// Address is a 64-bit integer in a storage, the At-th from its beginning, that is the address of a byte of another.
type Address struct {
	Storage int `json:"storage"`
	At      int `json:"at"`
	Of      int `json:"of"` // a storage
	Offset  int `json:"offset"`
}

// Storage is the memory behind tensors, before and after the launch.
type Storage struct {
	Bytes  int    `json:"bytes"`
	Before string `json:"before"` // a member, as After is
	After  string `json:"after"`
	DType  string `json:"dtype,omitempty"` // its name under torch, of a storage that no argument is in
}

// Arg is the argument of a parameter.
type Arg struct {
	Name  string `json:"name"`
	Value Value  `json:"value"`
}

// Value is a Python value. One field of it is set.
type Value struct {
	Tensor     *Tensor      `json:"tensor,omitempty"`
	Descriptor *Descriptor  `json:"descriptor,omitempty"`
	None       bool         `json:"none,omitempty"`
	Bool       *bool        `json:"bool,omitempty"`
	Int        *json.Number `json:"int,omitempty"`
	Float      *string      `json:"float,omitempty"` // as Python prints it: "0.1", "inf", "nan"
	Str        *string      `json:"str,omitempty"`
	DType      *string      `json:"dtype,omitempty"`     // its name under triton.language
	Function   *string      `json:"function,omitempty"`  // a function of the launch's source
	Constexpr  *Value       `json:"constexpr,omitempty"` // tl.constexpr(…)
	Tuple      *[]Value     `json:"tuple,omitempty"`
	Named      *Named       `json:"named,omitempty"`
}

// Named is a named tuple, of a class of the launch's source.
type Named struct {
	Type  string  `json:"type"`
	Items []Value `json:"items"`
}

// items are the values that a tuple, named or not, holds.
func (v *Value) items() []Value {
	switch {
	case v.Tuple != nil:
		return *v.Tuple
	case v.Named != nil:
		return v.Named.Items
	}
	return nil
}

// Tensor is a view of a storage. Strides and the offset count elements.
type Tensor struct {
	DType   string `json:"dtype"` // its name under torch
	Shape   []int  `json:"shape"`
	Strides []int  `json:"strides"`
	Offset  int    `json:"offset"`
	Storage int    `json:"storage"`      // the index of one of the launch's storages
	As      string `json:"as,omitempty"` // the dtype under triton.language that triton.reinterpret gave it
}

// Descriptor is a triton.tools.tensor_descriptor.TensorDescriptor.
type Descriptor struct {
	Base    Tensor `json:"base"`
	Shape   []int  `json:"shape"`
	Strides []int  `json:"strides"`
	Block   []int  `json:"block"`
	Padding string `json:"padding"` // "zero" or "nan"
}

// tensors lists the tensors among the arguments, with the names of their parameters.
func (l *Launch) tensors() (list []operand) {
	var walk func(name string, v *Value)
	walk = func(name string, v *Value) {
		switch {
		case v.Tensor != nil:
			list = append(list, operand{name, v.Tensor})
		case v.Descriptor != nil:
			list = append(list, operand{name, &v.Descriptor.Base})
		}
		for i := range v.items() {
			walk(name, &v.items()[i])
		}
	}
	for i := range l.Args {
		walk(l.Args[i].Name, &l.Args[i].Value)
	}
	return list
}

// operand is a tensor with the parameter that it is the argument of, or is in the argument of.
type operand struct {
	name string
	*Tensor
}

package host

import (
	"github.com/newtlab/newt/compiler/num"
)

// jaxtyping's annotations by name. The unsized ones stand for the dtype that torch makes by default.
func jaxtyping() map[string]Value {
	members := map[string]Value{}
	for name, d := range map[string]num.DType{
		"Float16": num.Float16, "BFloat16": num.BFloat16, "Float32": num.Float32, "Float64": num.Float64,
		"Float": num.Float32,
		"Int8":  num.Int8, "Int16": num.Int16, "Int32": num.Int32, "Int64": num.Int64, "Int": num.Int64,
		"UInt8": num.Uint8, "UInt16": num.Uint16, "UInt32": num.Uint32, "UInt64": num.Uint64, "Bool": num.Int1,
	} {
		members[name] = &annotator{name, d}
	}
	return members
}

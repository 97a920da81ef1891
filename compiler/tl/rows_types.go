package tl

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

func dtypeRow(d num.DType) Row {
	i := d.Info()
	return Row{Name: i.Attr, Bind: DType,
		Doc:     Text{"The element type " + i.Name + ".", "元素类型 " + i.Name + "。"},
		Example: "print('got', tl.zeros((4,), tl." + i.Attr + ").to(tl.float32))"}
}

var typeRows = func() []Row {
	var rows []Row
	for d := range num.NumDTypes {
		rows = append(rows, dtypeRow(d))
	}
	return append(rows,
		Row{Name: "pointer_type", Params: "element_ty, address_space=1, const=False", Doc: Text{
			"The type of pointers to an element type.", "指向某元素类型的指针类型。"},
			Example: "tl.static_print(tl.pointer_type(tl.float32))"},
		Row{Name: "TRITON_MAX_TENSOR_NUMEL", Bind: Constant, Value: types.MaxNumel, Doc: Text{
			"The most elements that a tile may have.", "一个块最多的元素个数。"},
			Example: "tl.static_print(tl.TRITON_MAX_TENSOR_NUMEL)"},
		Row{Name: "tensor", Bind: Property, Doc: Text{
			"The type of every value that exists at run time; used in annotations and isinstance.",
			"运行时值的类型，用于注解和 isinstance。"},
			Example: "x = tl.arange(0, 4)\ntl.static_print(isinstance(x, tl.tensor))"},
		Row{Name: "dtype", Params: "name", Doc: Text{
			"The element type of a name such as uint8 or fp32; used in annotations and isinstance as well.",
			"名字（如 uint8、fp32）对应的元素类型；也用于注解和 isinstance。"},
			Example: "bits: tl.constexpr = 16\ntl.static_print(tl.dtype(f\"uint{bits}\"), isinstance(tl.float32, tl.dtype))"},
		Row{Name: "tensor_descriptor", Bind: Property, Doc: Text{
			"The type of tensor descriptors; used in annotations and isinstance.",
			"张量描述符的类型，用于注解和 isinstance。"},
			Example: "tl.static_print(isinstance(x_ptr, tl.tensor_descriptor))"},
		Row{Name: "block_type", Bind: Property, Doc: Text{
			"The type of the types of tiles; used in isinstance.",
			"块类型的类型，用于 isinstance。"},
			Example: "tl.static_print(isinstance(tl.arange(0, 4).type, tl.block_type))"},
		Row{Name: "tuple", Params: "args", Doc: Text{
			"A sequence as a tuple, which is what a kernel makes of lists, too; used in isinstance as well.",
			"把序列变成元组，kernel 里的列表也是元组；也用于 isinstance。"},
			Example: "t = tl.tuple([n, 3.5])\nprint('got', t[0] + t[1])\ntl.static_print(isinstance(t, tl.tuple))"},
	)
}()

var tensorRows = []Row{
	{
		Name:   "to",
		Where:  Tensor,
		Params: "dtype, fp_downcast_rounding=None, bitcast=False",
		Doc: Text{
			"Converts to another dtype. Floats round to nearest even; with bitcast=True the bits stay and only the type changes.",
			"转换为另一种 dtype。浮点数按最近偶数舍入；bitcast=True 时位不变，只改变类型。",
		},
		Example: "print('got', tl.arange(0, 4).to(tl.float32))",
	},
	{
		Name:  "dtype",
		Where: Tensor,
		Bind:  Property,
		Doc: Text{
			"The element type.",
			"元素类型。",
		},
		Example: "tl.static_print(tl.arange(0, 4).dtype)",
	},
	{
		Name:  "shape",
		Where: Tensor,
		Bind:  Property,
		Doc: Text{
			"The shape, a tuple of constexpr numbers.",
			"形状，由 constexpr 整数组成的元组。",
		},
		Example: "tl.static_print(tl.arange(0, 4).shape)",
	},
	{
		Name:  "type",
		Where: Tensor,
		Bind:  Property,
		Doc: Text{
			"The full type: element type and shape.",
			"完整的类型：元素类型与形状。",
		},
		Example: "tl.static_print(x_ptr.type.element_ty)",
	},
	{
		Name:  "numel",
		Where: Tensor,
		Bind:  Property,
		Doc: Text{
			"The number of elements.",
			"元素个数。",
		},
		Example: "tl.static_print(tl.arange(0, 4).numel)",
	},
	{
		Name:  "T",
		Where: Tensor,
		Bind:  Property,
		Doc: Text{
			"The transpose of a two-dimensional tile.",
			"二维块的转置。",
		},
		Example: "print('got', tl.reshape(tl.arange(0, 8), (2, 4)).T)",
	},
	{
		Name:   "item",
		Where:  Tensor,
		Params: "",
		Doc: Text{
			"The only element of a tile with one element.",
			"单元素块中的那个元素。",
		},
		Example: "print('got', tl.full((1,), 5, tl.int32).item())",
	},
	{
		Name:   "logical_and",
		Where:  Tensor,
		Params: "other",
		Doc: Text{
			"Logical and, element by element.",
			"逐元素逻辑与。",
		},
		Example: "x = tl.arange(0, 4)\nprint('got', (x > 0).logical_and(x < 3))",
	},
	{
		Name:   "logical_or",
		Where:  Tensor,
		Params: "other",
		Doc: Text{
			"Logical or, element by element.",
			"逐元素逻辑或。",
		},
		Example: "x = tl.arange(0, 4)\nprint('got', (x < 1).logical_or(x > 2))",
	},
}

var dtypeOfRows = []Row{
	{
		Name:  "element_ty",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"The type that a pointer points to.",
			"指针所指的元素类型。",
		},
		Example: "tl.static_print(x_ptr.dtype.element_ty)",
	},
	{
		Name:  "scalar",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"The type of one element.",
			"单个元素的类型。",
		},
		Example: "tl.static_print(tl.arange(0, 4).type.scalar)",
	},
	{
		Name:  "shape",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"The shape of a tile's type.",
			"块类型的形状。",
		},
		Example: "tl.static_print(tl.arange(0, 4).type.shape)",
	},
	{
		Name:  "numel",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"The number of elements of a tile's type.",
			"块类型的元素个数。",
		},
		Example: "tl.static_print(tl.arange(0, 4).type.numel)",
	},
	{
		Name:  "name",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"The dtype's short name.",
			"dtype 的短名。",
		},
		Example: "tl.static_print(tl.float32.name)",
	},
	{
		Name:  "primitive_bitwidth",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"How many bits an element has.",
			"每个元素的位数。",
		},
		Example: "tl.static_print(tl.float16.primitive_bitwidth)",
	},
	{
		Name:  "itemsize",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"How many bytes an element takes in memory.",
			"每个元素在内存中占的字节数。",
		},
		Example: "tl.static_print(tl.float16.itemsize)",
	},
	{
		Name:  "int_bitwidth",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"How many bits an integer has.",
			"整数的位数。",
		},
		Example: "tl.static_print(tl.int16.int_bitwidth)",
	},
	{
		Name:  "fp_mantissa_width",
		Where: DTypeOf,
		Bind:  Property,
		Doc: Text{
			"How many bits of a float's mantissa are stored.",
			"浮点数存储的尾数位数。",
		},
		Example: "tl.static_print(tl.float16.fp_mantissa_width)",
	},
	{
		Name:   "get_block_shapes",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"The shape of the type of a tile.",
			"块类型的形状。",
		},
		Example: "tl.static_print(tl.zeros((4, 8), tl.int8).type.get_block_shapes())",
	},
	{
		Name:   "get_int_min_value",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"The smallest value of an integer type.",
			"整数类型的最小值。",
		},
		Example: "tl.static_print(tl.int8.get_int_min_value())",
	},
	{
		Name:   "get_int_max_value",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"The largest value of an integer type.",
			"整数类型的最大值。",
		},
		Example: "tl.static_print(tl.int8.get_int_max_value())",
	},
	{
		Name:   "is_const",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is a pointer to memory that is only read; newt has none.",
			"是否为只读内存的指针；newt 没有这种类型。",
		},
		Example: "tl.static_print(x_ptr.dtype.is_const())",
	},
	{
		Name:   "is_int",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is an integer type.",
			"是否为整数类型。",
		},
		Example: "tl.static_print(tl.int32.is_int())",
	},
	{
		Name:   "is_floating",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is a floating-point type.",
			"是否为浮点类型。",
		},
		Example: "tl.static_print(tl.float16.is_floating())",
	},
	{
		Name:   "is_standard_floating",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp16, bf16, fp32 or fp64.",
			"是否为 fp16、bf16、fp32 或 fp64。",
		},
		Example: "tl.static_print(tl.float16.is_standard_floating())",
	},
	{
		Name:   "is_ptr",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is a pointer.",
			"是否为指针。",
		},
		Example: "tl.static_print(x_ptr.dtype.is_ptr())",
	},
	{
		Name:   "is_block",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it has a shape.",
			"是否带有形状。",
		},
		Example: "tl.static_print(tl.arange(0, 4).type.is_block())",
	},
	{
		Name:   "is_bool",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is int1.",
			"是否为 int1。",
		},
		Example: "tl.static_print(tl.int1.is_bool())",
	},
	{
		Name:   "is_int_signed",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is a signed integer type.",
			"是否为有符号整数类型。",
		},
		Example: "tl.static_print(tl.int32.is_int_signed())",
	},
	{
		Name:   "is_int_unsigned",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is an unsigned integer type.",
			"是否为无符号整数类型。",
		},
		Example: "tl.static_print(tl.uint8.is_int_unsigned())",
	},
	{
		Name:   "is_fp8",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is an 8-bit float.",
			"是否为 8 位浮点。",
		},
		Example: "tl.static_print(tl.float8e5.is_fp8())",
	},
	{
		Name:   "is_fp16",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp16.",
			"是否为 fp16。",
		},
		Example: "tl.static_print(tl.float16.is_fp16())",
	},
	{
		Name:   "is_bf16",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is bf16.",
			"是否为 bf16。",
		},
		Example: "tl.static_print(tl.bfloat16.is_bf16())",
	},
	{
		Name:   "is_fp32",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp32.",
			"是否为 fp32。",
		},
		Example: "tl.static_print(tl.float32.is_fp32())",
	},
	{
		Name:   "is_fp64",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp64.",
			"是否为 fp64。",
		},
		Example: "tl.static_print(tl.float64.is_fp64())",
	},
	{
		Name:   "is_int1",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is int1.",
			"是否为 int1。",
		},
		Example: "tl.static_print(tl.int1.is_int1())",
	},
	{
		Name:   "is_int8",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is int8.",
			"是否为 int8。",
		},
		Example: "tl.static_print(tl.int8.is_int8())",
	},
	{
		Name:   "is_int16",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is int16.",
			"是否为 int16。",
		},
		Example: "tl.static_print(tl.int16.is_int16())",
	},
	{
		Name:   "is_int32",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is int32.",
			"是否为 int32。",
		},
		Example: "tl.static_print(tl.int32.is_int32())",
	},
	{
		Name:   "is_int64",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is int64.",
			"是否为 int64。",
		},
		Example: "tl.static_print(tl.int64.is_int64())",
	},
	{
		Name:   "is_uint8",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is uint8.",
			"是否为 uint8。",
		},
		Example: "tl.static_print(tl.uint8.is_uint8())",
	},
	{
		Name:   "is_uint16",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is uint16.",
			"是否为 uint16。",
		},
		Example: "tl.static_print(tl.uint16.is_uint16())",
	},
	{
		Name:   "is_uint32",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is uint32.",
			"是否为 uint32。",
		},
		Example: "tl.static_print(tl.uint32.is_uint32())",
	},
	{
		Name:   "is_uint64",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is uint64.",
			"是否为 uint64。",
		},
		Example: "tl.static_print(tl.uint64.is_uint64())",
	},
	{
		Name:   "is_fp8e4nv",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp8e4nv.",
			"是否为 fp8e4nv。",
		},
		Example: "tl.static_print(tl.float8e4nv.is_fp8e4nv())",
	},
	{
		Name:   "is_fp8e5",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp8e5.",
			"是否为 fp8e5。",
		},
		Example: "tl.static_print(tl.float8e5.is_fp8e5())",
	},
	{
		Name:   "is_fp8e4b8",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp8e4b8.",
			"是否为 fp8e4b8。",
		},
		Example: "tl.static_print(tl.float8e4b8.is_fp8e4b8())",
	},
	{
		Name:   "is_fp8e5b16",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp8e5b16.",
			"是否为 fp8e5b16。",
		},
		Example: "tl.static_print(tl.float8e5b16.is_fp8e5b16())",
	},
	{
		Name:   "is_fp8e4b15",
		Where:  DTypeOf,
		Params: "",
		Doc: Text{
			"Whether it is fp8e4b15.",
			"是否为 fp8e4b15。",
		},
		Example: "tl.static_print(tl.float8e4b15.is_fp8e4b15())",
	},
}

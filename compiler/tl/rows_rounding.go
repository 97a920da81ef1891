package tl

// rounding is a direction in which functions of libdevice round: the suffix of their names, and what they then say of
// a float and of an integer.
type rounding struct {
	suffix       string
	float, whole Text
}

// roundings are all of them, to nearest first.
var roundings = []rounding{
	{"_rn", Text{"rounded to nearest", "舍入到最近"}, Text{"rounded to nearest", "舍入到最近的整数"}},
	{"_rz", Text{"rounded towards zero", "向零舍入"}, Text{"rounded towards zero", "向零取整"}},
	{"_rd", Text{"rounded down", "向下舍入"}, Text{"rounded down", "向下取整"}},
	{"_ru", Text{"rounded up", "向上舍入"}, Text{"rounded up", "向上取整"}},
}

// roundedRows are functions of libdevice that exist for several of roundings.
var roundedRows = func() (rows []Row) {
	add := func(f deviceFunction, modes []rounding) {
		for _, mode := range modes {
			rounded := deviceFunction{f.name + mode.suffix, f.overloads, f.en + ", " + mode.float.En + ".",
				f.zh + "，" + mode.float.Zh + "。"}
			rows = append(rows, rounded.row())
		}
	}
	for _, f := range []deviceFunction{
		{"add", floatPairs, "arg0 + arg1", "arg0 + arg1"},
		{"sub", floatPairs, "arg0 - arg1", "arg0 - arg1"},
		{"mul", floatPairs, "arg0 * arg1", "arg0 * arg1"},
		{"div", floatPairs, "arg0 / arg1", "arg0 / arg1"},
		{"rcp", floats, "1 / arg0", "1 / arg0"},
		{"sqrt", floats, "The square root of each element", "每个元素的平方根"},
		{"double2float", "fp64", "Each element as fp32", "每个元素转换为 fp32"},
		{"int2float", "int32", "Each element as fp32", "每个元素转换为 fp32"},
		{"uint2float", "uint32", "Each element as fp32", "每个元素转换为 fp32"},
		{"ll2float", "int64", "Each element as fp32", "每个元素转换为 fp32"},
		{"ull2float", "uint64", "Each element as fp32", "每个元素转换为 fp32"},
		{"ll2double", "int64", "Each element as fp64", "每个元素转换为 fp64"},
		{"ull2double", "uint64", "Each element as fp64", "每个元素转换为 fp64"},
	} {
		add(f, roundings)
	}
	fma := deviceFunction{"fma", "fp32 fp32 fp32", "arg0 * arg1 + arg2 with a single rounding", "arg0 * arg1 + arg2，只舍入一次"}
	add(fma, roundings[1:]) // fma_rn takes fp64, too
	for _, from := range []struct{ name, dtype string }{{"float2", "fp32"}, {"double2", "fp64"}} {
		for _, to := range []struct {
			name string
			as   Text
		}{
			{"int", Text{"int32", " int32"}},
			{"uint", Text{"an unsigned number in int32", "存于 int32 的无符号数"}},
			{"ll", Text{"int64", " int64"}},
			{"ull", Text{"an unsigned number in int64", "存于 int64 的无符号数"}},
		} {
			for _, mode := range roundings {
				f := deviceFunction{from.name + to.name + mode.suffix, from.dtype,
					"Each element " + mode.whole.En + ", as " + to.as.En + ".",
					"每个元素" + mode.whole.Zh + "，结果为" + to.as.Zh + "。"}
				rows = append(rows, f.row())
			}
		}
	}
	return rows
}()

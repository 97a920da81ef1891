package tl

// roundingModes are the directions other than to nearest in which functions of libdevice round, by their suffixes.
var roundingModes = []struct {
	suffix string
	doc    Text
}{
	{"_rz", Text{"rounded towards zero", "向零舍入"}},
	{"_rd", Text{"rounded down", "向下舍入"}},
	{"_ru", Text{"rounded up", "向上舍入"}},
}

// roundedRows are functions of libdevice that exist for each of roundingModes.
var roundedRows = func() (rows []Row) {
	for _, f := range []deviceFunction{
		{"add", floatPairs, "arg0 + arg1", "arg0 + arg1"},
		{"sub", floatPairs, "arg0 - arg1", "arg0 - arg1"},
		{"mul", floatPairs, "arg0 * arg1", "arg0 * arg1"},
		{"div", floatPairs, "arg0 / arg1", "arg0 / arg1"},
		{"rcp", floats, "1 / arg0", "1 / arg0"},
		{"sqrt", floats, "The square root of each element", "每个元素的平方根"},
		{"fma", "fp32 fp32 fp32", "arg0 * arg1 + arg2 with a single rounding", "arg0 * arg1 + arg2，只舍入一次"},
		{"double2float", "fp64", "Each element as fp32", "每个元素转换为 fp32"},
		{"int2float", "int32", "Each element as fp32", "每个元素转换为 fp32"},
		{"uint2float", "uint32", "Each element as fp32", "每个元素转换为 fp32"},
		{"ll2float", "int64", "Each element as fp32", "每个元素转换为 fp32"},
		{"ull2float", "uint64", "Each element as fp32", "每个元素转换为 fp32"},
		{"ll2double", "int64", "Each element as fp64", "每个元素转换为 fp64"},
		{"ull2double", "uint64", "Each element as fp64", "每个元素转换为 fp64"},
	} {
		for _, mode := range roundingModes {
			rounded := deviceFunction{f.name + mode.suffix, f.overloads, f.en + ", " + mode.doc.En + ".",
				f.zh + "，" + mode.doc.Zh + "。"}
			rows = append(rows, rounded.row())
		}
	}
	return rows
}()

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
	for _, f := range []struct {
		name      string
		overloads []string
		doc       Text
	}{
		{"add", floatPairs, Text{"arg0 + arg1", "arg0 + arg1"}},
		{"sub", floatPairs, Text{"arg0 - arg1", "arg0 - arg1"}},
		{"mul", floatPairs, Text{"arg0 * arg1", "arg0 * arg1"}},
		{"div", floatPairs, Text{"arg0 / arg1", "arg0 / arg1"}},
		{"rcp", floats, Text{"1 / arg0", "1 / arg0"}},
		{"sqrt", floats, Text{"The square root of each element", "每个元素的平方根"}},
		{"fma", []string{"fp32 fp32 fp32"}, Text{"arg0 * arg1 + arg2 with a single rounding", "arg0 * arg1 + arg2，只舍入一次"}},
		{"double2float", []string{"fp64"}, Text{"Each element as fp32", "每个元素转换为 fp32"}},
		{"int2float", []string{"int32"}, Text{"Each element as fp32", "每个元素转换为 fp32"}},
		{"uint2float", []string{"uint32"}, Text{"Each element as fp32", "每个元素转换为 fp32"}},
		{"ll2float", []string{"int64"}, Text{"Each element as fp32", "每个元素转换为 fp32"}},
		{"ull2float", []string{"uint64"}, Text{"Each element as fp32", "每个元素转换为 fp32"}},
		{"ll2double", []string{"int64"}, Text{"Each element as fp64", "每个元素转换为 fp64"}},
		{"ull2double", []string{"uint64"}, Text{"Each element as fp64", "每个元素转换为 fp64"}},
	} {
		for _, mode := range roundingModes {
			rows = append(rows, deviceRow(f.name+mode.suffix, f.overloads, f.doc.En+", "+mode.doc.En+".",
				f.doc.Zh+"，"+mode.doc.Zh+"。"))
		}
	}
	return rows
}()

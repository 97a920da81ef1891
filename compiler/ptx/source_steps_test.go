package ptx_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// sourceSteps are what random kernels of the language do.
var sourceSteps []func(*sourceWriter)

// tailSteps are those of kernels whose loops have tails.
var tailSteps []func(*sourceWriter)

func init() {
	sourceSteps = []func(*sourceWriter){
		(*sourceWriter).arithmetic, (*sourceWriter).descriptorLoad, (*sourceWriter).descriptorStore,
		(*sourceWriter).gatherRows, (*sourceWriter).scatterRows, (*sourceWriter).blockPointer,
		(*sourceWriter).blockPointerStore, (*sourceWriter).gathered, (*sourceWriter).mapped,
		(*sourceWriter).dotScaled, (*sourceWriter).chainedDots, (*sourceWriter).inlineAsm, (*sourceWriter).tuples,
		(*sourceWriter).named, (*sourceWriter).deviceFunction, (*sourceWriter).deviceFunction, (*sourceWriter).atomic,
		(*sourceWriter).reduction, (*sourceWriter).scan, (*sourceWriter).sorted, (*sourceWriter).rearranged,
		(*sourceWriter).loop, (*sourceWriter).branch, (*sourceWriter).tail, (*sourceWriter).rows,
		(*sourceWriter).attention,
	}
	tailSteps = []func(*sourceWriter){
		(*sourceWriter).tail, (*sourceWriter).tail, (*sourceWriter).tail, (*sourceWriter).rows, (*sourceWriter).bisected,
		(*sourceWriter).steered, (*sourceWriter).totalled, (*sourceWriter).branch, (*sourceWriter).loop,
		(*sourceWriter).step, (*sourceWriter).attention,
	}
}

func choose[T any](w *sourceWriter, list ...T) T { return list[w.IntN(len(list))] }

func (w *sourceWriter) arithmetic() {
	e, shape := w.element(computed), w.shape()
	x, y := w.want(e, shape), w.want(e, shape)
	list := []string{"%s + %s", "%s - %s", "%s * %s", "tl.maximum(%s, %s)", "tl.minimum(%s, %s)"}
	if !e.dtype.Info().Float {
		list = append(list, "%s & %s", "%s | %s", "%s ^ %s")
	}
	w.let(e, shape, "("+choose(w, list...)+").to(tl.%s)", x, y, e.name)
}

// rowStride is that of the memory of descriptors: a multiple of 16 bytes.
const rowStride = 64

// descriptor is a descriptor of rows × columns elements.
func (w *sourceWriter) descriptor(base string, rows, columns int, block []int, padding string) string {
	name := w.fresh()
	w.line("%s = tl.make_tensor_descriptor(%s, [%d, %d], [%d, 1], [%d, %d]%s)", name, base, rows, columns, rowStride,
		block[0], block[1], padding)
	return name
}

// offset is where a block of that size begins in an axis, partly outside at times.
func (w *sourceWriter) offset(size, block int) string {
	at := w.IntN(size+block) - block + 1
	return choose(w, fmt.Sprint(at), fmt.Sprintf("%d + n %% 3", at), fmt.Sprintf("%d - tl.program_id(0)", at))
}

func (w *sourceWriter) descriptorLoad() {
	e := w.element(computed)
	block := choose(w, []int{4, 16}, []int{8, 32}, []int{1, 64}, []int{16, 16})
	rows, columns := 1+w.IntN(40), 1+w.IntN(rowStride)
	padding := ""
	if e.dtype.Info().Float && w.IntN(3) == 0 {
		padding = ", padding_option='nan'"
	}
	d := w.descriptor(fmt.Sprintf("in_%s + %d", e.name, 16*w.IntN(64)), rows, columns, block, padding)
	w.let(e, block, choose(w, "%s.load([%s, %s])", "tl.load_tensor_descriptor(%s, [%s, %s])"), d,
		w.offset(rows, block[0]), w.offset(columns, block[1]))
}

func (w *sourceWriter) descriptorStore() {
	if !w.atTop() {
		return
	}
	e := w.element(computed)
	block := choose(w, []int{4, 16}, []int{8, 32}, []int{2, 64})
	rows, columns := 1+w.IntN(20), 1+w.IntN(rowStride)
	d := w.descriptor(w.reserve(e, rows*rowStride), rows, columns, block, "")
	list := []string{"store", "store"}
	switch e.dtype {
	case num.Int32:
		list = append(list, "atomic_add", "atomic_max", "atomic_min", "atomic_and", "atomic_or", "atomic_xor")
	case num.Float16:
		list = append(list, "atomic_add", "atomic_max", "atomic_min")
	case num.Float32:
		list = append(list, "atomic_add")
	}
	w.line("%s.%s([%s, %s], %s)", d, choose(w, list...), w.offset(rows, block[0]), w.offset(columns, block[1]),
		w.want(e, block))
}

func (w *sourceWriter) gatherRows() {
	e, rows, columns := w.element(computed[:4]), 1+w.IntN(40), choose(w, 32, 64)
	d := w.descriptor("in_"+e.name, rows, 1+w.IntN(rowStride), []int{1, columns}, "")
	m := choose(w, 8, 16, 32)
	w.let(e, []int{m, columns}, "%s.gather(%s & 63, %s)", d, w.want(elements[0], []int{m}), w.offset(64, columns))
}

func (w *sourceWriter) scatterRows() {
	if !w.atTop() {
		return
	}
	e, columns, m := w.element(computed[:4]), choose(w, 32, 64), choose(w, 8, 16, 32)
	rows := 1 + w.IntN(m)
	d := w.descriptor(w.reserve(e, rows*rowStride), rows, 1+w.IntN(rowStride), []int{1, columns}, "")
	w.line("%s.scatter(%s, tl.arange(0, %d) * %d %% %d, %s)", d, w.want(e, []int{m, columns}), m, 1+2*w.IntN(8), m,
		w.offset(64, columns))
}

// blockPointerTo is a block pointer of rows × columns elements, and the axes that want a check.
func (w *sourceWriter) blockPointerTo(base string, rows, columns int, block []int) (name, checks string) {
	name = w.fresh()
	var axes []string
	var at [2]int
	for axis, size := range []int{rows, columns} {
		if size < block[axis] || w.IntN(3) > 0 {
			axes = append(axes, fmt.Sprint(axis))
			at[axis] = w.IntN(size+block[axis]) - block[axis] + 1
		} else {
			at[axis] = w.IntN(size - block[axis] + 1)
		}
	}
	moved := [2]int{w.IntN(5) - 2, w.IntN(5) - 2}
	strides, order := fmt.Sprintf("(%d, 1)", columns), "(1, 0)"
	if w.IntN(3) == 0 {
		strides, order = fmt.Sprintf("(1, %d)", rows), "(0, 1)"
	}
	w.line("%s = tl.make_block_ptr(%s, (%d, %d), %s, (%d, %d), (%d, %d), %s)", name, base, rows, columns, strides,
		at[0]-moved[0], at[1]-moved[1], block[0], block[1], order)
	w.line("%s = tl.advance(%s, (%d, %d))", name, name, moved[0], moved[1])
	if len(axes) > 0 {
		checks = ", boundary_check=(" + strings.Join(axes, ", ") + ",)"
	}
	return name, checks
}

func (w *sourceWriter) blockPointer() {
	e, block := w.element(computed), choose(w, []int{4, 16}, []int{8, 8}, []int{16, 32}, []int{2, 64})
	rows, columns := block[0]+w.IntN(20)-1, block[1]+w.IntN(20)-1
	p, checks := w.blockPointerTo("in_"+e.name, rows, columns, block)
	if checks != "" {
		checks += ", padding_option='zero'"
	}
	v := w.let(e, block, "tl.load(%s%s)", p, checks)
	if strings.Contains(checks, "(0, 1,)") {
		w.line("for k in range(%s):", choose(w, "3", "n % 4"))
		w.line("    %s = (%s + tl.load(%s%s)).to(tl.%s)", v.name, v.name, p, checks, e.name)
		w.line("    %s = tl.advance(%s, (%d, %d))", p, p, w.IntN(5)-2, w.IntN(9)-4)
	}
}

func (w *sourceWriter) blockPointerStore() {
	if !w.atTop() {
		return
	}
	e, block := w.element(computed), choose(w, []int{4, 16}, []int{8, 8}, []int{2, 64})
	rows, columns := block[0]+w.IntN(20)-1, block[1]+w.IntN(20)-1
	p, checks := w.blockPointerTo(w.reserve(e, rows*columns), rows, columns, block)
	w.line("tl.store(%s, %s%s)", p, w.want(e, block), checks)
}

func (w *sourceWriter) gathered() {
	e, shape := w.element(computed), w.shape()
	axis := w.IntN(len(shape))
	index := slices.Clone(shape)
	index[axis] = choose(w, 1, 4, 16)
	w.let(e, index, "tl.gather(%s, %s & %d, %d)", w.want(e, shape), w.want(elements[0], index), shape[axis]-1, axis)
}

func (w *sourceWriter) mapped() {
	e, shape := choose(w, elements[0], elements[4]), w.shape()
	x, y := w.want(e, shape), w.want(e, shape)
	switch w.IntN(3) {
	case 0:
		w.let(e, shape, "tl.map_elementwise(branching, %s, %s)", x, y)
	case 1:
		w.let(e, shape, "tl.map_elementwise(packed, %s, %s, pack=2)[0]", x, y)
	default:
		a, b := variable{w.fresh(), e, shape}, variable{w.fresh(), e, shape}
		w.line("%s, %s = tl.map_elementwise(two, %s, %s)", a.name, b.name, x, y)
		w.scope = append(w.scope, a, b)
	}
}

// dotScaled multiplies small multiples of powers of two, whose sums are exact.
func (w *sourceWriter) dotScaled() {
	m, n, k := choose(w, 16, 32), choose(w, 16, 32), choose(w, 32, 64)
	format, e, pack := "e2m1", elements[3], 2
	switch w.IntN(3) {
	case 1:
		format, e, pack = "e4m3", elements[6], 1
	case 2:
		format, e, pack = "e5m2", elements[7], 1
	}
	tile := func(e sourceType, rows, columns int) string {
		return fmt.Sprintf("tl.load(in_%s + %d + tl.reshape(tl.arange(0, %d), (%d, %d)))", e.name, w.IntN(1024),
			rows*columns, rows, columns)
	}
	scale := func(rows int) string {
		if w.IntN(4) == 0 {
			return "None"
		}
		return "(" + tile(elements[3], rows, k/32) + " & 3) + 125"
	}
	acc := ""
	if w.IntN(3) == 0 {
		acc = fmt.Sprintf(", acc=tl.full((%d, %d), 3.0, tl.float32)", m, n)
	}
	w.let(elements[1], []int{m, n}, "tl.dot_scaled(%s, %s, %q, %s, %s, %q%s)", tile(e, m, k/pack), scale(m), format,
		tile(e, k/pack, n), scale(n), format, acc)
}

// chainedDots is a loop of two dots, as attention has it: the second multiplies what is made of the first one's result.
// All sums are of integers, and exact.
func (w *sourceWriter) chainedDots() {
	if !w.atTop() {
		return
	}
	rows, n, d := choose(w, 64, 128), choose(w, 32, 64), 32
	w.chainedRows = rows
	load := func(at string, rows int) string {
		return fmt.Sprintf("tl.load(in_float16 + %s + tl.arange(0, %d)[:, None] * %d + tl.arange(0, %d)[None, :])", at, rows,
			d, d)
	}
	q, acc, i, total := w.fresh(), w.fresh(), w.fresh(), w.fresh()
	w.line("%s = %s", q, load("0", rows))
	w.line("%s = tl.full((%d, %d), 1.0, tl.float32)", acc, rows, d)
	w.line("%s = tl.zeros((%d,), tl.float32)", total, rows)
	w.line("for %s in range(%s):", i, choose(w, "1", "3", "n % 5", "1, n % 4"))
	right := load(i+" * 512 + 8", n)
	paged, steers := w.IntN(3) == 0, w.IntN(4) == 0
	if steers { // a table has the block of the second operand, which decides a branch, too
		right = load("page * 512 + 8", n)
	} else if paged { // a table has the rows of the second operand
		right = fmt.Sprintf("tl.load(in_float16 + page[:, None] * %d + tl.arange(0, %d)[None, :])", d, d)
	}
	body := []string{
		fmt.Sprintf("s = tl.dot(%s, tl.trans(%s))", q, load(i+" * 512", n)),
		"p = (s.to(tl.int32) & 3).to(tl.float16)",
		fmt.Sprintf("%s = tl.dot(p, %s, %s)", acc, right, acc),
	}
	scale := fmt.Sprintf("%s = %s * 2 + %s", acc, acc, choose(w, "1", "tl.max(s, 1)[:, None]"))
	switch w.IntN(4) {
	case 0: // the accumulator is read as the iteration begins
		body = slices.Insert(body, 0, fmt.Sprintf("%s = %s * 2", acc, acc))
	case 1: // the result is read in the iteration
		body = append(body, fmt.Sprintf("%s += tl.sum(%s, 1)", total, acc))
	case 2:
		body = slices.Insert(body, 2, scale)
	}
	if steers {
		body = slices.Insert(body, 0, fmt.Sprintf("page = tl.load(in_int32 + %s) & 7", i))
		body = append(body, "if page > 3:", fmt.Sprintf("    %s += 1", total))
	} else if paged {
		body = slices.Insert(body, 0, fmt.Sprintf("page = tl.load(in_int32 + %s * %d + tl.arange(0, %d)) & 63", i, n, n))
	}
	for _, line := range body {
		w.line("    %s", line)
	}
	w.scope = append(w.scope, variable{acc, elements[1], []int{rows, d}}, variable{total, elements[1], []int{rows}})
}

// product is a matmul of tiles that depend on the program, with so many rows. All sums are of integers, and exact.
func (w *sourceWriter) product() (rows int) {
	rows = choose(w, 64, 128)
	n, k, pitch := choose(w, 16, 32, 64), choose(w, 16, 32), choose(w, 8, 16, 24)
	acc := w.fresh()
	w.line("pid = tl.program_id(0)")
	w.line("%s = tl.zeros((%d, %d), tl.float32)", acc, rows, n)
	w.line("for k in range(%s):", choose(w, "1", "3", "n % 4", "pid % 3", "1, n % 5",
		"tl.minimum(tl.sum((tl.arange(0, 64) < n).to(tl.int32)), 3)", "tl.minimum(tl.load(in_int32 + pid) & 7, 3)"))
	w.line("    x = tl.load(in_float16 + pid * %d + tl.arange(0, %d)[:, None] * %d + k * %d + tl.arange(0, %d)[None, :])",
		choose(w, 0, 8, 24), rows, pitch, k, k)
	w.line("    y = tl.load(in_float16 + 512 + pid * %d + (k * %d + tl.arange(0, %d))[:, None] * %d + tl.arange(0, %d)[None, :])",
		choose(w, 0, 8, 16), k, k, n, n)
	w.line("    %s = tl.dot(x, y, %s)", acc, acc)
	if w.IntN(2) == 0 {
		w.let(elements[2], []int{rows, n}, "%s.to(tl.float16)", acc)
	} else {
		w.scope = append(w.scope, variable{acc, elements[1], []int{rows, n}})
	}
	return rows
}

func (w *sourceWriter) inlineAsm() {
	i32, shape := elements[0], w.shape()
	x, y := w.want(i32, shape), w.want(i32, shape)
	switch w.IntN(3) {
	case 0:
		w.let(i32, shape, "tl.inline_asm_elementwise('lop3.b32 $0, $1, $2, 7, 0x%x;', '=r,r,r', [%s, %s], tl.int32, %s, 1)",
			w.IntN(256), x, y, choose(w, "True", "False"))
	case 1:
		u8 := elements[3]
		w.let(u8, shape, "tl.inline_asm_elementwise('xor.b32 $0, $1, $2;', '=r,r,r', [%s, %s], tl.uint8, True, 4)",
			w.want(u8, shape), w.want(u8, shape))
	default:
		a, b := variable{w.fresh(), i32, shape}, variable{w.fresh(), i32, shape}
		w.line("%s, %s = tl.inline_asm_elementwise('add.s32 $0, $2, $3; sub.s32 $1, $2, $3;', '=&r,=r,r,r', [%s, %s], "+
			"(tl.int32, tl.int32), True, 1)", a.name, b.name, x, y)
		w.scope = append(w.scope, a, b)
	}
}

// both gives the two values of an expression names.
func (w *sourceWriter) both(of [2]sourceType, shapes [2][]int, format string, args ...any) {
	a, b := variable{w.fresh(), of[0], shapes[0]}, variable{w.fresh(), of[1], shapes[1]}
	w.line("%s, %s = %s", a.name, b.name, fmt.Sprintf(format, args...))
	w.scope = append(w.scope, a, b)
}

func (w *sourceWriter) tuples() {
	e, shape := w.element(computed), w.shape()
	f, other := e, shape
	carried := w.IntN(2) == 0
	if !carried {
		f, other = w.element(computed), w.shape()
	}
	t := w.fresh()
	w.line("%s = (%s, %s)", t, w.want(e, shape), w.want(f, other))
	if carried {
		w.line("for k in range(%s):", choose(w, "3", "n % 4"))
		w.line("    %[1]s = (%[1]s[1], (%[1]s[0] + %[1]s[1]).to(tl.%[2]s))", t, e.name)
	}
	w.both([2]sourceType{f, e}, [2][]int{other, shape},
		choose(w, "swapped(%s)", "(%[1]s[1], %[1]s[0])", "tl.tuple((%[1]s[1], %[1]s[0]))"), t)
}

func (w *sourceWriter) named() {
	e, shape := w.element(integral), w.shape()
	p := w.fresh()
	w.line("%s = Pair(%s, %s)", p, w.want(e, shape), w.want(e, shape))
	w.line("if n > %d:", w.IntN(40))
	w.line("    %[1]s = turned(%[1]s)", p)
	w.let(e, shape, "(%[1]s.first - %[1]s.second).to(tl.%[2]s)", p, e.name)
}

// deviceFunctions are functions of libdevice that round as IEEE 754 says, or not at all: expressions of x, y and z, of
// the elements that from names, with a result of the element to.
var deviceFunctions = []struct{ names, form, from, to string }{
	{"trunc rint round nearbyint logb sqrt_rn sqrt_rz sqrt_rd sqrt_ru rcp_rn rcp_rz rcp_rd rcp_ru",
		"libdevice.%s(x)", "float32 float64", ""},
	{"copysign nextafter fdim fmod remainder", "libdevice.%s(x, y)", "float32 float64", ""},
	{"add_rn add_rz add_rd add_ru mul_rn mul_rz mul_rd mul_ru div_rn div_rz div_rd div_ru", "libdevice.%s(x, y)",
		"float32 float64", ""},
	{"sub_rn sub_rz sub_rd sub_ru", "libdevice.%s(x, y)", "float32", ""},
	{"fma_rn", "libdevice.%s(x, y, z)", "float32 float64", ""},
	{"fma_rz fma_rd fma_ru", "libdevice.%s(x, y, z)", "float32", ""},
	{"saturatef", "libdevice.%s(x)", "float32", ""},
	{"ldexp scalbn", "libdevice.%s(x, y.to(tl.int32))", "float32 float64", ""},
	{"isnan isinf", "libdevice.%s(x).to(tl.int32)", "float32 float64", "int32"},
	{"ilogb float2int_rn float2int_rz float2int_rd float2int_ru", "libdevice.%s(x)", "float32", "int32"},
	{"float2ll_rn float2ll_rz float2ll_rd float2ll_ru llrint llround", "libdevice.%s(x)", "float32", "int64"},
	{"double2int_rn double2int_rz double2int_rd double2int_ru", "libdevice.%s(x)", "float64", "int32"},
	{"double2ll_rn double2ll_rz double2ll_rd double2ll_ru", "libdevice.%s(x)", "float64", "int64"},
	{"double2float_rn double2float_rz double2float_rd double2float_ru", "libdevice.%s(x)", "float64", "float32"},
	{"popc clz ffs", "libdevice.%s(x).to(tl.int32)", "int32 int64", "int32"},
	{"brev", "libdevice.%s(x)", "int32 int64", ""},
	{"mulhi", "libdevice.%s(x, y)", "int32 int64", ""},
	{"hadd rhadd mul24", "libdevice.%s(x, y)", "int32", ""},
	{"byte_perm", "libdevice.%s(x, y, z)", "int32", ""},
	{"sad", "libdevice.%s(x, y, z.to(tl.uint32)).to(tl.int32)", "int32", ""},
	{"int2float_rn int2float_rz int2float_rd int2float_ru", "libdevice.%s(x)", "int32", "float32"},
	{"ll2float_rn ll2float_rz ll2float_rd ll2float_ru", "libdevice.%s(x)", "int64", "float32"},
	{"ll2double_rn ll2double_rz ll2double_rd ll2double_ru", "libdevice.%s(x)", "int64", "float64"},
}

func (w *sourceWriter) deviceFunction() {
	f, shape := choose(w, deviceFunctions...), w.shape()
	e := elementNamed(choose(w, strings.Fields(f.from)...))
	to := e
	if f.to != "" {
		to = elementNamed(f.to)
	}
	call := fmt.Sprintf(f.form, choose(w, strings.Fields(f.names)...))
	for _, arg := range []string{"x", "y", "z"} {
		name := w.fresh()
		if !strings.Contains(call, "("+arg) && !strings.Contains(call, ", "+arg) {
			continue
		}
		w.line("%s = %s", name, w.want(e, shape))
		call = strings.NewReplacer("("+arg, "("+name, ", "+arg, ", "+name).Replace(call)
	}
	w.let(to, shape, "%s", call)
}

func elementNamed(name string) sourceType {
	return elements[slices.IndexFunc(elements, func(e sourceType) bool { return e.name == name })]
}

func (w *sourceWriter) atomic() {
	if !w.atTop() {
		return
	}
	e, shape := choose(w, elements[0], elements[4]), choose(w, []int{16}, []int{64})
	at := fmt.Sprintf("%s + (tl.arange(0, %d) * %d + n) %% %d", w.reserve(e, shape[0]), shape[0], 1+2*w.IntN(8), shape[0])
	if w.IntN(4) == 0 {
		w.let(e, shape, "tl.atomic_cas(%s, tl.zeros((%d,), tl.%s), %s)", at, shape[0], e.name, w.want(e, shape))
		return
	}
	mask := choose(w, "", fmt.Sprintf(", mask=tl.arange(0, %d) < n", shape[0]))
	w.line("%s(%s, %s%s)", choose(w, "tl.atomic_add", "tl.atomic_max", "tl.atomic_min", "tl.atomic_xchg", "tl.atomic_or",
		"tl.atomic_and", "tl.atomic_xor"), at, w.want(e, shape), mask)
}

func (w *sourceWriter) reduction() {
	shape := choose(w, []int{8, 16}, []int{16, 32}, []int{2, 64}, []int{2, 4, 8})
	axis := w.IntN(len(shape))
	rest := slices.Delete(slices.Clone(shape), axis, axis+1)
	i32 := elements[0]
	switch w.IntN(3) {
	case 0:
		e := w.element(floating)
		x := fmt.Sprintf("tl.where(%[1]s == %[1]s, %[1]s, 0)", w.let(e, shape, "%s", w.want(e, shape)).name)
		w.let(e, rest, choose(w, "tl.max(%s, %d)", "tl.min(%s, %d)")+".to(tl.%s)", x, axis, e.name)
	case 1:
		w.let(i32, rest, choose(w, "tl.argmax(%s, %d)", "tl.argmin(%s, %d)"), w.want(i32, shape), axis)
	default:
		e := choose(w, i32, elements[4])
		w.let(e, rest, choose(w, "tl.sum(%s, %d)", "tl.max(%s, %d)", "tl.xor_sum(%s, %d)", "tl.reduce(%s, %d, "+
			"tl.standard._or_combine)"), w.want(e, shape), axis)
	}
}

func (w *sourceWriter) scan() {
	e, shape := choose(w, elements[0], elements[4]), w.shape()
	axis, reverse := w.IntN(len(shape)), choose(w, "True", "False")
	x := w.want(e, shape)
	if w.IntN(2) == 0 {
		w.let(e, shape, choose(w, "tl.cumsum(%s, %d, reverse=%s)", "tl.cumprod(%s, %d, reverse=%s)"), x, axis, reverse)
		return
	}
	w.both([2]sourceType{e, e}, [2][]int{shape, shape}, "tl.associative_scan((%s, %s), %d, affine, reverse=%s)", x,
		w.want(e, shape), axis, reverse)
}

func (w *sourceWriter) sorted() {
	e, shape := w.element(integral), choose(w, []int{16}, []int{64}, []int{4, 8}, []int{8, 16})
	x := w.want(e, shape)
	if w.IntN(3) > 0 {
		w.let(e, shape, "tl.sort(%s, descending=%s)", x, choose(w, "True", "False"))
		return
	}
	kept := slices.Clone(shape)
	kept[len(kept)-1] /= 4
	w.let(e, kept, "tl.topk(%s, %d).to(tl.%s)", x, kept[len(kept)-1], e.name)
}

func (w *sourceWriter) rearranged() {
	e, shape := w.element(computed), w.shape()
	x := w.want(e, shape)
	switch w.IntN(3) {
	case 0:
		w.let(e, shape, "tl.flip(%s, %d)", x, w.IntN(len(shape)))
	case 1:
		perm := w.Perm(len(shape))
		turned := make([]int, len(shape))
		for i, p := range perm {
			turned[i] = shape[p]
		}
		w.let(e, turned, "tl.permute(%s, (%s))", x, tuple(perm))
	default:
		doubled := slices.Clone(shape)
		doubled[len(doubled)-1] *= 2
		w.let(e, doubled, "tl.interleave(%s, %s)", x, w.want(e, shape))
	}
}

// inner are lines of a loop or a branch that computes a variable anew.
func (w *sourceWriter) inner(head string, args ...any) {
	if len(w.scope) == 0 || !w.atTop() {
		return
	}
	v := w.scope[w.IntN(len(w.scope))]
	before, scalars := len(w.scope), len(w.scalars)
	w.line(head, args...)
	w.indent += "    "
	for range 1 + w.IntN(3) {
		w.step()
	}
	w.line("%s = %s", v.name, w.want(v.of, v.shape))
	if s, ok := w.pickScalar(); ok && scalars > 0 {
		to := w.scalars[w.IntN(scalars)]
		w.line("%s = %s.to(tl.%s)", to.name, s.name, to.of.name)
	}
	w.indent, w.scope, w.scalars = "    ", w.scope[:before], w.scalars[:scalars]
}

func (w *sourceWriter) loop() {
	w.inner("for i%d in %s:", w.IntN(9), choose(w, "range(3)", "range(n % 4)", "range("+w.whole(0, 4)+")", "tl.static_range(2)",
		"tl.range(1, n % 5, num_stages=2)"))
}

func (w *sourceWriter) branch() {
	w.inner("if %s:", w.decision())
}

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/newtlab/newt/infra/soak"
)

// counted is a kernel of the tensors x, y and z and of n, the elements of x, with what a program of it does, written
// again in Go. x holds 0, 1, 2, …, y a permutation of its indices, and z -1 everywhere.
type counted struct {
	name    string
	body    string
	grid    []int
	x, y, z []int // shapes
	program func(r *recount, pid []int)
}

// lanes are the values of a block, row by row.
type lanes = []int

// kernels go through what addresses, masks, loops and grids can be.
var kernels = []counted{
	{"one_element", `
    at = tl.program_id(0)
    tl.store(z + at, tl.load(x + at))
`, []int{5}, []int{5}, []int{1}, []int{5}, func(r *recount, pid []int) {
		at := r.name("at", lanes{pid[0]})
		r.store("z", at, r.load("x", at, nil), nil)
	}},
	{"block", `
    i = tl.program_id(0) * 8 + tl.arange(0, 8)
    v = tl.load(x + i)
    tl.store(z + i, v)
`, []int{3}, []int{24}, []int{1}, []int{24}, func(r *recount, pid []int) {
		i := r.name("i", span(8*pid[0], 8))
		r.store("z", i, r.name("v", r.load("x", i, nil)), nil)
	}},
	{"masked_tail", `
    i = tl.program_id(0) * 8 + tl.arange(0, 8)
    m = i < n
    v = tl.load(x + i, mask=m, other=0)
    tl.store(z + i, v + 10, mask=m)
`, []int{3}, []int{21}, []int{1}, []int{21}, func(r *recount, pid []int) {
		i := r.name("i", span(8*pid[0], 8))
		m := r.mask("m", each(i, func(i int) bool { return i < 21 }))
		v := r.name("v", r.load("x", i, m))
		r.store("z", i, each(v, func(v int) int { return v + 10 }), m)
	}},
	{"two_inputs", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    s = tl.load(x + i) + tl.load(y + i)
    tl.store(z + i, s)
`, []int{4}, []int{16}, []int{16}, []int{16}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		r.store("z", i, r.name("s", zipWith(r.load("x", i, nil), r.load("y", i, nil), add)), nil)
	}},
	{"strided_read", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    v = tl.load(x + 2 * i)
    tl.store(z + i, v)
`, []int{2}, []int{16}, []int{1}, []int{8}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		r.store("z", i, r.name("v", r.load("x", each(i, twice), nil)), nil)
	}},
	{"strided_write", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    tl.store(z + 2 * i, tl.load(x + i))
`, []int{2}, []int{8}, []int{1}, []int{16}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		r.store("z", each(i, twice), r.load("x", i, nil), nil)
	}},
	{"reverse", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    j = n - 1 - i
    tl.store(z + j, tl.load(x + i))
`, []int{3}, []int{12}, []int{1}, []int{12}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		j := r.name("j", each(i, func(i int) int { return 11 - i }))
		r.store("z", j, r.load("x", i, nil), nil)
	}},
	{"shift", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    m = i > 0
    v = tl.load(x + i - 1, mask=m, other=0)
    tl.store(z + i, v)
`, []int{3}, []int{12}, []int{1}, []int{12}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		m := r.mask("m", each(i, func(i int) bool { return i > 0 }))
		v := r.load("x", each(i, func(i int) int { return i - 1 }), m)
		r.store("z", i, r.name("v", v), nil)
	}},
	{"outer_sum", `
    i = tl.arange(0, 4)
    j = tl.arange(0, 8)
    s = tl.load(x + i)[:, None] + tl.load(y + j)[None, :]
    tl.store(z + i[:, None] * 8 + j[None, :], s)
`, []int{1}, []int{4}, []int{8}, []int{4, 8}, func(r *recount, _ []int) {
		a, b := r.load("x", span(0, 4), nil), r.load("y", span(0, 8), nil)
		s := r.name("s", outer(a, b, add))
		r.store("z", span(0, 32), s, nil)
	}},
	{"row_a_program", `
    row = tl.program_id(0)
    j = tl.arange(0, 8)
    m = j < 6
    v = tl.load(x + row * 6 + j, mask=m, other=0)
    tl.store(z + row * 6 + j, v * 2, mask=m)
`, []int{4}, []int{4, 6}, []int{1}, []int{4, 6}, func(r *recount, pid []int) {
		at := span(6*pid[0], 8)
		m := r.mask("m", each(span(0, 8), func(j int) bool { return j < 6 }))
		r.store("z", at, each(r.name("v", r.load("x", at, m)), twice), m)
	}},
	{"transpose", `
    i = tl.arange(0, 4)
    j = tl.arange(0, 8)
    v = tl.load(x + i[:, None] * 8 + j[None, :])
    w = tl.trans(v)
    tl.store(z + j[:, None] * 4 + i[None, :], w)
`, []int{1}, []int{4, 8}, []int{1}, []int{8, 4}, func(r *recount, _ []int) {
		v := r.load("x", span(0, 32), nil)
		w := r.name("w", each(span(0, 32), func(at int) int { return v[at%4*8+at/4] }))
		r.store("z", span(0, 32), w, nil)
	}},
	{"tile_a_program", `
    i = tl.program_id(0) * 2 + tl.arange(0, 2)
    j = tl.program_id(1) * 4 + tl.arange(0, 4)
    at = i[:, None] * 8 + j[None, :]
    tl.store(z + at, tl.load(x + at))
`, []int{2, 2}, []int{4, 8}, []int{1}, []int{4, 8}, func(r *recount, pid []int) {
		at := r.name("at", outer(span(2*pid[0], 2), span(4*pid[1], 4), func(i, j int) int { return 8*i + j }))
		r.store("z", at, r.load("x", at, nil), nil)
	}},
	{"three_axes", `
    at = (tl.program_id(0) * 3 + tl.program_id(1)) * 2 + tl.program_id(2)
    tl.store(z + at, at)
`, []int{2, 3, 2}, []int{1}, []int{1}, []int{12}, func(r *recount, pid []int) {
		at := r.name("at", lanes{(pid[0]*3+pid[1])*2 + pid[2]})
		r.store("z", at, at, nil)
	}},
	{"sum_of_rows", `
    row = tl.program_id(0)
    s = tl.sum(tl.load(x + row * 8 + tl.arange(0, 8)), 0)
    tl.store(z + row, s)
`, []int{3}, []int{3, 8}, []int{1}, []int{3}, func(r *recount, pid []int) {
		s := fold(r.load("x", span(8*pid[0], 8), nil), add)
		r.store("z", lanes{pid[0]}, r.name("s", lanes{s}), nil)
	}},
	{"maximum_of_columns", `
    i = tl.arange(0, 4)
    j = tl.arange(0, 4)
    top = tl.max(tl.load(y + i[:, None] * 4 + j[None, :]), 0)
    tl.store(z + j, top)
`, []int{1}, []int{1}, []int{4, 4}, []int{4}, func(r *recount, _ []int) {
		v := r.load("y", span(0, 16), nil)
		top := each(span(0, 4), func(j int) int { return max(v[j], v[4+j], v[8+j], v[12+j]) })
		r.store("z", span(0, 4), r.name("top", top), nil)
	}},
	{"loop", `
    acc = tl.zeros([4], tl.int32)
    for k in range(3):
        acc += tl.load(x + k * 4 + tl.arange(0, 4))
    tl.store(z + tl.arange(0, 4), acc)
`, []int{1}, []int{12}, []int{1}, []int{4}, func(r *recount, _ []int) {
		acc := make(lanes, 4)
		for k := range r.loop(3) {
			acc = r.name("acc", zipWith(acc, r.load("x", span(4*k, 4), nil), add))
		}
		r.store("z", span(0, 4), acc, nil)
	}},
	{"loop_with_tail", `
    row = tl.program_id(0)
    acc = 0
    for k in range(0, 10, 4):
        j = k + tl.arange(0, 4)
        acc += tl.sum(tl.load(x + row * 10 + j, mask=j < 10, other=0), 0)
    tl.store(z + row, acc)
`, []int{2}, []int{2, 10}, []int{1}, []int{2}, func(r *recount, pid []int) {
		acc := 0
		for k := range r.loop(3) {
			j := r.name("j", span(4*k, 4))
			m := each(j, func(j int) bool { return j < 10 })
			acc += fold(r.load("x", each(j, func(j int) int { return 10*pid[0] + j }), m), add)
		}
		r.store("z", lanes{pid[0]}, lanes{acc}, nil)
	}},
	{"nested_loops", `
    acc = 0
    for i in range(2):
        for j in range(3):
            acc += tl.load(x + i * 3 + j)
    tl.store(z, acc)
`, []int{1}, []int{2, 3}, []int{1}, []int{1}, func(r *recount, _ []int) {
		acc := 0
		for i := range r.loop(2) {
			for j := range r.loop(3) {
				acc += r.load("x", lanes{3*i + j}, nil)[0]
			}
		}
		r.store("z", lanes{0}, lanes{acc}, nil)
	}},
	{"loop_of_its_own", `
    p = tl.program_id(0)
    acc = 0
    for k in range(p):
        acc += tl.load(x + k)
    tl.store(z + p, acc)
`, []int{4}, []int{4}, []int{1}, []int{4}, func(r *recount, pid []int) {
		acc := 0
		for k := range r.loop(pid[0]) {
			acc += r.load("x", lanes{k}, nil)[0]
		}
		r.store("z", lanes{pid[0]}, lanes{acc}, nil)
	}},
	{"matmul", `
    i = tl.arange(0, 16)
    acc = tl.zeros([16, 16], tl.float32)
    for k in range(0, 32, 16):
        a = tl.load(x + i[:, None] * 32 + k + i[None, :]).to(tl.float32)
        b = tl.load(y + (k + i[:, None]) * 16 + i[None, :]).to(tl.float32)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.store(z + i[:, None] * 16 + i[None, :], acc.to(tl.int32))
`, []int{1}, []int{16, 32}, []int{32, 16}, []int{16, 16}, func(r *recount, _ []int) {
		i, acc := span(0, 16), make(lanes, 256)
		for step := range r.loop(2) {
			k := 16 * step
			a := r.load("x", outer(i, i, func(i, j int) int { return 32*i + k + j }), nil)
			b := r.load("y", outer(i, i, func(i, j int) int { return 16*(k+i) + j }), nil)
			for at := range acc {
				for l := range 16 {
					acc[at] += a[at/16*16+l] * b[16*l+at%16]
				}
			}
		}
		r.store("z", span(0, 256), acc, nil)
	}},
	{"gather", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    j = tl.load(y + i)
    tl.store(z + i, tl.load(x + j))
`, []int{3}, []int{12}, []int{12}, []int{12}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		j := r.name("j", r.load("y", i, nil))
		r.store("z", i, r.load("x", j, nil), nil)
	}},
	{"scatter", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    j = tl.load(y + i)
    tl.store(z + j, tl.load(x + i))
`, []int{3}, []int{12}, []int{12}, []int{12}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		j := r.name("j", r.load("y", i, nil))
		r.store("z", j, r.load("x", i, nil), nil)
	}},
	{"histogram", `
    i = tl.program_id(0) * 8 + tl.arange(0, 8)
    v = tl.load(y + i) % 4
    tl.atomic_add(z + v, 1)
`, []int{2}, []int{1}, []int{16}, []int{4}, func(r *recount, pid []int) {
		v := r.name("v", each(r.load("y", span(8*pid[0], 8), nil), func(v int) int { return v % 4 }))
		r.add("z", v, 1)
	}},
	{"count_programs", `
    before = tl.atomic_add(z, 1)
    tl.store(y + before + 1, tl.program_id(0))
`, []int{4}, []int{1}, []int{4}, []int{1}, func(r *recount, pid []int) {
		before := r.name("before", r.add("z", lanes{0}, 1))
		r.store("y", lanes{before[0] + 1}, lanes{pid[0]}, nil)
	}},
	{"overlap", `
    i = tl.program_id(0) * 2 + tl.arange(0, 4)
    tl.store(z + i, tl.load(x + i))
`, []int{3}, []int{8}, []int{1}, []int{8}, func(r *recount, pid []int) {
		i := r.name("i", span(2*pid[0], 4))
		r.store("z", i, r.load("x", i, nil), nil)
	}},
	{"relu", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    v = tl.load(x + i) - 5
    w = tl.where(v > 0, v, 0)
    tl.store(z + i, w)
`, []int{3}, []int{12}, []int{1}, []int{12}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		v := r.name("v", each(r.load("x", i, nil), func(v int) int { return v - 5 }))
		r.store("z", i, r.name("w", each(v, func(v int) int { return max(v, 0) })), nil)
	}},
	{"even_programs", `
    p = tl.program_id(0)
    if p % 2 == 0:
        tl.store(z + p, tl.load(x + p))
    else:
        tl.store(y + p, p)
`, []int{6}, []int{6}, []int{6}, []int{6}, func(r *recount, pid []int) {
		p := r.name("p", lanes{pid[0]})
		if pid[0]%2 == 0 {
			r.store("z", p, r.load("x", p, nil), nil)
		} else {
			r.store("y", p, p, nil)
		}
	}},
	{"while_loop", `
    p = tl.program_id(0)
    k = p
    while k < n:
        tl.store(z + k, tl.load(x + k))
        k += 3
`, []int{3}, []int{10}, []int{1}, []int{10}, func(r *recount, pid []int) {
		for range r.loop((10 - pid[0] + 2) / 3) {
			k := lanes{pid[0] + 3*(r.iterations-1)}
			r.store("z", k, r.load("x", k, nil), nil)
		}
		r.iterations++ // in which the condition is found false
	}},
	{"stencil", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    left = tl.load(x + i - 1, mask=i > 0, other=0)
    right = tl.load(x + i + 1, mask=i < n - 1, other=0)
    tl.store(z + i, left + right)
`, []int{3}, []int{12}, []int{1}, []int{12}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		left := r.load("x", each(i, func(i int) int { return i - 1 }), each(i, func(i int) bool { return i > 0 }))
		right := r.load("x", each(i, func(i int) int { return i + 1 }), each(i, func(i int) bool { return i < 11 }))
		r.store("z", i, zipWith(r.name("left", left), r.name("right", right), add), nil)
	}},
	{"in_place", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    tl.store(x + i, tl.load(x + i) * 2)
`, []int{3}, []int{12}, []int{1}, []int{1}, func(r *recount, pid []int) {
		i := r.name("i", span(4*pid[0], 4))
		r.store("x", i, each(r.load("x", i, nil), twice), nil)
	}},
	{"running_sum", `
    i = tl.arange(0, 8)
    c = tl.cumsum(tl.load(y + i), 0)
    tl.store(z + i, c)
`, []int{1}, []int{1}, []int{8}, []int{8}, func(r *recount, _ []int) {
		v := r.load("y", span(0, 8), nil)
		c := each(span(0, 8), func(i int) int { return fold(v[:i+1], add) })
		r.store("z", span(0, 8), r.name("c", c), nil)
	}},
	{"helper_function", `
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    v = square(tl.load(x + i))
    tl.store(z + i, v)
`, []int{2}, []int{8}, []int{1}, []int{8}, func(r *recount, pid []int) {
		i := span(4*pid[0], 4)
		r.store("z", i, each(r.load("x", i, nil), func(v int) int { return v * v }), nil)
	}},
}

func add(a, b int) int { return a + b }

func twice(i int) int { return 2 * i }

func span(from, n int) lanes {
	out := make(lanes, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}

func each[V any](of lanes, f func(int) V) []V {
	out := make([]V, len(of))
	for i, v := range of {
		out[i] = f(v)
	}
	return out
}

func zipWith(a, b lanes, f func(a, b int) int) lanes {
	out := make(lanes, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

func outer(a, b lanes, f func(a, b int) int) lanes {
	var out lanes
	for _, i := range a {
		for _, j := range b {
			out = append(out, f(i, j))
		}
	}
	return out
}

func fold(v lanes, f func(a, b int) int) int {
	out := v[0]
	for _, x := range v[1:] {
		out = f(out, x)
	}
	return out
}

// recount is what the programs of a launch have done so far. Of the last one it has the values of its variables, and its
// loads, stores, atomics and iterations.
type recount struct {
	memory           map[string]lanes
	readers, writers map[string][]map[int]bool // by element
	program          int
	values           map[string]string
	done             map[string]int
	iterations       int
}

func product(shape []int) int { return fold(shape, func(a, b int) int { return a * b }) }

func (k *counted) recount() *recount {
	r := &recount{memory: map[string]lanes{}, readers: map[string][]map[int]bool{}, writers: map[string][]map[int]bool{}}
	n := product(k.y)
	r.memory["x"], r.memory["z"] = span(0, product(k.x)), each(span(0, product(k.z)), func(int) int { return -1 })
	r.memory["y"] = each(span(0, n), func(i int) int { return 5 * i % n })
	for name, of := range r.memory {
		for range of {
			r.readers[name] = append(r.readers[name], map[int]bool{})
			r.writers[name] = append(r.writers[name], map[int]bool{})
		}
	}
	for n := range product(k.grid) {
		pid, rest := make([]int, len(k.grid)), n
		for axis := len(k.grid) - 1; axis >= 0; axis-- {
			pid[axis], rest = rest%k.grid[axis], rest/k.grid[axis]
		}
		r.program, r.values, r.done, r.iterations = n, map[string]string{}, map[string]int{}, 0
		k.program(r, pid)
	}
	return r
}

// load reads the elements of the lanes that the mask lets through; the others are 0.
func (r *recount) load(tensor string, at lanes, mask []bool) lanes {
	r.done["load"]++
	out := make(lanes, len(at))
	for i, e := range at {
		if mask == nil || mask[i] {
			out[i] = r.memory[tensor][e]
			r.readers[tensor][e][r.program] = true
		}
	}
	return out
}

func (r *recount) store(tensor string, at, values lanes, mask []bool) {
	r.done["store"]++
	for i, e := range at {
		if mask == nil || mask[i] {
			r.memory[tensor][e] = values[i]
			r.writers[tensor][e][r.program] = true
		}
	}
}

// add is tl.atomic_add, which gives what was there before.
func (r *recount) add(tensor string, at lanes, value int) lanes {
	r.done["atomic"]++
	return each(at, func(e int) int {
		r.readers[tensor][e][r.program], r.writers[tensor][e][r.program] = true, true
		r.memory[tensor][e] += value
		return r.memory[tensor][e] - value
	})
}

// loop counts the iterations that a loop is about to make.
func (r *recount) loop(trips int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range trips {
			r.iterations++
			if !yield(i) {
				return
			}
		}
	}
}

// name is the value that a variable of the kernel has now.
func (r *recount) name(variable string, v lanes) lanes {
	r.values[variable] = strings.Trim(fmt.Sprint(v), "[]")
	if len(v) > 4 {
		r.values[variable] = fmt.Sprintf("%d %d … %d", v[0], v[1], v[len(v)-1])
	}
	return v
}

func (r *recount) mask(variable string, m []bool) []bool {
	on := 0
	for _, b := range m {
		if b {
			on++
		}
	}
	r.values[variable] = fmt.Sprintf("%d of %d true", on, len(m))
	return m
}

// cell is what the page says of an element: its name, its value or what became of it, who reads it, who writes it.
func (r *recount) cell(k *counted, tensor string, shape []int, element, before int) string {
	index, rest := make([]int, len(shape)), element
	for d := len(shape) - 1; d >= 0; d-- {
		index[d], rest = rest%shape[d], rest/shape[d]
	}
	value := fmt.Sprintf("value %d", before)
	if after := r.memory[tensor][element]; after != before {
		value = fmt.Sprintf("before %d|after %d", before, after)
	}
	return fmt.Sprintf("%s[%s]|%s|read by %s|written by %s", tensor, commas(index), value,
		k.who(r.readers[tensor][element]), k.who(r.writers[tensor][element]))
}

func commas(list []int) string {
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(list), "[]")), ", ")
}

func (k *counted) who(programs map[int]bool) string {
	switch len(programs) {
	case 0:
		return "no program"
	case 1:
		for n := range programs {
			axes := len(k.grid)
			pid, rest := make([]int, axes), n
			for axis := axes - 1; axis >= 0; axis-- {
				pid[axis], rest = rest%k.grid[axis], rest/k.grid[axis]
			}
			if axes == 1 {
				return fmt.Sprintf("program %d", n)
			}
			return fmt.Sprintf("program (%s)", commas(pid))
		}
	}
	return "several programs"
}

func (k *counted) source() string {
	return fmt.Sprintf(`@triton.jit
def %[1]s(x, y, z, n):%[2]s
x = torch.arange(%[3]d, dtype=torch.int32, device="cuda").reshape(%[4]s)
y = (5 * torch.arange(%[5]d, dtype=torch.int32, device="cuda") %% %[5]d).reshape(%[6]s)
z = torch.full((%[7]s,), -1, dtype=torch.int32, device="cuda")
%[1]s[(%[8]s,)](x, y, z, %[3]d)
`, k.name, k.body, product(k.x), commas(k.x), product(k.y), commas(k.y), commas(k.z), commas(k.grid))
}

// TestRecount: of every kernel the page says of each element who reads and writes it and its value before and after, and
// of its last program the values of its variables, its accesses and its iterations, as a recount in Go has them.
func TestRecount(t *testing.T) {
	soak.Only(t, "TestBlockOfValues and TestStepsByKeyboard recount what they see")
	t.Parallel()
	if len(kernels) < 30 {
		t.Errorf("%d kernels", len(kernels))
	}
	text := "import torch\nimport triton\nimport triton.language as tl\n@triton.jit\ndef square(v):\n    return v * v\n"
	for i := range kernels {
		text += kernels[i].source()
	}
	p := open(t, "en", "#/document")
	p.wait("the document page", `document.querySelector("#open-file")`)
	p.write(text)
	p.key(kb.Enter, chromedp.ModifierCtrl)
	p.wait("the run", endedCells+` === 1`)
	p.showView("memory")
	p.wait("the launches", fmt.Sprintf(`document.querySelectorAll("#memory-launch option").length === %d`, len(kernels)))
	for i := range kernels {
		if !soak.Skips(i, 4) {
			p.recount(i, &kernels[i])
		}
	}
}

// recount compares what the page says of launch i.
func (p *page) recount(i int, k *counted) {
	p.Helper()
	const shown = `document.querySelector(".memory-launch")?.ariaBusy === "false"`
	p.js(fmt.Sprintf(`const s = document.querySelector("#memory-launch"); s.selectedIndex = %d; s.dispatchEvent(new Event("change"))`, i))
	p.wait("launch "+k.name, shown)
	last := product(k.grid) - 1
	p.js(fmt.Sprintf(`document.querySelector("[data-program='%d']").click()`, last))
	p.wait("the last program of "+k.name, shown+fmt.Sprintf(` && document.querySelector("[data-program='%d']").ariaChecked === "true"`, last))
	r, before := k.recount(), (&counted{x: k.x, y: k.y, z: k.z, grid: []int{0}}).recount()
	for name, shape := range map[string][]int{"x": k.x, "y": k.y, "z": k.z} {
		got := eval[[]string](p, probe("cells", name))
		for at := range r.memory[name] {
			if want := r.cell(k, name, shape, at, before.memory[name][at]); at >= len(got) || got[at] != want {
				p.Errorf("%s: the page says %q, not %q", k.name, slices.Concat(got, make([]string, at+1))[at], want)
			}
		}
	}
	for kind, n := range map[string]int{"load": r.done["load"], "store": r.done["store"], "atomic": r.done["atomic"]} {
		if got := eval[int](p, fmt.Sprintf(`document.querySelectorAll(".timeline-block.%s").length`, kind)); got != n {
			p.Errorf("%s: the timeline has %d blocks of kind %s, not %d", k.name, got, kind, n)
		}
	}
	if got := eval[int](p, `document.querySelectorAll(".timeline-band").length`); got != r.iterations {
		p.Errorf("%s: the timeline has %d iterations, not %d", k.name, got, r.iterations)
	}
	p.js(`const steps = document.querySelector(".memory-steps"); if (!steps.open) steps.querySelector("summary").click()`)
	p.wait("the table", `document.querySelector(".memory-steps tbody tr")`)
	for name, want := range r.values {
		got := eval[string](p, fmt.Sprintf(`probe.table(".memory-steps tbody tr").findLast(([, name]) => /^%s [^ =]*=( |$)/.test(name))?.[3] ?? ""`, name))
		if got != want {
			p.Errorf("%s: the page says %s = %q, not %q", k.name, name, got, want)
		}
	}
}

// Package vectorgen writes functions on vectors, which Go's compiler can't, for several processors from one description
// of each: assembly for amd64 with AVX2 and for arm64, and the instructions of WebAssembly, which the build of the page
// gives to the functions that Go's compiler left without.
//
// A description (functions.go) is a Go function that appends instructions. It knows neither how long a vector is nor
// how many registers there are; all its operations round as IEEE 754 has them and as Go's loops do, one by one.
package vectorgen

import (
	"math"
	"slices"
)

// operation is one on vectors whose lanes have the type in its name.
type operation int

const (
	addF32 operation = iota
	subF32
	mulF32
	divF32
	sqrtF32
	gtF32 // comparisons give lanes of ones or zeros; of a NaN, zeros
	geF32
	eqF32
	addF64
	subF64
	mulF64
	divF64
	sqrtF64
	singleF64 // rounded to fp32
	gtF64
	addI32
	subI32
	mulI32
	gtI32
	eqI32
	addI64
	subI64
	mulU32 // the products, of 64 bits, of the lower halves of lanes of 64 bits
	and
	or
	xor
	andNot // a &^ b
	i32ToF32
	f32ToI32 // truncated; of what int32 does not have, some processors give the nearest, and 0 for NaN
	even     // the lanes of 32 bits of a and then b with even numbers, or odd
	odd

	// What follows has forms of its own in each processor's code.
	shlI32 // by immediate
	shrI32 // with zeros
	shlI64
	shrI64
	choose      // a where c has ones, else b
	constant    // immediate's bits in each lane of size bytes
	argument    // fp64 of an argument in each lane
	load        // a vector from memory
	loadSplat   // an element of size bytes in each lane
	loadHalves  // a lane of 32 bits for each 16 bits
	loadSingles // a lane of fp64 for each fp32
	lookUp      // 64 bits of the table in a's place for each lane
	store
	storeHalves  // the lower half of each lane of 32 bits
	storeSingles // fp64 rounded to fp32

	// On integers that are pointers and counts.
	integerArgument
	integerResult
	integerAdd // a += b
	integerAddConstant
	integerAnd
	integerShift // to the left
	integerCopy
	loop    // until a is 0; it is not at first
	endLoop // immediate is what a loses each time
	skip    // to endSkip if a is 0
	endSkip
)

// unary reports whether an operation of the first kind has one operand.
func (o operation) unary() bool {
	return o == sqrtF32 || o == sqrtF64 || o == singleF64 || o == i32ToF32 || o == f32ToI32
}

// A vector and an integer are the numbers of values in a description, those of vectors and those of integers apart.
type (
	vector  int
	integer int
)

// instruction is one of a description. Fields that an operation has no use for are as none has them.
type instruction struct {
	operation
	to        vector
	a, b, c   vector
	integers  [2]integer // the pointer or count that is used, and one that is set
	immediate int64      // or the offset from a pointer, in bytes
	size      int
	name      string // of an argument, and the word where it is
}

// processor is what descriptions may ask for.
type processor struct {
	bytes     int  // of a vector
	saturates bool // f32ToI32 gives the nearest integer
}

// builder appends the instructions of a description.
type builder struct {
	processor
	code              []instruction
	constants         []instruction // in front of the code
	vectors, integers int
}

func (b *builder) emit(i instruction) { b.code = append(b.code, i) }

// make appends an operation with a result.
func (b *builder) make(i instruction) vector {
	b.vectors++
	i.to = vector(b.vectors)
	b.emit(i)
	return i.to
}

func (b *builder) unary(o operation, x vector) vector {
	return b.make(instruction{operation: o, a: x})
}

func (b *builder) binary(o operation, x, y vector) vector {
	return b.make(instruction{operation: o, a: x, b: y})
}

// set gives a vector the result of an operation, in a loop that it goes around with.
func (b *builder) set(v vector, o operation, x, y vector) {
	b.emit(instruction{operation: o, to: v, a: x, b: y})
}

func (b *builder) choose(mask, x, y vector) vector {
	return b.make(instruction{operation: choose, a: x, b: y, c: mask})
}

func (b *builder) shift(o operation, x vector, by int) vector {
	return b.make(instruction{operation: o, a: x, immediate: int64(by)})
}

// lanes is a vector with the same bits in each lane of size bytes.
func (b *builder) lanes(bits uint64, size int) vector {
	for _, c := range b.constants {
		if c.immediate == int64(bits) && c.size == size {
			return c.to
		}
	}
	b.vectors++
	b.constants = append(b.constants,
		instruction{operation: constant, to: vector(b.vectors), immediate: int64(bits), size: size})
	return vector(b.vectors)
}

// here is f64 in a register of its own, for descriptions with more constants than there are registers.
func (b *builder) here(x float64) vector {
	return b.make(instruction{operation: constant, immediate: int64(math.Float64bits(x)), size: 8})
}

func (b *builder) bits(x uint32) vector  { return b.lanes(uint64(x), 4) }
func (b *builder) f32(x float32) vector  { return b.bits(math.Float32bits(x)) }
func (b *builder) f64(x float64) vector  { return b.lanes(math.Float64bits(x), 8) }
func (b *builder) bits64(x int64) vector { return b.lanes(uint64(x), 8) }

// load is what o loads at an offset behind p.
func (b *builder) load(o operation, p integer, offset, size int) vector {
	return b.make(instruction{operation: o, integers: [2]integer{p}, immediate: int64(offset), size: size})
}

func (b *builder) store(o operation, p integer, offset int, v vector) {
	b.emit(instruction{operation: o, a: v, integers: [2]integer{p}, immediate: int64(offset)})
}

// argument is a word of the function's arguments and results, which lie in a row in memory.
func (b *builder) argument(name string, word int) integer {
	b.integers++
	i := integer(b.integers)
	b.emit(instruction{operation: integerArgument, integers: [2]integer{i, i}, name: name, size: word})
	return i
}

func (b *builder) result(name string, word int, i integer) {
	b.emit(instruction{operation: integerResult, integers: [2]integer{i}, name: name, size: word})
}

// integer appends an operation that changes i.
func (b *builder) integer(o operation, i integer, by int) {
	b.emit(instruction{operation: o, integers: [2]integer{i, i}, immediate: int64(by)})
}

func (b *builder) advance(i integer, by int) { b.integer(integerAddConstant, i, by) }

// add adds j to i.
func (b *builder) add(i, j integer) {
	b.emit(instruction{operation: integerAdd, integers: [2]integer{j, i}})
}

func (b *builder) copy(i integer) integer {
	b.integers++
	b.emit(instruction{operation: integerCopy, integers: [2]integer{i, integer(b.integers)}})
	return integer(b.integers)
}

// repeat appends a loop that takes step from count until nothing is left, if anything is there.
func (b *builder) repeat(count integer, step int, body func()) {
	b.emit(instruction{operation: skip, integers: [2]integer{count}})
	b.emit(instruction{operation: loop, integers: [2]integer{count}})
	body()
	b.emit(instruction{operation: endLoop, integers: [2]integer{count, count}, immediate: int64(step)})
	b.emit(instruction{operation: endSkip})
}

// function is a description.
type function struct {
	name  string // of a Go function
	frame int    // bytes of its arguments and results
	write func(*builder)
}

// build is a function's instructions for a processor, with registers in the places of its vectors and integers, from 0
// on, and how many it needs of each.
func (p processor) build(f function) (code []instruction, integers, registers int) {
	b := &builder{processor: p}
	f.write(b)
	code = slices.Concat(b.constants, b.code)
	integers = allocate(code, b.integers, func(i *instruction) []*integer {
		return []*integer{&i.integers[0], &i.integers[1]}
	})
	return code, integers, allocate(code, b.vectors, func(i *instruction) []*vector {
		return []*vector{&i.to, &i.a, &i.b, &i.c}
	})
}

// allocate replaces values, which are numbered from 1 on and which instructions have in some places, by registers, and
// returns how many are in use: a value has one from where it is first set to where it is last used, or to the end of a
// loop that it is set before and used in.
func allocate[V vector | integer](code []instruction, values int, places func(*instruction) []*V) (registers int) {
	first, last := make([]int, values+1), make([]int, values+1)
	var loops [][2]int // where they begin and end
	var open []int
	for at, i := range code {
		switch i.operation {
		case loop:
			open = append(open, at)
		case endLoop:
			loops = append(loops, [2]int{open[len(open)-1], at})
			open = open[:len(open)-1]
		}
	}
	for at := range code {
		for _, place := range places(&code[at]) {
			v := *place
			if first[v] == 0 {
				first[v] = at + 1
			}
			last[v] = max(last[v], at)
			for _, l := range loops {
				if first[v] <= l[0] && l[0] < at && at < l[1] {
					last[v] = max(last[v], l[1])
				}
			}
		}
	}
	register, taken := make([]V, values+1), []V{}
	for at := range code {
		i := &code[at]
		release := func() {
			for r, v := range taken {
				if last[v] <= at {
					taken[r] = 0
				}
			}
		}
		if i.operation != choose && i.operation != lookUp { // their results lie beside their operands
			release()
		}
		for _, place := range places(i) {
			if v := *place; v != 0 && first[v] == at+1 {
				r := slices.Index(taken, 0)
				if r < 0 {
					r, taken = len(taken), append(taken, 0)
				}
				taken[r], register[v], first[v] = v, V(r), 0
			}
			*place = register[*place]
		}
		release()
	}
	return len(taken)
}

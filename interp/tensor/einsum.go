package tensor

import (
	"slices"
	"strings"
)

// einsum sums products over the labels that the output lacks; operands are contracted from left
// to right, each step as one batched product.
func einsum(c *Context, equation string, operands []*Tensor) *Tensor {
	inputs, output := parseEinsum(equation, operands)
	checkEinsum(inputs, operands)
	if len(operands) == 0 {
		runtimeError("einsum(): must provide at least one operand")
	}
	sum := labelled{operands[0], inputs[0]}.diagonal(c)
	for i, next := range operands[1:] {
		// Labels that the output or a later operand has are kept.
		later := output + strings.Join(inputs[i+2:], "")
		sum = contract(c, sum, labelled{next, inputs[i+1]}.diagonal(c), later)
	}
	sum = sum.keep(c, output)
	want, have := []rune(output), []rune(sum.labels)
	order := make([]int, len(want))
	for i, l := range want {
		if order[i] = slices.Index(have, l); order[i] < 0 {
			runtimeError("einsum(): output subscript %c does not appear in the equation for any input operand", l)
		}
	}
	return permute(c, sum.t, order)
}

// parseEinsum splits the equation into the labels of each operand and of the output. An ellipsis becomes Greek letters,
// one a dimension, the last ones for the last dimensions: so ellipses of different lengths broadcast.
func parseEinsum(equation string, operands []*Tensor) (inputs []string, output string) {
	left, right, explicit := strings.Cut(strings.ReplaceAll(equation, " ", ""), "->")
	inputs = strings.Split(left, ",")
	if len(inputs) != len(operands) {
		runtimeError("einsum(): the number of subscripts (%d) does not match the number of operands (%d)", len(inputs),
			len(operands))
	}
	const batch = "αβγδεζηθικλμνξοπρστυφχψω"
	widest := 0
	for i, labels := range inputs {
		if strings.Contains(labels, "...") {
			n := len(operands[i].shape) - (len(labels) - 3)
			if n < 0 || n > 24 {
				runtimeError("einsum(): the number of subscripts in the equation (%d) is more than the number of "+
					"dimensions (%d) for operand %d",
					len(labels)-3, len(operands[i].shape), i)
			}
			widest = max(widest, n)
			inputs[i] = strings.Replace(labels, "...", string([]rune(batch)[24-n:]), 1)
			left = strings.Replace(left, "...", "", 1)
		} else if len(labels) != len(operands[i].shape) {
			runtimeError("einsum(): the number of subscripts in the equation (%d) does not match the number of "+
				"dimensions (%d) for operand %d and no ellipsis was given",
				len(labels), len(operands[i].shape), i)
		}
	}
	free := string([]rune(batch)[24-widest:])
	if explicit {
		return inputs, strings.Replace(right, "...", free, 1)
	}
	// Without an arrow the output has the labels that occur once, in alphabetical order.
	var once []rune
	for _, l := range strings.Join(inputs, "") {
		if l < 0x80 && strings.Count(left, string(l)) == 1 {
			once = append(once, l)
		}
	}
	slices.Sort(once)
	return inputs, free + string(once)
}

// checkEinsum refuses operands that give a label different sizes.
func checkEinsum(inputs []string, operands []*Tensor) {
	sizes := map[rune]int{}
	for i, labels := range inputs {
		for j, l := range []rune(labels) {
			have, size := sizes[l], operands[i].shape[j]
			if have > 1 && size != 1 && size != have {
				runtimeError("einsum(): subscript %c has size %d for operand %d which does not broadcast with "+
					"previously seen size %d",
					l, size, i, have)
			}
			sizes[l] = max(have, size)
		}
	}
}

// labelled is a tensor with a label for each dimension, none of them twice but for operands as they are given.
type labelled struct {
	t      *Tensor
	labels string
}

// diagonal takes the diagonal of dimensions that have the same label.
func (l labelled) diagonal(c *Context) labelled {
	t, runes := l.t, []rune(l.labels)
	for i := 0; i < len(runes); i++ {
		for j := i + 1; j < len(runes); j++ {
			if runes[i] == runes[j] {
				label := runes[i]
				t = diagonal(c, t, 0, i, j) // which puts the diagonal last
				runes = append(slices.Delete(slices.Delete(runes, j, j+1), i, i+1), label)
				i, j = -1, len(runes)
			}
		}
	}
	return labelled{t, string(runes)}
}

// keep sums over the labels that are not in kept.
func (l labelled) keep(c *Context, kept string) labelled {
	var dims []int
	var rest []rune
	for i, label := range []rune(l.labels) {
		if strings.ContainsRune(kept, label) {
			rest = append(rest, label)
		} else {
			dims = append(dims, i)
		}
	}
	if len(dims) == 0 {
		return l
	}
	return labelled{reduceSum(c, l.t, dims, false), string(rest)}
}

// contract multiplies two operands and sums over labels that are not needed later, as one batched matrix product:
// labels of both that are needed later are batch dimensions, those of both that are not are summed over, and the rest
// are rows and columns.
func contract(c *Context, x, y labelled, later string) labelled {
	x = x.keep(c, y.labels+later)
	y = y.keep(c, x.labels+later)
	var batch, inner, left, right []rune
	for _, l := range x.labels {
		switch {
		case !strings.ContainsRune(y.labels, l):
			left = append(left, l)
		case strings.ContainsRune(later, l):
			batch = append(batch, l)
		default:
			inner = append(inner, l)
		}
	}
	for _, l := range y.labels {
		if !strings.ContainsRune(x.labels, l) {
			right = append(right, l)
		}
	}
	xm, b, m, _ := x.asMatrices(c, batch, left, inner)
	ym, _, _, n := y.asMatrices(c, batch, inner, right)
	out := batchedProduct(c, xm, ym)
	return labelled{reshape(c, out, slices.Concat(b, m, n)), string(slices.Concat(batch, left, right))}
}

// asMatrices permutes the tensor to batch, rows, columns and merges each group into one dimension.
func (l labelled) asMatrices(c *Context, groups ...[]rune) (out *Tensor, batch, rows, columns []int) {
	var order []int
	sizes, merged := make([][]int, 3), make([]int, 3)
	runes := []rune(l.labels)
	for g, group := range groups {
		merged[g] = 1
		for _, label := range group {
			d := slices.Index(runes, label)
			order = append(order, d)
			sizes[g] = append(sizes[g], l.t.shape[d])
			merged[g] *= l.t.shape[d]
		}
	}
	return reshape(c, permute(c, l.t, order), merged), sizes[0], sizes[1], sizes[2]
}

package judge

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// maxTests bounds the sizes that are tried.
const maxTests = 64

// point is what the reference's inputs are made for: an argument for each of its parameters that is set.
type point []host.Keyword

// sizes are the point as a report shows it.
func (p point) sizes() map[string]any {
	m := map[string]any{}
	for _, k := range p {
		switch v := k.Value.(type) {
		case python.Int:
			n, _ := v.Int64()
			m[k.Name] = n
		case python.Bool:
			m[k.Name] = bool(v)
		default:
			m[k.Name] = host.Str(v)
		}
	}
	return m
}

// pointOf is a point of a test's arguments.
func pointOf(test map[string]any) (p point) {
	for _, name := range slices.Sorted(maps.Keys(test)) {
		var v host.Value
		switch x := test[name].(type) {
		case int:
			v = python.NewInt(int64(x))
		case float64:
			v = python.Float(x)
		case bool:
			v = python.Bool(x)
		case string:
			v = python.Str(x)
		default:
			continue
		}
		if name != "seed" {
			p = append(p, host.Keyword{Name: name, Value: v})
		}
	}
	return p
}

// grid are all points of lists of values, each name in its place of names.
func grid(names []string, values map[string][]host.Value) []point {
	points := []point{nil}
	for _, name := range names {
		if len(values[name]) == 0 {
			continue
		}
		var next []point
		for _, p := range points {
			for _, v := range values[name] {
				next = append(next, append(slices.Clone(p), host.Keyword{Name: name, Value: v}))
			}
			if len(next) > maxTests {
				break
			}
		}
		points = next
	}
	return points
}

// valueOf reads a value of a size: an integer, True or False, or the name of a dtype.
func valueOf(text string) (host.Value, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return python.NewInt(n), nil
	}
	switch text {
	case "True":
		return python.Bool(true), nil
	case "False":
		return python.Bool(false), nil
	}
	if d, ok := tensor.DTypeNamed(text); ok {
		return host.DType(d), nil
	}
	return nil, fmt.Errorf("%q is no integer, no dtype of torch, True or False", text)
}

// ParseSizes checks values of sizes, by the names of the parameters of inputs.
func ParseSizes(sizes map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		for _, text := range sizes[name] {
			if _, err := valueOf(text); err != nil {
				return fmt.Errorf("size %s: %w", name, err)
			}
		}
	}
	return nil
}

// listed are the points of a reference's own list: dicts, or one dict of lists. ok is false where it is neither.
func listed(v host.Value, names []string) (points []point, ok bool) {
	switch v := v.(type) {
	case *host.List:
		for _, item := range v.Items {
			fields, isDict := item.(*host.Dict)
			if !isDict {
				return nil, false
			}
			var p point
			for name, x := range fields.Named() {
				p = append(p, host.Keyword{Name: name, Value: x})
			}
			points = append(points, p)
		}
		return points, true
	case *host.Dict:
		values := map[string][]host.Value{}
		for name, x := range v.Named() {
			list, isList := x.(*host.List)
			if !isList {
				return nil, false
			}
			values[name] = list.Items
		}
		return grid(names, values), true
	}
	return nil, false
}

// maxVolume bounds the product of the sizes of one test, so that the reference in float64 takes well below a second.
const maxVolume = 1 << 21

// found are points that are found by themselves. Each size is none, one, a few primes, each block size of the
// submission and its neighbors, numbers that are no multiple of one, and two that the seed decides, so that a
// submission cannot know them.
func found(names []string, submission *source.File, seed uint32) []point {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	values := []int{1, 2, 7, 97}
	blocks := blockSizes(submission)
	for _, b := range blocks {
		values = append(values, b-1, b, b+1, 2*b+3)
	}
	largest := slices.Max(values)
	values = append(values, 1+random.IntN(largest), 1+random.IntN(2*largest), 0)
	values = slices.Compact(values)
	var points []point
	for i := range values {
		p := make(point, len(names))
		chosen := make([]int, len(names))
		for k := range names {
			chosen[k] = values[(i+k*(len(values)/2+1))%len(values)]
		}
		shrink(chosen)
		for k, name := range names {
			p[k] = host.Keyword{Name: name, Value: python.NewInt(int64(chosen[k]))}
		}
		points = append(points, p)
	}
	return points
}

// shrink makes the largest of sizes small until their product is not too large.
func shrink(sizes []int) {
	for {
		product, at := 1, 0
		for i, n := range sizes {
			product *= max(n, 1)
			if n > sizes[at] {
				at = i
			}
		}
		if product <= maxVolume {
			return
		}
		sizes[at] /= 3
	}
}

// blockSizes are what may be the sizes of the submission's blocks: the powers of two that it names, the three largest
// of those that are no larger than 1024. Without any it is 64.
func blockSizes(file *source.File) (list []int) {
	module, _ := syntax.Parse(file)
	syntax.Walk(module, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Constant); ok && c.Kind == syntax.IntConst {
			if v, err := strconv.Atoi(c.Text); err == nil && v >= 4 && v <= 1024 && v&(v-1) == 0 {
				list = append(list, v)
			}
		}
		return true
	})
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) == 0 {
		return []int{64}
	}
	return list[max(0, len(list)-3):]
}

// SizesText lists sizes in the order of their names: "M = 3, N = 33".
func SizesText(sizes map[string]any) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		words = append(words, fmt.Sprintf("%s = %v", name, sizes[name]))
	}
	return strings.Join(words, ", ")
}

// sizesArg is SizesText as an argument of a message, which has words where there are none.
func sizesArg(sizes map[string]any) any {
	if len(sizes) == 0 {
		return diag.Text{Key: "judge-own-sizes"}
	}
	return SizesText(sizes)
}

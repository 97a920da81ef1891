package host

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// Limits is torch.finfo or torch.iinfo of a dtype.
type Limits struct {
	class string
	dtype num.DType
	attrs map[string]Value
}

// Type is "finfo" or "iinfo".
func (l *Limits) Type() string { return l.class }

// floatLimits are the smallest normal value, the spacing at 1 and the decimal digits.
var floatLimits = [num.NumDTypes]struct{ tiny, eps, resolution float64 }{
	num.Float16:    {0x1p-14, 0x1p-10, 1e-3},
	num.BFloat16:   {0x1p-126, 0x1p-7, 1e-2},
	num.Float32:    {0x1p-126, 0x1p-23, 1e-6},
	num.Float64:    {0x1p-1022, 0x1p-52, 1e-15},
	num.Float8E4M3: {0x1p-6, 0x1p-3, 1},
	num.Float8E5M2: {0x1p-14, 0x1p-2, 1},
}

func dtypeLimits(class string, a arguments) Value {
	named, ok := given(a.positional[0], DType(num.Float32)).(DType)
	if !ok {
		raise("TypeError", "%s(): argument 'type' (position 1) must be torch.dtype, not %s", class,
			a.positional[0].Type())
	}
	d := tensor.PartOf(num.DType(named)) // of complex numbers, the limits are those of their parts
	info := d.Info()
	l := &Limits{class, d, map[string]Value{"bits": intValue(info.Bits), "dtype": python.Str(tensor.TorchName(d))}}
	f := floatLimits[d]
	switch {
	case class == "finfo" && f.eps > 0:
		most := tensor.MaxFinite[d]
		for name, v := range map[string]float64{"max": most, "min": -most, "eps": f.eps, "tiny": f.tiny,
			"smallest_normal": f.tiny, "resolution": f.resolution} {
			l.attrs[name] = python.Float(v)
		}
	case class == "iinfo" && !info.Float && d != num.Int1:
		low, high := int64(0), must(python.ParseInt(strconv.FormatUint(math.MaxUint64>>(64-info.Bits), 10)))
		if info.Signed {
			low, high = math.MinInt64>>(64-info.Bits), python.NewInt(math.MaxInt64>>(64-info.Bits))
		}
		l.attrs["min"], l.attrs["max"] = python.NewInt(low), high
	default:
		wanted, other := "a floating point", "iinfo"
		if class == "iinfo" {
			wanted, other = "an integer", "finfo"
		}
		raise("TypeError", "torch.%s() requires %s input type. Use torch.%s to handle 'torch.%s'",
			class, wanted, other, class)
	}
	return l
}

func (l *Limits) attr(_ *machine, name string) (Value, bool) {
	v, ok := l.attrs[name]
	return v, ok
}

// repr writes the limits as torch does, floats with six digits.
func (l *Limits) repr() string {
	var parts []string
	for _, name := range []string{"resolution", "min", "max", "eps", "smallest_normal", "tiny"} {
		switch v := l.attrs[name].(type) {
		case python.Float:
			parts = append(parts, fmt.Sprintf("%s=%s", name, shortFloat(float64(v))))
		case python.Int:
			n, _, _ := python.AsFloat(v) // torch writes integers as C's %g, too
			parts = append(parts, name+"="+shortFloat(n))
		}
	}
	return l.class + "(" + strings.Join(parts, ", ") + ", dtype=" + tensor.TorchName(l.dtype) + ")"
}

// shortFloat is C's %g.
func shortFloat(v float64) string {
	return strconv.FormatFloat(v, 'g', 6, 64)
}

package ops

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/num"
)

// Limits on what attributes and types may hold; part of the IR's security boundary.
const (
	MaxRank   = 24   // dimensions of a tile; 2**20 elements need 20 dimensions larger than 1
	MaxString = 4096 // bytes of a string attribute
	MaxStages = 64   // num_stages of a loop
)

// AttrValue is a named attribute of an instruction: its value is an int64, []int64, string, bool
// or num.Scalar, as the op's row says.
type AttrValue struct {
	Name  string
	Value any
}

// Equal reports whether two attributes have one name and one value, of the same bits.
func (a AttrValue) Equal(b AttrValue) bool {
	if a.Name != b.Name {
		return false
	}
	x, isList := a.Value.([]int64)
	if y, ok := b.Value.([]int64); ok && isList {
		return slices.Equal(x, y)
	}
	return !isList && a.Value == b.Value
}

// Attrs are an instruction's attributes, in the order of the op's row. Optional ones that hold
// their default (zero, or the first value of an enumeration) are left out.
type Attrs []AttrValue

// Get is the attribute's value, nil where it is absent.
func (as Attrs) Get(name string) any {
	for i := range as {
		if as[i].Name == name {
			return as[i].Value
		}
	}
	return nil
}

// Int is the attribute's integer value, 0 where it is absent.
func (as Attrs) Int(name string) int64 { v, _ := as.Get(name).(int64); return v }

// Ints is the attribute's list of integers, nil where it is absent.
func (as Attrs) Ints(name string) []int64 { v, _ := as.Get(name).([]int64); return v }

// Str is the attribute's string or enumeration value, "" where it is absent.
func (as Attrs) Str(name string) string { v, _ := as.Get(name).(string); return v }

// Bool is the attribute's truth value, false where it is absent.
func (as Attrs) Bool(name string) bool { v, _ := as.Get(name).(bool); return v }

// Scalar is the attribute's constant, the int1 false where it is absent.
func (as Attrs) Scalar(name string) num.Scalar { v, _ := as.Get(name).(num.Scalar); return v }

// HasPlaced reports whether an attribute is one of functions that are placed on threads.
func (a Attrs) HasPlaced(op Op) bool {
	return slices.ContainsFunc(op.Def().Attrs, func(row Attr) bool { return row.Placed && a.Get(row.Name) != nil })
}

// Normalize puts attributes in the order of op's row and leaves out optional ones at their
// default. Names that the row lacks stay, at the end, for Infer to refuse.
func Normalize(op Op, attrs Attrs) Attrs {
	row := table[op].Attrs
	if len(attrs) == 0 || isNormal(row, attrs) {
		return attrs
	}
	out := make(Attrs, 0, len(attrs))
	for i := range row {
		for _, a := range attrs {
			if a.Name == row[i].Name && !row[i].Omits(a.Value) {
				out = append(out, a)
			}
		}
	}
	for _, a := range attrs {
		if !slices.ContainsFunc(row, func(r Attr) bool { return r.Name == a.Name }) {
			out = append(out, a)
		}
	}
	return out
}

func isNormal(row []Attr, attrs Attrs) bool {
	next := 0
	for _, a := range attrs {
		for next < len(row) && row[next].Name != a.Name {
			next++
		}
		if next == len(row) || row[next].Omits(a.Value) {
			return false
		}
		next++
	}
	return true
}

// Omits reports whether an instruction leaves the attribute out where it has that value: the default of an optional
// one.
func (a *Attr) Omits(value any) bool { return a.Optional && a.isDefault(value) }

func (a *Attr) isDefault(value any) bool {
	switch v := value.(type) {
	case int64:
		return v == 0
	case []int64:
		return len(v) == 0
	case bool:
		return !v
	case string:
		return v == "" || a.Kind == EnumAttr && v == a.Enum[0]
	}
	return value == nil
}

// checkAttrs wants exactly the row's attributes, in order, normalized and of the right kinds.
func checkAttrs(op Op, attrs Attrs) *Mismatch {
	row := table[op].Attrs
	next := 0
	for i := range row {
		if next < len(attrs) && attrs[next].Name == row[i].Name {
			if want := row[i].check(attrs[next].Value); want != "" {
				return badAttr(op, row[i].Name, want)
			}
			next++
		} else if !row[i].Optional {
			return badAttr(op, row[i].Name, "it to be present, in the order of the operation's row")
		}
	}
	if next < len(attrs) {
		return badAttr(op, attrs[next].Name, "no such attribute here")
	}
	return nil
}

func badAttr(op Op, name, want string) *Mismatch {
	return &Mismatch{Op: op, Kind: BadAttr, Operand: -1, With: -1, Attr: name, Want: want}
}

var attrKindTexts = [...]string{
	IntAttr: "an integer", IntsAttr: "a list of integers", EnumAttr: "one of the row's values",
	StringAttr: "a string", BoolAttr: "true or false", ScalarAttr: "a constant",
}

// check says what was wanted where value does not fit a, "" where it does.
func (a *Attr) check(value any) string {
	fits := false
	switch v := value.(type) {
	case int64:
		fits = a.Kind == IntAttr
	case []int64:
		if a.Kind == IntsAttr && len(v) > MaxRank {
			return fmt.Sprintf("at most %d integers", MaxRank)
		}
		fits = a.Kind == IntsAttr
	case bool:
		fits = a.Kind == BoolAttr
	case num.Scalar:
		fits = a.Kind == ScalarAttr && isCanonical(v)
	case string:
		switch a.Kind {
		case EnumAttr:
			fits = slices.Contains(a.Enum, v)
		case StringAttr:
			if len(v) > MaxString || !utf8.ValidString(v) {
				return fmt.Sprintf("UTF-8 of at most %d bytes", MaxString)
			}
			fits = true
		}
	}
	if !fits {
		return attrKindTexts[a.Kind]
	}
	if a.Omits(value) {
		return "a value other than the default, which is written by leaving it out"
	}
	return ""
}

func isCanonical(s num.Scalar) bool {
	return s.DType < num.NumDTypes && num.ScalarAt(s.DType, s.Vec(), 0) == s
}

func isInt32(v int64) bool { return v >= math.MinInt32 && v <= math.MaxInt32 }

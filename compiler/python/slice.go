package python

import (
	"strings"
	"unicode/utf8"
)

// Len is the number of code points.
func (s Str) Len() int { return utf8.RuneCountInString(string(s)) }

// Index is s[i].
func (s Str) Index(i Value) (Value, *Error) {
	n, ok := AsInt(i)
	if !ok {
		return nil, typeError("string indices must be integers, not '%s'", i.Type())
	}
	runes := []rune(string(s))
	at, fits := n.Int64()
	if !fits {
		return nil, &Error{"IndexError", "cannot fit 'int' into an index-sized integer"}
	}
	if at < 0 {
		at += int64(len(runes))
	}
	if at < 0 || at >= int64(len(runes)) {
		return nil, &Error{"IndexError", "string index out of range"}
	}
	return Str(runes[at]), nil
}

// Slice is s[lower:upper:step], where each may be None.
func (s Str) Slice(lower, upper, step Value) (Value, *Error) {
	runes := []rune(string(s))
	start, stop, by, err := SliceBounds(lower, upper, step, len(runes))
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for i := start; by > 0 && i < stop || by < 0 && i > stop; i += by {
		b.WriteRune(runes[i])
	}
	return Str(b.String()), nil
}

// SliceBounds is slice(lower, upper, step).indices(length): where a loop over the elements of a
// slice starts, where it stops, and its step. Each of the three may be None.
func SliceBounds(lower, upper, step Value, length int) (start, stop, by int, err *Error) {
	by = 1
	if _, none := step.(None); !none {
		if by, err = clampIndex(step, -length-1, length+1); err != nil {
			return 0, 0, 0, err
		}
		if by == 0 {
			return 0, 0, 0, valueError("slice step cannot be zero")
		}
	}
	low, high := 0, length
	start, stop = 0, length
	if by < 0 {
		low, high = -1, length-1
		start, stop = length-1, -1
	}
	if start, err = bound(lower, start, low, high, length); err != nil {
		return 0, 0, 0, err
	}
	stop, err = bound(upper, stop, low, high, length)
	return start, stop, by, err
}

func bound(v Value, absent, low, high, length int) (int, *Error) {
	if _, none := v.(None); none {
		return absent, nil
	}
	i, err := clampIndex(v, -length-1, length+1)
	if err == nil && i < 0 {
		i += length
	}
	return max(low, min(i, high)), err
}

func clampIndex(v Value, low, high int) (int, *Error) {
	i, ok := AsInt(v)
	if !ok {
		return 0, typeError("slice indices must be integers or None or have an __index__ method")
	}
	n, fits := i.Int64()
	if !fits {
		n = int64(i.Sign()) * int64(high)
	}
	return int(max(int64(low), min(n, int64(high)))), nil
}

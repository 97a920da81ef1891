package tensor

import (
	"errors"
	"runtime"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// TestLimits checks that what is too large is an error, and that collected tensors count no more.
func TestLimits(t *testing.T) {
	c := New(Options{MaxElements: 1000, MaxBytes: 1 << 16})
	op, _ := AllOperations().Lookup(InTorch, "zeros")
	for _, shape := range [][]any{{int64(1001)}, {int64(1 << 40), int64(1 << 40)}, {int64(-1)}} {
		_, err := c.Call(op, shape, nil)
		if e := (*Error)(nil); !errors.As(err, &e) || e.Class != "RuntimeError" {
			t.Errorf("zeros%v: %v", shape, err)
		}
	}
	c = New(Options{MaxBytes: 1 << 16})
	for range 1000 {
		if _, err := c.Call(op, []any{int64(2000)}, nil); err != nil {
			t.Fatalf("tensors that nothing holds: %v", err)
		}
	}
	var held []any
	for range 20 {
		v, err := c.Call(op, []any{int64(2000)}, nil)
		if err != nil {
			return
		}
		held = append(held, v)
	}
	t.Errorf("%d tensors of 8000 bytes fit into 65536 bytes", len(held))
}

// TestCombinationsLimit: combinations are counted before they are made.
func TestCombinationsLimit(t *testing.T) {
	c := New(Options{MaxBytes: 1 << 16})
	op, _ := AllOperations().Lookup(InTorch, "combinations")
	x := c.alloc(num.Float32, 200)
	var before, after runtime.MemStats
	for r := range int64(20) {
		runtime.ReadMemStats(&before)
		_, err := c.Call(op, []any{x, r + 3}, nil)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; err == nil || grown > 1<<20 {
			t.Errorf("%d of 200: %d bytes, %v", r+3, grown, err)
		}
	}
}

// TestBytes checks the layout of every dtype against its encoding, and the way back.
func TestBytes(t *testing.T) {
	c := New(Options{})
	for _, row := range []struct {
		d      num.DType
		values []float64
		bytes  []byte
	}{
		{num.Int1, []float64{0, 1, 1}, []byte{0, 1, 1}},
		{num.Int8, []float64{-1, 127}, []byte{0xff, 0x7f}},
		{num.Uint16, []float64{65535}, []byte{0xff, 0xff}},
		{num.Int32, []float64{-2}, []byte{0xfe, 0xff, 0xff, 0xff}},
		{num.Float16, []float64{1.5}, []byte{0x00, 0x3e}},
		{num.BFloat16, []float64{-2}, []byte{0x00, 0xc0}},
		{num.Float32, []float64{1}, []byte{0, 0, 0x80, 0x3f}},
		{num.Float64, []float64{1}, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
		{num.Float8E4M3, []float64{448, 1}, []byte{0x7e, 0x38}},
	} {
		x, err := c.FromFloats(row.d, []int{len(row.values)}, row.values)
		if err != nil || string(x.Bytes()) != string(row.bytes) {
			t.Errorf("%v: bytes %x, want %x (%v)", row.d, x.Bytes(), row.bytes, err)
		}
		y, err := c.FromBytes(row.d, x.Shape(), row.bytes)
		if err != nil || y.Floats()[0] != row.values[0] {
			t.Errorf("%v: read back %v (%v)", row.d, y.Floats(), err)
		}
	}
	if _, err := c.FromBytes(num.Float32, []int{2}, make([]byte, 7)); err == nil {
		t.Error("seven bytes made two floats")
	}
}

// TestViews checks that views share memory and copies do not.
func TestViews(t *testing.T) {
	c := New(Options{})
	x, _ := c.FromFloats(num.Float32, []int{2, 3}, []float64{0, 1, 2, 3, 4, 5})
	column, err := c.Index(x, []any{Slice{}, int64(1)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetIndex(column, []any{Ellipsis{}}, 9.0); err != nil {
		t.Fatal(err)
	}
	if got := x.Floats(); got[1] != 9 || got[4] != 9 || got[0] != 0 {
		t.Errorf("after a write through a view: %v", got)
	}
	if column.Offset() != 1 || column.Strides()[0] != 3 || string(column.Bytes()) != string(clone(c, column).storage.read()) {
		t.Errorf("view at %d, strides %v", column.Offset(), column.Strides())
	}
}

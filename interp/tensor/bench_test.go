package tensor

import "testing"

func benchCall(b *testing.B, bytes int, where Where, name string, args ...any) {
	b.Helper()
	c := New(Options{})
	op, _ := AllOperations().Lookup(where, name)
	b.SetBytes(int64(bytes))
	for b.Loop() {
		if _, err := c.Call(op, args, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func uniform(b *testing.B, shape ...any) *Tensor {
	b.Helper()
	op, _ := AllOperations().Lookup(InTorch, "rand")
	v, err := New(Options{}).Call(op, shape, nil)
	if err != nil {
		b.Fatal(err)
	}
	return v.(*Tensor)
}

func BenchmarkAdd(b *testing.B) {
	x := uniform(b, int64(1<<20))
	benchCall(b, 3*4<<20, InTorch, "add", x, x)
}

func BenchmarkSum(b *testing.B) {
	benchCall(b, 4<<20, InTorch, "sum", uniform(b, int64(1024), int64(1024)), int64(0))
}

func BenchmarkSoftmax(b *testing.B) {
	benchCall(b, 2*4<<20, InTorch, "softmax", uniform(b, int64(1024), int64(1024)), int64(1))
}

// BenchmarkMatmul counts its 2·256³ operations as bytes, so that MB/s reads as MFLOP/s.
func BenchmarkMatmul(b *testing.B) {
	x := uniform(b, int64(256), int64(256))
	benchCall(b, 2*256*256*256, InTorch, "matmul", x, x)
}

func BenchmarkRandn(b *testing.B) { benchCall(b, 4<<18, InTorch, "randn", int64(1<<18)) }

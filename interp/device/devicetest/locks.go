package devicetest

import (
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// serializedAdd is the kernel of Triton's test_atomic_cas: what a program adds under a lock the next one finds,
// whatever the order of the swap that takes the lock, since the exchange that opens it is acq_rel.
const serializedAdd = `func @serialized_add(%data: *fp32 {div=16}, %lock: *i32 {div=16}) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  while %one cond (%taken: i32) {
    %again = ne %taken, %zero : i1
    condition %again
  } do {
    %old = atomic_cas %lock, %zero, %one {sem=SEM, scope=gpu} : i32
    yield %old
  }
  %r = arange {start=0, end=128} : i32[128]
  %d = splat %data {shape=[128]} : *fp32[128]
  %dp = addptr %d, %r : *fp32[128]
  %ones = const {value=fp32(1), shape=[128]} : fp32[128]
  %v = load %dp : fp32[128]
  %next = add %v, %ones : fp32[128]
  store %dp, %next
  barrier
  %was = atomic_rmw %lock, %zero, _ {rmw=xchg, sem=acq_rel, scope=gpu} : i32
  return
}`

// Locks has programs add 1 under a lock, one after the other. A GPU that has more of them than multiprocessors shows
// whether a program sees what one on another multiprocessor has stored.
func Locks(t *testing.T, dev device.Device, programs int) {
	f := &fixture{t, dev}
	want := make([]float64, 128)
	for i := range want {
		want[i] = float64(programs)
	}
	for _, sem := range []string{"acq_rel", "acquire", "release", "relaxed"} {
		data, lock := f.zeros(num.Float32, 128), f.zeros(num.Int32, 1)
		f.launch(f.load(replaced(serializedAdd, "SEM", sem)), programs, data, lock)
		f.expect(data, 0, want...)
		data.Memory.Free()
		lock.Memory.Free()
	}
}

func testLocks(t *testing.T, f *fixture) { Locks(t, f.dev, 8) }

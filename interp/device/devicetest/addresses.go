package devicetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// copyThrough copies n elements from the first address of a table to the second.
const copyThrough = `func @copy_through(%table: *i64, %n: i32) {
  %one = const {value=i32(1)} : i32
  %offs = arange {start=0, end=32} : i32[32]
  %t1 = addptr %table, %one : *i64
  %from = load %table : i64
  %to = load %t1 : i64
  %x = inttoptr %from {to=fp32} : *fp32
  %z = inttoptr %to {to=fp32} : *fp32
  %xs = splat %x {shape=[32]} : *fp32[32]
  %zs = splat %z {shape=[32]} : *fp32[32]
  %ns = splat %n {shape=[32]} : i32[32]
  %in = lt %offs, %ns : i1[32]
  %xp = addptr %xs, %offs : *fp32[32]
  %zp = addptr %zs, %offs : *fp32[32]
  %v = load %xp, %in : fp32[32] @10:20
  store %zp, %v, %in @30:40
  return
}
`

// chooseBetween copies an element from the first address of a table in even programs, from the second in odd ones.
const chooseBetween = `func @choose_between(%table: *i64, %z: *fp32) {
  %pid = program_id {axis=0} : i32
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %odd = and %pid, %one : i32
  %is = ne %odd, %zero : i1
  %t1 = addptr %table, %one : *i64
  %a = load %table : i64
  %b = load %t1 : i64
  %x = inttoptr %a {to=fp32} : *fp32
  %y = inttoptr %b {to=fp32} : *fp32
  %p = select %is, %y, %x : *fp32
  %at = addptr %p, %pid : *fp32
  %v = load %at : fp32 @10:20
  %zp = addptr %z, %pid : *fp32
  store %zp, %v
  return
}
`

// addressesOf stores the address of the element behind the one that an argument points to, and of the element behind
// an address.
const addressesOf = `func @addresses_of(%z: *i64, %x: *fp32, %a: i64) {
  %one = const {value=i32(1)} : i32
  %p = addptr %x, %one : *fp32
  %at = ptrtoint %p : i64
  store %z, %at
  %q = inttoptr %a {to=fp32} : *fp32
  %r = addptr %q, %one : *fp32
  %back = ptrtoint %r : i64
  %z1 = addptr %z, %one : *i64
  store %z1, %back
  return
}
`

// testAddresses: pointers that a kernel makes of addresses reach the memory that the launch has passed for them, and
// nothing else.
func testAddresses(t *testing.T, f *fixture) {
	const a, b = 0x7f0000000000, 0x7f0000000200
	x, z := f.tensor(num.Float32, ramp(32, 1)...), f.zeros(num.Float32, 32)
	x.Address, z.Address, x.Name, z.Name = a, b, "x", "z"
	table := func(values ...float64) device.Pointer { return f.tensor(num.Int64, values...) }
	k := f.load(copyThrough)
	f.launch(k, 1, table(a, b), integer(32), x, z)
	f.expect(z, 0, ramp(32, 1)...)

	for name, c := range map[string]struct {
		table device.Pointer
		n     int64
		want  string
	}{
		"in the middle":       {table(a+4*8, b), 24, ""},
		"to the end":          {table(a+4*8, b), 32, "out-of-bounds-load x 32 8"},
		"before the start":    {table(a, b+4*31), 2, "out-of-bounds-store z 32 1"},
		"behind the end":      {table(a+4*32, b), 1, "wild-pointer  0 1"},
		"nowhere":             {table(12, b), 3, "wild-pointer  0 3"},
		"between elements":    {table(a+2, b), 3, "wild-pointer  0 3"},
		"an address of zeros": {table(0, 0), 1, "wild-pointer  0 1, wild-pointer  0 1"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fixture{t, f.dev}
			var got []string
			for _, d := range f.launch(k, 1, c.table, integer(c.n), x, z).Diagnostics {
				at := d.Runtime
				got = append(got, fmt.Sprintf("%s %s %d %d", d.Code, at.Tensor, at.Index, at.Count))
			}
			if list := strings.Join(got, ", "); list != c.want {
				t.Errorf("found %q, want %q", list, c.want)
			}
		})
	}

	y, out := f.tensor(num.Float32, ramp(8, 100)...), f.zeros(num.Float32, 8)
	y.Address = b
	f.launch(f.load(chooseBetween), 8, table(a, b), out, x, y)
	f.expect(out, 0, 0, 100, 2, 300, 4, 500, 6, 700)

	number := func(n int64) device.Scalar { return device.Scalar{Scalar: num.FromInt(num.Int64, n)} }
	of := f.load(addressesOf)
	for _, c := range []struct {
		address int64 // of the argument
		offset  int   // of its pointer
		given   int64
		want    [2]float64
	}{
		{a, 0, a + 8, [2]float64{a + 4, a + 12}},
		{a, 3, b, [2]float64{a + 16, b + 4}},
		{0, 3, 12, [2]float64{16, 4}}, // nothing has said where the argument is, and nothing is at 12
	} {
		at, p := f.zeros(num.Int64, 2), x
		p.Address, p.Offset = c.address, c.offset
		f.launch(of, 1, at, p, number(c.given), x, z)
		f.expect(at, 0, c.want[:]...)
	}

	one := [3]int{1, 1, 1}
	y.Address++
	f.fails("launch-address", of, device.Launch{Grid: one, Args: []device.Arg{table(0, 0), y, number(a)}})
	y.Address--
	x.Offset = 1
	f.fails("launch-address", k, device.Launch{Grid: one, Args: []device.Arg{table(a, b), integer(1), x}})
	x.Offset, x.Address = 0, a+4
	f.fails("launch-address", k, device.Launch{Grid: one, Args: []device.Arg{table(a, b), integer(1), x}})
	f.fails("launch-address", k, device.Launch{Grid: one, Args: []device.Arg{table(a, b), integer(1), y, integer(2)}})
	f.fails("launch-arguments", k, device.Launch{Grid: one, Args: []device.Arg{table(a, b), integer(1), integer(2)}})
}

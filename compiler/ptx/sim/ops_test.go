package sim

import (
	"fmt"
	"math"
	"testing"
)

// regOf names a test's registers of one kind, from 8 on.
func regOf(kind string, i int) string { return fmt.Sprintf("%%%s%d", kind, i+8) }

// operandKinds give, for a letter, the register family, how a slot becomes a register and back.
var operandKinds = map[byte]struct{ family, load, store string }{
	'h': {"h", "cvt.u16.u64 %s, %%rd5;", "cvt.u64.u16 %%rd5, %s;"},
	'r': {"r", "cvt.u32.u64 %s, %%rd5;", "cvt.u64.u32 %%rd5, %s;"},
	'l': {"rd", "mov.b64 %s, %%rd5;", "mov.b64 %%rd5, %s;"},
	'f': {"f", "cvt.u32.u64 %%r63, %%rd5; mov.b32 %s, %%r63;", "mov.b32 %%r63, %s; cvt.u64.u32 %%rd5, %%r63;"},
	'd': {"d", "mov.b64 %s, %%rd5;", "mov.b64 %%rd5, %s;"},
	'p': {"p", "setp.ne.u64 %s, %%rd5, 0;", "selp.b64 %%rd5, 1, 0, %s;"},
}

// scalar runs one instruction on one set of values: form "r=rr" is the kinds of destination and
// sources; %0 stands for the destination in the instruction, %1 … for the sources.
func scalar(t *testing.T, form, instruction string, in ...uint64) uint64 {
	t.Helper()
	body := "mul.wide.u32 %rd6, %r0, 0; add.s64 %rd6, %rd6, %rd2;\n"
	text := []byte(instruction)
	replace := func(i int, kind byte) string {
		name := regOf(operandKinds[kind].family, i)
		if kind == 'p' {
			name = fmt.Sprintf("%%p%d", i)
		}
		var out []byte
		for j := 0; j < len(text); j++ {
			if text[j] == '%' && j+1 < len(text) && text[j+1] == byte('0'+i) {
				out = append(out, name...)
				j++
				continue
			}
			out = append(out, text[j])
		}
		text = out
		return name
	}
	dst := replace(0, form[0])
	for i := range form[2:] {
		kind := form[2+i]
		name := replace(i+1, kind)
		body += fmt.Sprintf("ld.global.u64 %%rd5, [%%rd6+%d]; ", 8*i) + fmt.Sprintf(operandKinds[kind].load, name) + "\n"
	}
	body += string(text) + "\n" + fmt.Sprintf(operandKinds[form[0]].store, dst) + "\nst.global.u64 [%rd3], %rd5;"
	return trial{body: body, in: in}.must(t)[5]
}

func s32(v int32) uint64 { return uint64(uint32(v)) }

const ones = math.MaxUint64

func TestInteger(t *testing.T) {
	for _, c := range []struct {
		form, text string
		in         []uint64
		want       uint64
	}{
		{"r=rr", "add.s32 %0, %1, %2;", []uint64{0xffffffff, 2}, 1},
		{"r=rr", "add.sat.s32 %0, %1, %2;", []uint64{0x7fffffff, 2}, 0x7fffffff},
		{"r=rr", "sub.sat.s32 %0, %1, %2;", []uint64{s32(-0x7fffffff), 2}, 0x80000000},
		{"h=hh", "sub.u16 %0, %1, %2;", []uint64{1, 2}, 0xffff},
		{"l=ll", "mul.lo.s64 %0, %1, %2;", []uint64{ones, 5}, ones - 4},
		{"r=rr", "mul.hi.s32 %0, %1, %2;", []uint64{s32(-2), 0x40000000}, s32(-1)},
		{"r=rr", "mul.hi.u32 %0, %1, %2;", []uint64{s32(-2), 0x40000000}, 0x3fffffff},
		{"l=ll", "mul.hi.s64 %0, %1, %2;", []uint64{ones, ones}, 0},
		{"l=ll", "mul.hi.u64 %0, %1, %2;", []uint64{ones, ones}, ones - 1},
		{"l=rr", "mul.wide.s32 %0, %1, %2;", []uint64{s32(-3), 5}, ones - 14},
		{"l=rr", "mul.wide.u32 %0, %1, %2;", []uint64{s32(-1), s32(-1)}, 0xfffffffe00000001},
		{"r=hh", "mul.wide.s16 %0, %1, %2;", []uint64{0xffff, 7}, s32(-7)},
		{"r=rrr", "mad.lo.s32 %0, %1, %2, %3;", []uint64{3, 4, s32(-13)}, s32(-1)},
		{"l=rrl", "mad.wide.s32 %0, %1, %2, %3;", []uint64{s32(-3), 4, 13}, 1},
		{"r=rrr", "mad.hi.u32 %0, %1, %2, %3;", []uint64{0x80000000, 6, 1}, 4},
		{"r=rr", "div.s32 %0, %1, %2;", []uint64{s32(-7), 2}, s32(-3)},
		{"r=rr", "div.s32 %0, %1, %2;", []uint64{0x80000000, s32(-1)}, 0x80000000},
		{"r=rr", "div.u32 %0, %1, %2;", []uint64{7, 0}, 0xffffffff},
		{"r=rr", "rem.s32 %0, %1, %2;", []uint64{s32(-7), 2}, s32(-1)},
		{"h=hh", "rem.u16 %0, %1, %2;", []uint64{7, 0}, 0xffff},
		{"h=h", "abs.s16 %0, %1;", []uint64{0xfffb}, 5},
		{"r=r", "neg.s32 %0, %1;", []uint64{5}, s32(-5)},
		{"r=rr", "min.s32 %0, %1, %2;", []uint64{s32(-5), 3}, s32(-5)},
		{"r=rr", "min.u32 %0, %1, %2;", []uint64{s32(-5), 3}, 3},
		{"l=ll", "max.s64 %0, %1, %2;", []uint64{ones, 3}, 3},
		{"r=rr", "and.b32 %0, %1, %2;", []uint64{12, 10}, 8},
		{"r=rr", "or.b32 %0, %1, %2;", []uint64{12, 10}, 14},
		{"l=ll", "xor.b64 %0, %1, %2;", []uint64{12, 10}, 6},
		{"h=h", "not.b16 %0, %1;", []uint64{1}, 0xfffe},
		{"r=r", "cnot.b32 %0, %1;", []uint64{0}, 1},
		{"p=pp", "and.pred %0, %1, %2;", []uint64{1, 0}, 0},
		{"p=pp", "xor.pred %0, %1, %2;", []uint64{1, 0}, 1},
		{"p=p", "not.pred %0, %1;", []uint64{0}, 1},
		{"r=rr", "shl.b32 %0, %1, %2;", []uint64{3, 31}, 0x80000000},
		{"r=rr", "shl.b32 %0, %1, %2;", []uint64{3, 32}, 0},
		{"h=hr", "shl.b16 %0, %1, %2;", []uint64{3, 17}, 0},
		{"r=rr", "shr.s32 %0, %1, %2;", []uint64{0x80000000, 1000}, s32(-1)},
		{"r=rr", "shr.u32 %0, %1, %2;", []uint64{0x80000000, 31}, 1},
		{"r=rr", "shr.b32 %0, %1, %2;", []uint64{0x80000000, 32}, 0},
		{"l=lr", "shr.s64 %0, %1, %2;", []uint64{1 << 63, 64}, ones},
		{"r=rrr", "bfe.u32 %0, %1, %2, %3;", []uint64{0xabcd, 4, 8}, 0xbc},
		{"r=rrr", "bfe.s32 %0, %1, %2, %3;", []uint64{0xabcd, 4, 8}, s32(-0x44)},
		{"r=rrr", "bfe.s32 %0, %1, %2, %3;", []uint64{0x80000000, 28, 8}, s32(-8)},
		{"r=rrr", "bfe.s32 %0, %1, %2, %3;", []uint64{0x80000000, 40, 8}, s32(-1)},
		{"r=rrr", "bfe.u32 %0, %1, %2, %3;", []uint64{0x80000000, 4, 0}, 0},
		{"l=lrr", "bfe.u64 %0, %1, %2, %3;", []uint64{ones, 60, 64}, 15},
		{"r=rrrr", "bfi.b32 %0, %1, %2, %3, %4;", []uint64{0x5, 0xffff0000, 4, 8}, 0xffff0050},
		{"r=rrr", "prmt.b32 %0, %1, %2, %3;", []uint64{0x33221100, 0x77665544, 0x7531}, 0x77553311},
		{"r=rrr", "prmt.b32 %0, %1, %2, %3;", []uint64{0x80, 0, 0x8888}, 0xffffffff},
		{"r=rrr", "prmt.b32.rc8 %0, %1, %2, %3;", []uint64{0x33221100, 0, 2}, 0x22222222},
		{"r=rrr", "prmt.b32.f4e %0, %1, %2, %3;", []uint64{0x33221100, 0x77665544, 1}, 0x44332211},
		{"r=rrr", "lop3.b32 %0, %1, %2, %3, 0xEA;", []uint64{12, 10, 1}, 9},
		{"r=rrr", "lop3.b32 %0, %1, %2, %3, 150;", []uint64{12, 10, 1}, 7},
		{"r=rrr", "shf.l.wrap.b32 %0, %1, %2, %3;", []uint64{0x80000000, 1, 33}, 3},
		{"r=rrr", "shf.l.clamp.b32 %0, %1, %2, %3;", []uint64{0x80000000, 1, 33}, 0x80000000},
		{"r=rrr", "shf.r.wrap.b32 %0, %1, %2, %3;", []uint64{2, 1, 1}, 0x80000001},
		{"r=rrr", "shf.r.clamp.b32 %0, %1, %2, %3;", []uint64{2, 1, 40}, 1},
		{"r=r", "popc.b32 %0, %1;", []uint64{0xf0f}, 8},
		{"r=l", "popc.b64 %0, %1;", []uint64{ones}, 64},
		{"r=r", "clz.b32 %0, %1;", []uint64{1}, 31},
		{"r=l", "clz.b64 %0, %1;", []uint64{0}, 64},
		{"r=r", "brev.b32 %0, %1;", []uint64{1}, 0x80000000},
		{"r=r", "bfind.s32 %0, %1;", []uint64{s32(-1)}, 0xffffffff},
		{"r=r", "bfind.u32 %0, %1;", []uint64{0x100}, 8},
		{"r=r", "bfind.shiftamt.u32 %0, %1;", []uint64{0x100}, 23},
		{"r=l", "bfind.shiftamt.s64 %0, %1;", []uint64{ones}, 0xffffffff},
		{"r=rrr", "sad.s32 %0, %1, %2, %3;", []uint64{s32(-3), 4, 10}, 17},
		{"r=rrr", "slct.b32.s32 %0, %1, %2, %3;", []uint64{3, 4, s32(-1)}, 4},
		{"r=rrf", "slct.u32.f32 %0, %1, %2, %3;", []uint64{3, 4, bits32(0)}, 3},
		{"r=rrp", "selp.b32 %0, %1, %2, %3;", []uint64{3, 4, 0}, 4},
		{"r=rrr", "dp4a.s32.s32 %0, %1, %2, %3;", []uint64{0xff020304, 0x01020304, 100}, s32(128)},
		{"l=rr", "mov.b64 %0, {%1, %2};", []uint64{1, 2}, 2<<32 | 1},
		{"r=hh", "mov.b32 %0, {%1, %2};", []uint64{1, 2}, 2<<16 | 1},
		{"r=l", "mov.b64 {_, %0}, %1;", []uint64{7<<32 | 1}, 7},
		{"h=r", "mov.b32 {%0, _}, %1;", []uint64{7<<16 | 1}, 1},
		{"h=l", "mov.b64 {_, _, %0, _}, %1;", []uint64{7 << 32}, 7},
		{"r=r", "set.lt.u32.s32 %0, %1, 5;", []uint64{s32(-1)}, 0xffffffff},
		{"r=rp", "set.lt.and.u32.s32 %0, %1, 5, %2;", []uint64{s32(-1), 0}, 0},
		{"f=rp", "set.lt.xor.f32.s32 %0, %1, 5, %2;", []uint64{s32(-1), 0}, bits32(1)},
		{"r=r", "mov.u32 %0, -1;", []uint64{0}, 0xffffffff},
		{"r=r", "mov.b32 %0, 0f3F800000;", []uint64{0}, bits32(1)},
		{"l=l", "cvta.to.global.u64 %0, %1;", []uint64{99}, 99},
	} {
		if got := scalar(t, c.form, c.text, c.in...); got != c.want {
			t.Errorf("%s of %#x is %#x, want %#x", c.text, c.in, got, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	nan := bits32(float32(math.NaN()))
	for _, c := range []struct {
		form, text string
		in         []uint64
		want       uint64
	}{
		{"p=rr", "setp.lt.s32 %0, %1, %2;", []uint64{s32(-1), 1}, 1},
		{"p=rr", "setp.lt.u32 %0, %1, %2;", []uint64{s32(-1), 1}, 0},
		{"p=rr", "setp.hi.u32 %0, %1, %2;", []uint64{s32(-1), 1}, 1},
		{"p=hh", "setp.ge.s16 %0, %1, %2;", []uint64{0xffff, 0}, 0},
		{"p=ll", "setp.ne.b64 %0, %1, %2;", []uint64{1 << 40, 0}, 1},
		{"p=ff", "setp.lt.f32 %0, %1, %2;", []uint64{nan, 0}, 0},
		{"p=ff", "setp.ltu.f32 %0, %1, %2;", []uint64{nan, 0}, 1},
		{"p=ff", "setp.ne.f32 %0, %1, %2;", []uint64{nan, nan}, 0},
		{"p=ff", "setp.neu.f32 %0, %1, %2;", []uint64{nan, nan}, 1},
		{"p=ff", "setp.equ.f32 %0, %1, %2;", []uint64{nan, bits32(3)}, 1},
		{"p=ff", "setp.num.f32 %0, %1, %2;", []uint64{nan, 0}, 0},
		{"p=ff", "setp.nan.f32 %0, %1, %2;", []uint64{0, nan}, 1},
		{"p=ff", "setp.gt.ftz.f32 %0, %1, %2;", []uint64{1, 0}, 0},
		{"p=ff", "setp.gt.f32 %0, %1, %2;", []uint64{1, 0}, 1},
		{"p=ff", "setp.eq.f32 %0, %1, %2;", []uint64{0x80000000, 0}, 1},
		{"p=hh", "setp.lt.f16 %0, %1, %2;", []uint64{0xbc00, 0x3c00}, 1},
		{"p=dd", "setp.le.f64 %0, %1, %2;", []uint64{math.Float64bits(1), math.Float64bits(1)}, 1},
		{"p=rrp", "setp.lt.and.s32 %0, %1, %2, %3;", []uint64{0, 1, 0}, 0},
		{"p=rrp", "setp.lt.or.s32 %0, %1, %2, !%3;", []uint64{2, 1, 0}, 1},
		{"p=rrp", "setp.lt.and.s32 %p6|%0, %1, %2, %3;", []uint64{2, 1, 1}, 1},
		{"p=rrp", "setp.lt.xor.s32 _|%0, %1, %2, %3;", []uint64{2, 1, 1}, 0},
		{"p=rr", "setp.lt.f16x2 %p6|%0, %1, %2;", []uint64{0x3c003c00, 0x40000000}, 1},
		{"p=f", "testp.finite.f32 %0, %1;", []uint64{nan}, 0},
		{"p=f", "testp.subnormal.f32 %0, %1;", []uint64{1}, 1},
		{"p=f", "testp.normal.f32 %0, %1;", []uint64{0x80000000}, 1},
		{"p=f", "testp.normal.f32 %0, %1;", []uint64{bits32(1)}, 1},
		{"p=d", "testp.notanumber.f64 %0, %1;", []uint64{math.Float64bits(math.NaN())}, 1},
	} {
		if got := scalar(t, c.form, c.text, c.in...); got != c.want {
			t.Errorf("%s of %#x is %#x, want %#x", c.text, c.in, got, c.want)
		}
	}
}

package example

// assembly are the examples of what lowering finds in inline assembly.
var assembly = map[string]Example{
	"asm-string": {asmOf("asm=1, constraints='=r,r', args=[n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("asm='neg.s32 $0, $1;', constraints='=r,r', args=[n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-args": {asmOf("'neg.s32 $0, $1;', '=r,r', n, dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-pointer": {asmOf("'mov.b64 $0, $1;', '=l,l', [x_ptr], dtype=tl.int64, is_pure=True, pack=1"),
		asmOf("'mov.b32 $0, $1;', '=r,f', [tl.load(x_ptr)], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-immediate": {asmOf("'add.s32 $0, $1, $2;', '=r,r,n', [n, tl.arange(0, BLOCK)], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'add.s32 $0, $1, $2;', '=r,r,n', [n, BLOCK], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-pack": {asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=3"),
		asmOf("'neg.s32 $0, $2; neg.s32 $1, $3;', '=r,=r,r,r', [n], dtype=tl.int32, is_pure=True, pack=2")},
	"asm-pack-elements": {asmOf("'not.b32 $0, $1;', '=r,r', [tl.arange(0, 2).to(tl.int8)], dtype=tl.int8, is_pure=True, pack=4"),
		asmOf("'not.b32 $0, $1;', '=r,r', [tl.arange(0, 4).to(tl.int8)], dtype=tl.int8, is_pure=True, pack=4")},
	"asm-constraint": {asmOf("'neg.s32 $0, $1;', '=r,x', [n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'neg.s32 $0, $1;', '=&r,r,~{memory}', [n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-constraint-order": {asmOf("'neg.s32 $0, $1;', 'r,=r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-constraint-count": {asmOf("'neg.s32 $0, $1;', '=r,r', [n, n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'add.s32 $0, $1, $2;', '=r,r,r', [n, n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-constraint-width": {asmOf("'neg.s32 $0, $1;', '=r,r', [n.to(tl.int64)], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'cvt.u32.u64 $0, $1;', '=r,l', [n.to(tl.int64)], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-syntax": {asmOf("'neg.s32 $0;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-operand": {asmOf("'neg.s32 $0, $2;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-unknown": {asmOf("'negate.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1")},
	"asm-memory": {asmOf("'ld.global.b32 $0, [$1];', '=r,l', [n.to(tl.int64)], dtype=tl.int32, is_pure=False, pack=1"),
		asmOf("'cvt.u32.u64 $0, $1;', '=r,l', [n.to(tl.int64)], dtype=tl.int32, is_pure=False, pack=1")},
	"asm-control": {asmOf("'again: bra again;', '=r', [], dtype=tl.int32, is_pure=False, pack=1"),
		asmOf("'mov.u32 $0, 1;', '=r', [], dtype=tl.int32, is_pure=False, pack=1")},
	"asm-barrier": {asmOf("'bar.sync 0;', '=r', [], dtype=tl.int32, is_pure=False, pack=1"),
		asmOf("'mov.u32 $0, %smid;', '=r', [], dtype=tl.int32, is_pure=False, pack=1")},
	"asm-lanes": {asmOf("'mov.u32 $0, %laneid;', '=r', [], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'mov.u32 $0, %clock;', '=r', [], dtype=tl.int32, is_pure=False, pack=1")},
	"asm-directive": {asmOf("'.shared .b32 s; mov.b32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		asmOf("'.reg .b32 s; mov.b32 s, $1; mov.b32 $0, s;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1")},
}

// asmOf is a kernel that prints what inline assembly with these arguments gives.
func asmOf(arguments string) string {
	return kernelOf("print('', tl.inline_asm_elementwise(" + arguments + "))")
}

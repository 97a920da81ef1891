package example

// assembly are the examples of what lowering finds in inline assembly.
var assembly = map[string]Example{
	"asm-string": {
		Bad:  asmOf("asm=1, constraints='=r,r', args=[n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("asm='neg.s32 $0, $1;', constraints='=r,r', args=[n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-args": {
		Bad:  asmOf("'neg.s32 $0, $1;', '=r,r', n, dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-pointer": {
		Bad:  asmOf("'mov.b64 $0, $1;', '=l,l', [x_ptr], dtype=tl.int64, is_pure=True, pack=1"),
		Good: asmOf("'mov.b32 $0, $1;', '=r,f', [tl.load(x_ptr)], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-immediate": {
		Bad:  asmOf("'add.s32 $0, $1, $2;', '=r,r,n', [n, tl.arange(0, BLOCK)], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'add.s32 $0, $1, $2;', '=r,r,n', [n, BLOCK], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-pack": {
		Bad:  asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=3"),
		Good: asmOf("'neg.s32 $0, $2; neg.s32 $1, $3;', '=r,=r,r,r', [n], dtype=tl.int32, is_pure=True, pack=2"),
	},
	"asm-pack-elements": {
		Bad:  asmOf("'not.b32 $0, $1;', '=r,r', [tl.arange(0, 2).to(tl.int8)], dtype=tl.int8, is_pure=True, pack=4"),
		Good: asmOf("'not.b32 $0, $1;', '=r,r', [tl.arange(0, 4).to(tl.int8)], dtype=tl.int8, is_pure=True, pack=4"),
	},
	"asm-constraint": {
		Bad:  asmOf("'neg.s32 $0, $1;', '=r,x', [n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'neg.s32 $0, $1;', '=&r,r,~{memory}', [n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-constraint-order": {
		Bad:  asmOf("'neg.s32 $0, $1;', 'r,=r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-constraint-count": {
		Bad:  asmOf("'neg.s32 $0, $1;', '=r,r', [n, n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'add.s32 $0, $1, $2;', '=r,r,r', [n, n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-constraint-width": {
		Bad:  asmOf("'neg.s32 $0, $1;', '=r,r', [n.to(tl.int64)], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'cvt.u32.u64 $0, $1;', '=r,l', [n.to(tl.int64)], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-syntax": {
		Bad:  asmOf("'neg.s32 $0;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-operand": {
		Bad:  asmOf("'neg.s32 $0, $2;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-unknown": {
		Bad:  asmOf("'negate.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'neg.s32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
	},
	"asm-memory": {
		Bad:  asmOf("'ld.global.b32 $0, [$1];', '=r,l', [n.to(tl.int64)], dtype=tl.int32, is_pure=False, pack=1"),
		Good: asmOf("'cvt.u32.u64 $0, $1;', '=r,l', [n.to(tl.int64)], dtype=tl.int32, is_pure=False, pack=1"),
	},
	"asm-control": {
		Bad:  asmOf("'again: bra again;', '=r', [], dtype=tl.int32, is_pure=False, pack=1"),
		Good: asmOf("'mov.u32 $0, 1;', '=r', [], dtype=tl.int32, is_pure=False, pack=1"),
	},
	"asm-barrier": {
		Bad:  asmOf("'bar.sync 0;', '=r', [], dtype=tl.int32, is_pure=False, pack=1"),
		Good: asmOf("'mov.u32 $0, %smid;', '=r', [], dtype=tl.int32, is_pure=False, pack=1"),
	},
	"asm-lanes": {
		Bad:  asmOf("'mov.u32 $0, %laneid;', '=r', [], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'mov.u32 $0, %clock;', '=r', [], dtype=tl.int32, is_pure=False, pack=1"),
	},
	"asm-directive": {
		Bad:  asmOf("'.shared .b32 s; mov.b32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
		Good: asmOf("'.reg .b32 s; mov.b32 s, $1; mov.b32 $0, s;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1"),
	},
}

// asmOf is a kernel that prints what inline assembly with these arguments gives.
func asmOf(arguments string) string {
	return kernelOf("print('', tl.inline_asm_elementwise(" + arguments + "))")
}

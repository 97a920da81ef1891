package example

import "strings"

// statements are the examples of what lowering finds in statements, names, calls and memory.
var statements = map[string]Example{
	"address-stored": {
		Bad:  kernelOf("tl.store(x_ptr, i_ptr + 1)"),
		Good: kernelOf("tl.store(x_ptr, tl.load(i_ptr + 1))"),
	},
	"not-in-newt": {
		Bad:  kernelOf("tl.store(i_ptr, tl.async_task(n, n))"),
		Good: kernelOf("tl.store(i_ptr, n)"),
	},
	"unsupported-statement": {
		Bad:  kernelOf("try:\n    tl.store(i_ptr, n)\nexcept Exception:\n    pass"),
		Good: kernelOf("tl.store(i_ptr, n)"),
	},
	"unsupported-expression": {
		Bad:  kernelOf("a = {1: 2}\ntl.store(i_ptr, n)"),
		Good: kernelOf("a = (1, 2)\ntl.store(i_ptr, n)"),
	},
	"condition-tile": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nif offs < n:\n    tl.store(i_ptr + offs, offs)"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(i_ptr + offs, offs, mask=offs < n)"),
	},
	"condition-one-element": {
		Bad:  kernelOf("offs = tl.arange(0, 1)\nif offs < n:\n    tl.store(i_ptr, n)"),
		Good: kernelOf("if n > 0:\n    tl.store(i_ptr, n)"),
	},
	"undefined-branch": {
		Bad:  kernelOf("if n > 3:\n    a = 1\ntl.store(i_ptr, a)"),
		Good: kernelOf("a = 0\nif n > 3:\n    a = 1\ntl.store(i_ptr, a)"),
	},
	"undefined-loop": {
		Bad:  kernelOf("for i in range(0, n):\n    a = i\ntl.store(i_ptr, a)"),
		Good: kernelOf("a = 0\nfor i in range(0, n):\n    a = i\ntl.store(i_ptr, a)"),
	},
	"loop-variable": {
		Bad:  kernelOf("for i in range(0, n):\n    tl.store(i_ptr + i, i)\ntl.store(i_ptr, i)"),
		Good: kernelOf("last = 0\nfor i in range(0, n):\n    tl.store(i_ptr + i, i)\n    last = i\ntl.store(i_ptr, last)"),
	},
	"branch-type": {
		Bad:  kernelOf("if n > 3:\n    a = 1\nelse:\n    a = 1.5\ntl.store(x_ptr, a)"),
		Good: kernelOf("if n > 3:\n    a = 1.0\nelse:\n    a = 1.5\ntl.store(x_ptr, a)"),
	},
	"ternary-type": {
		Bad:  kernelOf("a = 1 if n > 3 else 1.5\ntl.store(x_ptr, a)"),
		Good: kernelOf("a = 1.0 if n > 3 else 1.5\ntl.store(x_ptr, a)"),
	},
	"return-type": {
		Bad:  kernelAfter("@triton.jit\ndef pick(a):\n    if a > 3:\n        return 1\n    return 1.5", "tl.store(x_ptr, pick(n))"),
		Good: kernelAfter("@triton.jit\ndef pick(a):\n    if a > 3:\n        return 1.0\n    return 1.5", "tl.store(x_ptr, pick(n))"),
	},
	"unreachable-code": {
		Bad:  kernelOf("return\ntl.store(i_ptr, n)"),
		Good: kernelOf("tl.store(i_ptr, n)"),
	},
	"return-missing": {
		Bad:  kernelAfter("@triton.jit\ndef pick(a):\n    if a > 3:\n        return a", "tl.store(i_ptr, pick(n))"),
		Good: kernelAfter("@triton.jit\ndef pick(a):\n    if a > 3:\n        return a\n    return 0", "tl.store(i_ptr, pick(n))"),
	},
	"loop-type": {
		Bad:  kernelOf("a = tl.load(x_ptr)\nfor i in range(0, n):\n    a = a.to(tl.float16)\ntl.store(x_ptr, a)"),
		Good: kernelOf("a = tl.load(x_ptr)\nfor i in range(0, n):\n    a = a.to(tl.float16).to(tl.float32)\ntl.store(x_ptr, a)"),
	},
	"loop-unstable": {
		Bad:  kernelOf("a = tl.zeros([BLOCK], tl.float32)\nfor i in range(0, n):\n    a = a[None, :]"),
		Good: kernelOf("a = tl.zeros([BLOCK], tl.float32)\nfor i in range(0, n):\n    b = a[None, :]"),
	},
	"in-unsupported": {
		Bad:  kernelOf("if n in (1, 2):\n    tl.store(i_ptr, n)"),
		Good: kernelOf("if (n == 1) | (n == 2):\n    tl.store(i_ptr, n)"),
	},
	"loop-else": {
		Bad:  kernelOf("for i in range(0, n):\n    tl.store(i_ptr + i, i)\nelse:\n    tl.store(i_ptr, n)"),
		Good: kernelOf("for i in range(0, n):\n    tl.store(i_ptr + i, i)\ntl.store(i_ptr, n)"),
	},
	"range-bound": {
		Bad:  kernelOf("for i in range(0, n / 2):\n    tl.store(i_ptr + i, i)"),
		Good: kernelOf("for i in range(0, n // 2):\n    tl.store(i_ptr + i, i)"),
	},
	"range-hint": {
		Bad:  kernelOf("for i in range(0, n, num_stages=3):\n    tl.store(i_ptr + i, i)"),
		Good: kernelOf("for i in tl.range(0, n, num_stages=3):\n    tl.store(i_ptr + i, i)"),
	},
	"range-step-zero": {
		Bad:  kernelOf("for i in range(0, n, 0):\n    tl.store(i_ptr + i, i)"),
		Good: kernelOf("for i in range(0, n, 1):\n    tl.store(i_ptr + i, i)"),
	},
	"not-iterable": {
		Bad:  kernelOf("for i in tl.arange(0, BLOCK):\n    tl.store(i_ptr, i)"),
		Good: kernelOf("for i in range(0, BLOCK):\n    tl.store(i_ptr, i)"),
	},
	"recursion": {
		Bad:  kernelAfter("@triton.jit\ndef down(a):\n    return down(a - 1)", "tl.store(i_ptr, down(n))"),
		Good: kernelAfter("@triton.jit\ndef down(a):\n    return a - 1", "tl.store(i_ptr, down(n))"),
	},
	"kernel-returns": {
		Bad:  kernelOf("return n"),
		Good: kernelOf("tl.store(i_ptr, n)"),
	},
	"bad-target": {
		Bad:  kernelOf("a, *b = (1, 2, 3)\ntl.store(i_ptr, a)"),
		Good: kernelOf("a, b, c = (1, 2, 3)\ntl.store(i_ptr, a)"),
	},
	"subscript-assigned": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nx[0] = 1"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nx = tl.where(x == 0, 1, x)"),
	},
	"attribute-assigned": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nx.dtype = tl.int64"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nx = x.to(tl.int64)"),
	},
	"unpack-not-tuple": {
		Bad:  kernelOf("a, b = tl.arange(0, BLOCK)\ntl.store(i_ptr, a)"),
		Good: kernelOf("a, b = 1, 2\ntl.store(i_ptr, a)"),
	},
	"unpack-count": {
		Bad:  kernelOf("a, b = 1, 2, 3\ntl.store(i_ptr, a)"),
		Good: kernelOf("a, b, c = 1, 2, 3\ntl.store(i_ptr, a)"),
	},
	"star-not-tuple": {
		Bad:  kernelOf("print('', *n)"),
		Good: kernelOf("print('', *(n, n))"),
	},
	"not-printable": {
		Bad:  kernelOf("print('', range(3))"),
		Good: kernelOf("print('', (0, 1, 2))"),
	},
	"unroll-too-long": {
		Bad:  kernelOf("for i in tl.static_range(1000000):\n    tl.store(i_ptr, i)"),
		Good: kernelOf("for i in range(1000000):\n    tl.store(i_ptr, i)"),
	},
	"add-pointers": {
		Bad:  kernelOf("tl.store(x_ptr + x_ptr, 1.0)"),
		Good: kernelOf("tl.store(x_ptr + n, 1.0)"),
	},
	"pointer-operands": {
		Bad:  kernelOf("tl.store(x_ptr + 1.5, 1.0)"),
		Good: kernelOf("tl.store(x_ptr + 1, 1.0)"),
	},
	"where-pointer": {
		Bad:  kernelOf("print('', tl.where(n > 3, x_ptr, 0))"),
		Good: kernelOf("print('', tl.where(n > 3, tl.load(x_ptr), 0))"),
	},
	"not-a-pointer": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(offs))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs))"),
	},
	"pointer-indexed": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nprint('', x_ptr[offs])"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs))"),
	},
	"pointer-assigned": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nx_ptr[offs] = 1.0"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(x_ptr + offs, 1.0)"),
	},
	"pointer-cast": {
		Bad:  kernelOf("print('', x_ptr.to(tl.int32) % 16)"),
		Good: kernelOf("print('', x_ptr.to(tl.int64) % 16)"),
	},
	"other-without-mask": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs, other=0.0))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs, mask=offs < n, other=0.0))"),
	},
	"mask-without-other": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nx = tl.load(x_ptr + offs, mask=offs < n)\nprint('', tl.sum(x * 2, axis=0))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\nx = tl.load(x_ptr + offs, mask=offs < n, other=0.0)\nprint('', tl.sum(x * 2, axis=0))"),
	},
	"mask-not-bool": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs, mask=offs))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs, mask=offs < n))"),
	},
	"mask-shape": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nmask = tl.arange(0, 2 * BLOCK) < n\nprint('', tl.load(x_ptr + offs, mask=mask))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\nmask = offs < n\nprint('', tl.load(x_ptr + offs, mask=mask))"),
	},
	"block-with-scalar-pointer": {
		Bad:  kernelOf("tl.store(i_ptr, tl.arange(0, BLOCK))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(i_ptr + offs, offs)"),
	},
	"store-pointer-shape": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(i_ptr + offs[:, None], tl.zeros([BLOCK, BLOCK], tl.int32))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(i_ptr + offs[:, None] + offs[None, :], tl.zeros([BLOCK, BLOCK], tl.int32))"),
	},
	"bad-choice": {
		Bad:  kernelOf("print('', tl.load(x_ptr, cache_modifier='.zz'))"),
		Good: kernelOf("print('', tl.load(x_ptr, cache_modifier='.ca'))"),
	},
	"block-pointer-argument": {
		Bad:  kernelOf("print('', tl.load(x_ptr, boundary_check=(0,)))"),
		Good: kernelOf("print('', tl.load(x_ptr, mask=n > 0))"),
	},
	"boundary-without-padding": {
		Bad: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"print('', tl.sum(tl.load(p, boundary_check=(0,))))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"print('', tl.sum(tl.load(p, boundary_check=(0,), padding_option='zero')))"),
	},
	"block-pointer-base": {
		Bad:  kernelOf("p = tl.make_block_ptr(x_ptr + tl.arange(0, BLOCK), (n,), (1,), (0,), (BLOCK,), (0,))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr + 3, (n,), (1,), (0,), (BLOCK,), (0,))"),
	},
	"block-pointer-rank": {
		Bad:  kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr, (n, n), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))"),
	},
	"block-dimensions": {
		Bad:  kernelOf("p = tl.make_block_ptr(x_ptr, (n, n), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 1))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr, (n, n), (BLOCK, 1), (0, 0), (BLOCK, BLOCK), (1, 0))"),
	},
	"offset-64-bit": {
		Bad:  kernelOf("i = n.to(tl.int64)\np = tl.make_block_ptr(x_ptr, (n,), (1,), (i,), (BLOCK,), (0,))"),
		Good: kernelOf("i = n.to(tl.int64)\np = tl.make_block_ptr(x_ptr, (n,), (1,), (i.to(tl.int32),), (BLOCK,), (0,))"),
	},
	"not-a-block-pointer": {
		Bad:  kernelOf("tl.store(tl.advance(x_ptr, (1,)), 0)"),
		Good: kernelOf("tl.store(x_ptr + 1, 0)"),
	},
	"block-pointer-mask": {
		Bad: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"print('', tl.load(p, mask=tl.arange(0, BLOCK) < n))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"print('', tl.load(p, boundary_check=(0,)))"),
	},
	"padding-nan": {
		Bad: kernelOf("p = tl.make_block_ptr(i_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"print('', tl.load(p, boundary_check=(0,), padding_option='nan'))"),
		Good: kernelOf("p = tl.make_block_ptr(i_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"print('', tl.load(p, boundary_check=(0,), padding_option='zero'))"),
	},
	"block-store-dtype": {
		Bad: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"tl.store(p, tl.arange(0, BLOCK))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"tl.store(p, tl.arange(0, BLOCK).to(tl.float32))"),
	},
	"block-store-shape": {
		Bad: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"tl.store(p, tl.zeros((1,), tl.float32))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"tl.store(p, tl.zeros((BLOCK,), tl.float32))"),
	},
	"not-a-descriptor": {
		Bad:  kernelOf("print('', tl.load_tensor_descriptor(x_ptr, [0, 0]))"),
		Good: kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 16])\nprint('', tl.load_tensor_descriptor(desc, [0, 0]))"),
	},
	"descriptor-rank": {
		Bad:  kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [1, 1, 1, 1, 1, 4], [4, 4, 4, 4, 4, 1], [1, 1, 1, 1, 1, 4])"),
		Good: kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [1, 4], [4, 1], [1, 4])"),
	},
	"descriptor-block-bytes": {
		Bad:  kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 2])"),
		Good: kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 4])"),
	},
	"descriptor-last-stride": {
		Bad:  kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [1, 16], [4, 16])"),
		Good: kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [16, n], [16, 1], [16, 4])"),
	},
	"descriptor-value-shape": {
		Bad:  kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 16])\ndesc.store([0, 0], tl.zeros((16,), tl.float32))"),
		Good: kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 16])\ndesc.store([0, 0], tl.zeros((1, 16), tl.float32))"),
	},
	"descriptor-gather-block": {
		Bad:  kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [2, 16])\nprint('', desc.gather(tl.arange(0, 8), 0))"),
		Good: kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 16])\nprint('', desc.gather(tl.arange(0, 8), 0))"),
	},
	"descriptor-gather-rows": {
		Bad:  kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 16])\nprint('', desc.gather(tl.arange(0, 4), 0))"),
		Good: kernelOf("desc = tl.make_tensor_descriptor(x_ptr, [n, 16], [16, 1], [1, 16])\nprint('', desc.gather(tl.arange(0, 8), 0))"),
	},
	"atomic-dtype": {
		Bad:  kernelOf("tl.atomic_and(x_ptr, 1.0)"),
		Good: kernelOf("tl.atomic_and(i_ptr, 1)"),
	},
	"needs-constexpr": {
		Bad:  kernelOf("size = tl.load(i_ptr)\nprint('', tl.arange(0, size))"),
		Good: kernelOf("print('', tl.arange(0, BLOCK))"),
	},
	"needs-int": {
		Bad:  kernelOf("print('', tl.arange(0, BLOCK / 2))"),
		Good: kernelOf("print('', tl.arange(0, BLOCK // 2))"),
	},
	"constexpr-from-tensor": {
		Bad:  kernelOf("m: tl.constexpr = tl.load(i_ptr)\nprint('', m)"),
		Good: kernelOf("m = tl.load(i_ptr)\nprint('', m)"),
	},
	"constexpr-ignored": {
		Bad:  kernelAfter("@triton.jit\ndef twice(size: tl.constexpr):\n    return size * 2", "print('', twice(n))"),
		Good: kernelAfter("@triton.jit\ndef twice(size: tl.constexpr):\n    return size * 2", "print('', twice(BLOCK))"),
	},
	"default-unknown": {
		Bad:  kernelAfter("@triton.jit\ndef grow(a, by=tl.program_id(0)):\n    return a + by", "print('', grow(n))"),
		Good: kernelAfter("@triton.jit\ndef grow(a, by=1):\n    return a + by", "print('', grow(n))"),
	},
	"comprehension-condition": {
		Bad:  kernelOf("a = [i for i in (1, 2) if n > i]\nprint('', a[0])"),
		Good: kernelOf("a = [i for i in (1, 2) if BLOCK > i]\nprint('', a[0])"),
	},
	"assert-false": {
		Bad:  kernelOf("assert BLOCK == 3, 'BLOCK must be 3'\ntl.store(i_ptr, n)"),
		Good: kernelOf("assert BLOCK == 16, 'BLOCK must be 16'\ntl.store(i_ptr, n)"),
	},
	"assert-kind": {
		Bad:  kernelOf("assert (BLOCK == 16, 'BLOCK must be 16')\ntl.store(i_ptr, n)"),
		Good: kernelOf("assert BLOCK == 16, 'BLOCK must be 16'\ntl.store(i_ptr, n)"),
	},
	"static-assert": {
		Bad:  kernelOf("tl.static_assert(BLOCK == 3, 'BLOCK must be 3')\ntl.store(i_ptr, n)"),
		Good: kernelOf("tl.static_assert(BLOCK == 16, 'BLOCK must be 16')\ntl.store(i_ptr, n)"),
	},
	"python-error": {
		Bad:  kernelOf("print('', tl.arange(0, BLOCK // 0))"),
		Good: kernelOf("print('', tl.arange(0, BLOCK // 2))"),
	},
	"global-unknown": {
		Bad:  kernelAfter("import torch\n\nSIZES = torch.zeros(4)", "print('', n + SIZES)"),
		Good: kernelAfter("SIZE = tl.constexpr(4)", "print('', n + SIZE)"),
	},
	"decorator-unknown": {
		Bad:  kernelAfter("@counted", "tl.store(x_ptr, 1.0)"),
		Good: kernelOf("tl.store(x_ptr, 1.0)"),
	},
	"decorator-not-applied": {
		Bad:  kernelAfter("@triton.autotune(configs=[], key=[])", "tl.store(x_ptr, 1.0)"),
		Good: kernelOf("tl.store(x_ptr, 1.0)"),
	},
	"unknown-name": {
		Bad:  kernelOf("print('', tl.arrange(0, BLOCK))"),
		Good: kernelOf("print('', tl.arange(0, BLOCK))"),
	},
	"unknown-method": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nprint('', x.mean())"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nprint('', x.sum() / BLOCK)"),
	},
	"dtype-without": {
		Bad:  kernelOf("print('', tl.zeros([BLOCK], n.dtype.element_ty))"),
		Good: kernelOf("print('', tl.zeros([BLOCK], n.dtype))"),
	},
	"unknown-dtype-attribute": {
		Bad:  kernelOf("print('', tl.zeros([BLOCK], x_ptr.dtype.elem))"),
		Good: kernelOf("print('', tl.zeros([BLOCK], x_ptr.dtype.element_ty))"),
	},
	"no-attribute": {
		Bad:  kernelOf("a = (1, 2)\nprint('', a.first)"),
		Good: kernelOf("a = (1, 2)\nprint('', a[0])"),
	},
	"no-field": {
		Bad:  kernelAfter(pairClass, "p = Pair(n, 2)\nprint('', p.first)"),
		Good: kernelAfter(pairClass, "p = Pair(n, 2)\nprint('', p.low)"),
	},
	"aggregate-init": {
		Bad:  kernelAfter("@tl.core._aggregate\nclass Span:\n    low: tl.tensor", "print('', Span(n).low)"),
		Good: kernelAfter(spanClass, "print('', Span(n, 2).low)"),
	},
	"field-unset": {
		Bad:  kernelAfter(strings.Replace(spanClass, "self.size = size", "pass", 1), "print('', Span(n, 2).low)"),
		Good: kernelAfter(spanClass, "print('', Span(n, 2).low)"),
	},
	"field-type": {
		Bad:  kernelAfter(spanClass, "print('', Span(n, n).low)"),
		Good: kernelAfter(spanClass, "print('', Span(n, BLOCK).low)"),
	},
	"no-member": {
		Bad:  kernelAfter(spanClass, "print('', Span(n, 2).first)"),
		Good: kernelAfter(spanClass, "print('', Span(n, 2).low)"),
	},
	"module-in-kernel": {
		Bad:  kernelAfter("import torch", "print('', torch.exp(n))"),
		Good: kernelOf("print('', tl.exp(n.to(tl.float32)))"),
	},
	"host-only": {
		Bad:  kernelOf("f = triton.jit(n)\ntl.store(i_ptr, n)"),
		Good: kernelOf("tl.store(i_ptr, n)"),
	},
	"not-callable": {
		Bad:  kernelOf("print('', n(3))"),
		Good: kernelOf("print('', n * 3)"),
	},
	"dtype-called": {
		Bad:  kernelOf("print('', tl.float32(n))"),
		Good: kernelOf("print('', n.to(tl.float32))"),
	},
	"unknown-keyword": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs, masks=offs < n))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\nprint('', tl.load(x_ptr + offs, mask=offs < n))"),
	},
	"missing-argument": {
		Bad:  kernelOf("print('', tl.arange(BLOCK))"),
		Good: kernelOf("print('', tl.arange(0, BLOCK))"),
	},
	"too-many-arguments": {
		Bad:  kernelOf("print('', tl.exp(tl.load(x_ptr), 2))"),
		Good: kernelOf("print('', tl.exp(tl.load(x_ptr)))"),
	},
	"argument-twice": {
		Bad:  kernelOf("print('', tl.arange(0, BLOCK, end=BLOCK))"),
		Good: kernelOf("print('', tl.arange(0, end=BLOCK))"),
	},
	"isinstance-type": {
		Bad:  kernelOf("if isinstance(n, 3):\n    tl.store(i_ptr, n)"),
		Good: kernelOf("if isinstance(n, tl.tensor):\n    tl.store(i_ptr, n)"),
	},
	"kernel-star-param": {
		Bad:  "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr, *rest):\n    tl.store(i_ptr, n)\n",
		Good: kernelOf("tl.store(i_ptr, n)"),
	},
	"plain-constexpr": {
		Bad:  kernelOf("size = BLOCK * 2\nprint('', tl.arange(0, size))"),
		Good: kernelOf("size: tl.constexpr = BLOCK * 2\nprint('', tl.arange(0, size))"),
	},
	"argument-constexpr": {
		Bad:  kernelOf("print('', tl.arange(0, BLOCK * (n // 50)))"),
		Good: kernelOf("print('', tl.arange(0, BLOCK * 2))"),
	},
	"arange-runtime-start": {
		Bad:  kernelOf("start = tl.program_id(0) * BLOCK\nprint('', tl.arange(start, start + BLOCK))"),
		Good: kernelOf("start = tl.program_id(0) * BLOCK\nprint('', start + tl.arange(0, BLOCK))"),
	},
	"lambda": {
		Bad:  kernelOf("double = lambda a: a * 2\nprint('', double(n))"),
		Good: kernelAfter("@triton.jit\ndef double(a):\n    return a * 2", "print('', double(n))"),
	},
	"nested-function": {
		Bad:  kernelOf("def double(a):\n    return a * 2\nprint('', double(n))"),
		Good: kernelAfter("@triton.jit\ndef double(a):\n    return a * 2", "print('', double(n))"),
	},
	"result-unused": {
		Bad: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"tl.advance(p, (BLOCK,))\nprint('', tl.load(p))"),
		Good: kernelOf("p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n" +
			"p = tl.advance(p, (BLOCK,))\nprint('', tl.load(p))"),
	},
	"function-imported": {
		Bad:  kernelAfter("from math import log2", "print('', log2(BLOCK))"),
		Good: kernelAfter("import math", "print('', math.log2(BLOCK))"),
	},
	"helper-not-jit": {
		Bad:  kernelAfter("def double(a):\n    return a * 2", "print('', double(n))"),
		Good: kernelAfter("@triton.jit\ndef double(a):\n    return a * 2", "print('', double(n))"),
	},
	"plain-global": {
		Bad:  kernelAfter("SCALE = 2", "print('', n * SCALE)"),
		Good: kernelAfter("SCALE = tl.constexpr(2)", "print('', n * SCALE)"),
	},
	"loop-widened": {
		Bad:  kernelOf("total = 0.0\nfor i in range(0, n):\n    total += tl.load(x_ptr + tl.arange(0, BLOCK))\nprint('', total)"),
		Good: kernelOf("total = tl.zeros([BLOCK], tl.float32)\nfor i in range(0, n):\n    total += tl.load(x_ptr + tl.arange(0, BLOCK))\nprint('', total)"),
	},
	"constexpr-reassigned": {
		Bad:  kernelOf("for i in range(0, n):\n    BLOCK = BLOCK + 1\nprint('', BLOCK)"),
		Good: kernelOf("size = BLOCK\nfor i in range(0, n):\n    size = size + 1\nprint('', size)"),
	},
	"constexpr-redefined": {
		Bad:  kernelOf("m: tl.constexpr = 3\nm: tl.constexpr = 4\nprint('', m)"),
		Good: kernelOf("m: tl.constexpr = 3\nk: tl.constexpr = 4\nprint('', m + k)"),
	},
	"break": {
		Bad:  kernelOf("for i in range(0, n):\n    if i > 3:\n        break\n    tl.store(i_ptr + i, i)"),
		Good: kernelOf("i = 0\nwhile i <= 3:\n    tl.store(i_ptr + i, i)\n    i += 1"),
	},
	"continue": {
		Bad:  kernelOf("for i in range(0, n):\n    if i > 3:\n        continue\n    tl.store(i_ptr + i, i)"),
		Good: kernelOf("for i in range(0, n):\n    if i <= 3:\n        tl.store(i_ptr + i, i)"),
	},
	"return-in-loop": {
		Bad:  kernelOf("for i in range(0, n):\n    if i > 3:\n        return\n    tl.store(i_ptr + i, i)"),
		Good: kernelOf("i = 0\nwhile i <= 3:\n    tl.store(i_ptr + i, i)\n    i += 1"),
	},
	"print-not-string": {
		Bad:  kernelOf("print(tl.arange(0, BLOCK))"),
		Good: kernelOf("print('x', tl.arange(0, BLOCK))"),
	},
	"fstring-tensor": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nprint(f'x = {x}')"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nprint('x =', x)"),
	},
	"chained-comparison": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(x_ptr + offs, offs, mask=0 <= offs < n)"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(x_ptr + offs, offs, mask=(0 <= offs) & (offs < n))"),
	},
	"comparison-precedence": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(x_ptr + offs, offs, mask=offs < n & offs < 8)"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(x_ptr + offs, offs, mask=(offs < n) & (offs < 8))"),
	},
	"chained-assignment": {
		Bad:  kernelOf("a = b = n\nprint('', a + b)"),
		Good: kernelOf("a = n\nb = n\nprint('', a + b)"),
	},
	"while-constexpr": {
		Bad:  kernelOf("while True:\n    n -= 1\n    tl.store(i_ptr, n)"),
		Good: kernelOf("while n > 0:\n    n -= 1\n    tl.store(i_ptr, n)"),
	},
	"named-expression": {
		Bad:  kernelOf("if (m := n - 6) > 2:\n    tl.store(i_ptr, m)"),
		Good: kernelOf("m = n - 6\nif m > 2:\n    tl.store(i_ptr, m)"),
	},
	"compared-with-none": {
		Bad:  kernelOf("if n == None:\n    tl.store(i_ptr, 1)\nelse:\n    tl.store(i_ptr, 2)"),
		Good: kernelOf("if n is None:\n    tl.store(i_ptr, 1)\nelse:\n    tl.store(i_ptr, 2)"),
	},
	"cat-order": {
		Bad:  kernelOf("a = tl.arange(0, BLOCK)\nprint('', tl.cat(a, a))"),
		Good: kernelOf("a = tl.arange(0, BLOCK)\nprint('', tl.cat(a, a, can_reorder=True))"),
	},
	"full-float-int": {
		Bad:  kernelOf("print('', tl.full([BLOCK], 1.5, tl.int32))"),
		Good: kernelOf("print('', tl.full([BLOCK], 1, tl.int32))"),
	},
	"for-over-tuple": {
		Bad:  kernelOf("for i in (1, 2, 4):\n    tl.store(i_ptr + i, i)"),
		Good: kernelOf("for i in tl.static_range(3):\n    tl.store(i_ptr + i, i)"),
	},
	"comprehension-range": {
		Bad:  kernelOf("a = [i for i in range(4)]\nprint('', a[1])"),
		Good: kernelOf("a = [i for i in (0, 1, 2, 3)]\nprint('', a[1])"),
	},
	"in-tuple": {
		Bad:  kernelOf("if BLOCK in (16, 32):\n    tl.store(i_ptr, n)"),
		Good: kernelOf("if BLOCK == 16 or BLOCK == 32:\n    tl.store(i_ptr, n)"),
	},
	"power-unrolled": {
		Bad:  kernelOf("x = tl.load(x_ptr)\nprint('', x ** 2)"),
		Good: kernelOf("x = tl.load(x_ptr)\nprint('', x * x)"),
	},
	"string-assigned": {
		Bad:  kernelOf("mode = 'fast'\nif mode == 'fast':\n    tl.store(i_ptr, n)"),
		Good: kernelOf("mode: tl.constexpr = 'fast'\nif mode == 'fast':\n    tl.store(i_ptr, n)"),
	},
	"builtin-unavailable": {
		Bad:  kernelOf("print('', abs(n))"),
		Good: kernelOf("print('', tl.abs(n))"),
	},
	"builtin-cast": {
		Bad:  kernelOf("print('', float(n))"),
		Good: kernelOf("print('', n.to(tl.float32))"),
	},
	"python-dtype": {
		Bad:  kernelOf("print('', tl.zeros([BLOCK], float))"),
		Good: kernelOf("print('', tl.zeros([BLOCK], tl.float32))"),
	},
	"shape-int": {
		Bad:  kernelOf("print('', tl.zeros(BLOCK, tl.float32))"),
		Good: kernelOf("print('', tl.zeros([BLOCK], tl.float32))"),
	},
	"constexpr-method": {
		Bad:  kernelOf("print('', BLOCK.to(tl.float32))"),
		Good: kernelOf("print('', tl.to_tensor(BLOCK).to(tl.float32))"),
	},
	"condition-type": {
		Bad:  kernelOf("if 1.5:\n    tl.store(i_ptr, n)"),
		Good: kernelOf("if BLOCK > 1:\n    tl.store(i_ptr, n)"),
	},
	"pointer-difference": {
		Bad:  kernelOf("p = x_ptr + n\nprint('', p - x_ptr)"),
		Good: kernelOf("offset = n\nprint('', offset)"),
	},
}

const pairClass = "from typing import NamedTuple\n\n\nclass Pair(NamedTuple):\n    low: int\n    high: int"

// spanClass is a class under _aggregate.
const spanClass = `@tl.core._aggregate
class Span:
    low: tl.tensor
    size: tl.constexpr

    def __init__(self, low, size):
        self.low = low
        self.size = size`

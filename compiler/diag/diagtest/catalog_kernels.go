package diagtest

import "strings"

// kernels are the examples of what lowering finds.
var kernels = map[string]Example{
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
	"loop-type": {
		Bad:  kernelOf("a = tl.load(x_ptr)\nfor i in range(0, n):\n    a = a.to(tl.float16)\ntl.store(x_ptr, a)"),
		Good: kernelOf("a = tl.load(x_ptr)\nfor i in range(0, n):\n    a = a.to(tl.float16).to(tl.float32)\ntl.store(x_ptr, a)"),
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
	"too-nested": {
		Bad:  kernelOf(strings.Repeat("if n == 1:\n    return\n", 250) + "tl.store(i_ptr, n)"),
		Good: kernelOf("if n != 1:\n    tl.store(i_ptr, n)"),
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
		Bad:  kernelOf("print('', x_ptr.to(tl.int64))"),
		Good: kernelOf("print('', n.to(tl.int64))"),
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
	"constexpr-argument": {
		Bad:  kernelAfter("@triton.jit\ndef pick(SIZE: tl.constexpr):\n    return tl.arange(0, SIZE)", "print('', pick(tl.load(i_ptr)))"),
		Good: kernelAfter("@triton.jit\ndef pick(SIZE: tl.constexpr):\n    return tl.arange(0, SIZE)", "print('', pick(BLOCK))"),
	},
	"default-unknown": {
		Bad:  kernelAfter("@triton.jit\ndef grow(a, by=tl.program_id(0)):\n    return a + by", "print('', grow(n))"),
		Good: kernelAfter("@triton.jit\ndef grow(a, by=1):\n    return a + by", "print('', grow(n))"),
	},
	"comprehension-condition": {
		Bad:  kernelOf("a = [i for i in (1, 2) if n > i]\nprint('', a[0])"),
		Good: kernelOf("a = [i for i in (1, 2) if BLOCK > i]\nprint('', a[0])"),
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
	"unknown-name": {
		Bad:  kernelOf("print('', tl.arrange(0, BLOCK))"),
		Good: kernelOf("print('', tl.arange(0, BLOCK))"),
	},
	"unknown-method": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nprint('', x.mean())"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nprint('', x.sum() / BLOCK)"),
	},
	"unknown-dtype-attribute": {
		Bad:  kernelOf("print('', tl.zeros([BLOCK], x_ptr.dtype.elem))"),
		Good: kernelOf("print('', tl.zeros([BLOCK], x_ptr.dtype.element_ty))"),
	},
	"no-attribute": {
		Bad:  kernelOf("a = (1, 2)\nprint('', a.first)"),
		Good: kernelOf("a = (1, 2)\nprint('', a[0])"),
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
	"shape-mismatch": {
		Bad:  kernelOf("a = tl.arange(0, BLOCK)\nb = tl.arange(0, 2 * BLOCK)\nprint('', a + b)"),
		Good: kernelOf("a = tl.arange(0, BLOCK)\nb = tl.arange(0, 2 * BLOCK)\nprint('', a[:, None] + b[None, :])"),
	},
	"dim-power-of-two": {
		Bad:  kernelOf("print('', tl.zeros([24], tl.float32))"),
		Good: kernelOf("print('', tl.zeros([32], tl.float32))"),
	},
	"dim-positive": {
		Bad:  kernelOf("print('', tl.zeros([0], tl.float32))"),
		Good: kernelOf("print('', tl.zeros([1], tl.float32))"),
	},
	"tile-too-large": {
		Bad:  kernelOf("print('', tl.max(tl.arange(0, 2097152), 0))"),
		Good: kernelOf("print('', tl.max(tl.arange(0, 1048576), 0))"),
	},
	"arange-range": {
		Bad:  kernelOf("print('', tl.arange(4, 4))"),
		Good: kernelOf("print('', tl.arange(4, 8))"),
	},
	"arange-power-of-two": {
		Bad:  kernelOf("print('', tl.arange(0, 24))"),
		Good: kernelOf("offs = tl.arange(0, 32)\nprint('', tl.load(x_ptr + offs, mask=offs < 24))"),
	},
	"arange-int32": {
		Bad:  kernelOf("print('', tl.arange(4294967296, 4294967312))"),
		Good: kernelOf("print('', tl.arange(0, 16).to(tl.int64) + 4294967296)"),
	},
	"shape-kind": {
		Bad:  kernelOf("print('', tl.zeros(tl.float32, tl.float32))"),
		Good: kernelOf("print('', tl.zeros([BLOCK], tl.float32))"),
	},
	"cannot-broadcast-to": {
		Bad:  kernelOf("print('', tl.broadcast_to(tl.arange(0, 4), [8]))"),
		Good: kernelOf("print('', tl.broadcast_to(tl.arange(0, 4)[None, :], [8, 4]))"),
	},
	"reshape-numel": {
		Bad:  kernelOf("print('', tl.reshape(tl.arange(0, BLOCK), [4, 8]))"),
		Good: kernelOf("print('', tl.reshape(tl.arange(0, BLOCK), [4, 4]))"),
	},
	"axis-out-of-range": {
		Bad:  kernelOf("print('', tl.sum(tl.arange(0, BLOCK), 1))"),
		Good: kernelOf("print('', tl.sum(tl.arange(0, BLOCK), 0))"),
	},
	"grid-axis": {
		Bad:  kernelOf("print('', tl.program_id(3))"),
		Good: kernelOf("print('', tl.program_id(2))"),
	},
	"permutation": {
		Bad:  kernelOf("print('', tl.permute(tl.zeros([2, 4], tl.int32), (0, 0)))"),
		Good: kernelOf("print('', tl.permute(tl.zeros([2, 4], tl.int32), (1, 0)))"),
	},
	"trans-rank": {
		Bad:  kernelOf("print('', tl.trans(tl.arange(0, BLOCK)))"),
		Good: kernelOf("print('', tl.trans(tl.arange(0, BLOCK)[:, None]))"),
	},
	"split-last-dim": {
		Bad:  kernelOf("a, b = tl.split(tl.arange(0, BLOCK))\nprint('', a + b)"),
		Good: kernelOf("a, b = tl.split(tl.reshape(tl.arange(0, BLOCK), [8, 2]))\nprint('', a + b)"),
	},
	"needs-tile": {
		Bad:  kernelOf("print('', tl.sum(n))"),
		Good: kernelOf("print('', n)"),
	},
	"needs-one-element": {
		Bad:  kernelOf("print('', tl.full([BLOCK], tl.arange(0, BLOCK), tl.int32))"),
		Good: kernelOf("print('', tl.full([BLOCK], n, tl.int32))"),
	},
	"index-unsupported": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nprint('', x[0])"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nprint('', tl.sum(tl.where(x == 0, x, 0), 0))"),
	},
	"too-many-indices": {
		Bad:  kernelOf("print('', n[:, None])"),
		Good: kernelOf("print('', tl.arange(0, BLOCK)[:, None])"),
	},
	"not-indexable": {
		Bad:  kernelOf("print('', BLOCK[0])"),
		Good: kernelOf("print('', BLOCK)"),
	},
	"index-out-of-range": {
		Bad:  kernelOf("a = (1, 2)\nprint('', a[2])"),
		Good: kernelOf("a = (1, 2)\nprint('', a[1])"),
	},
	"no-length": {
		Bad:  kernelOf("print('', len(n))"),
		Good: kernelOf("print('', len(tl.arange(0, BLOCK)))"),
	},
	"builtin-reduce": {
		Bad:  kernelOf("print('', max(tl.arange(0, BLOCK)))"),
		Good: kernelOf("print('', tl.max(tl.arange(0, BLOCK)))"),
	},
	"reduce-shapes": {
		Bad:  kernelAfter("@triton.jit\ndef both(a, b, c, d):\n    return a + c, b + d", "x = tl.arange(0, 16)\ny = tl.arange(0, 8)\na, b = tl.reduce((x, y), 0, both)\nprint('', a + b)"),
		Good: kernelAfter("@triton.jit\ndef both(a, b, c, d):\n    return a + c, b + d", "x = tl.arange(0, 16)\na, b = tl.reduce((x, x), 0, both)\nprint('', a + b)"),
	},
	"combine-not-function": {
		Bad:  kernelOf("print('', tl.reduce(tl.arange(0, BLOCK), 0, 3))"),
		Good: kernelAfter("@triton.jit\ndef add(a, b):\n    return a + b", "print('', tl.reduce(tl.arange(0, BLOCK), 0, add))"),
	},
	"combine-count": {
		Bad:  kernelAfter("@triton.jit\ndef pair(a, b):\n    return a, b", "print('', tl.reduce(tl.arange(0, BLOCK), 0, pair))"),
		Good: kernelAfter("@triton.jit\ndef add(a, b):\n    return a + b", "print('', tl.reduce(tl.arange(0, BLOCK), 0, add))"),
	},
	"combine-type": {
		Bad:  kernelAfter("@triton.jit\ndef mean(a, b):\n    return (a + b) / 2", "print('', tl.reduce(tl.arange(0, BLOCK), 0, mean))"),
		Good: kernelAfter("@triton.jit\ndef mean(a, b):\n    return (a + b) // 2", "print('', tl.reduce(tl.arange(0, BLOCK), 0, mean))"),
	},
	"gather-index": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nprint('', tl.gather(x, x.to(tl.float32), 0))"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nprint('', tl.gather(x, x, 0))"),
	},
	"gather-shape": {
		Bad:  kernelOf("x = tl.zeros([4, 8], tl.int32)\nprint('', tl.gather(x, tl.zeros([8, 8], tl.int32), 1))"),
		Good: kernelOf("x = tl.zeros([4, 8], tl.int32)\nprint('', tl.gather(x, tl.zeros([4, 8], tl.int32), 1))"),
	},
	"histogram-input": {
		Bad:  kernelOf("print('', tl.histogram(tl.zeros([BLOCK], tl.float32), 4))"),
		Good: kernelOf("print('', tl.histogram(tl.zeros([BLOCK], tl.int32), 4))"),
	},
	"hint-values": {
		Bad:  kernelOf("x = tl.multiple_of(tl.arange(0, BLOCK), [8, 8])\nprint('', x)"),
		Good: kernelOf("x = tl.multiple_of(tl.arange(0, BLOCK), [8])\nprint('', x)"),
	},
	"dot-lhs-dtype": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.int32)\nprint('', tl.dot(a, a))"),
		Good: kernelOf("a = tl.zeros([32, 32], tl.int8)\nprint('', tl.dot(a, a))"),
	},
	"dot-rhs-dtype": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot(a, a.to(tl.int32)))"),
		Good: kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot(a, a))"),
	},
	"dot-mixed-dtypes": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot(a, a.to(tl.float16)))"),
		Good: kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot(a, a))"),
	},
	"dot-uint8": {
		Bad:  kernelOf("a = tl.zeros([32, 32], tl.uint8)\nprint('', tl.dot(a, a))"),
		Good: kernelOf("a = tl.zeros([32, 32], tl.int8)\nprint('', tl.dot(a, a))"),
	},
	"dot-out-bf16": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float16)\nprint('', tl.dot(a, a, out_dtype=tl.bfloat16))"),
		Good: kernelOf("a = tl.zeros([16, 16], tl.float16)\nprint('', tl.dot(a, a).to(tl.bfloat16))"),
	},
	"dot-acc-type": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float16)\nprint('', tl.dot(a, a, a))"),
		Good: kernelOf("a = tl.zeros([16, 16], tl.float16)\nacc = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot(a, a, acc))"),
	},
	"dot-rank": {
		Bad:  kernelOf("a = tl.zeros([16], tl.float32)\nprint('', tl.dot(a, a))"),
		Good: kernelOf("a = tl.zeros([16], tl.float32)\nprint('', tl.sum(a * a, 0))"),
	},
	"dot-batch": {
		Bad:  kernelOf("a = tl.zeros([2, 16, 16], tl.float32)\nb = tl.zeros([4, 16, 16], tl.float32)\nprint('', tl.dot(a, b))"),
		Good: kernelOf("a = tl.zeros([2, 16, 16], tl.float32)\nprint('', tl.dot(a, a))"),
	},
	"dot-inner-dim": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float32)\nb = tl.zeros([32, 16], tl.float32)\nprint('', tl.dot(a, b))"),
		Good: kernelOf("a = tl.zeros([16, 16], tl.float32)\nb = tl.zeros([32, 16], tl.float32)\nprint('', tl.dot(a, tl.trans(b)))"),
	},
	"dot-too-small": {
		Bad:  kernelOf("a = tl.zeros([16, 4], tl.float32)\nprint('', tl.dot(a, tl.trans(a)))"),
		Good: kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot(a, tl.trans(a)))"),
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
	"operand-types": {
		Bad:  kernelOf("x = tl.load(x_ptr)\nprint('', x & 1)"),
		Good: kernelOf("x = tl.load(i_ptr)\nprint('', x & 1)"),
	},
	"floor-division-float": {
		Bad:  kernelOf("x = tl.load(x_ptr)\nprint('', x // 2)"),
		Good: kernelOf("x = tl.load(x_ptr)\nprint('', tl.floor(x / 2))"),
	},
	"mixed-signedness": {
		Bad:  kernelOf("x = tl.load(i_ptr)\nprint('', x // x.to(tl.uint32))"),
		Good: kernelOf("x = tl.load(i_ptr)\nprint('', x // x.to(tl.int32))"),
	},
	"negative-number-unsigned": {
		Bad:  kernelOf("x = tl.load(i_ptr).to(tl.uint32)\nprint('', x + -1)"),
		Good: kernelOf("x = tl.load(i_ptr).to(tl.uint32)\nprint('', x - 1)"),
	},
	"number-out-of-range": {
		Bad:  kernelOf("x = tl.load(i_ptr).to(tl.int8)\nprint('', x + 300)"),
		Good: kernelOf("x = tl.load(i_ptr).to(tl.int16)\nprint('', x + 300)"),
	},
	"number-too-large": {
		Bad:  kernelOf("print('', n + 100000000000000000000)"),
		Good: kernelOf("print('', n + 1e20)"),
	},
	"not-a-number": {
		Bad:  kernelOf("print('', tl.full([BLOCK], 'a', tl.int32))"),
		Good: kernelOf("print('', tl.full([BLOCK], 1, tl.int32))"),
	},
	"number-wanted": {
		Bad:  kernelOf("print('', tl.exp(x_ptr))"),
		Good: kernelOf("print('', tl.exp(tl.load(x_ptr)))"),
	},
	"operand-kinds": {
		Bad:  kernelOf("print('', n + (1, 2))"),
		Good: kernelOf("print('', n + 1)"),
	},
	"operator-unsupported": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', a @ a)"),
		Good: kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot(a, a))"),
	},
	"power": {
		Bad:  kernelOf("x = tl.load(x_ptr)\nprint('', x ** 0.5)"),
		Good: kernelOf("x = tl.load(x_ptr)\nprint('', tl.sqrt(x))"),
	},
	"unary-operand": {
		Bad:  kernelOf("print('', -x_ptr)"),
		Good: kernelOf("print('', -tl.load(x_ptr))"),
	},
	"dtype-unsupported": {
		Bad:  kernelOf("print('', tl.exp(n))"),
		Good: kernelOf("print('', tl.exp(n.to(tl.float32)))"),
	},
	"invert-float": {
		Bad:  kernelOf("x = tl.load(x_ptr)\nprint('', ~x)"),
		Good: kernelOf("x = tl.load(i_ptr)\nprint('', ~x)"),
	},
	"not-needs-bool": {
		Bad:  kernelOf("x = tl.load(i_ptr)\nprint('', not x)"),
		Good: kernelOf("x = tl.load(i_ptr)\nprint('', x == 0)"),
	},
	"logical-on-tiles": {
		Bad:  kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(i_ptr + offs, offs, mask=(offs >= 2) and (offs < n))"),
		Good: kernelOf("offs = tl.arange(0, BLOCK)\ntl.store(i_ptr + offs, offs, mask=(offs >= 2) & (offs < n))"),
	},
	"where-condition": {
		Bad:  kernelOf("x = tl.arange(0, BLOCK)\nprint('', tl.where(x, x, 0))"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nprint('', tl.where(x != 0, x, 0))"),
	},
	"fp8-with-int": {
		Bad:  kernelOf("x = tl.load(x_ptr).to(tl.float8e5)\nprint('', x < tl.load(i_ptr))"),
		Good: kernelOf("x = tl.load(x_ptr).to(tl.float8e5)\nprint('', x.to(tl.float32) < tl.load(i_ptr))"),
	},
	"fp8-arithmetic": {
		Bad:  kernelOf("x = tl.load(x_ptr).to(tl.float8e5)\nprint('', (x + x).to(tl.float32))"),
		Good: kernelOf("x = tl.load(x_ptr).to(tl.float8e5)\nprint('', x.to(tl.float32) * 2)"),
	},
	"fp8-cast": {
		Bad:  kernelOf("x = tl.load(x_ptr).to(tl.float8e5)\nprint('', x.to(tl.float64))"),
		Good: kernelOf("x = tl.load(x_ptr).to(tl.float8e5)\nprint('', x.to(tl.float32).to(tl.float64))"),
	},
	"cast-impossible": {
		Bad:  kernelOf("x = tl.load(i_ptr)\nprint('', x.to(tl.float8e5).to(tl.float32))"),
		Good: kernelOf("x = tl.load(i_ptr)\nprint('', x.to(tl.float32).to(tl.float8e5).to(tl.float32))"),
	},
	"bitcast-width": {
		Bad:  kernelOf("print('', n.to(tl.float16, bitcast=True))"),
		Good: kernelOf("print('', n.to(tl.float32, bitcast=True))"),
	},
	"rounding-not-narrowing": {
		Bad:  kernelOf("print('', n.to(tl.float32, fp_downcast_rounding='rtz'))"),
		Good: kernelOf("x = tl.load(x_ptr)\nprint('', x.to(tl.float16, fp_downcast_rounding='rtz'))"),
	},
	"dtype-kind": {
		Bad:  kernelOf("print('', tl.zeros([BLOCK], 32))"),
		Good: kernelOf("print('', tl.zeros([BLOCK], tl.float32))"),
	},
	"fdiv-int": {
		Bad:  kernelOf("print('', tl.fdiv(n, n))"),
		Good: kernelOf("print('', n / n)"),
	},
	"fdiv-mixed": {
		Bad:  kernelOf("x = tl.load(x_ptr)\nprint('', tl.fdiv(x, x.to(tl.float16)))"),
		Good: kernelOf("x = tl.load(x_ptr)\nprint('', tl.fdiv(x, x))"),
	},
	"fdiv-narrow": {
		Bad:  kernelOf("x = tl.load(x_ptr).to(tl.float16)\nprint('', tl.fdiv(x, x))"),
		Good: kernelOf("x = tl.load(x_ptr)\nprint('', tl.fdiv(x, x))"),
	},
	"fma-int": {
		Bad:  kernelOf("print('', tl.fma(n, n, n))"),
		Good: kernelOf("print('', n * n + n)"),
	},
	"clamp-int": {
		Bad:  kernelOf("print('', tl.clamp(n, 0, 5))"),
		Good: kernelOf("print('', tl.minimum(tl.maximum(n, 0), 5))"),
	},
	"xor-sum-float": {
		Bad:  kernelOf("x = tl.load(x_ptr + tl.arange(0, BLOCK))\nprint('', tl.xor_sum(x, 0))"),
		Good: kernelOf("x = tl.load(x_ptr + tl.arange(0, BLOCK))\nprint('', tl.sum(x, 0))"),
	},
	"flip-needs-dim": {
		Bad:  kernelOf("print('', tl.flip(tl.arange(0, BLOCK)))"),
		Good: kernelOf("print('', tl.flip(tl.arange(0, BLOCK), 0))"),
	},
}

package example

// operands are the examples of what lowering finds in shapes and types.
var operands = map[string]Example{
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
	"rank-too-large": {
		Bad:  kernelOf("print('', tl.zeros([1] * 25, tl.float32))"),
		Good: kernelOf("print('', tl.zeros([1] * 24, tl.float32))"),
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
	"index-newaxis": {
		Bad:  "import numpy as np\n\n" + kernelOf("x = tl.arange(0, BLOCK)\nprint('', x[np.newaxis, :])"),
		Good: kernelOf("x = tl.arange(0, BLOCK)\nprint('', x[None, :])"),
	},
	"too-many-indices": {
		Bad:  kernelOf("print('', n[:, None])"),
		Good: kernelOf("print('', tl.arange(0, BLOCK)[:, None])"),
	},
	"expand-dims-twice": {
		Bad:  kernelOf("print('', tl.expand_dims(tl.arange(0, BLOCK), (0, 0)))"),
		Good: kernelOf("print('', tl.expand_dims(tl.arange(0, BLOCK), (0, 1)))"),
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
	"map-not-function": {
		Bad:  kernelOf("print('', tl.map_elementwise(n, tl.arange(0, BLOCK)))"),
		Good: kernelAfter(doubled, "print('', tl.map_elementwise(doubled, tl.arange(0, BLOCK)))"),
	},
	"map-operation": {
		Bad: kernelAfter("@triton.jit\ndef printed(x):\n    tl.device_print('', x)\n    return x",
			"tl.store(i_ptr, tl.sum(tl.map_elementwise(printed, tl.arange(0, BLOCK)), 0))"),
		Good: kernelAfter(doubled, "print('', tl.map_elementwise(doubled, tl.arange(0, BLOCK)))"),
	},
	"map-pack": {
		Bad:  kernelAfter(doubled, "print('', tl.map_elementwise(doubled, tl.arange(0, BLOCK), pack=3))"),
		Good: kernelAfter(doubled, "print('', tl.map_elementwise(doubled, tl.arange(0, BLOCK), pack=1))"),
	},
	"map-result-count": {
		Bad:  kernelAfter("@triton.jit\ndef both(x, y):\n    return x + y", "print('', tl.map_elementwise(both, tl.arange(0, BLOCK), pack=2))"),
		Good: kernelAfter("@triton.jit\ndef both(x, y):\n    return x, y", "print('', tl.map_elementwise(both, tl.arange(0, BLOCK), pack=2)[0])"),
	},
	"map-result-type": {
		Bad:  kernelAfter("@triton.jit\ndef both(x, y):\n    return x, y * 0.5", "print('', tl.map_elementwise(both, tl.arange(0, BLOCK), pack=2)[0])"),
		Good: kernelAfter("@triton.jit\ndef both(x, y):\n    return x, y * 2", "print('', tl.map_elementwise(both, tl.arange(0, BLOCK), pack=2)[0])"),
	},
	"scaled-rank": {
		Bad:  kernelOf("print('', tl.dot_scaled(tl.arange(0, BLOCK).to(tl.float16), None, 'fp16', tl.zeros([16, 16], tl.float16), None, 'fp16'))"),
		Good: kernelOf(scaledProduct),
	},
	"scaled-dtype": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float32)\nprint('', tl.dot_scaled(a, None, 'fp16', tl.zeros([16, 16], tl.float16), None, 'fp16'))"),
		Good: kernelOf(scaledProduct),
	},
	"scaled-pack": {
		Bad:  kernelOf("a = tl.zeros([16, 16], tl.float16)\nprint('', tl.dot_scaled(a, None, 'fp16', a, None, 'fp16', lhs_k_pack=False))"),
		Good: kernelOf(scaledProduct),
	},
	"scaled-shapes": {
		Bad:  kernelOf("a = tl.zeros([16, 32], tl.float16)\nprint('', tl.dot_scaled(a, None, 'fp16', a, None, 'fp16'))"),
		Good: kernelOf(scaledProduct),
	},
	"scaled-scale": {
		Bad:  kernelOf("a = tl.zeros([32, 32], tl.float16)\nprint('', tl.dot_scaled(a, tl.zeros([32, 2], tl.uint8), 'fp16', a, None, 'fp16'))"),
		Good: kernelOf(scaledProduct),
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
	"no-overload": {
		Bad:  kernelOf("x = tl.load(x_ptr).to(tl.float16)\nprint('', tl.extra.libdevice.tanh(x))"),
		Good: kernelOf("x = tl.load(x_ptr).to(tl.float16)\nprint('', tl.extra.libdevice.tanh(x.to(tl.float32)))"),
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

const doubled = "@triton.jit\ndef doubled(x):\n    return 2 * x"

const scaledProduct = "a = tl.zeros([32, 32], tl.float16)\nprint('', tl.dot_scaled(a, tl.zeros([32, 1], tl.uint8), 'fp16', a, None, 'fp16'))"

package example

import "strings"

// source are the examples of what parsing and resolving find.
var source = map[string]Example{
	"undefined-name": {
		Bad:  "def f(length):\n    return lenght\n",
		Good: "def f(length):\n    return length\n",
	},
	"used-before-assignment": {
		Bad:  "def f(n):\n    for i in range(n):\n        total += i\n    return total\n",
		Good: "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n",
	},
	"cuda-name": {
		Bad:  kernelOf("i = tl.program_id(0) * BLOCK + threadIdx.x\nprint('', i)"),
		Good: kernelOf("i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\nprint('', i)"),
	},
	"implicit-import": {
		Bad:  "x = tl.float32\n",
		Good: "import triton.language as tl\nx = tl.float32\n",
	},
	"nonlocal-unknown": {
		Bad:  "def f():\n    nonlocal x\n    x = 1\n",
		Good: "def g():\n    x = 0\n    def f():\n        nonlocal x\n        x = 1\n    return f\n",
	},
	"unexpected-indent": {
		Bad:  "x = 1\n    y = 2\n",
		Good: "x = 1\ny = 2\n",
	},
	"expected-block": {
		Bad:  "def f():\nx = 1\n",
		Good: "def f():\n    x = 1\n",
	},
	"missing-colon": {
		Bad:  "for i in range(3)\n    x = i\n",
		Good: "for i in range(3):\n    x = i\n",
	},
	"unexpected-token": {
		Bad:  "x = 1 2\n",
		Good: "x = 1 + 2\n",
	},
	"expected-expression": {
		Bad:  "x = (1 + )\n",
		Good: "x = (1 + 2)\n",
	},
	"expected-expression-at-end": {
		Bad:  "x = 1 +\n",
		Good: "x = 1 + 2\n",
	},
	"expected-token": {
		Bad:  "for i on range(3):\n    x = i\n",
		Good: "for i in range(3):\n    x = i\n",
	},
	"line-ends-early": {
		Bad:  "x = 1 if y\n",
		Good: "x = 1 if y else 2\n",
	},
	"expected-name": {
		Bad:  "def 3(x):\n    pass\n",
		Good: "def three(x):\n    pass\n",
	},
	"expected-name-at-end": {
		Bad:  "import\n",
		Good: "import torch\n",
	},
	"keyword-as-name": {
		Bad:  "def f(lambda):\n    pass\n",
		Good: "def f(lambda_):\n    pass\n",
	},
	"assign-in-condition": {
		Bad:  "if x = 3:\n    y = 1\n",
		Good: "if x == 3:\n    y = 1\n",
	},
	"assign-in-expression": {
		Bad:  "x = (y = 3)\n",
		Good: "x = (y == 3)\n",
	},
	"increment-operator": {
		Bad:  "i = 0\ni++\n",
		Good: "i = 0\ni += 1\n",
	},
	"else-if": {
		Bad:  "if x:\n    y = 1\nelse if z:\n    y = 2\n",
		Good: "if x:\n    y = 1\nelif z:\n    y = 2\n",
	},
	"stray-clause": {
		Bad:  "x = 1\nelse:\n    x = 2\n",
		Good: "if y:\n    x = 1\nelse:\n    x = 2\n",
	},
	"bad-assign-target": {
		Bad:  "x + 1 = 2\n",
		Good: "x = 2\n",
	},
	"bad-walrus-target": {
		Bad:  "if (x[0] := 3):\n    y = 1\n",
		Good: "if (x := 3):\n    y = 1\n",
	},
	"walrus-statement": {
		Bad:  "x := 3\n",
		Good: "x = 3\n",
	},
	"bad-star": {
		Bad:  "x = *y\n",
		Good: "x = *y,\n",
	},
	"default-order": {
		Bad:  "def f(a=1, b):\n    pass\n",
		Good: "def f(b, a=1):\n    pass\n",
	},
	"default-of-star": {
		Bad:  "def f(*a=1):\n    pass\n",
		Good: "def f(*a):\n    pass\n",
	},
	"duplicate-parameter": {
		Bad:  "def f(a, a):\n    pass\n",
		Good: "def f(a, b):\n    pass\n",
	},
	"bad-parameter-order": {
		Bad:  "def f(**k, a):\n    pass\n",
		Good: "def f(a, **k):\n    pass\n",
	},
	"positional-after-keyword": {
		Bad:  "max(key=f, 1)\n",
		Good: "max(1, key=f)\n",
	},
	"repeated-keyword": {
		Bad:  "max(1, key=f, key=g)\n",
		Good: "max(1, key=f)\n",
	},
	"missing-comma": {
		Bad:  "x = max(1 2)\n",
		Good: "x = max(1, 2)\n",
	},
	"print-statement": {
		Bad:  "print 'hi'\n",
		Good: "print('hi')\n",
	},
	"mixed-except": {
		Bad:  "try:\n    pass\nexcept* ValueError:\n    pass\nexcept TypeError:\n    pass\n",
		Good: "try:\n    pass\nexcept ValueError:\n    pass\nexcept TypeError:\n    pass\n",
	},
	"unsupported-syntax": {
		Bad:  "def f[T](x):\n    pass\n",
		Good: "def f(x):\n    pass\n",
	},
	"outside-function": {
		Bad:  "return 1\n",
		Good: "def f():\n    return 1\n",
	},
	"outside-loop": {
		Bad:  "if x:\n    break\n",
		Good: "while x:\n    break\n",
	},
	"decorator-alone": {
		Bad:  "@staticmethod\nx = 1\n",
		Good: "@staticmethod\ndef f():\n    x = 1\n",
	},
	"try-alone": {
		Bad:  "try:\n    x = 1\ny = 2\n",
		Good: "try:\n    x = 1\nfinally:\n    y = 2\n",
	},
	"source-too-large": {
		Good: "x = 1\n",
	},
	"nul-byte": {
		Bad:  "x = 1\x00\n",
		Good: "x = 1\n",
	},
	"invalid-utf8": {
		Bad:  "x = '\xff'\n",
		Good: "x = 'y'\n",
	},
	"invalid-character": {
		Bad:  "x = 3 $ 4\n",
		Good: "x = 3 + 4\n",
	},
	"markdown-fence": {
		Bad:  "```python\nx = 3\n```\n",
		Good: "x = 3\n",
	},
	"lookalike-character": {
		Bad:  "x = max（1, 2)\n",
		Good: "x = max(1, 2)\n",
	},
	"unterminated-string": {
		Bad:  "x = 'abc\n",
		Good: "x = 'abc'\n",
	},
	"unclosed-bracket": {
		Bad:  "x = max(1, 2\ny = 3\n",
		Good: "x = max(1, 2)\ny = 3\n",
	},
	"unmatched-bracket": {
		Bad:  "x = max(1, 2))\n",
		Good: "x = max(1, 2)\n",
	},
	"mismatched-bracket": {
		Bad:  "x = max(1, [2)]\n",
		Good: "x = max(1, [2])\n",
	},
	"mixed-indentation": {
		Bad:  "if x:\n        y = 1\n\tz = 2\n",
		Good: "if x:\n        y = 1\n        z = 2\n",
	},
	"language-name-bare": {
		Bad:  kernelOf("tl.store(x_ptr, load(x_ptr))"),
		Good: kernelOf("tl.store(x_ptr, tl.load(x_ptr))"),
	},
	"left-function": {
		Bad:  "def f(a):\n    return a\nprint(a)\n",
		Good: "def f(a):\n    return a\nprint(f(1))\n",
	},
	"outdented-line": {
		Bad:  "def f():\n    a = 1\nb = 2\n    return a\n",
		Good: "def f():\n    a = 1\n    b = 2\n    return a\n",
	},
	"bad-dedent": {
		Bad:  "if x:\n        y = 1\n    z = 2\n",
		Good: "if x:\n        y = 1\nz = 2\n",
	},
	"c-operator": {
		Bad:  "if x && y:\n    z = 1\n",
		Good: "if x and y:\n    z = 1\n",
	},
	"bad-number": {
		Bad:  "x = 12abc\n",
		Good: "x = 12\n",
	},
	"leading-zeros": {
		Bad:  "x = 012\n",
		Good: "x = 12\n",
	},
	"number-too-long": {
		Good: "x = 10**50\n",
	},
	"bad-escape": {
		Bad:  "x = '\\x4'\n",
		Good: "x = '\\x41'\n",
	},
	"named-escape": {
		Bad:  "x = '\\N{HIRAGANA LETTER A}'\n",
		Good: "x = '\\u2022'\n",
	},
	"bytes-not-ascii": {
		Bad:  "x = b'é'\n",
		Good: "x = 'é'\n",
	},
	"mixed-bytes": {
		Bad:  "x = 'a' b'c'\n",
		Good: "x = 'a' 'c'\n",
	},
	"fstring-brace": {
		Bad:  "x = f'a}'\n",
		Good: "x = f'a}}'\n",
	},
	"fstring-empty": {
		Bad:  "x = f'a{}'\n",
		Good: "x = f'a{1}'\n",
	},
	"fstring-unclosed-field": {
		Bad:  "x = f'a{y'\n",
		Good: "x = f'a{y}'\n",
	},
	"fstring-conversion": {
		Bad:  "x = f'{y!x}'\n",
		Good: "x = f'{y!r}'\n",
	},
	"name-too-long": {
		Bad:  strings.Repeat("n", 201) + " = 1\n",
		Good: strings.Repeat("n", 20) + " = 1\n",
	},
	"too-deep": {
		Bad:  "x = " + strings.Repeat("(", 201) + "1" + strings.Repeat(")", 201) + "\n",
		Good: "x = " + strings.Repeat("(", 20) + "1" + strings.Repeat(")", 20) + "\n",
	},
	"ipython-magic": {
		Bad:  "!pip install triton\nx = 1\n",
		Good: "x = 1\n",
	},
	"stray-backslash": {
		Bad:  "x = 1 \\ + 2\n",
		Good: "x = 1 + 2\n",
	},
}

"""Record what Python, torch and Triton do, on a machine with an NVIDIA GPU.

usage: record.py HERE OUT [scripts] [printing] [draws] [errors] [guide GUIDE.md]

HERE is the folder of this file. Written to OUT:
  scripts.json      {name: {"out", "status", "last", "again"}}: standard output, exit status, the last line of standard
                    error, and whether a second run printed the same
  printing.jsonl    {"code", "text"} or {"code", "error"}: str() of what the code yields; "options" are the arguments
                    of torch.set_printoptions, "repr" says that text is repr()
  draws.jsonl       {"seed", "fresh", "code", "dtype", "shape", "offset", "hex"} or, of more than 512 bytes, "head",
                    "tail" (64 elements each) and "sha256" for hex. The codes of one seed run in order after one
                    manual_seed; a fresh one has its own. offset: the generator's Philox offset after the draw.
  errors.jsonl      {"code", "class", "message"}
  guide.jsonl       {"lines", "out", "display", "error"}: each code cell of the guide, by its lines, in order
"""
import ast
import concurrent.futures
import contextlib
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import traceback

HERE, OUT = sys.argv[1], sys.argv[2]


def write(name, rows):
    with gzip.GzipFile(f"{OUT}/{name}.jsonl.gz", "wb", mtime=0) as g:
        for r in rows:
            g.write((json.dumps(r, ensure_ascii=False) + "\n").encode())
    print(name, len(rows), flush=True)


def run_script(name):
    with tempfile.TemporaryDirectory() as folder:
        source = open(f"{HERE}/scripts/{name}.py").read()
        open(f"{folder}/{name}.py", "w").write(source)
        env = dict(os.environ, PYTHONWARNINGS="ignore", COLUMNS="80", PYTHONHASHSEED="0", TRITON_CACHE_DIR=folder + "/.triton")
        try:
            r = subprocess.run([sys.executable, f"{name}.py"], cwd=folder, env=env, capture_output=True, timeout=150)
        except subprocess.TimeoutExpired:
            return {"out": "", "status": -1, "last": "timed out"}
        err = r.stderr.decode(errors="replace").rstrip().split("\n")
        return {"out": r.stdout.decode(errors="replace"), "status": r.returncode, "last": err[-1], "err": err[-30:]}


def scripts():
    names = sorted(f[:-3] for f in os.listdir(f"{HERE}/scripts") if f.endswith(".py"))
    if os.environ.get("ONLY"):
        names = os.environ["ONLY"].split(",")
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        first = dict(zip(names, pool.map(run_script, names)))
        second = dict(zip(names, pool.map(run_script, names)))
    for n in names:
        first[n]["again"] = second[n]["out"] == first[n]["out"] and second[n]["last"] == first[n]["last"]
        print(n, first[n]["status"], "" if first[n]["again"] else "UNSTABLE", first[n]["last"][:150] if first[n]["status"] else "", flush=True)
    for n in names:
        if first[n]["status"] and "^" in first[n]["last"]:
            print("\n".join(first[n]["err"]))
    json.dump(first, open(f"{OUT}/scripts.json", "w"), ensure_ascii=False)


def printing():
    import numpy as np
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    cases = []

    def case(code, options=None, as_repr=False):
        cases.append((code, options, as_repr))

    for code in open(f"{HERE}/printing.txt").read().split("\n"):
        if not code.strip() or code.startswith("#"):
            continue
        options = None
        if " ;; " in code:
            code, options = code.split(" ;; ")
            options = ast.literal_eval(options)
        as_repr = code.startswith("repr: ")
        case(code.removeprefix("repr: "), options, as_repr)
    rows = []
    for code, options, as_repr in cases:
        torch.manual_seed(3)
        torch.set_printoptions(profile="default", sci_mode=None)
        torch._tensor_str.PRINT_OPTS = torch._tensor_str.__PrinterOptions()
        if options:
            torch.set_printoptions(**options)
        row = {"code": code}
        if options:
            row["options"] = options
        if as_repr:
            row["repr"] = True
        try:
            value = eval(code, {"torch": torch, "np": np, "nn": nn, "F": F, "nan": float("nan"), "inf": float("inf")})
            row["text"] = repr(value) if as_repr else str(value)
        except Exception as e:
            row["error"] = f"{type(e).__name__}: {e}"
            print("printing: skip", code, row["error"][:100])
            continue
        rows.append(row)
    write("printing", rows)


def draws():
    import torch
    import torch.nn.functional as F
    sizes = [1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 64, 100, 255, 256, 257, 512, 1000, 1024, 1025, 4096, 65536, 100003,
             1 << 20, 1081344, 1081345, 1 << 21, 3000000]
    small = [1, 4, 5, 17, 100, 1025, 100003, 1200000]
    codes = []
    for fn in ("rand", "randn"):
        codes += [f"torch.{fn}({n}, device='cuda')" for n in sizes]
        codes += [f"torch.{fn}({n}, device='cuda', dtype=torch.{d})" for d in ("float16", "bfloat16", "float64") for n in small]
    codes += ["torch.rand(3, 7, device='cuda')", "torch.randn(4, 33, device='cuda')", "torch.randn((), device='cuda')"]
    codes += [f"torch.randint(0, 10, ({n},), device='cuda')" for n in sizes]
    codes += [f"torch.randint({lo}, {hi}, ({n},), device='cuda')" for lo, hi in ((-100, 100), (0, 2), (0, "2**31"), (5, "2**32 + 7"), (0, "2**40"), ("-2**62", "2**62")) for n in (5, 100, 1200000)]
    codes += [f"torch.randint(-8, 8, (1000,), device='cuda', dtype=torch.{d})" for d in ("int8", "int16", "int32", "float16", "float32", "bfloat16", "float64")]
    codes += ["torch.randint(0, 2, (9,), device='cuda', dtype=torch.bool)", "torch.randint(0, 255, (33,), device='cuda', dtype=torch.uint8)"]
    codes += [f"torch.randperm({n}, device='cuda')" for n in (1, 2, 5, 10, 100, 1000, 30000, 100000)]
    codes += ["torch.randperm(10, device='cuda', dtype=torch.int32)"]
    for n in small:
        codes += [f"torch.empty({n}, device='cuda').uniform_(-2, 5)", f"torch.empty({n}, device='cuda').normal_(1, 2)",
                  f"torch.empty({n}, device='cuda').exponential_()", f"torch.empty({n}, device='cuda').bernoulli_(0.3)",
                  f"torch.bernoulli(torch.full(({n},), 0.3, device='cuda'))", f"F.dropout(torch.ones({n}, device='cuda'), 0.5)",
                  f"torch.rand_like(torch.zeros({n}, device='cuda'))", f"torch.randn_like(torch.zeros({n}, device='cuda'))",
                  f"torch.randint_like(torch.zeros({n}, device='cuda'), 9)"]
    codes += ["F.dropout(torch.ones(3, 50, device='cuda'), 0.1)", "F.dropout(torch.ones(1000, device='cuda', dtype=torch.float16), 0.3)",
              "F.dropout(torch.ones(64, device='cuda').view(8, 8).t(), 0.4)", "F.dropout(torch.ones(1001, device='cuda', dtype=torch.bfloat16), 0.9)",
              "F.dropout(torch.ones(8, 9, device='cuda')[:, 1:], 0.5)", "torch.empty(100, device='cuda').exponential_(2.5)",
              "torch.empty(100, device='cuda').geometric_(0.3)", "torch.empty(100, device='cuda').cauchy_()", "torch.empty(100, device='cuda').log_normal_()",
              "torch.empty(100, device='cuda').random_()", "torch.empty(100, device='cuda').random_(0, 7)", "torch.empty(100, device='cuda', dtype=torch.int64).random_()",
              "torch.empty(100, device='cuda', dtype=torch.int32).random_(3, 900)", "torch.empty(20, 5, device='cuda').t().normal_()", "torch.empty(20, 5, device='cuda').t().uniform_()",
              "torch.empty(4, 6, device='cuda')[:, ::2].normal_()", "torch.empty(100, device='cuda', dtype=torch.float64).exponential_()", "torch.empty(100, device='cuda', dtype=torch.float16).exponential_()",
              "torch.normal(torch.arange(20., device='cuda'), 2.0)", "torch.normal(0.0, torch.arange(1., 21., device='cuda'))", "torch.normal(3.0, 0.5, (20,), device='cuda')",
              "torch.multinomial(torch.tensor([0.1, 0.2, 0.3, 0.4], device='cuda'), 2)", "torch.multinomial(torch.tensor([0.1, 0.2, 0.3, 0.4], device='cuda'), 20, replacement=True)",
              "torch.multinomial(torch.ones(5, 100, device='cuda'), 1)", "torch.multinomial(torch.softmax(torch.arange(50., device='cuda'), 0), 1)", "torch.multinomial(torch.ones(3, 10, device='cuda'), 5)",
              "torch.bernoulli(torch.linspace(0, 1, 100, device='cuda'))", "torch.empty(100, device='cuda').bernoulli_(torch.linspace(0, 1, 100, device='cuda'))", "torch.empty(100, device='cuda', dtype=torch.bool).bernoulli_()",
              "torch.rand(3, 3, device='cuda') < 0.5", "torch.nn.init.xavier_uniform_(torch.empty(4, 5, device='cuda'))", "torch.nn.init.kaiming_uniform_(torch.empty(4, 5, device='cuda'))",
              "torch.nn.init.normal_(torch.empty(9, device='cuda'), 0, 0.02)", "torch.nn.init.trunc_normal_(torch.empty(9, device='cuda'))", "torch.nn.Linear(7, 3, device='cuda').weight.data",
              "torch.nn.Dropout(0.2)(torch.ones(30, device='cuda'))", "F.gumbel_softmax(torch.zeros(2, 5, device='cuda'))", "F.dropout2d(torch.ones(2, 8, 3, device='cuda'), 0.5)", "F.alpha_dropout(torch.ones(16, device='cuda'), 0.5)",
              "torch.rand(5)", "torch.randn(5)"]
    def row(seed, fresh, code):
        t = eval(code, {"torch": torch, "F": F})
        offset = torch.cuda.default_generators[0].get_offset()
        flat = t.detach().contiguous().cpu().flatten()
        of = lambda x: x.contiguous().view(torch.uint8).numpy().tobytes() if x.dtype != torch.bool else x.numpy().tobytes()
        data = of(flat)
        r = {"seed": seed, "code": code, "dtype": str(t.dtype)[6:], "shape": list(t.shape), "offset": offset}
        if fresh:
            r["fresh"] = True
        if len(data) <= 512:
            r["hex"] = data.hex()
        else:
            r.update(head=of(flat[:64]).hex(), tail=of(flat[-64:]).hex(), sha256=hashlib.sha256(data).hexdigest())
        return r
    rows = []
    for seed in (0, 1, 42, 2**40 + 5):
        torch.manual_seed(seed)
        for c in codes if seed < 2 else codes[::-1]:
            try:
                rows.append(row(seed, False, c))
            except Exception as e:
                print("draws: skip", c, e)
    for seed in (0, 42, 1234):
        for c in codes:
            torch.manual_seed(seed)
            try:
                rows.append(row(seed, True, c))
            except Exception:
                pass
    write("draws", rows)
    # A generator of one's own, its state, and the functions of the module.
    g = torch.Generator(device="cuda")
    rows = []
    def say(code):
        try:
            exec(code, env) if "=" in code.split("(")[0] else rows.append({"code": code, "text": str(eval(code, env))})
            if "=" in code.split("(")[0]:
                rows.append({"code": code})
        except Exception as e:
            rows.append({"code": code, "error": f"{type(e).__name__}: {e}"})
    env = {"torch": torch, "F": F}
    for code in ["g = torch.Generator(device='cuda')", "g.initial_seed()", "g.device", "torch.rand(3, device='cuda', generator=g)", "g.get_offset()", "g = g.manual_seed(9)",
                 "torch.randn(5, device='cuda', generator=g)", "g.get_offset()", "g.get_state().shape", "g.get_state().tolist()", "g.get_state().dtype", "g.get_state().device", "s = g.get_state()",
                 "torch.rand(2, device='cuda', generator=g)", "g = g.set_state(s)", "torch.rand(2, device='cuda', generator=g)", "torch.randint(0, 9, (5,), device='cuda', generator=g)", "torch.randperm(5, device='cuda', generator=g)",
                 "torch.rand(3, generator=g)", "torch.rand(3, device='cuda', generator=torch.Generator())", "torch.manual_seed(5)", "torch.cuda.initial_seed()", "torch.initial_seed()", "torch.cuda.manual_seed(6)",
                 "torch.cuda.initial_seed()", "torch.initial_seed()", "torch.cuda.get_rng_state().shape", "torch.cuda.get_rng_state().tolist()", "t = torch.cuda.get_rng_state()", "torch.rand(2, device='cuda')", "torch.cuda.set_rng_state(t)",
                 "torch.rand(2, device='cuda')", "torch.cuda.get_rng_state().tolist()", "torch.seed() > 0", "torch.cuda.seed()", "torch.Generator(device='cuda').manual_seed(2**63).initial_seed()", "torch.Generator('cuda').manual_seed(-1).initial_seed()", "str(torch.Generator('cuda')).split(' at ')[0]",
                 "torch.Generator('cuda').seed() > 0", "torch.default_generator.device", "torch.cuda.default_generators[0].device"]:
        say(code)
    write("generator", rows)


def errors():
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    import numpy as np
    rows = []
    env = {"torch": torch, "nn": nn, "F": F, "np": np, "a": torch.ones(2, 3, device="cuda"), "b": torch.ones(4, device="cuda"),
           "c": torch.ones(2, 3), "i": torch.tensor([1, 2], device="cuda"), "m": torch.ones(3, 3, device="cuda"), "h": torch.ones(2, 3, device="cuda", dtype=torch.float16),
           "z": torch.zeros(0, device="cuda"), "g": torch.ones(2, requires_grad=True)}
    for code in open(f"{HERE}/errors.txt").read().split("\n"):
        if not code.strip() or code.startswith("#"):
            continue
        try:
            value = eval(code, dict(env))
            rows.append({"code": code, "text": str(value)})
        except Exception as e:
            rows.append({"code": code, "class": type(e).__name__, "message": str(e)})
    write("errors", rows)


# The guide's code cells by their lines; a list starts where the guide says to restart the kernel.
GUIDE = [
    [(64, 109), (113, 115), (137, 140), (146, 169), (179, 199), (215, 229), (235, 252), (256, 256), (260, 260), (270, 277), (281, 281), (287, 294), (298, 298), (310, 310)],
    [(331, 345), (346, 351), (352, 356), (357, 359), (360, 360), (364, 389), (391, 400), (401, 402)],
    [(408, 416), (432, 446), (448, 477), (478, 498), (499, 501), (503, 511), (527, 529), (530, 532), (547, 567), (568, 571), (572, 573), (574, 576), (580, 612), (613, 616),
     (618, 626), (631, 656), (660, 678), (680, 698), (709, 758), (759, 779), (781, 781), (786, 805)],
]


def guide_part(path, part):
    lines = open(path, errors="replace").read().split("\n")
    import matplotlib
    matplotlib.use("Agg")
    env = {"__name__": "__main__"}
    rows = []
    for first, last in GUIDE[part]:
        source = "\n".join(lines[first - 1:last])
        row = {"lines": [first, last]}
        out = io.StringIO()
        # A cell is a file, as it is in a notebook: Triton reads a kernel's source there.
        name = f"{os.getcwd()}/cell_{first}.py"
        open(name, "w").write(source)
        try:
            tree = ast.parse(source)
            shown = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";") else None
            with contextlib.redirect_stdout(out):
                exec(compile(tree, name, "exec"), env)
                if shown is not None:
                    value = eval(compile(ast.Expression(shown.value), name, "eval"), env)
                    if value is not None:
                        row["display"] = repr(value)
        except BaseException as e:
            row["error"] = "".join(traceback.format_exception_only(e)).rstrip()
        row["out"] = out.getvalue()
        rows.append(row)
    json.dump(rows, open(f"{OUT}/guide{part}.json", "w"), ensure_ascii=False)


def guide(path):
    processes = []
    for part in range(len(GUIDE)):
        folder = tempfile.mkdtemp()
        os.makedirs(f"{folder}/IPython/core")
        open(f"{folder}/IPython/__init__.py", "w").close()
        open(f"{folder}/IPython/core/__init__.py", "w").close()
        open(f"{folder}/IPython/core/debugger.py", "w").write("def set_trace(): print('set_trace')\n")
        open(f"{folder}/IPython/__init__.py", "w").write("version_info = (8, 0, 0)\n__version__ = '8.0.0'\ndef get_ipython(): return None\n")
        lines = open(path, errors="replace").read().split("\n")
        util = "\n".join(lines[63:109]).replace("os.environ['TRITON_INTERPRET'] = '1'", "")
        open(f"{folder}/triton_util.py", "w").write(util)
        import numpy as np
        from PIL import Image
        y, x = np.mgrid[0:240, 0:320]
        picture = np.stack([x * 255 // 319, y * 255 // 239, ((x // 16 + y // 16) % 2) * 160 + 40], -1).astype(np.uint8)
        Image.fromarray(picture).save(f"{folder}/puppy.jpg", quality=92, subsampling=0)
        if part == 1:
            Image.open(f"{folder}/puppy.jpg").save(f"{OUT}/puppy.png")
            open(f"{OUT}/puppy.jpg", "wb").write(open(f"{folder}/puppy.jpg", "rb").read())
        env = dict(os.environ, PYTHONPATH=folder)
        env.pop("TRITON_INTERPRET", None)
        processes.append(subprocess.Popen([sys.executable, os.path.abspath(__file__), os.path.abspath(HERE), os.path.abspath(OUT), "guide-part", os.path.abspath(path), str(part)], cwd=folder, env=env))
    for p in processes:
        p.wait()
    rows = [r for part in range(len(GUIDE)) if os.path.exists(f"{OUT}/guide{part}.json") for r in json.load(open(f"{OUT}/guide{part}.json"))]
    for part in range(len(GUIDE)):
        if os.path.exists(f"{OUT}/guide{part}.json"):
            os.remove(f"{OUT}/guide{part}.json")
    write("guide", rows)


what = sys.argv[3:]
if "scripts" in what:
    scripts()
for name, fn in (("printing", printing), ("draws", draws), ("errors", errors)):
    if name in what:
        fn()
if "guide" in what:
    guide(what[what.index("guide") + 1])
if "guide-part" in what:
    guide_part(what[1], int(what[2]))

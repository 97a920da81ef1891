"""Time newt's kernels beside Triton's and PyTorch's, in one run on one GPU.

usage: beside_triton.py KERNELS.py FOLDER [vector_add row_softmax layer_norm matmul_fp16 matmul_fp32 attention …]

FOLDER holds what `go run ./runner/gpu/bench` wrote. Both sides run through the protocol of
triton.testing.do_bench (the L2 cache is flushed before every sample), in turns for each
size, and every newt kernel is first compared with PyTorch on fresh random inputs, also at sizes that
no block divides. One JSON object a line; a table last.
"""
import functools, importlib.util, json, math, os, sys, tempfile, time

os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["CUDA_CACHE_DISABLE"] = "1"
import torch, triton, triton.language as tl
from triton.testing import do_bench
from newt import DEV, Newt, in_turns, say

spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
K = importlib.util.module_from_spec(spec); sys.modules["kernels"] = K; spec.loader.exec_module(K)
FOLDER = sys.argv[2]
ONLY = set(sys.argv[3:])
ENTRIES = [e for e in json.load(open(f"{FOLDER}/manifest.json"))]
torch.manual_seed(time.time_ns() & 0xFFFFFFFF)
torch.zeros(1, device=DEV)  # makes the context
DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "tf32": torch.float32, "int8": torch.int8,
          "tf32_kmajor": torch.float32, "int8_kmajor": torch.int8, "fp8": torch.float8_e4m3fn, "fp8_kmajor": torch.float8_e4m3fn}
# Matmuls: every access checked or not, tiles known to lie in the matrices or not.
VARIANTS = ((False, True), (False, False), (True, False))
table = []


def compare(name, got, want, tolerance):
    torch.cuda.synchronize()
    got, want = got.double(), want.double()
    error = float((got - want).norm() / want.norm())
    ok = bool(torch.isfinite(got).all()) and error <= tolerance
    say(what="check", kernel=name, error=error, tolerance=tolerance, ok=ok)
    return ok


def best(what, side, finalists=3):
    """The fastest launch's config, and the times of all in milliseconds. Those that look fastest are timed again, in turns."""
    times = {}
    for c, f in side.items():
        try:
            times[c] = do_bench(f, warmup=3, rep=10, return_mode="median")
        except Exception as error:
            say(what="failed", kernel=what, config=c, error=str(error)[:300])
    again = in_turns({c: side[c] for c in sorted(times, key=times.get)[:finalists]}, rounds=2)
    return min(again, key=lambda c: again[c]["ms"], default=None), times


def contest(what, size, amount, unit, newts, tritons, torch_fn=None):
    """newts, tritons: config → launch. The best of each, timed in turns, PyTorch too: a GPU's clock falls with its
    temperature and the power that a kernel takes, so that one after the other would be unfair to the last."""
    nc, nt = best(what, newts)
    tc, tt = best(what, tritons)
    if not nc or not tc:
        return
    sides = {"newt": newts[nc], "triton": tritons[tc]} | ({"torch": torch_fn} if torch_fn else {})
    runs = in_turns(sides)
    a, b = runs["newt"]["ms"], runs["triton"]["ms"]
    row = dict(what="contest", kernel=what, size=size, unit=unit, ratio=b / a, newt_cfg=nc, triton_cfg=tc, runs=runs,
               by_config={c: dict(newt=amount / nt[c], triton=amount / tt[c], ratio=tt[c] / nt[c]) for c in nt if c in tt})
    row |= {side: amount / x["ms"] for side, x in runs.items()}
    say(**row)
    table.append(row)


def ready(kernel, even=True, checked=False, kind=None, whole=True):
    """The kernels by configuration. whole: those compiled for tiles that lie in their tensors, if there are any."""
    whole = whole and even and not checked
    out = {}
    for e in ENTRIES:
        if e["kernel"] == kernel and e["even"] == even and e["checked"] == checked and e["whole"] == whole and not e["persistent"] and (kind is None or e.get("kind") == kind):
            if e.get("problem"):
                say(what="problem", kernel=e["name"], problem=e["problem"]); continue
            if k := load(e["name"]):
                k.many = load(e["name"] + "_many")
                out[json.dumps(e["config"], sort_keys=True)] = k
    return out


@functools.cache
def load(name):
    """The kernel of that name, None if there is none or the driver refuses it."""
    e = next((e for e in ENTRIES if e["name"] == name), None)
    if e is None:
        return None
    try:
        k = Newt(e, FOLDER)
    except Exception as error:
        say(what="problem", kernel=name, problem=str(error)[:2000])
        return None
    say(what="module", kernel=name, load_ms=k.load_ms, registers=k.registers, spill=k.spill, shared=e["shared"], ir_ms=e["ir_ms"], ptx_ms=e["ptx_ms"],
        warnings=[l for l in k.log.splitlines() if "warn" in l.lower() or "serializ" in l.lower()])
    return k


def cfg(s):
    return json.loads(s)


def vector_add():
    for even, n in ((True, 1 << 20), (False, 1_000_003)):
        for c, k in ready("vector_add", even).items():
            x, y = torch.randn(n, device=DEV), torch.randn(n, device=DEV); z = torch.full_like(x, math.nan)
            k.bind((triton.cdiv(n, cfg(c)["BLOCK"]),), x_ptr=x, y_ptr=y, z_ptr=z, n=n)(); compare(f"vector_add {c} {n}", z, x + y, 0)
    for n in (1 << 12, 1 << 16, 1 << 20, 1 << 28):
        x, y = torch.randn(n, device=DEV), torch.randn(n, device=DEV); z = torch.empty_like(x)
        for checked in (False, True):
            ks = ready("vector_add", checked=checked)
            contest("vector_add" + " checked" * checked, n, 12 * n * 1e-6, "GB/s",
                    {c: k.bind((triton.cdiv(n, cfg(c)["BLOCK"]),), x_ptr=x, y_ptr=y, z_ptr=z, n=n) for c, k in ks.items()},
                    {c: (lambda c=cfg(c): K.vector_add[(triton.cdiv(n, c["BLOCK"]),)](x, y, z, n, BLOCK=c["BLOCK"], num_warps=c["warps"])) for c in ks},
                    lambda: torch.add(x, y, out=z))
        del x, y, z


def rows(name):
    softmax = name == "row_softmax"
    def reference(x, w, b):
        return torch.softmax(x.double(), 1) if softmax else torch.nn.functional.layer_norm(x.double(), (x.shape[1],), w.double(), b.double())
    def args(x, w, b, z):
        return dict(x_ptr=x, z_ptr=z, n_cols=x.shape[1]) | ({} if softmax else dict(w_ptr=w, b_ptr=b, eps=1e-5))
    def data(r, c):
        return torch.randn(r, c, device=DEV), torch.randn(c, device=DEV), torch.randn(c, device=DEV)
    for even, r, cols in ((True, 257, 1008), (False, 129, 781), (False, 64, 4093), (True, 64, 8192), (False, 33, 30001)):
        for c, k in ready(name, even, whole=cols == triton.next_power_of_2(cols)).items():
            if cfg(c)["BLOCK"] != triton.next_power_of_2(cols): continue
            x, w, b = data(r, cols); z = torch.full_like(x, math.nan)
            k.bind((r,), **args(x, w, b, z))(); compare(f"{name} {c} {r}x{cols}", z, reference(x, w, b), 2e-6)
    for r, cols in ((8192, 1024), (8192, 4096), (8192, 8192), (4096, 32768)):
        x, w, b = data(r, cols); z = torch.empty_like(x); B = triton.next_power_of_2(cols)
        for checked in (False, True):
            ks = {c: k for c, k in ready(name, checked=checked).items() if cfg(c)["BLOCK"] == B}
            run = (lambda nw: K.row_softmax[(r,)](x, z, cols, BLOCK=B, num_warps=nw)) if softmax else (lambda nw: K.layer_norm[(r,)](x, w, b, z, cols, 1e-5, BLOCK=B, num_warps=nw))
            contest(name + " checked" * checked, f"{r}x{cols}", 8 * x.numel() * 1e-6, "GB/s", {c: k.bind((r,), **args(x, w, b, z)) for c, k in ks.items()},
                    {c: (lambda nw=cfg(c)["warps"]: run(nw)) for c in ks},
                    (lambda: torch.softmax(x, 1)) if softmax else (lambda: torch.nn.functional.layer_norm(x, (cols,), w, b)))
        del x, w, b, z


def matmul(kind):
    dt = DTYPES[kind]
    base = kind.removesuffix("_kmajor")  # b is contiguous along K
    out_dt = {"int8": torch.int32, "fp8": torch.float16}.get(base, dt)
    acc = tl.int32 if base == "int8" else tl.float32
    prec = "ieee" if kind == "fp32" else "tf32"
    tolerance = {"fp16": 1e-3, "bf16": 8e-3, "tf32": 1e-3, "fp32": 1e-5, "int8": 0, "fp8": 2e-3}[base]
    def data(m, n, k):
        draw = (lambda *s: torch.randint(-8, 8, s, device=DEV, dtype=dt)) if base == "int8" else (lambda *s: torch.randn(*s, device=DEV).to(dt))
        return draw(m, k), draw(n, k).t() if kind != base else draw(k, n), torch.full((m, n), -77, device=DEV, dtype=out_dt)
    def args(a, b, c):
        return dict(a_ptr=a, b_ptr=b, c_ptr=c, M=a.shape[0], N=b.shape[1], K=a.shape[1], sam=a.stride(0), sak=a.stride(1), sbk=b.stride(0), sbn=b.stride(1), scm=c.stride(0), scn=c.stride(1))
    def grid(g, a, b):
        return (triton.cdiv(a.shape[0], g["BM"]) * triton.cdiv(b.shape[1], g["BN"]),)
    for even, m, n, k in ((True, 512, 1024, 256), (True, 512, 768, 1024), (True, 512, 768, 336), (True, 256, 256, 144), (True, 272, 400, 336), (True, 4096, 4096, 256), (False, 301, 203, 177)):
        for checked, whole in VARIANTS[not even:]:
            for c, kernel in ready(f"matmul", even, checked, kind, whole).items():
                if whole and any(x & x - 1 or x < cfg(c)[block] for x, block in ((m, "BM"), (n, "BN"), (k, "BK"))): continue
                a, b, out = data(m, n, k)
                kernel.bind(grid(cfg(c), a, b), **args(a, b, out))()
                compare(f"matmul {kind} {c} {m}x{n}x{k}" + " checked" * checked + " whole" * whole + f" faults {kernel.faults()}", out, a.double() @ b.double(), tolerance)
    for s in ((1024, 2048, 4096, 8192) if kind == "fp16" else (4096,)):
        a, b, out = data(s, s, s)
        one = torch.ones((), device=DEV)
        b_kmajor = b.t().contiguous().t()  # the only order that torch's product of fp8 takes
        torch.backends.cuda.matmul.allow_tf32 = base == "tf32"
        for checked, whole in VARIANTS:
            ks = ready("matmul", True, checked, kind, whole)
            contest(f"matmul {kind}" + " checked" * checked + " copied" * (not checked and not whole), s, 2 * s**3 * 1e-9, "TFLOP/s",
                    {c: kernel.bind(grid(cfg(c), a, b), **args(a, b, out)) for c, kernel in ks.items()},
                    {c: (lambda g=cfg(c): K.matmul[grid(g, a, b)](*args(a, b, out).values(), BM=g["BM"], BN=g["BN"], BK=g["BK"], GROUP=g["GROUP"], ACC=acc, PREC=prec, num_warps=g["warps"], num_stages=g["stages"])) for c in ks},
                    {"int8": lambda: torch._int_mm(a, b), "fp8": lambda: torch._scaled_mm(a, b_kmajor, one, one, out_dtype=out_dt)}.get(base, lambda: torch.matmul(a, b)))
        del a, b, out


def attention():
    for D in (64, 128):
        for T, causal in ((1024, False), (4096, True)):
            BH = max(1, 16384 // T) * 16
            q, k, v = (torch.randn(BH, T, D, device=DEV, dtype=torch.float16) for _ in range(3)); o = torch.full_like(q, math.nan)
            ks = {c: e for c, e in ready("attention").items() if cfg(c)["D"] == D and cfg(c)["CAUSAL"] == causal}
            scale = D ** -0.5
            bound = {c: e.bind((T // cfg(c)["BM"], BH), q_ptr=q, k_ptr=k, v_ptr=v, o_ptr=o, scale=scale, T=T) for c, e in ks.items()}
            want = torch.nn.functional.scaled_dot_product_attention(q[:16].float(), k[:16].float(), v[:16].float(), is_causal=causal)
            for c, f in bound.items():
                o.fill_(math.nan); f(); compare(f"attention {c} {T}", o[:16], want, 2e-3)
            contest(f"attention D{D} causal{int(causal)}", T, 4 * BH * T * T * D * (0.5 if causal else 1) * 1e-9, "TFLOP/s", bound,
                    {c: (lambda g=cfg(c): K.attention[(T // g["BM"], BH)](q, k, v, o, scale, T, D=D, BM=g["BM"], BN=g["BN"], CAUSAL=causal, num_stages=g["stages"], num_warps=g["warps"])) for c in ks})
            del q, k, v, o


PARTS = {"vector_add": vector_add, "row_softmax": lambda: rows("row_softmax"), "layer_norm": lambda: rows("layer_norm"), "attention": attention} | {
    f"matmul_{kind}": (lambda kind=kind: matmul(kind)) for kind in DTYPES}
say(what="env", torch=torch.__version__, triton=triton.__version__, gpu=torch.cuda.get_device_name())
for name, part in PARTS.items():
    if not ONLY or name in ONLY:
        try:
            part()
        except Exception as error:
            say(what="failed", kernel=name, error=f"{type(error).__name__}: {error}"[:800])
print(f"{'kernel':28}{'size':>12} {'newt':>9} {'Triton':>9} {'torch':>9}  unit     ratio  newt's quartiles (ms)")
for r in table:
    q = r["runs"]["newt"]
    print(f"{r['kernel']:28}{str(r['size']):>12} {r['newt']:9.1f} {r['triton']:9.1f} {r.get('torch', math.nan):9.1f}  {r['unit']:8} {r['ratio']:.3f}  {q['q1']:.4f} {q['ms']:.4f} {q['q3']:.4f}  {r['newt_cfg']}")

"""Time newt's kernels beside Triton's, for the CASES of a file of kernels (cases.py), in one run on one GPU.

usage: beside_cases.py KERNELS.py FOLDER [--only KERNEL,…] [--seconds 240] [--processes 8]

FOLDER holds what `go run ./runner/gpu/bench -cases` wrote. For each case newt's result, in each configuration, is
compared with Triton's on the same fresh random inputs; then the best configuration of each side is timed in turn by the
protocol of triton.testing.do_bench, which flushes the L2 cache before each sample. What the model of newt expects is
ranked against the times of newt's configurations. One JSON object a line, the time of each configuration among them; a
table last. Cases that the time does not suffice for are left out, and named.
"""
import argparse, collections, importlib.util, json, math, os, statistics, subprocess, sys, tempfile, time

START = time.monotonic()
if "NEWT_BENCH_CACHE" not in os.environ:
    os.environ["NEWT_BENCH_CACHE"] = tempfile.mkdtemp()
# Both compilers keep what they make, so that processes can share the work of making it.
os.environ["TRITON_CACHE_DIR"] = os.environ["NEWT_BENCH_CACHE"] + "/triton"
os.environ["CUDA_CACHE_PATH"] = os.environ["NEWT_BENCH_CACHE"] + "/cuda"
os.environ["CUDA_CACHE_MAXSIZE"] = str(1 << 30)
import torch
from triton.testing import do_bench
from cases import LAUNCH, arguments, elements, is_tensor
from newt import DEV, Newt, quartiles, say

DTYPES = {"fp64": torch.float64, "fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16,
          "fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2, "i64": torch.int64, "i32": torch.int32,
          "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "i1": torch.bool}
# The relative error, in the Euclidean norm, that two orders of the same operations may differ by.
TOLERANCES = {"fp8e4nv": 2e-2, "fp8e5": 4e-2, "bf16": 4e-3, "fp16": 1e-3, "fp32": 1e-4, "fp64": 1e-10}
TRIAL, FINAL = dict(warmup=3, rep=12), dict(warmup=10, rep=50)


def load(path):
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    return module.CASES


def key(config):
    return json.dumps(config, sort_keys=True)


def full(config):
    """A config as the manifest has it."""
    return {k: int(v) for k, v in config.items()} | {k: config.get(k, v) for k, v in LAUNCH.items()}


def tensor(spec):
    """A tensor of a case, with fresh random elements where it has no others."""
    dtype, shape, fill = DTYPES[spec[0]], spec[1], spec[2] if len(spec) == 3 else "normal"
    if isinstance(fill, (int, float)):
        return torch.full(shape, fill, dtype=dtype, device=DEV)
    if fill == "arange":
        return torch.arange(elements(shape), device=DEV).to(dtype).reshape(shape)
    if fill == "normal":
        wide = dtype if dtype in (torch.float16, torch.bfloat16) else torch.float32
        return torch.randn(shape, dtype=wide, device=DEV).to(dtype)
    kind, low, high = fill
    if kind == "integers":
        return torch.randint(low, high, shape, device=DEV, dtype=dtype)
    return (torch.rand(shape, device=DEV) * (high - low) + low).to(dtype)


def triton_launch(case, config, args):
    values = arguments(case, config) | args
    names = [p.name for p in case["kernel"].params]
    run = case["kernel"][grid(case, config)]
    options = {k: v for k, v in config.items() if k in LAUNCH}
    given = [values[n] for n in names]
    return lambda: run(*given, **options)


def grid(case, config):
    return case["grid"](config) if callable(case["grid"]) else case["grid"]


def error(got, want):
    """The relative error in the Euclidean norm; for integers the part that differs."""
    if not want.is_floating_point():
        return float((got != want).sum()) / max(1, want.numel())
    wide = torch.float64 if want.numel() < 1 << 26 else torch.float32
    got, want = got.to(wide), want.to(wide)
    same = torch.isnan(got) == torch.isnan(want)
    if not bool(same.all()):
        return math.inf
    got, want = got.nan_to_num(), want.nan_to_num()
    return float((got - want).norm() / want.norm().clamp(min=1e-30))


class Contest:
    """A case with its tensors, and both sides' launches by configuration."""

    def __init__(self, i, case, entries, folder):
        self.case, self.entries, self.folder = case, [e for e in entries if e["case"] == i], folder
        self.name, self.size = case["name"], case["size"]
        self.args = {n: tensor(v) for n, v in case["args"].items() if is_tensor(v)}
        self.before = {n: self.args[n].clone() for n in case["out"]}
        self.newt, self.triton = {}, {}

    def prepare(self):
        for e in self.entries:
            try:
                if e.get("problem"):
                    raise RuntimeError(e["problem"])
                k = Newt(e, self.folder)
                config = next(c for c in self.case["configs"] + self.case.get("also", []) if full(c) == e["config"])
                launch = k.bind(e["grid"], **arguments(self.case, config) | self.args)
                self.newt[key(e["config"])] = (e, k, launch)
            except Exception as problem:
                say(what="problem", kernel=e["name"], size=self.size, config=e["config"], problem=str(problem)[:1000])
        for c in self.case["configs"]:
            try:
                launch = triton_launch(self.case, c, self.args)
                launch()
                torch.cuda.synchronize()
                self.triton[key(full(c))] = launch
            except Exception as problem:
                say(what="triton-problem", kernel=self.name, size=self.size, config=c, problem=str(problem)[:600])

    def results(self, launch):
        for n, t in self.before.items():
            self.args[n].copy_(t)
        launch()
        torch.cuda.synchronize()
        return self.args

    def check(self):
        """Compares each of newt's configurations with Triton's first; what is wrong is not timed."""
        want = {n: self.results(next(iter(self.triton.values())))[n].clone() for n in self.before}
        for c, (e, k, launch) in list(self.newt.items()):
            got = self.results(launch)
            errors = {n: error(got[n], want[n]) for n in want}
            allowed = {n: self.case["tolerance"] or TOLERANCES.get(self.case["args"][n][0], 0) for n in want}
            ok = all(errors[n] <= allowed[n] for n in want)
            say(what="check", kernel=e["name"], size=self.size, config=e["config"], errors=errors, ok=ok,
                faults=k.faults(), registers=k.registers, spill=k.spill, sites=e["sites"])
            if not ok:
                del self.newt[c]

    def time(self):
        entries = {c: e for c, (e, _, _) in self.newt.items()}
        newt = {c: do_bench(launch, return_mode="median", **TRIAL) for c, (_, _, launch) in self.newt.items()}
        triton = {c: do_bench(launch, return_mode="median", **TRIAL) for c, launch in self.triton.items()}
        for c, ms in newt.items():
            say(what="config", kernel=self.name, size=self.size, config=entries[c]["config"], ms=ms,
                triton_ms=triton.get(c), cost=entries[c].get("cost", 0), contest=entries[c].get("contest", False))
        a = min((c for c in newt if entries[c].get("contest")), key=newt.get)
        b = min(triton, key=triton.get)
        runs = [quartiles(f, **FINAL) for f in (self.newt[a][2], self.triton[b], self.newt[a][2], self.triton[b])]
        ours, theirs = min(runs[0]["ms"], runs[2]["ms"]), min(runs[1]["ms"], runs[3]["ms"])
        row = dict(what="contest", kernel=self.name, size=self.size, newt_ms=ours, triton_ms=theirs,
                   ratio=theirs / ours, newt_config=entries[a]["config"], triton_config=json.loads(b),
                   newt_runs=runs[::2], triton_runs=runs[1::2], **ranking(entries, newt))
        say(**row)
        return row


def ranking(entries, times):
    """How well the model orders the configurations: Spearman's rank correlation of what it expects with the times, and
    the time of the configuration that it puts first next to the least. None where there are fewer than four."""
    costs = {c: entries[c].get("cost", 0) for c in times}
    if len(times) < 4 or not all(costs.values()):
        return dict(rank=None, first=None)
    return dict(rank=spearman(list(costs.values()), list(times.values())),
                first=times[min(times, key=costs.get)] / min(times.values()))


def ranks(values):
    """The rank of each value; equal values share the mean of their ranks."""
    return [sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    if len(set(a)) == 1 or len(set(b)) == 1:
        return 0.0
    return statistics.correlation(a, b)


def compile_part(cases, entries, folder, part, parts):
    """Compiles one part of all configurations for both sides, into the caches that the processes share."""
    torch.zeros(1, device=DEV)
    for e in entries[part::parts]:
        try:
            Newt(e, folder)
        except Exception:
            pass  # it is reported where it is timed
    each = [(case, c) for case in cases for c in case["configs"]]
    for case, config in each[part::parts]:
        args = [DTYPES[v[0]] if is_tensor(v) else v for v in arguments(case, config).values()]
        try:
            case["kernel"].warmup(*args, grid=(1,), **{k: v for k, v in config.items() if k in LAUNCH})
        except Exception:
            pass


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kernels"), p.add_argument("folder")
    p.add_argument("--only", default=""), p.add_argument("--seconds", type=float, default=240)
    p.add_argument("--processes", type=int, default=8), p.add_argument("--part", type=int)
    o = p.parse_args()
    only = set(o.only.split(",")) - {""}
    all_cases = load(o.kernels)
    numbered = [(i, c) for i, c in enumerate(all_cases) if not only or c["name"] in only]
    entries = [e for e in json.load(open(f"{o.folder}/manifest.json")) if not only or e["kernel"] in only]
    if o.part is not None:
        return compile_part([c for _, c in numbered], entries, o.folder, o.part, o.processes)
    say(what="env", torch=torch.__version__, gpu=torch.cuda.get_device_name(), configurations=len(entries))
    workers = [subprocess.Popen([sys.executable, *sys.argv, "--part", str(n)]) for n in range(o.processes)]
    for w in workers:
        try:
            w.wait(timeout=max(1, 0.6 * o.seconds - (time.monotonic() - START)))
        except subprocess.TimeoutExpired:
            w.kill()
    say(what="compiled", seconds=time.monotonic() - START)
    torch.manual_seed(time.time_ns() & 0xFFFFFFFF)
    rows = []
    for i, case in in_rounds(numbered):
        if time.monotonic() - START > o.seconds:
            say(what="left out", kernel=case["name"], size=case["size"])
            continue
        try:
            c = Contest(i, case, entries, o.folder)
            c.prepare()
            c.check()
            rows.append(c.time())
        except Exception as problem:
            say(what="failed", kernel=case["name"], size=case["size"],
                error=f"{type(problem).__name__}: {problem}"[:800])
        c = None
        torch.cuda.empty_cache()
    say(what="end", seconds=time.monotonic() - START)
    report(rows)


def in_rounds(numbered):
    """The first size of each kernel, then the second of each …"""
    seen, rounds = collections.Counter(), []
    for i, case in numbered:
        rounds.append((seen[case["name"]], i, case))
        seen[case["name"]] += 1
    return [(i, case) for _, i, case in sorted(rounds, key=lambda r: r[:2])]


def report(rows):
    def number(v, form):
        return "-" if v is None else format(v, form)

    print(f"{'kernel':28}{'size':>14} {'newt us':>10} {'Triton us':>10}  ratio   rank  first  newt's config / Triton's")
    for r in sorted(rows, key=lambda r: r["kernel"]):
        print(f"{r['kernel']:28}{r['size']:>14} {1e3 * r['newt_ms']:10.2f} {1e3 * r['triton_ms']:10.2f}  "
              f"{r['ratio']:5.3f} {number(r['rank'], '.2f'):>6} {number(r['first'], '.2f'):>6}  "
              f"{key(r['newt_config'])} / {key(r['triton_config'])}")
    if not rows:
        return
    ratios, found = [r["ratio"] for r in rows], [r["rank"] for r in rows if r["rank"] is not None]
    print(f"{len(rows)} cases: median ratio {statistics.median(ratios):.3f}, least {min(ratios):.3f}, "
          f"{sum(r < 0.85 for r in ratios)} under 0.85")
    if found:
        print(f"median rank correlation of the model {statistics.median(found):.2f}, of {len(found)} cases")


if __name__ == "__main__":
    main()

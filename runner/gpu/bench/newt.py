"""What newt compiled, loaded and launched through CUDA's driver, and how launches are timed."""
import ctypes, json, math, statistics, time
import torch
from triton.testing import do_bench

DEV = "cuda"
CU = ctypes.CDLL("libcuda.so.1")


def say(**kw):
    print(json.dumps(kw), flush=True)


def check(code, what):
    if code:
        text = ctypes.c_char_p(); CU.cuGetErrorString(code, ctypes.byref(text))
        raise RuntimeError(f"{what}: {code} {text.value and text.value.decode()}")


def pitch(a):
    """The distance of a tensor's rows, or of its columns if those are contiguous, in elements."""
    return a.stride(-2) if a.stride(-1) == 1 else a.stride(-1)


def tensor_map(a, elem_bytes, dims, box, **known):
    """The tensor map of ptx.TensorMap."""
    unit, rows = 16, known.get("pitch") or pitch(a)
    raw = ctypes.create_string_buffer(128 + 64)
    at = (ctypes.addressof(raw) + 63) & -64
    swizzle = {32: 1, 64: 2, 128: 3}[box[0] * elem_bytes]
    dims, strides = (ctypes.c_uint64 * 3)(*dims), (ctypes.c_uint64 * 2)(unit, rows * elem_bytes)
    box, ones = (ctypes.c_uint32 * 3)(*box), (ctypes.c_uint32 * 3)(1, 1, 1)
    # CU_TENSOR_MAP_DATA_TYPE_UINT8 0, UINT16 1, UINT32 2; no interleaving; CU_TENSOR_MAP_L2_PROMOTION_L2_256B 3; zeros beyond the end
    check(CU.cuTensorMapEncodeTiled(ctypes.c_void_p(at), {1: 0, 2: 1, 4: 2}[elem_bytes], 3, ctypes.c_uint64(a.data_ptr()), dims, strides,
                                    box, ones, 0, swizzle, 3, 0), "tensor map")
    return raw, at


class Newt:
    """A kernel of newt's, made ready; calling it launches on the current stream."""

    def __init__(self, e, folder):
        self.e, text = e, open(f"{folder}/{e['name']}.ptx", "rb").read()
        info, error = ctypes.create_string_buffer(1 << 14), ctypes.create_string_buffer(1 << 14)
        # CU_JIT_INFO_LOG_BUFFER 3, its size 4, CU_JIT_ERROR_LOG_BUFFER 5, its size 6, CU_JIT_LOG_VERBOSE 12
        keys = (ctypes.c_int * 5)(3, 4, 5, 6, 12)
        values = (ctypes.c_void_p * 5)(ctypes.addressof(info), 1 << 14, ctypes.addressof(error), 1 << 14, 1)
        module, self.fn = ctypes.c_void_p(), ctypes.c_void_p()
        start = time.perf_counter()
        code = CU.cuModuleLoadDataEx(ctypes.byref(module), text, 5, keys, values)
        if code:
            raise RuntimeError(f"{e['name']}: {error.value.decode()}")
        check(CU.cuModuleGetFunction(ctypes.byref(self.fn), module, e["entry"].encode()), "function")
        self.load_ms = 1e3 * (time.perf_counter() - start)
        self.log = info.value.decode()
        if e["shared"] > 48 * 1024:  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES 8
            check(CU.cuFuncSetAttribute(self.fn, 8, e["shared"]), "shared memory")
        get = lambda n: (v := ctypes.c_int(), check(CU.cuFuncGetAttribute(ctypes.byref(v), n, self.fn), "attribute"))[0].value
        self.registers, self.spill = get(4), get(3)
        self.report = torch.zeros(max(1, e["sites"]) * 64, dtype=torch.uint8, device=DEV)
        self.prints = torch.zeros(1024, dtype=torch.uint8, device=DEV)
        self.many = None  # the same for more programs than multiprocessors

    def bind(self, grid, **args):
        multiprocessors = torch.cuda.get_device_properties(DEV).multi_processor_count
        if self.many and math.prod(grid[1:]) == 1 and grid[0] > multiprocessors:
            return self.many.bind(grid, **args)
        slots = []
        for p in self.e["params"]:
            a = args.get(p.get("arg"))
            if p["kind"] == "tensor":
                slots.append(tensor_map(a, **p["tensor"])); continue
            value = {"pitch": lambda: p["tensor"].get("pitch") or pitch(a), "base": lambda: a.data_ptr(), "first": lambda: 0, "count": lambda: a.untyped_storage().nbytes() // a.element_size(),
                     "value": lambda: a, "report": self.report.data_ptr, "prints": self.prints.data_ptr, "budget": lambda: 1 << 40, "programs": lambda: grid[0]}[p["kind"]]()
            slots.append(ctypes.c_float(value) if isinstance(value, float) else ctypes.c_int64(value))
        slots = [(ctypes.c_int64 * 1)(ctypes.c_uint32.from_buffer_copy(s).value) if isinstance(s, ctypes.c_float) else s for s in slots]
        pointers = (ctypes.c_void_p * len(slots))(*[s[1] if isinstance(s, tuple) else ctypes.addressof(s) for s in slots])
        if self.e.get("persistent"):
            grid = (min(grid[0], multiprocessors),)
        grid = tuple(grid) + (1,) * (3 - len(grid))
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        fn, threads, shared = self.fn, self.e["threads"], self.e["shared"]

        def launch(_keep=(slots, args)):
            check(CU.cuLaunchKernel(fn, *grid, threads, 1, 1, shared, stream, pointers, None), "launch")
        return launch

    def faults(self):
        return int((self.report.view(torch.int32)[::16] != 0).sum())


def in_turns(launches, rounds=5):
    """The median, quartiles and least of each launch's times in milliseconds, timed in turns: rounds in which each has its
    turn, another one first in each round."""
    samples, names = {name: [] for name in launches}, list(launches)
    for i in range(rounds):
        at = i % max(1, len(names))
        for name in names[at:] + names[:at]:
            samples[name] += do_bench(launches[name], warmup=3, rep=20, return_mode="all")
    return {name: spread(x) for name, x in samples.items()}


def spread(samples):
    q = statistics.quantiles(samples, n=4)
    return dict(ms=q[1], q1=q[0], q3=q[2], min=min(samples), n=len(samples))


def quartiles(f, **reps):
    """The median, quartiles and least of f's times in milliseconds, the L2 cache flushed before each."""
    return spread(do_bench(f, return_mode="all", **reps))

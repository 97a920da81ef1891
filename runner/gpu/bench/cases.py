# The jobs of a file's CASES: newt's interpreter runs this behind such a file, and beside_cases.py imports it.
#
# A case is a kernel at one size, a dict of
#   name, size  words for the table
#   kernel      a function under triton.jit
#   args        what it is called with, by parameter, but for what a config gives: numbers, True, False, None, dtypes of
#               tl, strings; a tensor is (dtype, shape) or (dtype, shape, fill), where fill is a number, "arange",
#               ("uniform", low, high) or ("integers", low, high), and else normally distributed
#   configs     dicts of constexprs, num_warps and num_stages, as in triton.Config: both sides choose from these
#   also        configs that newt alone is timed with, for the rank that its model gives them
#   grid        a tuple, or a function of a config
#   out         the parameters of the tensors that it writes
#   tolerance   of the relative error in the Euclidean norm; None: what the dtype allows
LAUNCH = {"num_warps": 4, "num_stages": 3}


def jobs(cases):
    """Every configuration of every case, as what newt compiles it for and how it is launched."""
    return [job(i, case, config) for i, case in enumerate(cases) for config in case["configs"] + case.get("also", [])]


def job(i, case, config):
    values = arguments(case, config)
    grid = case["grid"](config) if callable(case["grid"]) else case["grid"]
    params = case["kernel"].params
    return {"case": i, "kernel": case["kernel"].__name__, "label": case["name"], "size": case["size"],
            "config": {k: int(v) for k, v in config.items()} | options(config), "contest": config in case["configs"],
            "signature": ", ".join(p.name + "=" + typed(p, values[p.name]) for p in params),
            "grid": list(grid) + [1] * (3 - len(grid)), "values": {p.name: extent(values[p.name]) for p in params},
            "indices": {p.name: values[p.name][2] for p in params if is_index(values[p.name])}}


def options(config):
    return {k: config.get(k, v) for k, v in LAUNCH.items()}


def arguments(case, config):
    """The value of each parameter, tensors as the case has them."""
    given = case["args"] | {k: v for k, v in config.items() if k not in LAUNCH}
    return {p.name: given[p.name] if p.name in given else p.default for p in case["kernel"].params}


def is_tensor(v):
    return isinstance(v, tuple)


def is_index(v):
    """Whether v is a tensor of integers that are the same in every run."""
    return is_tensor(v) and len(v) == 3 and v[0] in ("i32", "i64") and not isinstance(v[2], tuple)


def elements(shape):
    n = 1
    for extent in shape:
        n *= extent
    return n


def extent(v):
    """The elements of a tensor, or the value of a number."""
    return elements(v[1]) if is_tensor(v) else v + 0 if isinstance(v, (int, float)) else 0  # True is 1


def typed(p, v):
    """An argument in the signature of Triton's ahead-of-time compiler, specialized as Triton does it."""
    if v is None:
        return "None"
    if p.is_constexpr:
        return constant(v)
    if is_tensor(v):
        return "*" + v[0] + ":16"
    if isinstance(v, bool):
        return "i1"
    if isinstance(v, float):
        return "fp32"
    hint = "" if p.do_not_specialize else ":1" if v == 1 else ":16" if v % 16 == 0 else ""
    return ("i32" if -2**31 <= v < 2**31 else "i64") + hint


def constant(v):
    if isinstance(v, str):
        return "'" + v + "'"
    return str(v) if isinstance(v, (bool, int, float)) else "tl." + str(v)

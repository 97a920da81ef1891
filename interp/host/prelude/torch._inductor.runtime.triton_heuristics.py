import triton


def start_graph():
    pass


def end_graph(*args, **kwargs):
    pass


class CachingAutotuner:
    """A kernel of torch.compile's with the sizes of its blocks. torch tries several; these are one of them, by the
    extents that the kernel was written for."""

    def __init__(self, fn, blocks, warps, inductor_meta):
        self.fn, self.blocks, self.warps, self.meta = fn, blocks, warps, inductor_meta
        self.names = [name for name in fn.arg_names if name not in blocks]

    def run(self, *args, stream=None, grid=None, **options):
        bound = dict(zip(self.names, args))
        if grid is None:
            grid = _grid(self.meta, {**bound, **self.blocks})
        elif callable(grid):
            grid = grid(self.blocks)
        if 0 not in grid:
            self.fn[grid](**bound, **self.blocks, num_warps=self.warps)

    def __getitem__(self, grid):
        return lambda *args, **kwargs: self.run(*args, grid=grid, **kwargs)


def _grid(meta, values):
    "The programs of a kernel, by the kind of its grid."
    def programs(axis):
        return triton.cdiv(values[axis + "numel"], values.get(axis.upper() + "BLOCK", 1))

    kind = meta.get("grid_type")
    if kind == "Grid1D":
        return programs("x"), 1, 1
    if kind == "Grid2D":
        return programs("x"), programs("y"), 1
    if kind == "Grid3D":
        return programs("x"), programs("y"), programs("z")
    if kind == "Grid2DWithYZOverflow":  # a grid has at most 65535 programs along y and z
        y = programs("y")
        parts = triton.cdiv(y, 65535)
        return programs("x"), triton.cdiv(y, parts), parts
    if kind == "FixedGrid":
        return tuple(values[name] for name in meta["fixed_grid"])
    if kind == "PrecomputedGrid":
        for python in meta["precomputed_grids"]:
            if all(values.get(name) == v for name, v in python["config"].items()):
                return tuple(eval(text, {"__builtins__": {}}, dict(values)) for text in python["python"])
    raise NotImplementedError(f"newt has no grid of the kind {kind!r}")


def _heuristic(blocks_of):
    "The decorator of a kind of kernels: blocks_of gives the sizes of blocks for the extents in size_hints."
    def decorator(size_hints=None, *, triton_meta=None, inductor_meta=None, filename=None, min_elem_per_thread=0, **hints):
        def wrap(fn):
            extents = {axis: triton.next_power_of_2(max(1, n)) for axis, n in (size_hints or {}).items()}
            blocks, elements = blocks_of(extents)
            blocks = {name: n for name, n in blocks.items() if name in fn.arg_names}
            return CachingAutotuner(fn, blocks, min(max(elements // 256, 1), 8), inductor_meta or {})

        return wrap

    return decorator


def _pointwise(extents):
    most = {1: [1024], 2: [32, 32], 3: [16, 16, 16]}[len(extents)]
    blocks, elements = {}, 1
    for (axis, n), top in zip(extents.items(), most):
        blocks[axis.upper() + "BLOCK"] = min(n, top)
        elements *= min(n, top)
    return blocks, elements


def _reduced(most):
    "Of the extents, those of r0_ and r1_ are reduced, in blocks of at most so many elements together."
    def blocks_of(extents):
        blocks, elements = {}, 1
        for inner, room in (True, most), (False, 1024):
            for axis, n in extents.items():
                if axis.startswith("r") == inner:
                    block = min(n, max(1, room // elements))
                    blocks[axis.upper() + "BLOCK"] = block
                    elements *= block
        return blocks, elements

    return blocks_of


# The block of a persistent reduction is all that is reduced.
pointwise, reduction, persistent_reduction = map(_heuristic, (_pointwise, _reduced(2048), _reduced(1 << 30)))


def template(num_stages, num_warps, triton_meta=None, filename=None, inductor_meta=None, **hints):
    return lambda fn: CachingAutotuner(fn, {}, num_warps, inductor_meta or {})


def user_autotune(configs, triton_meta=None, filename=None, inductor_meta=None, **hints):
    "A kernel of the user's own: the first of its configs."
    config = configs[0]
    return lambda fn: CachingAutotuner(fn, dict(config["kwargs"]), config.get("num_warps", 4), inductor_meta or {})

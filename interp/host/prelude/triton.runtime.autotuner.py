"""triton.runtime.autotuner: kernels that choose values of their parameters themselves."""
import math
import time
from triton.errors import AutotunerError, CompileTimeAssertionFailure, OutOfResources
from triton.runtime.jit import KernelInterface
from triton.testing import _quantiles

_options = "num_warps", "num_ctas", "num_stages", "maxnreg", "ir_override"  # in the order of all_kwargs
# What Triton's autotuner passes over: a config needs more than the GPU has, or a static assertion refuses it.
_passed_over = OutOfResources, CompileTimeAssertionFailure


class Config:
    "Values for some of a kernel's parameters, and options of its launch."

    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None, ir_override=None):
        self.kwargs, self.num_warps, self.num_stages, self.num_ctas = kwargs, num_warps, num_stages, num_ctas
        self.maxnreg, self.pre_hook, self.ir_override = maxnreg, pre_hook, ir_override

    def all_kwargs(self):
        options = {name: getattr(self, name) for name in _options}
        return {**self.kwargs, **{name: v for name, v in options.items() if v is not None}}

    def __str__(self):
        options = {name: getattr(self, name) for name in _options[:4]}
        return ", ".join(f"{name}: {v}" for name, v in {**self.kwargs, **options}.items())

    def __eq__(self, other):
        return (type(self) is type(other) and self.all_kwargs() == other.all_kwargs()
                and self.pre_hook is other.pre_hook)

    def __hash__(self):
        return hash((*self.all_kwargs().items(), self.pre_hook))


class _Wrapper(KernelInterface):
    "A kernel with arguments that are chosen for it."

    def __init__(self, fn, arg_names):
        self.fn, self.arg_names = fn, arg_names
        kernel = fn
        while hasattr(kernel.fn, "fn"):
            kernel = kernel.fn
        self.base_fn, self.__wrapped__ = kernel.fn, kernel

    def __getattr__(self, name):
        if name in ("__name__", "__qualname__", "src", "raw_src", "params", "constexprs"):
            return getattr(self.__wrapped__, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)


class Heuristics(_Wrapper):
    "Each of values is a function of a launch's arguments by name."

    def __init__(self, fn, arg_names, values):
        super().__init__(fn, arg_names)
        self.values = values

    def run(self, *args, **kwargs):
        for name, value in self.values.items():
            kwargs[name] = value({**dict(zip(self.arg_names, args)), **kwargs})
        return self.fn.run(*args, **kwargs)


def heuristics(values):
    def decorator(fn):
        return Heuristics(fn, fn.arg_names, values)

    return decorator


class Autotuner(_Wrapper):
    "For each key it times every config once, and keeps the fastest."

    def __init__(self, fn, arg_names, configs, key, reset_to_zero, restore_value, pre_hook=None, post_hook=None,
                 prune_configs_by=None, warmup=None, rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):
        super().__init__(fn, arg_names)
        self.configs, self.keys, self.cache = configs or [Config({})], key, {}
        self.reset_to_zero, self.restore_value = reset_to_zero or [], restore_value or []
        self.user_defined_pre_hook, self.user_defined_post_hook = pre_hook, post_hook
        pruning = prune_configs_by or {}
        self.early_config_prune, self.perf_model = pruning.get("early_config_prune"), pruning.get("perf_model")
        self.configs_top_k = pruning.get("top_k", 1.0)
        self.num_warmups, self.num_reps, self.do_bench = warmup, rep, do_bench
        self._ranked = []  # the configs as a model has put them for the first key, where none is timed

    def run(self, *args, warmup=False, **kwargs):
        nargs, kwargs = dict(zip(self.arg_names, args)), {**kwargs, "warmup": warmup}
        if warmup:
            return [self.fn.run(*args, **self._with(kwargs, config)) for config in self._pruned(nargs, kwargs)]
        self.best_config, launch = self.configs[0], self.fn.run
        if len(self.configs) > 1:
            given = {**nargs, **kwargs}
            key = tuple([given[name] for name in self.keys if name in given] +
                        [str(v.dtype) for v in given.values() if hasattr(v, "dtype")])
            if key not in self.cache:
                self.cache[key] = self._fastest(args, nargs, kwargs, key)
                launch = self._first
            self.best_config = self.cache[key]
        kwargs = self._with(kwargs, self.best_config)
        if self.best_config.pre_hook is not None:
            self.best_config.pre_hook({**nargs, **kwargs})
        return launch(*args, **kwargs)

    def _first(self, *args, **kwargs):
        "The launch after the configs were timed."
        return _first(lambda: self.fn.run(*args, **kwargs), self)

    def _with(self, kwargs, config):
        "The keywords of a launch with a config's values."
        if conflicts := config.kwargs.keys() & kwargs.keys():
            raise ValueError(f"Conflicting meta-parameters: {', '.join(conflicts)}."
                             " Make sure that you don't re-define auto-tuned symbols.")
        return {**kwargs, **config.all_kwargs()}

    def _pruned(self, nargs, kwargs):
        "The configs to time: those that early_config_prune leaves, and of these the top_k of perf_model."
        configs, top = self.configs, self.configs_top_k
        if self.early_config_prune:
            configs = self.early_config_prune(configs, nargs, **kwargs)
            if not configs:
                raise AutotunerError("No valid autotuner configs after pruning. `early_config_prune` should return at"
                                     " least one config.")
        if not self.perf_model:
            return configs
        if isinstance(top, float) and top <= 1:
            top = max(1, int(len(configs) * top))
        elif not isinstance(top, int):
            raise TypeError("Error while pruning configs, top_k must be either 1) a float <= 1.0 or 2) an int")
        if len(configs) <= top:
            return configs
        return sorted(configs, key=lambda c: self.perf_model(**nargs, **self._with(kwargs, c)))[:max(top, 0)]

    def _fastest(self, args, nargs, kwargs, key):
        name, verbose, configs = self.base_fn.__name__, _prints(), self._pruned(nargs, kwargs)
        watched = self.do_bench is not None or self.user_defined_post_hook is not None or verbose

        def estimated(config, make):
            with_config = self._with(kwargs, config)
            if config.pre_hook is not None:
                config.pre_hook({**nargs, **with_config})
            make(lambda: self.fn.run(*args, **with_config))

        timed = _promising(self, name, key, configs, estimated, watched)
        if len(timed) == 1:
            # Nothing is measured: no minimum or sort moves another config before the one that is used.
            self.configs_timings = {config: [math.nan] * 3 for config in timed + configs}
            self._before({**nargs, **self._with(kwargs, timed[0])}, reset_only=True)
            return timed[0]
        began, self.configs_timings = time.perf_counter(), {}
        best = timed[0]
        for i, config in enumerate(timed):
            if verbose:
                print(f"Autotuning kernel {name} with config {config}")
            took = self.configs_timings[config] = self._bench(args, nargs, self._with(kwargs, config), config, verbose)
            if took < self.configs_timings[best]:
                best = config  # the first of several that are as fast
            _measured(name, str(config), i + 1, len(timed), took, str(best))
        self.bench_time = time.perf_counter() - began
        self._before({**nargs, **self._with(kwargs, best)}, reset_only=True)
        if verbose:
            print(f"Triton autotuning for function {name},\nwith key as {key},\nfinished after {self.bench_time:.2f}s,\n"
                  f"best config selected: {best};")
        return best

    def _bench(self, args, nargs, kwargs, config, verbose):
        "How long a launch takes: the median and the 20th and 80th percentiles in milliseconds."
        named = {**nargs, **kwargs}

        def kernel_call(make=_tuning):
            "make makes the launch, and may measure it before the tensors are restored."
            if config.pre_hook is not None:
                config.pre_hook(named)
            saved = self._before(named)
            try:
                make(lambda: self.fn.run(*args, **kwargs))
            except Exception as e:
                self._after(named, saved, e)
                raise
            self._after(named, saved, None)

        try:
            if self.do_bench is not None:
                return self.do_bench(kernel_call, quantiles=(0.5, 0.2, 0.8))
            return _quantiles(_benchmark(kernel_call, self.num_warmups, self.num_reps), (0.5, 0.2, 0.8))
        except _passed_over as e:
            if verbose:
                print(f"Autotuning failed with {e}")
            return [math.inf] * 3

    def _before(self, named, reset_only=False):
        "Runs pre_hook, or zeroes and saves the tensors that are named for that. It gives the saved ones with their copies."
        if self.user_defined_pre_hook is not None:
            self.user_defined_pre_hook(named, **({"reset_only": True} if reset_only else {}))
            return []
        for name in self.reset_to_zero:
            named[name].zero_()
        return [] if reset_only else [(named[name], named[name].clone()) for name in self.restore_value]

    def _after(self, named, saved, exception):
        if self.user_defined_post_hook is not None:
            self.user_defined_post_hook(named, exception=exception)
            return
        for tensor, before in saved:
            tensor.copy_(before)


def autotune(configs, key, prune_configs_by=None, reset_to_zero=None, restore_value=None, pre_hook=None, post_hook=None,
             warmup=None, rep=None, use_cuda_graph=False, do_bench=None, cache_results=False):
    place = _place()

    def decorator(fn):
        tuner = Autotuner(fn, fn.arg_names, configs, key, reset_to_zero, restore_value, pre_hook, post_hook,
                          prune_configs_by, warmup, rep, use_cuda_graph, do_bench, cache_results)
        tuner._place = place
        return tuner

    return decorator

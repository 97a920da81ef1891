import torch as _torch


def _doubles(v):
    return (v if isinstance(v, _torch.Tensor) else _torch.tensor(v)).detach().cpu().double()


def assert_close(x, y, atol=None, rtol=None, err_msg=""):
    "NumPy's comparison and its words."
    x, y = _doubles(x), _doubles(y)
    atol, rtol = 0.01 if atol is None else atol, 0.0 if rtol is None else rtol
    atol, rtol = (tolerance(x.dtype) if callable(tolerance) else tolerance for tolerance in (atol, rtol))
    words = f"\nNot equal to tolerance rtol={rtol:g}, atol={atol:g}\n{err_msg}\n"
    if x.shape != y.shape and x.numel() > 1 and y.numel() > 1:
        raise AssertionError(f"{words}(shapes {tuple(x.shape)}, {tuple(y.shape)} mismatch)")
    near = _torch.isclose(x, y, atol=atol, rtol=rtol, equal_nan=True)
    if near.all():
        return
    if x.numel() <= 1 and y.numel() <= 1:
        raise AssertionError(f"{err_msg} {x.item()} is not close to {y.item()} (atol={atol}, rtol={rtol})")
    total, difference = near.numel(), (x - y).abs()
    bad = total - near.sum().item()
    raise AssertionError(f"{words}Mismatched elements: {bad} / {total} ({100 * bad / total:.3g}%)\n"
                         f"Max absolute difference among violations: {difference.max().item():g}\n"
                         f"Max relative difference among violations: {(difference / y.abs()).max().item():g}")


import math
import torch
import triton.runtime.driver as _driver


def _quantiles(samples, at):
    "Quantiles of samples, interpolated linearly."
    samples, out = sorted(samples), []
    for q in at:
        if not 0 <= q <= 1:
            raise ValueError("Quantiles must be in the range [0, 1]")
        point = q * (len(samples) - 1)
        low, high = math.floor(point), math.ceil(point)
        t = point - low
        out.append((1 - t) * samples[low] + t * samples[high])
    return out


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    assert return_mode in ["min", "max", "mean", "median", "all"]

    def call():
        for x in grad_to_none or ():
            x.grad = None
        fn()

    samples = _samples(call, warmup, rep)
    if quantiles is not None:
        values = _quantiles(samples, quantiles)
        return values[0] if len(values) == 1 else values
    if return_mode == "all":
        return samples
    if return_mode == "median":
        return _quantiles(samples, [0.5])[0]
    return sum(samples) / len(samples) if return_mode == "mean" else {"min": min, "max": max}[return_mode](samples)


def do_bench_cudagraph(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    return do_bench(fn, None, rep, grad_to_none, quantiles, return_mode)


def get_dram_gbps(device=None):
    "The most that the memory carries: two transfers a cycle."
    properties = _driver.active.utils.get_device_properties(device)
    return properties["mem_clock_rate"] * properties["mem_bus_width"] * 2 / 1e6 / 8


# The operations of one quarter of a multiprocessor in a cycle: of tensor cores, and of ordinary arithmetic.
_tensorcore = {"torch.float32": 256, "torch.int32": 256, "torch.float16": 512, "torch.bfloat16": 512, "torch.int16": 512,
               "torch.int8": 1024, "fp8e4nv": 1024, "fp8e4b15": 1024, "fp8e5": 1024}
_simd = {"torch.float32": 32, "torch.float16": 64, "torch.bfloat16": 64}


def _peak(each, dtype, clock_rate):
    if str(dtype) not in each:
        raise RuntimeError("dtype not supported")
    quarters = _driver.active.utils.get_device_properties()["multiprocessor_count"] * 4
    return quarters * clock_rate * each[str(dtype)] * 1e-9


def get_max_tensorcore_tflops(dtype, clock_rate, device=None):
    "clock_rate is in kHz."
    return _peak(_tensorcore, dtype, clock_rate)


def get_max_simd_tflops(dtype, clock_rate, device=None):
    return _peak(_simd, dtype, clock_rate)


class Benchmark:
    "Which arguments a function is to be measured with, and how to draw that."

    def __init__(self, x_names, x_vals, line_arg, line_vals, line_names, plot_name, args, xlabel="", ylabel="",
                 x_log=False, y_log=False, styles=None):
        self.x_names, self.x_vals = x_names, x_vals
        self.line_arg, self.line_vals, self.line_names, self.styles = line_arg, line_vals, line_names, styles
        self.plot_name, self.args = plot_name, args
        self.xlabel, self.ylabel, self.x_log, self.y_log = xlabel, ylabel, x_log, y_log


class Mark:
    "A function under perf_report; benchmarks is a Benchmark or a list of them."

    def __init__(self, fn, benchmarks):
        self.fn, self.benchmarks = fn, benchmarks

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, *, diff_col=False,
            save_precision=6, **kwargs):
        single = isinstance(self.benchmarks, Benchmark)
        tables = []
        for b in [self.benchmarks] if single else self.benchmarks:
            table = self._measure(b, kwargs)
            _report(b, table, show_plots, save_path)
            shown = table.iloc[:, :len(b.x_names) + len(b.line_names)]
            if diff_col and shown.shape[1] == 2:
                first, second = shown.columns
                shown["Diff"] = shown[second] - shown[first]
            if print_data:
                print(b.plot_name + ":")
                print(shown.to_string())
            if save_path:
                _write(f"{save_path}/{b.plot_name}.csv", shown.to_csv(index=False, float_format=f"%.{save_precision}f"))
            tables.append(shown)
        if return_df:
            return tables[0] if single else tables

    def _measure(self, b, kwargs):
        "The function's results for every x and every line: the means, then the least and the greatest values."
        import pandas

        # Triton has the unit in parentheses even where there is none.
        columns = [*b.x_names, *(name + suffix for suffix in (f" ({b.ylabel})", "-min", "-max")
                                 for name in b.line_names)]
        rows = []
        number, total, began = 0, len(b.x_vals) * len(b.line_vals), _now()
        for row, x in enumerate(b.x_vals):
            xs = list(x) if isinstance(x, (list, tuple)) else [x] * len(b.x_names)
            if len(xs) != len(b.x_names):
                raise ValueError(f"Expected {len(b.x_names)} values, got {x!r}")
            point, results = dict(zip(b.x_names, xs)), []
            for line, name in zip(b.line_vals, [*b.line_names, *[""] * len(b.line_vals)]):
                number += 1
                # The table has whole rows: a point with a part of its lines is left out.
                if not _sweeping(b.plot_name, number, total, began, total - row * len(b.line_vals)):
                    return pandas.DataFrame(rows, columns=columns)
                try:
                    v = self.fn(**point, **{b.line_arg: line}, **b.args, **kwargs)
                except Exception as e:
                    # What is measured is kept where the next point is beyond newt; the larger ones would be as well.
                    if rows and _limited(b.plot_name, e, total, total - row * len(b.line_vals)):
                        return pandas.DataFrame(rows, columns=columns)
                    raise
                mean, low, high = v if isinstance(v, (list, tuple)) else (v, None, None)
                results.append((mean, low, high))
                words = [name] if name else []
                _measured(b.plot_name, ", ".join(words + [f"{k}={v!r}" for k, v in point.items()]), number, total,
                          mean[0] if isinstance(mean, (list, tuple)) else mean)
            rows.append(_row([*xs, *(v for column in zip(*results) for v in column)]))
        return pandas.DataFrame(rows, columns=columns)


def _row(values):
    "A row as pandas appends it: numbers are all floats where one of them is, or is missing."
    import numpy

    values = [v.item() if isinstance(v, (torch.Tensor, numpy.generic)) else v for v in values]
    numbers = all(v is None or isinstance(v, (int, float)) for v in values)
    if numbers and not all(isinstance(v, int) for v in values):
        return [math.nan if v is None else float(v) for v in values]
    return values


def perf_report(benchmarks):
    def wrapper(fn):
        return Mark(fn, benchmarks)

    return wrapper


def _report(b, table, show_plots, save_path):
    "Draws a line for each of line_names over the first of x_names, with a band where the function gives a spread."
    if not b.plot_name or not show_plots and not save_path:
        return
    from matplotlib.pyplot import Figure

    figure = Figure()
    figure.suptitle(b.plot_name)
    ax = figure.gca()
    columns = [table[name].tolist() for name in table]
    for i, name in enumerate(b.line_names):
        mean, low, high = (columns[len(b.x_names) + block * len(b.line_names) + i] for block in range(3))
        color, style = b.styles[i] if b.styles and i < len(b.styles) else (None, None)
        line = ax.plot(columns[0], mean, label=name, color=color, ls=style)[0]
        if not all(v is None or v != v for v in (*low, *high)):
            ax._band(line, list(low), list(high), 0.15)
    ax.legend()
    ax.set(xlabel=b.xlabel or b.x_names[0], ylabel=b.ylabel)
    for axis, log in (("x", b.x_log), ("y", b.y_log)):
        ax.set(**{axis + "scale": "log" if log else "linear"})
    if save_path:
        figure.savefig(f"{save_path}/{b.plot_name}.png")
    figure.show()

"""torch.utils.benchmark: timing statements and functions."""
import time


class Measurement:
    def __init__(self, number_per_run, raw_times, description):
        self.number_per_run, self.raw_times, self.description = number_per_run, raw_times, description

    @property
    def times(self):
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def mean(self):
        return sum(self.times) / len(self.times)

    @property
    def median(self):
        ordered = sorted(self.times)
        middle = len(ordered) // 2
        return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2

    @property
    def iqr(self):
        ordered = sorted(self.times)
        return ordered[(3 * len(ordered)) // 4 if len(ordered) > 1 else 0] - ordered[len(ordered) // 4]

    def __repr__(self):
        unit, factor = ("s", 1) if self.median >= 1 else ("ms", 1e3) if self.median >= 1e-3 else ("us", 1e6)
        runs = f"  {len(self.raw_times)} measurements, {self.number_per_run} runs per measurement, 1 thread"
        label = "Median: " if len(self.raw_times) > 1 else ""
        return f"<torch.utils.benchmark.utils.common.Measurement object at 0x7f0000000000>\n{self.description}\n  {label}{self.median * factor:.2f} {unit}\n{runs}"


class Timer:
    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=time.perf_counter, globals=None, label=None, sub_label=None, description=None, env=None, num_threads=1, language=None):
        self._globals = dict(globals or {})
        self._stmt, self._timer = stmt, timer
        self._description = label or (stmt if isinstance(stmt, str) else "stmt()")
        if setup != "pass":
            exec(setup, self._globals)

    def _run(self, number):
        begin = self._timer()
        for _ in range(number):
            exec(self._stmt, self._globals)
        return self._timer() - begin

    def timeit(self, number=1000000):
        self._run(max(number // 100, 2) if number > 2 else 1)
        return Measurement(number, [self._run(number)], self._description)

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        self._run(1)
        times, total = [], 0.0
        while total < min_run_time and len(times) < 100:
            times.append(self._run(1))
            total += times[-1]
        return Measurement(1, times, self._description)

    def adaptive_autorange(self, threshold=0.1, min_run_time=0.01, max_run_time=10.0, callback=None):
        return self.blocked_autorange(min_run_time=min_run_time)

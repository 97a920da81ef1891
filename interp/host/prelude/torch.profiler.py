"""torch.profiler, with newt's own times: operations of torch as long as this process took, launches as the device did."""
import enum
import functools
import json
import os

import torch
from torch.autograd import DeviceType

_ranges = None  # the ranges of record_function that have ended, as _stop gives events; None where nothing records


class ProfilerActivity(enum.Enum):
    CPU = 0
    XPU = 1
    CUDA = 2


class ProfilerAction(enum.Enum):
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities():
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0):
    """What to do at each step: wait, warm up, record; the last step that is recorded also hands its events on."""
    cycle = wait + warmup + active

    def action(step):
        step -= skip_first
        if step < 0 or repeat and step >= repeat * cycle:
            return ProfilerAction.NONE
        at = step % cycle
        if at < wait:
            return ProfilerAction.NONE
        if at < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if at < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


class record_function:
    """A named part of what is profiled: a block, or a function that it decorates."""

    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        self._began = _now()
        return self

    def __exit__(self, *exc_info):
        if _ranges is not None and len(_ranges) < 100_000:
            _ranges.append((self.name, False, self._began, _now() - self._began))
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)
        return wrapper


class FunctionEvent:
    """Events by one name, or a single one: how many, and their times in microseconds.

    On the CPU a range's own time is what its operations did not take; its time on the device is its launches'.
    """

    def __init__(self, key, device_type, start=0.0):
        self.key = self.name = key
        self.device_type, self.count, self.start = device_type, 0, start
        self.cpu_time_total = self.self_cpu_time_total = 0.0
        self.device_time_total = self.self_device_time_total = 0.0
        self.input_shapes, self.stack, self.flops = [], [], 0

    cuda_time_total = property(lambda self: self.device_time_total)
    self_cuda_time_total = property(lambda self: self.self_device_time_total)
    cpu_time = property(lambda self: self.cpu_time_total / self.count)
    device_time = property(lambda self: self.device_time_total / self.count)
    cuda_time = device_time
    cpu_time_str = property(lambda self: _time(self.cpu_time))

    def _add(self, cpu, self_cpu, device, self_device):
        self.count += 1
        self.cpu_time_total += cpu
        self.self_cpu_time_total += self_cpu
        self.device_time_total += device
        self.self_device_time_total += self_device

    def __repr__(self):
        return (f"<FunctionEventAvg key={self.key} self_cpu_time={_time(self.self_cpu_time_total / self.count)} "
                f"cpu_time={self.cpu_time_str}  self_cuda_time={_time(self.self_device_time_total / self.count)} "
                f"cuda_time={_time(self.device_time)} count={self.count}>")


def _time(us):
    return f"{us / 1e6:.3f}s" if us >= 1e6 else f"{us / 1e3:.3f}ms" if us >= 1e3 else f"{us:.3f}us"


def _nested(events):
    """A FunctionEvent for each event: its own times are without those of the events that it encloses."""
    out, open_events = [], []
    for name, on_device, began, took in sorted(events, key=lambda e: (e[2], -e[3])):
        while open_events and open_events[-1][1] < began + took:
            open_events.pop()
        event = FunctionEvent(name, DeviceType.CUDA if on_device else DeviceType.CPU, began)
        event._add(*(0.0, 0.0, took, took) if on_device else (took, took, 0.0, 0.0))
        if open_events:
            open_events[-1][0].self_cpu_time_total -= took
        if on_device:
            for outer, _ in open_events:
                outer.device_time_total += took
        out.append(event)
        open_events.append((event, began + took))
    return out


_COLUMNS = [("Self CPU", "self_cpu_time_total"), ("CPU total", "cpu_time_total"), ("CPU time avg", "cpu_time"),
            ("Self CUDA", "self_device_time_total"), ("CUDA total", "device_time_total"), ("CUDA time avg", "device_time")]


class EventList(list):
    """Events by name."""

    def total_average(self):
        out = FunctionEvent("Total", DeviceType.CPU)
        for e in self:
            out._add(e.self_cpu_time_total, e.self_cpu_time_total, e.self_device_time_total, e.self_device_time_total)
        return out

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
              max_shapes_column_width=80, header=None, top_level_events_only=False, time_unit=None):
        """The events as torch prints them, sorted by one of their times."""
        rows = list(self)
        if sort_by is not None:
            rows.sort(key=lambda e: getattr(e, sort_by.replace("cuda_", "device_")), reverse=True)
        total = self.total_average()
        columns = _COLUMNS if total.device_time_total else _COLUMNS[:3]
        width = min(max([len(e.key) for e in rows] + [4]) + 4, max_name_column_width)
        heads, cells = ["Name"], []
        for title, name in columns:
            heads += [title + " %", title] if name.startswith("self") else [title]
        for e in rows[:row_limit if row_limit >= 0 else None]:
            row = [e.key if len(e.key) <= width - 3 else e.key[:width - 6] + "..."]
            for _, name in columns:
                if name.startswith("self"):
                    whole = getattr(total, name)
                    row.append(f"{100 * getattr(e, name) / whole if whole else 0:.2f}%")
                row.append(_time(getattr(e, name)))
            cells.append(row + [str(e.count)])
        heads.append("# of Calls")
        widths = [width] + [max(12, len(h)) for h in heads[1:]]
        rule = "  ".join("-" * w for w in widths) + "  "
        lines = [rule, "  ".join(h.rjust(w) for h, w in zip(heads, widths)) + "  ", rule]
        lines += ["  ".join(c.rjust(w) for c, w in zip(row, widths)) + "  " for row in cells] + [rule]
        lines.append(f"Self CPU time total: {_time(total.self_cpu_time_total)}")
        if total.device_time_total:
            lines.append(f"Self CUDA time total: {_time(total.device_time_total)}")
        return "\n".join(([header] if header else []) + lines) + "\n"

    def __str__(self):
        return self.table()


class profile:
    """Records operations of torch, launches and the ranges of record_function; with a schedule, of some steps alone."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
                 with_stack=False, with_flops=False, with_modules=False, use_cuda=None, acc_events=False, **options):
        self._schedule, self._ready = schedule, on_trace_ready
        self.step_num, self._events = 0, []
        self.current_action = None

    def _act(self, action):
        global _ranges
        recording = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        before, self.current_action = self.current_action, action
        if before in recording and (action not in recording or before is ProfilerAction.RECORD_AND_SAVE):
            self._events = _nested(_stop() + _ranges)
            _ranges, before = None, None
            if self._ready is not None:
                self._ready(self)
        if action in recording and before not in recording:
            _start()
            _ranges = []

    def start(self):
        self._act(ProfilerAction.RECORD if self._schedule is None else self._schedule(self.step_num))

    def step(self):
        self.step_num += 1
        if self._schedule is not None:
            self._act(self._schedule(self.step_num))

    def stop(self):
        self._act(None)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc_info):
        self.stop()
        return False

    def events(self):
        return EventList(self._events)

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """The events by name, those on the CPU and those on the device apart."""
        by_key = {}
        for e in self._events:
            average = by_key.setdefault((e.key, e.device_type), FunctionEvent(e.key, e.device_type))
            average._add(e.cpu_time_total, e.self_cpu_time_total, e.device_time_total, e.self_device_time_total)
        return EventList(by_key.values())

    def export_chrome_trace(self, path):
        """Writes the events in Chrome's trace format, with times in microseconds."""
        if path.endswith(".gz"):
            raise NotImplementedError("newt writes no compressed traces: give export_chrome_trace a name ending in .json")
        rows = [{"ph": "X", "name": e.key, "ts": e.start, "dur": e.device_time_total if on_device else e.cpu_time_total,
                 "cat": "kernel" if on_device else "cpu_op", "pid": int(on_device), "tid": 0}
                for e in self._events for on_device in [e.device_type is DeviceType.CUDA]]
        with open(path, "w") as file:
            json.dump({"traceEvents": rows}, file)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        raise NotImplementedError("newt's profiler records no stacks: print key_averages().table()")

    def export_memory_timeline(self, path, device=None):
        raise NotImplementedError("newt's profiler records no memory: see torch.cuda.max_memory_allocated")

    def add_metadata(self, key, value):
        pass

    add_metadata_json = add_metadata


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """What writes each trace into a folder."""
    def handler(prof):
        os.makedirs(dir_name, exist_ok=True)
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker_name or 'newt'}.{prof.step_num}.pt.trace.json"))
    return handler

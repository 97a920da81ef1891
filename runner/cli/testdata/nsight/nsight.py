"""usage: nsight.py NEWT   Compares the counts of `newt run --lens` with those of Nsight Compute, as a Markdown table.

NEWT is newt with newt-cuda beside it, on a machine with an NVIDIA GPU of compute capability 9.0 and ncu on the PATH.
"""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent

# Columns: a heading, the (memory, access, count) of the lens whose sum it is, and the counters whose sum it is.
COLUMNS = [
    # Nsight Compute counts asynchronous copies among the loads.
    ("load requests", [("global", "load", "requests"), ("global", "async copy", "requests")],
     ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]),
    ("load sectors", [("global", "load", "units"), ("global", "async copy", "units")],
     ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]),
    ("store requests", [("global", "store", "requests")], ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"]),
    ("store sectors", [("global", "store", "units")], ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]),
    ("atomic requests", [("global", "atomic", "requests")],
     ["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"]),
    ("atomic sectors", [("global", "atomic", "units")],
     ["l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"]),
    ("shared load wavefronts", [("shared", "load", "units")],
     ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]),
    ("shared load conflicts", [("shared", "load", "excess")],
     ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"]),
    ("shared store wavefronts", [("shared", "store", "units")],
     ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]),
    ("shared store conflicts", [("shared", "store", "excess")],
     ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"]),
]
# For which the lens has no equal: printed for comparison alone.
CONTEXT = ["smsp__inst_executed.sum", "launch__registers_per_thread", "launch__occupancy_limit_registers",
           "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps", "launch__occupancy_limit_blocks",
           "smsp__inst_executed_pipe_tensor.sum"]


def modelled(newt):
    """The kernels' labels, and of each the report of its only launch."""
    command = [newt, "run", "--lens", "--json", HERE / "kernels.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    decoder, text, reports = json.JSONDecoder(), done.stderr.lstrip(), []
    while text:
        reports, end = decoder.raw_decode(text)
        text = text[end:].lstrip()
    return done.stdout.split("\n")[:-1], reports


# What runs in the place of newt-cuda: Nsight Compute with it, in a session of its own, since newt ends the worker's
# process group soon after the last launch, while Nsight Compute still writes.
WORKER = """#!/bin/sh
exec setsid --wait sh -c 'ncu --csv --log-file {folder}/log --print-units base --clock-control none \\
    --metrics {metrics} {worker} "$@"; touch {folder}/done' newt-cuda "$@"
"""


def measured(newt):
    """Of each launch its counters by name."""
    wanted = [name for _, _, names in COLUMNS for name in names] + CONTEXT
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(newt, f"{folder}/newt")
        worker = pathlib.Path(newt).resolve().parent / "newt-cuda"
        script = pathlib.Path(folder, "newt-cuda")
        script.write_text(WORKER.format(folder=folder, worker=worker, metrics=",".join(wanted)))
        script.chmod(0o755)
        done = subprocess.run([f"{folder}/newt", "run", "--device", "cuda:0", HERE / "kernels.py"],
                              capture_output=True, text=True)
        for _ in range(100):
            if pathlib.Path(folder, "done").exists():
                break
            time.sleep(0.2)
        log = pathlib.Path(folder, "log")
        text = log.read_text() if log.exists() else ""
    lines = [line for line in text.split("\n") if line.startswith('"')]
    if not lines:
        sys.exit(done.stdout + done.stderr + text)
    launches = {}
    for row in csv.DictReader(lines):
        value = row["Metric Value"].replace(",", "")
        # newt-cuda launches a kernel of its own, idle, when it starts.
        if value.replace(".", "").isdigit() and row["Kernel Name"] != "idle":
            launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = float(value)
    return [launches[i] for i in sorted(launches)]


def count(report, memory, access, what):
    """A count of the lens, over all lines."""
    total = 0
    for line in report["lines"]:
        for t in line.get("memory", []):
            if (t["memory"], t["access"]) == (memory, access):
                total += t["units"] - t["ideal"] if what == "excess" else t[what]
    return total


def main(newt):
    labels, reports = modelled(newt)
    launches = measured(newt)
    if not len(labels) == len(reports) == len(launches):
        sys.exit(f"{len(labels)} labels, {len(reports)} reports, {len(launches)} launches")
    print("| kernel | counter | lens | Nsight Compute | error |\n|---|---|--:|--:|--:|")
    for label, report, counters in zip(labels, reports, launches):
        for heading, parts, names in COLUMNS:
            model = sum(count(report, *part) for part in parts)
            if not all(name in counters for name in names):
                if model:
                    print(f"| {label} | {heading} | {model} | not available | |")
                continue
            real = sum(int(counters[name]) for name in names)
            if model or real:
                error = f"{(model - real) / real:+.1%}" if real else "-"
                print(f"| {label} | {heading} | {model} | {real} | {error} |")
        executed = sum(report["instructions"].values())
        print(f"<!-- {label}: PTX instructions {executed}, occupancy {report['occupancy']}, "
              f"{ {name: counters.get(name) for name in CONTEXT} } -->")


main(sys.argv[1])

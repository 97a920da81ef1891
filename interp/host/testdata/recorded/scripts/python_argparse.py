import argparse
import sys

parser = argparse.ArgumentParser(prog="bench", description="Benchmark a kernel.")
parser.add_argument("kernel", nargs="?", default="add", help="kernel to run")
parser.add_argument("-n", "--size", type=int, default=1024, metavar="N", help="size (default: %(default)s)")
parser.add_argument("--dtype", choices=["fp16", "fp32"], default="fp32")
parser.add_argument("--blocks", nargs="+", type=int, default=[64, 128])
parser.add_argument("--check", action="store_true", help="compare with torch")
parser.add_argument("--no-warmup", dest="warmup", action="store_false")
print(parser.parse_args([]))
args = parser.parse_args(["matmul", "-n", "64", "--dtype=fp16", "--blocks", "1", "2", "--check", "--no-warmup"])
print(args, args.size, vars(args)["kernel"])
known, rest = parser.parse_known_args(["--other", "3"])
print(known.check, rest)
print(parser.format_usage())
parser.print_help()
for bad in (["--size", "x"], ["--dtype", "int8"], ["--nope"]):
    sys.stderr = sys.stdout
    try:
        parser.parse_args(bad)
    except SystemExit as e:
        print("exit", e.code)
    sys.stderr = sys.__stderr__

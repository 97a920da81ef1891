import io, os, sys, contextlib, argparse, inspect
from pathlib import Path

with open("new.txt", "w") as f:
    print("one", file=f)
    f.write("two\nthree")
with open("new.txt") as f:
    print(f.readline(), f.read(), f.closed)
print(f.closed, [line.strip() for line in open("new.txt")], open("new.txt").readlines())
with open("new.txt", "a") as f:
    f.write("!")
print(Path("new.txt").read_text(), os.path.exists("new.txt"), os.path.isfile("none"), os.path.getsize("new.txt"))
os.remove("new.txt")
try:
    open("new.txt")
except FileNotFoundError as e:
    print(e)
s = io.StringIO("a\nb")
print(s.read(1), list(s), s.getvalue())
out = io.StringIO()
with contextlib.redirect_stdout(out):
    print("hidden", 1)
print(repr(out.getvalue()))
with contextlib.suppress(KeyError, ValueError):
    {}["x"]
with contextlib.nullcontext(5) as five, contextlib.ExitStack() as stack:
    stack.callback(print, "left")
    print(five)

@contextlib.contextmanager
def tag(name):
    print("<" + name)
    yield name
    print(name + ">")

with tag("a") as t:
    print(t)

p = os.path
print(p.join("a", "b", "/c", "d"), p.basename("a/b.txt"), p.dirname("a/b.txt"), p.split("a//b"), p.splitext("a.b/.c"), p.splitext("x.tar.gz"))
q = Path("a/b") / "c.txt"
print(q, repr(q), q.name, q.stem, q.suffix, q.parent, q.parts, q.with_suffix(".py"), q.exists(), Path("x") == Path("./x"))
print(os.getenv("NOPE_NOT_SET", "d"), os.environ.get("NOPE_NOT_SET"), sys.maxsize, sys.platform, sys.byteorder)
sys.stdout.write("written\n")

parser = argparse.ArgumentParser(prog="prog", description="What it does.")
parser.add_argument("size", type=int, help="the size")
parser.add_argument("rest", nargs="*")
parser.add_argument("--block", "-b", type=int, default=128, help="block size (default: %(default)s)")
parser.add_argument("--mode", choices=["fast", "slow"], default="fast")
parser.add_argument("--verbose", "-v", action="store_true")
parser.add_argument("--shape", type=int, nargs="+")
parser.add_argument("--tag", action="append")
print(parser.parse_args(["7"]))
print(parser.parse_args(["7", "x", "-b", "64", "--mode=slow", "-v", "--shape", "1", "2", "--tag", "a", "--tag", "b"]))
print(parser.format_help())
for bad in ([], ["x"], ["1", "--mode", "no"], ["1", "--nope"], ["1", "--block"]):
    with contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            parser.parse_args(bad)
        except SystemExit as e:
            print("exit", e.code)
    print(err.getvalue().splitlines()[-1])

def f(a, b: int = 2, *args, c: str = "x", **kw) -> float:
    pass

sig = inspect.signature(f)
print(sig, list(sig.parameters), sig.parameters["b"].default, sig.parameters["b"].annotation, sig.return_annotation)
print(inspect.isfunction(f), inspect.isclass(f), inspect.signature(lambda x, /, y, *, z=1: x))

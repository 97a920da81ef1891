import io
import os
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "data.txt"
    path.write_text("one\ntwo\nthree\n")
    print(path.name, path.suffix, path.stem, path.exists(), path.read_text().splitlines())
    with open(path) as f:
        for number, line in enumerate(f, 1):
            print(number, line.rstrip())
    with open(path, "a") as f:
        print("four", file=f)
        f.write("five\n")
    with path.open() as f:
        print(f.readline().strip(), f.read().count("\n"))
    print(os.path.basename(path), os.path.splitext("a/b.tar.gz"), os.path.join("a", "b"), sorted(p.name for p in Path(folder).iterdir()))
buffer = io.StringIO()
print("into the buffer", 1, file=buffer)
print(repr(buffer.getvalue()), Path("a/b/../c.txt").parts, Path("x") / "y" / "z.py", Path("/tmp/f.py").parent)
print(os.environ.get("NO_SUCH_VARIABLE", "unset"), "PATH" in os.environ, len(sys.argv), sys.version_info >= (3, 8), __name__)
os.environ["MINE"] = "1"
print(os.environ["MINE"], os.getenv("MINE") == "1")
try:
    open("no_such_file.txt")
except FileNotFoundError as e:
    print(e)
sys.stdout.write("written\n")
print("flushed", flush=True)
print(io.BytesIO(b"abc").read(2), io.StringIO("a\nb").readlines())

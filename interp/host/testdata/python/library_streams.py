import io, sys
s = io.StringIO("hello\nwörld\n")
s.seek(5); s.write("z"); print(repr(s.getvalue()))
b = io.BytesIO(b"a\nbc\nd"); print(b.read(1), b.readline(), b.readlines(), b.getvalue(), b.seek(-2, 2), b.read(), b.seek(1), b.write(b"ZZ"), b.getvalue(), bytes(b.getbuffer()))
b.seek(10); b.write(b"q"); print(b.getvalue())
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print("x", file=s, end=""); print(s.getvalue()[-1]); print("to stdout", file=sys.stdout); sys.stdout.write("w\n")
class T(io.StringIO): pass

# strftime's conversions, and hashlib's objects.
import hashlib
import time

for seconds in (0, 86399, 951782400, 1700000000.5, 4102444799):
    t = time.gmtime(seconds)
    print(*[time.strftime(f, t) for f in ("%Y-%m-%d %H:%M:%S", "%y %e %I %p %j %a %A %b %B %w %u %%", "%F %T %R %D", "%c|%x|%X", "100%", "%Hx%", "")], sep=" | ")
    print(t[:9], time.asctime(t), time.mktime(time.struct_time((*t[:8], 0))) is not None)
for f in (lambda: time.mktime((1, 2)), lambda: time.gmtime(1e30), lambda: time.strftime("%Y", (2024, 2, 29, 1, 2, 3, 0, 0, 0))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)

h = hashlib.sha256(b"a")
g = h.copy()
g.update(bytearray(b"bc"))
print(h.hexdigest()[:16], g.hexdigest()[:16], g.digest()[:4], h.name, h.digest_size, h.block_size, type(h).__name__)
print(hashlib.new("MD5", b"x").hexdigest(), hashlib.md5(usedforsecurity=False).hexdigest(), "sha1" in hashlib.algorithms_available)
for f in (lambda: hashlib.new("none"), lambda: hashlib.md5("a"), lambda: h.update(3)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e)[:40])

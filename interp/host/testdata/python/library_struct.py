import struct
for f, v in [("<i", (5,)), (">hq", (-2, 1<<40)), ("@bi", (1, 2)), ("4s", (b"ab",)), ("5p", (b"abcdefg",)), ("?", (2,)), ("<e", (1.5,)), ("<fd", (0.1, 0.2)), ("3B", (1,2,255)), ("c", (b"x",)), ("2x1h", (3,)), ("Q", (2**64-1,)), ("", ()), ("b i", (1, 2)), ("0i", ())]:
    p = struct.pack(f, *v); print(f, p, struct.unpack(f, p), struct.calcsize(f))
for f, v in [("B", (256,)), ("i", ("x",)), ("f", ("x",)), ("z", (1,)), ("3", ()), ("i", ()), ("s", ("a",)), ("c", (b"",)), ("<n", (1,)), ("h", (1.5,)), ("b", (-129,))]:
    try: print(struct.pack(f, *v))
    except Exception as e: print(f, type(e).__name__, e)
b = bytearray(8); struct.pack_into("<i", b, 2, 7); print(b, struct.unpack_from("<i", b, 2), list(struct.iter_unpack("<h", b)))
s = struct.Struct("<ih"); print(s.size, s.format, s.unpack(s.pack(1, 2)), s.unpack_from(bytes(10), offset=2))
for t in [lambda: struct.unpack("i", b"a"), lambda: struct.unpack_from("i", b"abcd", 1), lambda: struct.iter_unpack("i", b"abc"), lambda: struct.unpack("i", 5), lambda: struct.pack_into("i", bytearray(2), 0, 1)]:
    try: print(t())
    except Exception as e: print(type(e).__name__, e)
print(struct.error, struct.unpack("<f", struct.pack("<f", float("inf"))), struct.pack(b"<i", True))

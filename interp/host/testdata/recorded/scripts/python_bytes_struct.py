import struct

b = b"hello\x00\xff"
print(b, b[0], b[1:3], len(b), b.hex(), bytes([65, 66]), bytes(3), bytearray(b"ab"), b"a" + b"b", b"l" in b, b.find(b"lo"))
ba = bytearray(b"abc")
ba[0] = 90
ba.append(33)
print(ba, ba.decode(), list(ba), memoryview(b"xyz")[1])
print(struct.pack("<If", 1, 0.5), struct.unpack("<If", struct.pack("<If", 7, 1.5)), struct.calcsize("=ihb"), struct.pack(">H", 258))
print(struct.unpack("<f", bytes.fromhex("0000c03f")), int.from_bytes(struct.pack("<f", 1.0), "little"), hex(struct.unpack("<I", struct.pack("<f", -2.0))[0]))
print(b"a,b".split(b","), b"abc".upper(), b" x ".strip(), "héllo".encode("utf-8"), "abc".encode("ascii"), b"\xe9".decode("latin-1"))
try:
    "é".encode("ascii")
except UnicodeEncodeError as e:
    print(e)
try:
    b"\xff".decode()
except UnicodeDecodeError as e:
    print(e)

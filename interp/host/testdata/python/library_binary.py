# struct, base64, hashlib, io.BytesIO and binary files.
import base64, binascii, hashlib, io, os, struct, tempfile
print(struct.pack("<If", 1, 0.5), struct.pack(">H", 258), struct.pack("<hbxq", -2, 5, -7), struct.pack("4s?c", b"ab", True, b"z"), struct.pack("<e", 1.5))
print(struct.unpack("<If", struct.pack("<If", 7, 1.5)), struct.calcsize("=ihb"), struct.calcsize("ihb"), struct.calcsize("bi"), struct.calcsize("<3i2d"), struct.unpack("<3B", b"\x01\x02\x03"))
print(struct.unpack_from("<H", b"\x00\x01\x02", 1), list(struct.iter_unpack("<H", b"\x01\x00\x02\x00")), struct.unpack("<Q", b"\xff" * 8), struct.unpack("<b", b"\xff"), struct.unpack("!d", struct.pack("!d", -2.25)))
buffer = bytearray(4)
struct.pack_into("<H", buffer, 1, 513)
print(buffer)
for bad in ["struct.pack('<B', 256)", "struct.pack('<b', -129)", "struct.pack('<I', 'x')", "struct.pack('<II', 1)", "struct.unpack('<I', b'ab')", "struct.pack('<y', 1)", "struct.pack('c', 'a')"]:
    try:
        print(eval(bad))
    except struct.error as e:
        print(bad, e)
print(base64.b64encode(b"hello\xff"), base64.b64decode("aGVsbG//"), base64.b64decode(b"aGVs\nbG8="), base64.urlsafe_b64encode(b"\xfb\xff"), base64.b16encode(b"\x0f"), binascii.hexlify(b"ab"), binascii.crc32(b"hello"))
h = hashlib.sha256(b"abc")
print(h.hexdigest(), h.digest()[:4], h.name, h.digest_size, h.block_size, hashlib.md5(b"").hexdigest(), hashlib.new("sha1", b"x").hexdigest()[:10])
h.update(b"def")
print(h.hexdigest() == hashlib.sha256(b"abcdef").hexdigest(), h.copy().hexdigest() == h.hexdigest())
b = io.BytesIO(b"line one\nline two\n")
print(b.read(4), b.readline(), b.tell(), b.readlines(), b.read(), b.seek(0), [l for l in b], b.getvalue()[:4])
b.seek(5); b.write(b"XY"); print(b.getvalue(), len(b.getbuffer()))
with tempfile.TemporaryDirectory() as d:
    path = os.path.join(d, "f.bin")
    with open(path, "wb") as f:
        print(f.write(b"\x00\x01\xff"), f.write(bytes([10, 65])))
    with open(path, "rb") as f:
        print(f.read(2), f.read(), f.closed)
    print(f.closed, os.path.getsize(path), open(path, "rb").read().hex())
try:
    hashlib.md5("text")
except TypeError as e:
    print(e)

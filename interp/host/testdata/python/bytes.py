# bytes, bytearray and memoryview, and how texts become bytes.
b = b"hello\x00\xff'"
print(b, b[0], b[-2:], b[::2], len(b), list(b"ab"), b.hex(), b"\x01\x02\x03".hex("-"), b"abcd".hex(":", 2))
print(bytes(), bytes(3), bytes([65, 66]), bytes("é", "utf-8"), bytes(bytearray(b"x")), bytes.fromhex("00 fF"), b"it's", b'"\'')
print(b"a" + b"b", b"ab" * 2, 3 * b"x", b"l" in b, 104 in b, b == b"x", b"a" < b"b", b"a" != "a", hash(b"a") == hash(b"a"))
print(b"a,b,,c".split(b","), b" x y ".split(), b" x ".strip(), b"xyx".strip(b"x"), b"Ab\xe9".upper(), b"AB".lower(), b"ab c".title())
print(b"abcabc".find(b"c"), b"abcabc".rfind(b"c"), b"abc".index(98), b"aXbX".replace(b"X", b"--", 1), b"-".join([b"a", bytearray(b"b")]))
print(b"abc".startswith(b"ab"), b"abc".endswith((b"x", b"c")), b"12".isdigit(), b"a".isalpha(), b"a=b=c".partition(b"="), b"7".zfill(3))
print(b"x".center(5, b"."), b"x".ljust(3), b"a\r\nb\n".splitlines(), b"a\r\nb\n".splitlines(True), b"aaa".count(b"a"), b"ab".decode())
ba = bytearray(b"abc")
ba[0] = 90
ba += b"!"
ba.extend([1, 2])
ba[1:3] = b"123"
del ba[-1]
print(ba, ba.pop(), ba.pop(0), ba, len(ba), bool(bytearray()), ba.upper(), ba == b"123!", bytes(ba))
ba.insert(1, 65), ba.remove(65), ba.reverse(), ba.append(33)
print(ba, ba.copy() is ba, list(ba[:2]), memoryview(b"xyz")[1], bytes(memoryview(b"xyz")[1:]), len(memoryview(ba)))
print("é€".encode(), "abc".encode("ascii"), "é".encode("latin-1"), b"\xe9".decode("latin-1"), "é".encode("ascii", "replace"),
      "aé".encode("ascii", "ignore"), "é".encode("ascii", "backslashreplace"), b"a\xff".decode(errors="replace") == "a\ufffd", str(b"a", "utf-8"))
for bad in ["b'a' + 'a'", "'a' + b'a'", "bytes('a')", "bytes([256])", "bytes(-1)", "b'abc'[5]", "bytearray(b'a')[2]", "ba.append(300)",
            "'é'.encode('ascii')", "b'\\xff'.decode()", "b'\\xe2\\x82'.decode()", "b'\\xc3('.decode()", "b'a'.split('x')", "bytes.fromhex('0g')",
            "b'a'.join(['x'])", "hash(bytearray())", "'x' in b'x'", "{b'a': 1}[b'b']", "bytearray(b'').pop()", "'a'.encode('utf-99') if 0 else 1"]:
    try:
        print(bad, eval(bad))
    except Exception as e:
        print(bad, type(e).__name__, e)
try:
    "añ".encode("ascii")
except UnicodeEncodeError as e:
    print(e.encoding, e.start, e.end, e.reason, e.object, isinstance(e, ValueError))
print({b"a": 1, "a": 2}, isinstance(b"", bytes), type(ba), b"%d" if 0 else b"", sorted([b"b", b"a"]), max(b"az"), sum(b"\x01\x02"))
print(int.from_bytes(b"\xff\x00", "big"), int.from_bytes(b"\xff", "big", signed=True), (258).to_bytes(2, "little"), (-2).to_bytes(2, "big", signed=True))
print(int(b"12"), float("1.5"), ord(b"a"), b"ab".translate(bytes(range(256))) if 0 else b"ab", b"\t".expandtabs(2), b"a b".split(maxsplit=1))

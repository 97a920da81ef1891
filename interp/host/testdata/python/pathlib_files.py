from pathlib import Path

made = Path("made_by_pathlib.bin")
print(made.write_bytes(b"\x00\x01\xfe"), made.read_bytes())
print([p.name for p in Path(".").glob("made_by_*.bin")], list(Path(".").glob("made_by_*.none")))
print([type(p) is type(made) for p in Path(".").rglob("made_by_path*")])
made.unlink()
print(made.exists())

"The bits of st_mode, as POSIX has them."
ST_MODE, ST_INO, ST_DEV, ST_NLINK, ST_UID, ST_GID, ST_SIZE, ST_ATIME, ST_MTIME, ST_CTIME = range(10)
_kinds = {"DIR": 0o040000, "CHR": 0o020000, "BLK": 0o060000, "REG": 0o100000, "FIFO": 0o010000, "LNK": 0o120000,
          "SOCK": 0o140000}
S_ISUID, S_ISGID, S_ISVTX = 0o4000, 0o2000, 0o1000
for _i, _who in enumerate(["OTH", "GRP", "USR"]):
    globals().update({f"S_IRWX{_who[0]}": 0o7 << 3 * _i, f"S_IR{_who}": 4 << 3 * _i, f"S_IW{_who}": 2 << 3 * _i,
                      f"S_IX{_who}": 1 << 3 * _i})
S_IREAD, S_IWRITE, S_IEXEC = S_IRUSR, S_IWUSR, S_IXUSR


def S_IFMT(mode):
    return mode & 0o170000


def S_IMODE(mode):
    return mode & 0o7777


def _is(bits):
    return lambda mode: S_IFMT(mode) == bits


for _kind, _bits in _kinds.items():
    globals().update({f"S_IF{_kind}": _bits, f"S_IS{_kind}": _is(_bits)})
S_IFIFO = S_IFFIFO


def filemode(mode):
    kind = next((c for c, bits in zip("dcb-pls", _kinds.values()) if S_IFMT(mode) == bits), "?")
    text = ""
    for special, shift, (lower, upper) in [(S_ISUID, 6, "sS"), (S_ISGID, 3, "sS"), (S_ISVTX, 0, "tT")]:
        bits = mode >> shift
        runs = (lower if bits & 1 else upper) if mode & special else "x" if bits & 1 else "-"
        text += ("r" if bits & 4 else "-") + ("w" if bits & 2 else "-") + runs
    return kind + text

"What programs ask of the kinds of streams."
DEFAULT_BUFFER_SIZE, SEEK_SET, SEEK_CUR, SEEK_END = 8192, 0, 1, 2


class UnsupportedOperation(OSError, ValueError):
    pass

"What there is of threads where there is one: locks, and its own values."


class local:
    pass


class Lock:
    _recursive = False

    def __init__(self):
        self._count = 0

    def acquire(self, blocking=True, timeout=-1):
        if self._count and not self._recursive:
            if blocking and timeout < 0:
                raise RuntimeError("the only thread waits for a lock that it holds")
            return False
        self._count += 1
        return True

    def release(self):
        if not self._count:
            raise RuntimeError("cannot release un-acquired lock" if self._recursive else "release unlocked lock")
        self._count -= 1

    def locked(self):
        return self._count > 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc_info):
        self.release()


class RLock(Lock):
    _recursive = True


class Event:
    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        if not self._flag and timeout is None:
            raise RuntimeError("the only thread waits for an event that nothing sets")
        return self._flag


class _MainThread:
    name, ident, native_id, daemon = "MainThread", 1, 1, False

    def is_alive(self):
        return True

    def getName(self):
        return self.name

    def __repr__(self):
        return "<_MainThread(MainThread, started 1)>"


_main = _MainThread()
TIMEOUT_MAX = 9223372036.0


def current_thread():
    return _main


main_thread = current_thread


def get_ident():
    return _main.ident


get_native_id = get_ident


def active_count():
    return 1


def enumerate():
    return [_main]

"""References to objects. An object lives here while anything refers to it, a weak reference included, so that a
reference never ends and no callback is called: what a program sees under a garbage collector that has not run yet."""


def _check(object):
    if object is None or isinstance(object, (bool, int, float, complex, str, bytes, tuple, list, dict)) and \
            type(object).__module__ == "builtins":
        raise TypeError(f"cannot create weak reference to '{type(object).__name__}' object")
    return object


class ref:
    def __init__(self, object, callback=None):
        self._object, self.__callback__ = _check(object), callback

    def __call__(self):
        return self._object

    def __eq__(self, other):
        return self._object == other._object if isinstance(other, ref) else NotImplemented

    def __hash__(self):
        return hash(self._object)

    def __repr__(self):
        return f"<weakref at {id(self):#x}; to '{type(self._object).__name__}' at {id(self._object):#x}>"


ReferenceType = ref


class WeakMethod(ref):
    pass


def proxy(object, callback=None):
    return _check(object)


def getweakrefcount(object):
    return 0


def getweakrefs(object):
    return []


class WeakKeyDictionary(dict):
    def keyrefs(self):
        return [ref(k) for k in self]


class WeakValueDictionary(dict):
    def valuerefs(self):
        return [ref(v) for v in self.values()]


class WeakSet(set):
    pass


class finalize:
    "A call that is owed at the end of an object, which is when it is called by hand."

    def __init__(self, obj, func, /, *args, **kwargs):
        self._call, self.alive, self.atexit = (obj, func, args, kwargs), True, True

    def __call__(self, _=None):
        found = self.detach()
        if found:
            return found[1](*found[2], **found[3])

    def peek(self):
        return self._call if self.alive else None

    def detach(self):
        found, self.alive = self.peek(), False
        return found

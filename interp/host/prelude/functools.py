"Functions of functions, on the cache that Go keeps."

WRAPPER_ASSIGNMENTS = "__module__", "__name__", "__qualname__", "__doc__", "__annotations__"
WRAPPER_UPDATES = ("__dict__",)
_nothing = object()


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        try:
            setattr(wrapper, name, getattr(wrapped, name))
        except AttributeError:  # builtin functions refuse some
            pass
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def reduce(function, iterable, initial=_nothing, /):
    try:
        it = iter(iterable)
    except TypeError:
        raise TypeError("reduce() arg 2 must support iteration") from None
    if initial is _nothing:
        for initial in it:
            break
        else:
            raise TypeError("reduce() of empty iterable with no initial value")
    for x in it:
        initial = function(initial, x)
    return initial


class partial:
    def __init__(self, /, *args, **keywords):
        if not args:
            raise TypeError("type 'partial' takes at least one argument")
        func, *args = args
        if not callable(func):
            raise TypeError("the first argument must be callable")
        if isinstance(func, partial):  # partials of partials are one
            func, args, keywords = func.func, [*func.args, *args], {**func.keywords, **keywords}
        self.func, self.args, self.keywords = func, tuple(args), keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __repr__(self):
        parts = [repr(self.func), *map(repr, self.args), *(f"{k}={v!r}" for k, v in self.keywords.items())]
        return f"functools.partial({', '.join(parts)})"


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords

    def __get__(self, obj, cls=None):
        return partial(self.func.__get__(obj, cls), *self.args, **self.keywords)


class cached_property:
    def __init__(self, func):
        self.func, self.attrname, self.__doc__ = func, None, func.__doc__

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = instance.__dict__[self.attrname] = self.func(instance)  # which is found before this from now on
        return value


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return update_wrapper(_lru_cache_wrapper(maxsize, 128, False), maxsize)

    def decorating_function(user_function):
        wrapper = _lru_cache_wrapper(user_function, -1 if maxsize is None else max(maxsize, 0), typed)
        wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
        return update_wrapper(wrapper, user_function)

    return decorating_function


def cache(user_function, /):
    return lru_cache(maxsize=None)(user_function)


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

        __hash__ = None

    return K


# How a comparison follows from another: by its truth or its opposite, and by what being equal adds or takes away.
_ORDERINGS = {
    "__lt__": {"__gt__": (False, False), "__le__": (True, True), "__ge__": (False, None)},
    "__le__": {"__ge__": (False, True), "__lt__": (True, False), "__gt__": (False, None)},
    "__gt__": {"__lt__": (False, False), "__ge__": (True, True), "__le__": (False, None)},
    "__ge__": {"__le__": (False, True), "__gt__": (True, False), "__lt__": (False, None)}}


def _compared(root, same, equal):
    def compare(self, other):
        r = getattr(type(self), root)(self, other)
        if r is NotImplemented:
            return r
        r = bool(r) is same
        return r if equal is None else r or self == other if equal else r and self != other

    return compare


def total_ordering(cls):
    own = [root for root in ("__lt__", "__gt__", "__le__", "__ge__") if getattr(cls, root, None) is not
           getattr(object, root, None)]
    if not own:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    for name, rule in _ORDERINGS[own[0]].items():
        if name not in own:
            compare = _compared(own[0], *rule)
            compare.__name__ = name
            setattr(cls, name, compare)
    return cls


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        "The function of the first class in the order that has one, or else of an abstract class that counts it in."
        for c in cls.__mro__:
            if c in registry and c is not object:
                return registry[c]
        best = object
        for c in registry:
            if issubclass(cls, c) and issubclass(c, best):
                best = c
        return registry[best]

    def register(cls, func=None):
        if func is None:
            if isinstance(cls, type):
                return lambda f: register(cls, f)
            from typing import get_type_hints

            func, hints = cls, get_type_hints(cls)
            if not hints:
                raise TypeError(f"Invalid first argument to `register()`: {cls!r}. Use either `@register(some_class)` or plain "
                                "`@register` on an annotated function.")
            cls = next(iter(hints.values()))
        for c in getattr(cls, "__args__", None) or [cls]:
            if not isinstance(c, type):
                raise TypeError(f"Invalid first argument to `register()`. {c!r} is not a class or union type.")
            registry[c] = func
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{func.__name__} requires at least 1 positional argument")
        return dispatch(args[0].__class__)(*args, **kw)

    wrapper.register, wrapper.dispatch, wrapper.registry = register, dispatch, registry
    return update_wrapper(wrapper, func)


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            return self.dispatcher.dispatch(args[0].__class__).__get__(obj, cls)(*args, **kwargs)

        return method

import gc
import time

default_timer = time.perf_counter
default_number = 1000000
default_repeat = 5


def _function(code, space):
    "What runs a statement that is a text, or a function."
    if callable(code):
        return code
    if not isinstance(code, str):
        raise ValueError("stmt is neither a string nor callable")
    compiled = compile(code, "<timeit-src>", "exec")
    return lambda: exec(compiled, space)


class Timer:
    def __init__(self, stmt="pass", setup="pass", timer=default_timer, globals=None):
        space = dict(globals or {})
        self.timer, self.inner, self.setup = timer, _function(stmt, space), _function(setup, space)

    def timeit(self, number=default_number):
        self.setup()
        inner, collected = self.inner, gc.isenabled()
        gc.disable()
        try:
            began = self.timer()
            for _ in range(number):
                inner()
            return self.timer() - began
        finally:
            if collected:
                gc.enable()

    def repeat(self, repeat=default_repeat, number=default_number):
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        scale = 1
        while True:
            for factor in 1, 2, 5:
                number = scale * factor
                taken = self.timeit(number)
                if callback:
                    callback(number, taken)
                if taken >= 0.2:
                    return number, taken
            scale *= 10


def timeit(stmt="pass", setup="pass", timer=default_timer, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(stmt="pass", setup="pass", timer=default_timer, repeat=default_repeat, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)

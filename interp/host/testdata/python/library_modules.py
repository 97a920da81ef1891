import builtins
import codecs
import contextvars
import copyreg
import errno
import gettext
import html
import keyword
import linecache
import os
import reprlib
import sys
import tempfile
import threading
import weakref


def attempt(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


print(keyword.iskeyword("lambda"), keyword.iskeyword("match"), keyword.issoftkeyword("match"), len(keyword.kwlist))
print(errno.ENOENT, errno.errorcode[2], errno.EAGAIN == errno.EWOULDBLOCK, errno.errorcode[errno.EAGAIN])
print(html.escape("<a href=\"x\">'&'</a>"), html.escape("\"<'", quote=False))
print(gettext.gettext("text"), gettext.ngettext("one", "many", 2))
print(attempt(lambda: copyreg.pickle(int, 3)))

# reprlib
print(reprlib.repr(list(range(20))), reprlib.repr("x" * 100), reprlib.repr({i: i for i in range(9)}))
print(reprlib.repr([[[[[[[[1]]]]]]]]), reprlib.repr(10 ** 60), reprlib.repr((1,)), reprlib.repr(set()))


class Node:
    def __init__(self):
        self.items = [self]

    @reprlib.recursive_repr()
    def __repr__(self):
        return f"Node({self.items!r})"


print(Node())

# contextvars
var = contextvars.ContextVar("var", default=0)
token = var.set(1)
print(var.get(), token.old_value is contextvars.Token.MISSING, token.var is var)
inner = contextvars.copy_context()
inner.run(var.set, 5)
print(var.get(), inner[var], var in inner, len(inner))
var.reset(token)
print(var.get(), attempt(lambda: var.reset(token))[:12], attempt(lambda: contextvars.ContextVar("none").get(7)))
print(attempt(lambda: contextvars.ContextVar("none").get())[:11])

# codecs
print(codecs.encode("é", "utf-8"), codecs.decode(b"\xc3\xa9", "utf-8"), codecs.lookup("UTF8").name, codecs.BOM_UTF8)
print(codecs.lookup("latin-1").name, attempt(lambda: codecs.lookup("nothing")), codecs.getencoder("ascii")("abc"))
folder = tempfile.mkdtemp()
path = os.path.join(folder, "a.txt")
with codecs.open(path, "w", "utf-8") as f:
    f.write("eins\nzwei")
with codecs.open(path, encoding="utf-8") as f:
    print(f.read().split())
print(repr(linecache.getline(path, 2)), repr(linecache.getline(path, 3)), linecache.getlines(path))
print(repr(linecache.getline("none.txt", 1)))

# threading, in one thread
lock = threading.Lock()
with lock:
    print(lock.locked(), lock.acquire(blocking=False), lock.acquire(timeout=0))
print(lock.locked(), attempt(lock.release))
again = threading.RLock()
with again, again:
    pass
print(attempt(again.release))
own = threading.local()
own.x = 3
event = threading.Event()
print(own.x, event.wait(0), event.set(), event.is_set(), threading.current_thread().name)
print(threading.current_thread() is threading.main_thread(), threading.active_count())


# weakref, while there is the object
class Held:
    pass


held = Held()
r = weakref.ref(held)
print(r() is held, r == weakref.ref(held), attempt(lambda: weakref.ref(3)), attempt(lambda: weakref.ref((1,))))
keys = weakref.WeakKeyDictionary()
keys[held] = 1
print(len(keys), keys[held], held in weakref.WeakSet([held]))
f = weakref.finalize(held, print, "finalized", 3)
print(f.alive, f(), f.alive, f())

# builtins, compile, exec
print(builtins.len is len, builtins.print is print, hasattr(builtins, "nothing"))
code = compile("a + b", "<made>", "eval")
print(eval(code, {"a": 1, "b": 2}), eval(code, {"a": "x", "b": "y"}), eval("  3"), type(code).__name__)
space = {}
exec(compile("def f(x):\n    return x * 2\ny = f(4)\n", "made.py", "exec"), space)
print(space["y"], space["f"](1), attempt(lambda: compile("x", "f", "other")), attempt(lambda: eval(3)))
print(exec(""), exec("# nothing"))
print(sys.getdefaultencoding(), sys.intern("abc"), sys.float_info.max, sys.float_info.mant_dig, sys.maxunicode)
print(sys.float_info.epsilon, sys.float_info.min, sys.gettrace(), sys.flags.optimize)

import ast
print(ast.literal_eval("[1, -2.5, ('a', None), {'k': {1, 2}}, b'x', 1+2j, True]"), ast.literal_eval("  'text'"))
for text in ("f()", "[x]", "1 + 2", "{}.keys", "f'{1}'", "[1 for _ in x]", "(lambda: 1)()"):
    print(attempt(lambda: ast.literal_eval(text))[:24])

import shlex
for text in ("a b", "  'one two' \"three 'x'\" ", r"a\ b c\"d", "x=1 'a'b", "", "''", r'"a\"b" "c\d"', "a # b", "'open"):
    print(attempt(lambda: shlex.split(text)), attempt(lambda: shlex.split(text, comments=True)))
print(shlex.quote("a b"), shlex.quote("it's"), shlex.quote("plain-1.txt"), shlex.quote(""), shlex.join(["a", "b c"]))

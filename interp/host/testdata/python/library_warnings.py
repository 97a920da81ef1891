import re
import sys
import warnings
from io import StringIO


def said(run):
    sys.stderr, before = StringIO(), sys.stderr
    try:
        run()
    finally:
        text, sys.stderr = sys.stderr.getvalue(), before
    print(re.sub(r"(?m)^\S+:(\d+): ", r"FILE:\1: ", text), end="")


def twice():
    for i in range(2):
        warnings.warn("each place once")
    warnings.warn("each place once", RuntimeWarning)
    warnings.warn(DeprecationWarning("of the script itself"))
    warnings.warn("hidden", PendingDeprecationWarning)
    warnings.warn("hidden", ResourceWarning)


def outer():
    warnings.warn("from the caller", stacklevel=2)


said(twice)
said(lambda: outer())
with warnings.catch_warnings(record=True) as log:
    warnings.simplefilter("always")
    for i in range(2):
        warnings.warn("recorded", UserWarning)
    print(len(log), log[0].message, log[0].category.__name__, log[0].lineno, repr(log[1].message))
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="NOT.*this", category=UserWarning)
    said(lambda: (warnings.warn("not even this one"), warnings.warn("but this one")))
    warnings.filterwarnings("ignore", module="elsewhere")
    said(lambda: warnings.warn("of this module"))
with warnings.catch_warnings():
    warnings.simplefilter("error")
    for args in (("raised",), ("raised", FutureWarning), (RuntimeWarning("as it is"),)):
        try:
            warnings.warn(*args)
        except Warning as e:
            print(type(e).__name__, e)
with warnings.catch_warnings():
    warnings.simplefilter("once")
    said(lambda: [warnings.warn("once", UserWarning) for i in range(3)])
for call in (lambda: warnings.warn("x", int),):
    try:
        call()
    except Exception as e:
        print(type(e).__name__, str(e).splitlines()[0][:40])
said(lambda: warnings.warn_explicit("explicit", UserWarning, "other.py", 7))
print(warnings.formatwarning("text", UserWarning, "f.py", 3, "  code()  "), end="")
print(len(warnings.filters) > 0, str(warnings.WarningMessage("m", UserWarning, "f", 1)))
warnings.resetwarnings()
print(warnings.filters)

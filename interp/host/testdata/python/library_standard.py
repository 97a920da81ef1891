# Modules of the standard library that are written in Python here.
import csv, io, logging, pprint, statistics, sys, traceback, types, warnings, fnmatch
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal, ROUND_HALF_UP, getcontext, localcontext, DivisionByZero
from fractions import Fraction
import numbers
print(Fraction(1, 3) + Fraction(1, 6), Fraction("3/9"), Fraction("-1.25"), Fraction(0.5), repr(Fraction(2, -4)), Fraction(7, 2) // 1, Fraction(7, 2) % 1, Fraction(1, 3) * 3 == 1, Fraction(1, 2) ** 3, Fraction(1, 2) + 0.5, 2 / Fraction(1, 3), float(Fraction(1, 8)))
print(round(Fraction(7, 2)), int(Fraction(-7, 2)), abs(Fraction(-1, 2)), max(Fraction(1, 2), Fraction(2, 3)), Fraction(3.14159).limit_denominator(100), {Fraction(2): 1}[2], Fraction(1, 3) < 0.34, sum([Fraction(1, 4)] * 4), isinstance(Fraction(1), numbers.Rational), isinstance(1, numbers.Integral), isinstance(1.5, numbers.Real))
print(Decimal("0.1") + Decimal("0.2"), Decimal(1) / Decimal(3), Decimal("1.10") * 2, Decimal("2.675").quantize(Decimal("0.01")), Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_UP), Decimal(10) ** -3, Decimal("1e5"), Decimal("1E+3") + 1, repr(Decimal("-0.00")), Decimal("7") // 2, Decimal("-7") % 3)
print(Decimal("1.5") == 1.5, Decimal("3.14") > 3, int(Decimal("-3.9")), float(Decimal("0.25")), Decimal(2).sqrt(), Decimal("1.00").normalize(), f"{Decimal('1234.567'):.2f} {Decimal('1234.5'):,.1f}", round(Decimal("2.5")), round(Decimal("1.234"), 2), sum([Decimal("0.1")] * 3), Decimal(0.1), Decimal("1.5").as_tuple().digits, hash(Decimal(3)) == hash(3), Decimal("1e-7"))
with localcontext() as ctx:
    ctx.prec = 5
    print(Decimal(1) / 7, getcontext().prec)
try:
    Decimal(1) / 0
except DivisionByZero as e:
    print(type(e).__name__, e)
d = datetime(2024, 2, 29, 13, 5, 9, 120)
print(d, repr(d), d.isoformat(), d.date(), d.time(), d.strftime("%Y-%m-%d %H:%M:%S %a %b %j %p %I %y %%"), d + timedelta(days=1, hours=12), d - datetime(2024, 1, 1), d.weekday(), d.isoweekday(), d.replace(year=2025, day=1))
print(timedelta(days=2, seconds=5, milliseconds=3), repr(timedelta(hours=-1)), timedelta(minutes=90).total_seconds(), timedelta(hours=1) / 2, timedelta(hours=1) // timedelta(minutes=7), timedelta(1) > timedelta(hours=23), -timedelta(seconds=1), timedelta(), str(timedelta(days=-1)), abs(timedelta(-1)), timedelta(weeks=1) * 2)
print(date(2024, 3, 1) - date(2024, 2, 1), date(2023, 12, 31) + timedelta(1), date.fromisoformat("2020-01-02"), repr(date(2020, 1, 2)), date(2020, 1, 2) < date(2020, 1, 3), f"{date(2020, 1, 2):%d/%m/%y}", datetime.strptime("03 Jan 2021 14:30", "%d %b %Y %H:%M"), datetime.fromisoformat("2021-01-02T03:04:05"), time(1, 2), datetime(2020, 1, 1, tzinfo=timezone.utc), datetime.fromtimestamp(0, timezone.utc).isoformat(), datetime(1970, 1, 2, tzinfo=timezone.utc).timestamp())
for bad in ["date(2023, 2, 29)", "datetime(2020, 13, 1)", "date.fromisoformat('x')", "datetime.strptime('x', '%Y')", "datetime(2020, 1, 1) < date(2020, 1, 1)"]:
    try:
        print(eval(bad))
    except Exception as e:
        print(bad, type(e).__name__, e)
rows = list(csv.reader(io.StringIO('a,b\n1,"x, ""y"""\n\n3,"multi\nline"\n')))
out = io.StringIO()
w = csv.DictWriter(out, fieldnames=["n", "t"])
w.writeheader(); w.writerow({"n": 1, "t": 'q"q'}); w.writerows([{"n": 2.5, "t": "a,b"}])
print(rows, repr(out.getvalue()), [dict(r) for r in csv.DictReader(io.StringIO("k,v\na,1\nb,2\n"))])
stream = io.StringIO()
log = logging.getLogger("app.part")
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("%(levelname)s|%(name)s|%(message)s"))
logging.getLogger("app").addHandler(handler)
logging.getLogger("app").setLevel(logging.INFO)
log.debug("no"); log.info("yes %d", 1); log.warning("w %s", "x"); log.error("e"); log.setLevel("DEBUG"); log.debug("now")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("failed")
print(stream.getvalue().replace(__file__, "F").replace("script.py", "F"), log.isEnabledFor(logging.DEBUG), logging.getLevelName(30), logging.getLogger("app.part") is log, log)
pprint.pprint({"b": [1, 2], "a": {"x": (1,), "y": None}})
pprint.pprint([{"name": "n" * 20, "value": list(range(15))}, "text " * 20], width=60)
print(pprint.pformat({"z": 1, "a": 2}), pprint.pformat({"z": 1, "a": 2}, sort_dicts=False), pprint.pformat([[1, [2, [3]]]], depth=2), pprint.pformat(list(range(30)), width=40, compact=True), sep="\n")
ns = types.SimpleNamespace(a=1, b="x")
ns.c = [1]
print(ns, ns == types.SimpleNamespace(a=1, b="x", c=[1]), vars(ns), isinstance(print, types.BuiltinFunctionType), isinstance(lambda: 0, types.FunctionType), isinstance(None, types.NoneType), types.MappingProxyType({"a": 1})["a"])


def inner():
    raise ValueError("bad value")


try:
    inner()
except ValueError as e:
    text = traceback.format_exc()
    print(text.splitlines()[0], text.splitlines()[-1], [f.name for f in traceback.extract_tb(e.__traceback__)], traceback.format_exception_only(e), len(traceback.format_exception(e)) > 2, sys.exc_info()[0].__name__)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("one"); warnings.warn("two", DeprecationWarning)
    print([(str(w.message), w.category.__name__) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("as error", RuntimeWarning)
    except RuntimeWarning as e:
        print("raised", e)
print(statistics.mode([1, 1, 2]), statistics.multimode("aab"), statistics.quantiles([1, 2, 3, 4, 5]), statistics.median_low([1, 2, 3, 4]), statistics.pvariance([1, 2, 3]), fnmatch.filter(["a.py", "b.txt"], "*.py"), fnmatch.fnmatch("x1", "x[0-9]"))

import importlib

print(importlib.import_module("math").floor(2.5), importlib.import_module("os.path").join("a", "b"))
try:
    importlib.import_module("no_such_module")
except ImportError:
    print("not found")

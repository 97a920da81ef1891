"time, over the clocks that are Go. The zone is UTC: documents have no place."
timezone = altzone = daylight = 0
tzname = "UTC", "UTC"

_days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_months = "January February March April May June July August September October November December".split()
# strftime's conversions, as formats of the struct_time t and what follows from it.
_fields = {"Y": "{t.tm_year}", "y": "{year:02}", "m": "{t.tm_mon:02}", "d": "{t.tm_mday:02}", "e": "{t.tm_mday:2}",
           "H": "{t.tm_hour:02}", "I": "{hour:02}", "M": "{t.tm_min:02}", "S": "{t.tm_sec:02}", "j": "{t.tm_yday:03}",
           "A": "{day}", "a": "{day:.3}", "B": "{month}", "b": "{month:.3}", "w": "{weekday}", "u": "{isoday}", "p": "{half}",
           "s": "{seconds:.0f}", "Z": "UTC", "z": "+0000", "%": "%", "n": "\n", "t": "\t"}
_compound = {"F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "D": "%m/%d/%y", "x": "%m/%d/%y", "X": "%H:%M:%S",
             "c": "%a %b %e %H:%M:%S %Y"}


def gmtime(secs=None, /):
    return struct_time(_parts(time() if secs is None else secs))


localtime = gmtime


def mktime(t, /):
    if len(t) < 6:
        raise TypeError("Tuple or struct_time argument required")
    return _seconds(*t[:6])


def strftime(format, t=None, /):
    t = gmtime(mktime(gmtime() if t is None else t))  # with what follows from the date
    values = {"t": t, "year": t.tm_year % 100, "hour": (t.tm_hour + 11) % 12 + 1, "day": _days[t.tm_wday],
              "month": _months[t.tm_mon - 1], "weekday": (t.tm_wday + 1) % 7, "half": "AM" if t.tm_hour < 12 else "PM",
              "isoday": t.tm_wday + 1, "seconds": mktime(t)}
    out, at = [], 0
    while (i := format.find("%", at, -1)) >= 0:
        out.append(format[at:i])
        c, at = format[i + 1], i + 2
        if c in _compound:
            out.append(strftime(_compound[c], t))
        elif c in _fields:
            out.append(_fields[c].format(**values))
        else:
            _lacks("strftime with %" + c)
    return "".join(out) + format[at:]


def asctime(t=None, /):
    return strftime("%c", t)


def ctime(secs=None, /):
    return strftime("%c", gmtime(secs))

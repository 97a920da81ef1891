import time as _time

MINYEAR, MAXYEAR = 1, 9999
_before = (0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _month_days(year, month):
    return 29 if month == 2 and _leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _ordinal(year, month, day):
    y = year - 1
    return y * 365 + y // 4 - y // 100 + y // 400 + _before[month] + (month > 2 and _leap(year)) + day


def _from_ordinal(n):
    if not 1 <= n <= 3652059:
        raise OverflowError("date value out of range")
    n -= 1
    n400, n = divmod(n, 146097)
    n100, n = divmod(n, 36524)
    n4, n = divmod(n, 1461)
    n1, n = divmod(n, 365)
    year = n400 * 400 + n100 * 100 + n4 * 4 + n1 + 1
    if n1 == 4 or n100 == 4:
        return year - 1, 12, 31
    month = 1
    while n >= _month_days(year, month):
        n -= _month_days(year, month)
        month += 1
    return year, month, n + 1


_DAY = 24 * 3600 * 10**6  # microseconds


def _quotient(a, b):
    "The nearest whole number, the even one of two."
    if b < 0:
        a, b = -a, -b
    q, r = divmod(a, b)
    return q + (2 * r > b or 2 * r == b and q % 2)


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total, rest = 0, 0.0
        for name, value, factor in (("microseconds", microseconds, 1), ("milliseconds", milliseconds, 10**3),
                                    ("seconds", seconds, 10**6), ("minutes", minutes, 60 * 10**6),
                                    ("hours", hours, 3600 * 10**6), ("days", days, _DAY), ("weeks", weeks, 7 * _DAY)):
            if isinstance(value, float):
                part = (value - int(value)) * factor
                value, rest = int(value), rest + part - int(part)
                total += int(part)
            elif not isinstance(value, int):
                raise TypeError(f"unsupported type for timedelta {name} component: {type(value).__name__}")
            total += value * factor
        odd = total % 2  # halves are rounded so that the sum is even
        total += round(rest) if abs(rest - int(rest)) != 0.5 else 2 * round((rest + odd) * 0.5) - odd
        self.days, rest = divmod(total, _DAY)
        self.seconds, self.microseconds = divmod(rest, 10**6)
        if not -2**31 <= self.days < 2**31:
            raise OverflowError("Python int too large to convert to C int")
        if abs(self.days) > 999999999:
            raise OverflowError(f"days={self.days}; must have magnitude <= 999999999")

    def _micro(self):
        return (self.days * 86400 + self.seconds) * 1000000 + self.microseconds

    def total_seconds(self):
        return self._micro() / 1000000

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        text = f"{hours}:{minutes:02d}:{seconds:02d}"
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return text + (f".{self.microseconds:06d}" if self.microseconds else "")

    def __repr__(self):
        parts = [f"{n}={getattr(self, n)}" for n in ("days", "seconds", "microseconds") if getattr(self, n)]
        return f"datetime.timedelta({', '.join(parts) or '0'})"

    def __add__(self, o):
        return timedelta(microseconds=self._micro() + o._micro()) if isinstance(o, timedelta) else NotImplemented

    def __sub__(self, o):
        return timedelta(microseconds=self._micro() - o._micro()) if isinstance(o, timedelta) else NotImplemented

    def __neg__(self):
        return timedelta(microseconds=-self._micro())

    def __abs__(self):
        return timedelta(microseconds=abs(self._micro()))

    def __pos__(self):
        return timedelta(microseconds=self._micro())

    def __mul__(self, n):
        if isinstance(n, float):
            return timedelta(microseconds=_quotient(self._micro() * n.as_integer_ratio()[0], n.as_integer_ratio()[1]))
        return timedelta(microseconds=self._micro() * n) if isinstance(n, int) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, o):
        if isinstance(o, timedelta):
            return self._micro() / o._micro()
        if isinstance(o, float):
            return timedelta(microseconds=_quotient(self._micro() * o.as_integer_ratio()[1], o.as_integer_ratio()[0]))
        return timedelta(microseconds=_quotient(self._micro(), o)) if isinstance(o, int) else NotImplemented

    def __floordiv__(self, o):
        if isinstance(o, timedelta):
            return self._micro() // o._micro()
        return timedelta(microseconds=self._micro() // o) if isinstance(o, int) else NotImplemented

    def __mod__(self, o):
        return timedelta(microseconds=self._micro() % o._micro()) if isinstance(o, timedelta) else NotImplemented

    def __divmod__(self, o):
        return (self // o, self % o) if isinstance(o, timedelta) else NotImplemented

    def __eq__(self, o):
        return self._micro() == o._micro() if isinstance(o, timedelta) else NotImplemented

    def __lt__(self, o):
        return self._micro() < o._micro() if isinstance(o, timedelta) else NotImplemented

    def __le__(self, o):
        return self._micro() <= o._micro() if isinstance(o, timedelta) else NotImplemented

    def __gt__(self, o):
        return self._micro() > o._micro() if isinstance(o, timedelta) else NotImplemented

    def __ge__(self, o):
        return self._micro() >= o._micro() if isinstance(o, timedelta) else NotImplemented

    def __bool__(self):
        return self._micro() != 0

    def __hash__(self):
        return hash(self._micro())


timedelta.min, timedelta.max = timedelta(-999999999), timedelta(999999999, 86399, 999999)
timedelta.resolution = timedelta(microseconds=1)


def _or(new, old):
    return old if new is None else new


class tzinfo:
    pass


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def tzname(self, dt):
        return self._name or ("UTC" + _offset(self._offset) if self._offset else "UTC")

    def dst(self, dt):
        return None

    def __eq__(self, o):
        return isinstance(o, timezone) and self._offset == o._offset

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        return f"datetime.timezone({self._offset!r})"


def _offset(delta):
    total = delta.total_seconds()
    sign = "-" if total < 0 else "+"
    minutes = int(abs(total)) // 60
    return f"{sign}{minutes // 60:02d}:{minutes % 60:02d}"


timezone.utc = UTC = timezone(timedelta(0))


class _Ordered:
    def __eq__(self, o):
        return self._alike(o) and self._key() == o._key()

    def __lt__(self, o):
        return self._key() < o._key() if self._comparable(o) else NotImplemented

    def __le__(self, o):
        return self._key() <= o._key() if self._comparable(o) else NotImplemented

    def __gt__(self, o):
        return self._key() > o._key() if self._comparable(o) else NotImplemented

    def __ge__(self, o):
        return self._key() >= o._key() if self._comparable(o) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def _alike(self, o):
        return isinstance(o, _Ordered) and self._name == o._name

    def _comparable(self, o):
        if isinstance(self, date) and isinstance(o, date) and self._name != o._name:
            raise TypeError(f"can't compare {self._name} to {o._name}")
        return self._alike(o)

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)


class date(_Ordered):
    _name = "datetime.date"

    def __init__(self, year, month, day):
        _check_date(year, month, day)
        self.year, self.month, self.day = year, month, day

    @classmethod
    def today(cls):
        t = _time.localtime()
        return cls(t[0], t[1], t[2])

    @classmethod
    def fromordinal(cls, n):
        return cls(*_from_ordinal(n))

    @classmethod
    def fromtimestamp(cls, t):
        return cls(*_time.localtime(t)[:3])

    @classmethod
    def fromisoformat(cls, text):
        try:
            year, month, day = text.split("-")
            return cls(int(year), int(month), int(day))
        except ValueError:
            raise ValueError(f"Invalid isoformat string: {text!r}") from None

    def _key(self):
        return (self.year, self.month, self.day)

    def toordinal(self):
        return _ordinal(self.year, self.month, self.day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.toordinal() % 7 or 7

    def replace(self, year=None, month=None, day=None):
        return type(self)(_or(year, self.year), _or(month, self.month), _or(day, self.day))

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def timetuple(self):
        return _time.struct_time((self.year, self.month, self.day, 0, 0, 0, self.weekday(),
                                  self.toordinal() - _ordinal(self.year, 1, 1) + 1, -1))

    def strftime(self, format):
        return _time.strftime(format, self.timetuple())

    def ctime(self):
        return self.strftime("%a %b %e %H:%M:%S %Y")

    __str__ = isoformat

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"

    def __add__(self, o):
        return type(self).fromordinal(self.toordinal() + o.days) if isinstance(o, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, o):
        if isinstance(o, timedelta):
            return type(self).fromordinal(self.toordinal() - o.days)
        return timedelta(days=self.toordinal() - o.toordinal()) if isinstance(o, date) else NotImplemented


def _check_date(year, month, day):
    if not MINYEAR <= year <= MAXYEAR:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _month_days(year, month):
        raise ValueError("day is out of range for month")


class time(_Ordered):
    _name = "datetime.time"

    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        for name, value, most in (("hour", hour, 23), ("minute", minute, 59), ("second", second, 59)):
            if not 0 <= value <= most:
                raise ValueError(f"{name} must be in 0..{most}")
        self.hour, self.minute, self.second, self.microsecond, self.tzinfo = hour, minute, second, microsecond, tzinfo

    def _key(self):
        return (self.hour, self.minute, self.second, self.microsecond)

    def isoformat(self, timespec="auto"):
        return _clock(self, timespec)

    def strftime(self, format):
        format = format.replace("%f", f"{self.microsecond:06d}")
        return _time.strftime(format, _time.struct_time((1900, 1, 1, self.hour, self.minute, self.second, 0, 1, -1)))

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        rest = f", {self.second}, {self.microsecond}" if self.microsecond else f", {self.second}" if self.second else ""
        return f"datetime.time({self.hour}, {self.minute}{rest})"


def _clock(t, timespec):
    text = f"{t.hour:02d}:{t.minute:02d}"
    if timespec == "hours":
        return text[:2]
    if timespec == "minutes":
        return text
    text += f":{t.second:02d}"
    if timespec == "milliseconds":
        return text + f".{t.microsecond // 1000:03d}"
    if timespec == "microseconds" or timespec == "auto" and t.microsecond:
        return text + f".{t.microsecond:06d}"
    return text


class datetime(date):
    _name = "datetime.datetime"

    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        super().__init__(year, month, day)
        time(hour, minute, second)
        self.hour, self.minute, self.second, self.microsecond, self.tzinfo = hour, minute, second, microsecond, tzinfo

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time.time(), tz)

    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(_time.time(), None)

    today = now

    @classmethod
    def fromtimestamp(cls, t, tz=None):
        micro = round(t * 1000000)
        at = cls(1970, 1, 1) + timedelta(microseconds=micro)
        if tz is None:
            return at
        return (at + tz.utcoffset(None)).replace(tzinfo=tz)

    @classmethod
    def fromordinal(cls, n):
        return cls(*_from_ordinal(n))

    @classmethod
    def combine(cls, d, t, tzinfo=None):
        return cls(d.year, d.month, d.day, t.hour, t.minute, t.second, t.microsecond, tzinfo or t.tzinfo)

    @classmethod
    def fromisoformat(cls, text):
        try:
            day, clock = text[:10], text[11:]
            year, month, day = [int(x) for x in day.split("-")]
            tz = None
            if clock.endswith("Z"):
                clock, tz = clock[:-1], timezone.utc
            for sign in "+-":
                if sign in clock:
                    clock, offset = clock.split(sign)
                    h, m = offset.split(":")
                    delta = timedelta(hours=int(h), minutes=int(m))
                    tz = timezone(delta if sign == "+" else -delta) if delta else timezone.utc
            clock, _, fraction = clock.partition(".")
            parts = [int(x) for x in clock.split(":")] if clock else []
            parts += [0] * (3 - len(parts))
            return cls(year, month, day, *parts, int((fraction + "000000")[:6]), tz)
        except ValueError:
            raise ValueError(f"Invalid isoformat string: {text!r}") from None

    @classmethod
    def strptime(cls, text, format):
        import re
        names = {"Y": r"\d{4}", "m": r"\d{1,2}", "d": r"\d{1,2}", "H": r"\d{1,2}", "M": r"\d{1,2}", "S": r"\d{1,2}",
                 "f": r"\d{1,6}", "y": r"\d\d", "b": "[A-Za-z]{3}", "B": "[A-Za-z]+", "p": "[AaPp][Mm]", "I": r"\d{1,2}"}
        pattern, i = "", 0
        while i < len(format):
            if format[i] == "%" and format[i + 1] in names:
                pattern += f"(?P<{format[i + 1]}>{names[format[i + 1]]})"
                i += 2
            elif format[i] == "%":
                raise NotImplementedError(f"datetime.strptime with %{format[i + 1]}")
            else:
                pattern += re.escape(format[i])
                i += 1
        m = re.fullmatch(pattern, text)
        if m is None:
            raise ValueError(f"time data {text!r} does not match format {format!r}")
        got = m.groupdict()
        months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        year = int(got.get("Y") or 1900)
        if got.get("y"):
            year = int(got["y"]) + (2000 if int(got["y"]) < 69 else 1900)
        name = got.get("b") or got.get("B")
        month = months.index(name[:3].lower()) + 1 if name else int(got.get("m") or 1)
        hour = int(got.get("H") or got.get("I") or 0)
        if got.get("p"):
            hour = hour % 12 + (12 if got["p"].lower() == "pm" else 0)
        return cls(year, month, int(got.get("d") or 1), hour, int(got.get("M") or 0), int(got.get("S") or 0),
                   int(((got.get("f") or "") + "000000")[:6]))

    def _micro(self):
        offset = self.utcoffset()
        clock = (self.hour * 60 + self.minute) * 60 + self.second
        total = (self.toordinal() * 86400 + clock) * 1000000 + self.microsecond
        return total - (offset._micro() if offset is not None else 0)

    def _key(self):
        return self._micro()

    def _aware(self):
        return self.utcoffset() is not None

    def _alike(self, o):
        return super()._alike(o) and self._aware() == o._aware()

    def _comparable(self, o):
        if isinstance(o, datetime) and self._aware() != o._aware():
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        return super()._comparable(o)

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(self)

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def timestamp(self):
        return (self._micro() - _ordinal(1970, 1, 1) * 86400 * 1000000) / 1000000

    def timetuple(self):
        return _time.struct_time((self.year, self.month, self.day, self.hour, self.minute, self.second, self.weekday(),
                                  self.toordinal() - _ordinal(self.year, 1, 1) + 1, -1))

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True):
        return datetime(_or(year, self.year), _or(month, self.month), _or(day, self.day), _or(hour, self.hour),
                        _or(minute, self.minute), _or(second, self.second), _or(microsecond, self.microsecond),
                        self.tzinfo if tzinfo is True else tzinfo)

    def astimezone(self, tz=None):
        tz = tz or timezone.utc
        own = self.utcoffset() or timedelta(0)
        return (self.replace(tzinfo=None) - own + tz.utcoffset(None)).replace(tzinfo=tz)

    def isoformat(self, sep="T", timespec="auto"):
        text = date.isoformat(self) + sep + _clock(self, timespec)
        offset = self.utcoffset()
        return text if offset is None else text + _offset(offset)

    def strftime(self, format):
        format = format.replace("%f", f"{self.microsecond:06d}")
        offset = self.utcoffset()
        format = format.replace("%z", "" if offset is None else _offset(offset).replace(":", ""))
        return _time.strftime(format.replace("%Z", self.tzname() or ""), self.timetuple())

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = [self.year, self.month, self.day, self.hour, self.minute]
        if self.second or self.microsecond:
            parts.append(self.second)
        if self.microsecond:
            parts.append(self.microsecond)
        zone = f", tzinfo={self.tzinfo!r}" if self.tzinfo is not None else ""
        return f"datetime.datetime({', '.join(str(p) for p in parts)}{zone})"

    def _moved(self, micro):
        clock = (self.hour * 60 + self.minute) * 60 + self.second
        total = (self.toordinal() * 86400 + clock) * 1000000 + self.microsecond + micro
        seconds, micro = divmod(total, 1000000)
        days, seconds = divmod(seconds, 86400)
        return datetime(*_from_ordinal(days), seconds // 3600, seconds // 60 % 60, seconds % 60, micro, self.tzinfo)

    def __add__(self, o):
        return self._moved(o._micro()) if isinstance(o, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, o):
        if isinstance(o, timedelta):
            return self._moved(-o._micro())
        if isinstance(o, datetime):
            if self._aware() != o._aware():
                raise TypeError("can't subtract offset-naive and offset-aware datetimes")
            return timedelta(microseconds=self._micro() - o._micro())
        return NotImplemented


date.min, date.max = date(1, 1, 1), date(9999, 12, 31)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)

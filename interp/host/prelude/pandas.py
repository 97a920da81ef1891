"""A small pandas: tables of results, as programs that time kernels make, print and save them.

A column is a list; its kind is that of its values: bool, int64, float64, where what is missing is a NaN, or object.
"""
import builtins
import csv
import io
import math
import numpy

__version__ = "2.3.3"

_MAX_ROWS, _EDGE_ROWS, _WIDTH = 60, 5, 80  # display.max_rows, display.min_rows / 2 and the width that print keeps to


def isna(value):
    if isinstance(value, (DataFrame, Series)):
        return value.isna()
    return value is None or isinstance(value, float) and value != value


isnull = isna


def notna(value):
    return value.notna() if isinstance(value, (DataFrame, Series)) else not isna(value)


notnull = notna


def _number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _plain(value):
    """A scalar of NumPy's as Python's."""
    is_scalar = isinstance(value, numpy.generic) or isinstance(value, numpy.ndarray) and value.ndim == 0
    return value.item() if is_scalar else value


def _column(values):
    """The values of one column: numbers are all floats where one of them is, and a None among them is a NaN."""
    values = [_plain(v) for v in values]
    present = [v for v in values if v is not None]
    if present and all(_number(v) for v in present) and (
            len(present) < len(values) or any(isinstance(v, float) for v in present)):
        return [math.nan if v is None else float(v) for v in values]
    return values


def _kind(values):
    kinds = {type(v) for v in values}
    names = {bool: "bool", int: "int64", float: "float64"}
    return numpy.dtype(names[kinds.pop()]) if len(kinds) == 1 and kinds <= set(names) else "object"


def _array(values):
    kind = _kind(values)
    return numpy.array(values) if str(kind) != "object" else numpy.array(values, dtype=object)


class Index(list):
    """The labels of rows or columns."""

    name = None

    def tolist(self):
        return list(self)

    to_list = tolist

    @property
    def values(self):
        return _array(list(self))

    @property
    def is_plain(self):
        return list(self) == list(range(len(self)))

    def __repr__(self):
        if self and self.is_plain:
            return f"RangeIndex(start=0, stop={len(self)}, step=1)"
        return f"Index({list(self)!r}, dtype='{_kind(list(self))}')"


def _index(labels, count):
    if labels is None:
        return Index(range(count))
    out = Index(labels)
    out.name = getattr(labels, "name", None)
    return out


def _signed(text):
    """A text with a blank in the place of a sign."""
    return text if text.startswith("-") else " " + text


def _formatted(values, form):
    return ["NaN" if v != v else _signed(str(v) if v in (math.inf, -math.inf) else f"{v:.6{form}}") for v in values]


def _float_cells(values):
    """Floats with six decimals less the zeros that all end in, or with exponents where some are too small or too large
    for that (pandas' FloatArrayFormatter)."""
    cells = _formatted(values, "f")
    while (points := [c for c in cells if "." in c]) and all(c.endswith("0") and not c.endswith(".0") for c in points):
        cells = [c[:-1] if "." in c else c for c in cells]
    long, large = max(map(len, cells)) > 12, any(abs(v) > 1e6 for v in values)
    if long and large or any(0 < abs(v) < 1e-6 for v in values):
        return _formatted(values, "e")
    return cells


def _cells(column):
    """The texts of a column, with a blank in the place of a sign before numbers, and whether it is one of numbers."""
    kinds = {type(v) for v in column}
    if kinds == {int}:
        return [_signed(str(v)) for v in column], True
    if float in kinds and kinds <= {int, float}:
        return _float_cells([float(v) for v in column]), True
    return [" NaN" if isinstance(v, float) and v != v else f" {v}" for v in column], False


def _format_cells(values, float_format=None):
    """A column's texts, as pandas aligns them, and whether its heading leaves the place of a sign."""
    if float_format is not None and str(_kind(values)) == "float64":
        return [" " + _with(float_format, v) for v in values], True
    return _cells([v if v is None or isinstance(v, (int, float, str)) else str(v) for v in values])


def _with(float_format, value):
    if isna(value):
        return "NaN"
    return float_format(value) if callable(float_format) else float_format % value


def _adjoin(columns):
    widths = [max(len(cell) for cell in column) for column in columns]
    return "\n".join(" ".join(cell.rjust(w) for cell, w in zip(row, widths)) for row in zip(*columns))


def _ljust(cells):
    width = max(len(c) for c in cells)
    return [c.ljust(width) for c in cells]


def _missing(owner, name):
    return AttributeError(f"newt's pandas has no {owner}.{name}")


class Series:
    """A column or a row: values, their labels and a name."""

    def __init__(self, data=(), index=None, name=None, dtype=None):
        if isinstance(data, dict):
            index, data = list(data), list(data.values())
        if isinstance(data, Series):
            index, name = data.index if index is None else index, data.name if name is None else name
        if not hasattr(data, "__iter__") or isinstance(data, str):
            data = [data] * (1 if index is None else len(index))
        self._values = _column(list(data))
        self.index, self.name = _index(index, len(self._values)), name
        if dtype is not None:
            self._values = self.astype(dtype)._values

    def __getattr__(self, name):
        if "index" in self.__dict__ and name in self.index:
            return self[name]
        raise _missing("Series", name)

    def _like(self, values, name=None):
        return Series(values, self.index, self.name if name is None else name)

    dtype = property(lambda self: _kind(self._values))
    values = property(lambda self: _array(self._values))
    shape = property(lambda self: (len(self._values),))
    size = property(lambda self: len(self._values))
    empty = property(lambda self: not self._values)
    iloc = property(lambda self: _Positions(self))
    loc = property(lambda self: _Labels(self))

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def __contains__(self, label):
        return label in self.index

    def _take(self, positions):
        return Series([self._values[i] for i in positions], [self.index[i] for i in positions], self.name)

    def __getitem__(self, key):
        return self.loc[key] if not isinstance(key, slice) else self.iloc[key]

    def __setitem__(self, label, value):
        self._values[self.index.index(label)] = value
        self._values = _column(self._values)

    def _binary(self, other, operation):
        others = list(other) if isinstance(other, (Series, list, numpy.ndarray)) else [other] * len(self)
        if len(others) != len(self):
            raise ValueError(f"Lengths must match: {len(self)} and {len(others)}")
        return self._like([operation(a, b) for a, b in zip(self._values, others)])

    def __add__(self, other): return self._binary(other, lambda a, b: a + b)
    def __radd__(self, other): return self._binary(other, lambda a, b: b + a)
    def __sub__(self, other): return self._binary(other, lambda a, b: a - b)
    def __rsub__(self, other): return self._binary(other, lambda a, b: b - a)
    def __mul__(self, other): return self._binary(other, lambda a, b: a * b)
    def __rmul__(self, other): return self._binary(other, lambda a, b: b * a)
    def __truediv__(self, other): return self._binary(other, _divide)
    def __rtruediv__(self, other): return self._binary(other, lambda a, b: _divide(b, a))
    def __floordiv__(self, other): return self._binary(other, lambda a, b: a // b)
    def __mod__(self, other): return self._binary(other, lambda a, b: a % b)
    def __pow__(self, other): return self._binary(other, lambda a, b: a ** b)
    def __eq__(self, other): return self._binary(other, lambda a, b: a == b)
    def __ne__(self, other): return self._binary(other, lambda a, b: a != b)
    def __lt__(self, other): return self._binary(other, lambda a, b: a < b)
    def __le__(self, other): return self._binary(other, lambda a, b: a <= b)
    def __gt__(self, other): return self._binary(other, lambda a, b: a > b)
    def __ge__(self, other): return self._binary(other, lambda a, b: a >= b)
    def __and__(self, other): return self._binary(other, lambda a, b: a & b)
    def __or__(self, other): return self._binary(other, lambda a, b: a | b)
    def __invert__(self): return self._like([not v if isinstance(v, bool) else ~v for v in self._values])
    def __neg__(self): return self._like([-v for v in self._values])

    def __bool__(self):
        raise ValueError("The truth value of a Series is ambiguous. Use a.empty, a.item(), a.any() or a.all().")

    def map(self, function):
        call = function.get if isinstance(function, dict) else function
        return self._like([call(v) for v in self._values])

    apply = map

    def abs(self): return self.map(builtins.abs)
    def isna(self): return self.map(isna)
    def notna(self): return self.map(notna)
    def fillna(self, value): return self.map(lambda v: value if isna(v) else v)
    def isin(self, values): return self.map(lambda v: v in values)
    def round(self, decimals=0): return self.map(lambda v: builtins.round(v, decimals) if isinstance(v, float) else v)

    def astype(self, dtype):
        kinds = {"int": int, "int64": int, "int32": int, "float": float, "float64": float, "float32": float, "str": str,
                 "bool": bool, "object": lambda v: v}
        return self.map(kinds[dtype] if isinstance(dtype, str) else dtype)

    def dropna(self):
        return self._take([i for i, v in enumerate(self._values) if not isna(v)])

    def _present(self):
        return [v for v in self._values if not isna(v)]

    def count(self): return len(self._present())
    def sum(self): return sum(self._present())
    def min(self): return min(self._present(), default=math.nan)
    def max(self): return max(self._present(), default=math.nan)
    def any(self): return any(self._present())
    def all(self): return all(self._present())
    def mean(self): return _divide(self.sum(), self.count())
    def median(self): return self.quantile(0.5)

    def var(self, ddof=1):
        values, mean = self._present(), self.mean()
        return sum((v - mean) ** 2 for v in values) / (len(values) - ddof) if len(values) > ddof else math.nan

    def std(self, ddof=1):
        return math.sqrt(self.var(ddof))

    def quantile(self, q=0.5):
        ordered = sorted(self._present())
        if not ordered:
            return math.nan
        at = q * (len(ordered) - 1)
        low = int(at)
        high = builtins.min(low + 1, len(ordered) - 1)
        return ordered[low] + (ordered[high] - ordered[low]) * (at - low)

    def prod(self): return math.prod(self._present())
    def nunique(self): return len(self._distinct(self._present()))
    def idxmax(self): return self.index[self._values.index(self.max())]
    def idxmin(self): return self.index[self._values.index(self.min())]

    @staticmethod
    def _distinct(values):
        return list(dict.fromkeys(values))

    def unique(self): return _array(self._distinct(self._values))
    def tolist(self): return list(self._values)
    to_list = tolist
    def to_numpy(self, dtype=None): return self.values if dtype is None else self.values.astype(dtype)
    def to_dict(self): return dict(zip(self.index, self._values))
    def items(self): return zip(self.index, self._values)
    def item(self): return self._values[0]
    def copy(self): return self._like(list(self._values))
    def head(self, n=5): return self.iloc[:n]
    def tail(self, n=5): return self.iloc[-n:] if n else self.iloc[:0]

    def sort_values(self, ascending=True):
        return self._take(sorted(range(len(self)), key=lambda i: self._values[i], reverse=not ascending))

    def reset_index(self, drop=False):
        if drop:
            return Series(self._values, None, self.name)
        return DataFrame({self.index.name or "index": list(self.index), self.name or 0: self._values})

    def to_string(self):
        cells, _ = _format_cells(self._values)
        labels = _ljust([str(label) for label in self.index])
        lines = [label + "   " + cell for label, cell in zip(labels, _rjust(cells))]
        head = [str(self.index.name)] if self.index.name is not None else []
        return "\n".join(head + lines)

    def __repr__(self):
        if not self._values:
            return f"Series([], {f'Name: {self.name}, ' if self.name is not None else ''}dtype: {self.dtype})"
        footer = [] if self.name is None else [f"Name: {self.name}"]
        text = self.to_string()
        if len(self) > _MAX_ROWS:
            edges = self._take([*range(_EDGE_ROWS), *range(len(self) - _EDGE_ROWS, len(self))])
            lines = edges.to_string().split("\n")
            label = builtins.max(len(str(i)) for i in edges.index)
            width = len(lines[0]) - label - 3
            dots = " " * (label + 3) + ("..." if width > 3 else "..").center(width)
            text = "\n".join(lines[:_EDGE_ROWS] + [dots] + lines[_EDGE_ROWS:])
            footer.append(f"Length: {len(self)}")
        return text + "\n" + ", ".join(footer + [f"dtype: {self.dtype}"])


def _rjust(cells):
    width = max(len(c) for c in cells)
    return [c.rjust(width) for c in cells]


def _divide(a, b):
    if b == 0 and _number(a) and _number(b):
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a)
    return a / b


def _positions(key, count):
    """The positions that a key of iloc means."""
    if isinstance(key, int):
        if not -count <= key < count:
            raise IndexError("single positional indexer is out-of-bounds")
        return [key % count]
    if isinstance(key, slice):
        return list(range(count))[key]
    keys = [_plain(k) for k in key]
    if keys and all(isinstance(k, bool) for k in keys):
        return [i for i, k in enumerate(keys) if k]
    return [k % count for k in keys]


def _found(key, labels):
    """The positions that a key of loc means among labels."""
    if isinstance(key, slice):
        begin = 0 if key.start is None else labels.index(key.start)
        end = len(labels) if key.stop is None else labels.index(key.stop) + 1
        return list(range(begin, end, key.step or 1))
    if isinstance(key, (Series, list, numpy.ndarray)):
        keys = [_plain(k) for k in key]
        if keys and all(isinstance(k, bool) for k in keys):
            return [i for i, k in enumerate(keys) if k]
        return [i for k in keys for i in _found(k, labels)]
    found = [i for i, label in enumerate(labels) if label == key]
    if not found:
        raise KeyError(key)
    return found


class _Positions:
    """What iloc is: access by position, slices as Python's."""

    def __init__(self, owner):
        self._owner = owner

    def _find(self, key, labels):
        return _positions(key, len(labels)), isinstance(key, int)

    def _split(self, key):
        return key if isinstance(key, tuple) else (key, slice(None))

    def __getitem__(self, key):
        owner = self._owner
        if isinstance(owner, Series):
            rows, one = self._find(key, owner.index)
            return owner._values[rows[0]] if one and len(rows) == 1 else owner._take(rows)
        row, column = self._split(key)
        (rows, one_row), (columns, one_column) = self._find(row, owner.index), self._find(column, owner.columns)
        names = [owner.columns[i] for i in columns]
        if one_column:
            series = owner[names[0]]
            return series._values[rows[0]] if one_row and len(rows) == 1 else series._take(rows)
        if one_row and len(rows) == 1:
            return Series([owner._data[n][rows[0]] for n in names], names, owner.index[rows[0]])
        return owner._take(rows, names)

    def __setitem__(self, key, value):
        owner = self._owner
        if isinstance(owner, Series):
            rows, columns, data = self._find(key, owner.index)[0], [0], {0: owner._values}
        else:
            row, column = self._split(key)
            rows, data = self._find(row, owner.index)[0], owner._data
            if isinstance(column, str) and column not in owner._data:
                owner[column] = [None] * len(owner)
            columns = [owner.columns[i] for i in self._find(column, owner.columns)[0]]
        for name in columns:
            for n, i in enumerate(rows):
                data[name][i] = value[n] if isinstance(value, (list, Series)) else value
            data[name][:] = _column(data[name])


class _Labels(_Positions):
    """What loc is: access by label, slices with their end; a mask of bools."""

    def _find(self, key, labels):
        return _found(key, list(labels)), not isinstance(key, (slice, list, Series, numpy.ndarray))


class DataFrame:
    """A table: columns by name, rows by label."""

    def __init__(self, data=None, index=None, columns=None, dtype=None):
        if isinstance(data, DataFrame):
            index, data = data.index if index is None else index, data._data
        if data is None:
            data = {}
        if isinstance(data, dict):
            names = list(data) if columns is None else list(columns)
            series = [v for v in data.values() if isinstance(v, Series)]
            if index is None and series:
                index = series[0].index
            data = {n: v if isinstance(v, str) or not hasattr(v, "__iter__") else list(v) for n, v in data.items()}
            lengths = {len(v) for v in data.values() if isinstance(v, list)}
            if len(lengths) > 1:
                raise ValueError("All arrays must be of the same length")
            if data and not lengths and index is None:
                raise ValueError("If using all scalar values, you must pass an index")
            count = lengths.pop() if lengths else len(index or ())
            data = {n: v if isinstance(v, list) else [v] * count for n, v in data.items()}
            data = {n: data.get(n, [None] * count) for n in names}
        else:
            rows = list(data)
            if rows and isinstance(rows[0], dict):
                names = list(dict.fromkeys(n for row in rows for n in row)) if columns is None else list(columns)
                data = {n: [row.get(n) for row in rows] for n in names}
            else:
                rows = [list(r) if hasattr(r, "__iter__") and not isinstance(r, str) else [r] for r in rows]
                names = list(range(max(map(len, rows), default=0))) if columns is None else list(columns)
                if any(len(r) > len(names) for r in rows):
                    raise ValueError(f"{len(names)} columns passed, passed data had {max(map(len, rows))} columns")
                data = {n: [r[i] if i < len(r) else None for r in rows] for i, n in enumerate(names)}
        self._data = {n: _column(v) for n, v in data.items()}
        self._index = _index(index, max(map(len, self._data.values()), default=0))
        if dtype is not None:
            self._data = self.astype(dtype)._data

    def __getattr__(self, name):
        if "_data" in self.__dict__ and name in self._data:
            return self[name]
        raise _missing("DataFrame", name)

    @property
    def columns(self):
        return Index(self._data)

    @columns.setter
    def columns(self, names):
        if len(names) != len(self._data):
            raise ValueError(f"Length mismatch: {len(names)} names for {len(self._data)} columns")
        self._data = dict(zip(names, self._data.values()))

    @property
    def index(self):
        return self._index

    @index.setter
    def index(self, labels):
        self._index = _index(labels, len(self))

    shape = property(lambda self: (len(self._index), len(self._data)))
    size = property(lambda self: len(self._index) * len(self._data))
    empty = property(lambda self: self.size == 0)
    dtypes = property(lambda self: Series([_kind(v) for v in self._data.values()], list(self._data)))
    iloc = property(lambda self: _Positions(self))
    loc = property(lambda self: _Labels(self))
    iat = iloc
    at = loc
    T = property(lambda self: DataFrame(self._rows_by_label(), columns=list(self._index), index=list(self._data)))
    plot = property(lambda self: _Plot(self))

    def _rows_by_label(self):
        return {label: [v[i] for v in self._data.values()] for i, label in enumerate(self._index)}

    @property
    def values(self):
        rows = self._rows()
        kinds = {str(_kind(v)) for v in self._data.values()}
        return numpy.array(rows) if kinds <= {"int64", "float64"} and rows else numpy.array(rows, dtype=object)

    def to_numpy(self):
        return self.values

    def _rows(self):
        return [list(row) for row in zip(*self._data.values())]

    def __len__(self):
        return len(self._index)

    def __iter__(self):
        return iter(self._data)

    def __contains__(self, name):
        return name in self._data

    def keys(self):
        return self.columns

    def get(self, name, default=None):
        return self[name] if name in self._data else default

    def _take(self, rows, names=None):
        out = DataFrame({n: [self._data[n][i] for i in rows] for n in (self._data if names is None else names)})
        out._index = Index([self._index[i] for i in rows])
        out._index.name = self._index.name
        return out

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self.iloc[key]
        if isinstance(key, (Series, list, numpy.ndarray, Index)):
            keys = list(key)
            if keys and all(isinstance(_plain(k), bool) for k in keys):
                return self.loc[keys]
            for k in keys:
                if k not in self._data:
                    raise KeyError(f"{[k for k in keys if k not in self._data]} not in index")
            return self._take(range(len(self)), keys)
        if key not in self._data:
            raise KeyError(key)
        out = Series(self._data[key], self._index, key)
        out._values = self._data[key]
        return out

    def __setitem__(self, name, values):
        scalar = isinstance(values, str) or not hasattr(values, "__iter__")
        count = len(self) if self._data or scalar else len(values)
        values = [values] * count if scalar else list(values)
        if len(values) != count:
            raise ValueError(f"Length of values ({len(values)}) does not match length of index ({count})")
        if not self._data and not len(self):
            self._index = Index(range(count))
        self._data[name] = _column(values)

    def __delitem__(self, name):
        del self._data[name]

    def copy(self, deep=True): return self._take(range(len(self)))
    def head(self, n=5): return self.iloc[:n]
    def tail(self, n=5): return self.iloc[-n:] if n else self.iloc[:0]
    def items(self): return [(n, self[n]) for n in self._data]
    def iterrows(self): return ((label, self.iloc[i]) for i, label in enumerate(self._index))

    def itertuples(self, index=True, name="Pandas"):
        import collections
        fields = (["Index"] if index else []) + list(self._data)
        kind = collections.namedtuple(name, fields, rename=True)
        for label, row in zip(self._index, self._rows()):
            yield kind(*([label] if index else []), *row)

    def _map(self, function):
        out = DataFrame({n: function(self[n]) for n in self._data})
        out._index = self._index
        return out

    def round(self, decimals=0):
        return self._map(lambda s: s.round(decimals.get(s.name, 15) if isinstance(decimals, dict) else decimals))

    def astype(self, dtype):
        return self._map(lambda s: s.astype(dtype) if not isinstance(dtype, dict) else
                         s.astype(dtype[s.name]) if s.name in dtype else s)

    def isna(self): return self._map(Series.isna)
    def notna(self): return self._map(Series.notna)
    def fillna(self, value): return self._map(lambda s: s.fillna(value))

    def dropna(self):
        return self._take([i for i, row in enumerate(self._rows()) if not any(map(isna, row))])

    def apply(self, function, axis=0):
        if axis in (1, "columns"):
            return Series([function(self.iloc[i]) for i in range(len(self))], self._index)
        return Series([function(self[n]) for n in self._data], list(self._data))

    def assign(self, **columns):
        out = self.copy()
        for name, value in columns.items():
            out[name] = value(out) if callable(value) else value
        return out

    def drop(self, labels=None, axis=0, columns=None, index=None):
        if columns is None and axis in (1, "columns"):
            columns, labels = labels, None
        names = [columns] if isinstance(columns, str) else list(columns or [])
        for name in names:
            if name not in self._data:
                raise KeyError(f"{[name]} not found in axis")
        gone = index if index is not None else labels
        gone = gone if isinstance(gone, (list, tuple)) else [] if gone is None else [gone]
        rows = [i for i, label in enumerate(self._index) if label not in gone]
        return self._take(rows, [n for n in self._data if n not in names])

    def rename(self, columns=None, index=None):
        out = self.copy()
        if columns is not None:
            change = columns if callable(columns) else lambda n: columns.get(n, n)
            out.columns = [change(n) for n in self._data]
        return out

    def sort_values(self, by, ascending=True, ignore_index=False):
        names = [by] if isinstance(by, str) else list(by)
        rows = list(range(len(self)))
        ways = ascending if isinstance(ascending, list) else [ascending] * len(names)
        for name, up in reversed(list(zip(names, ways))):
            rows.sort(key=lambda i: self._data[name][i], reverse=not up)
        out = self._take(rows)
        return out.reset_index(drop=True) if ignore_index else out

    def reset_index(self, drop=False):
        data = {} if drop else {self._index.name or "index": list(self._index)}
        return DataFrame({**data, **self._data})

    def set_index(self, name):
        out = self._take(range(len(self)), [n for n in self._data if n != name])
        out._index = Index(self._data[name])
        out._index.name = name
        return out

    def pivot(self, index, columns, values):
        rows, names = sorted(set(self._data[index])), sorted(set(self._data[columns]))
        cells = {(r, c): v for r, c, v in zip(self._data[index], self._data[columns], self._data[values])}
        out = DataFrame({n: [cells.get((r, n)) for r in rows] for n in names}, index=rows)
        out._index.name = index
        return out

    def groupby(self, by, sort=True):
        return _Groups(self, by, sort)

    def _numeric(self, reduction, numeric_only):
        names = [n for n, v in self._data.items() if str(_kind(v)) != "object"]
        if not numeric_only and len(names) < len(self._data):
            raise TypeError("the frame has columns that are no numbers: give numeric_only=True")
        return Series([reduction(self[n]) for n in names], names)

    def mean(self, numeric_only=False): return self._numeric(Series.mean, numeric_only)
    def median(self, numeric_only=False): return self._numeric(Series.median, numeric_only)
    def sum(self, numeric_only=False): return self._numeric(Series.sum, numeric_only)
    def min(self, numeric_only=False): return self._numeric(Series.min, numeric_only)
    def max(self, numeric_only=False): return self._numeric(Series.max, numeric_only)
    def std(self, numeric_only=False): return self._numeric(Series.std, numeric_only)

    def describe(self):
        rows = {"count": lambda s: float(s.count()), "mean": Series.mean, "std": Series.std, "min": Series.min,
                "25%": lambda s: s.quantile(0.25), "50%": Series.median, "75%": lambda s: s.quantile(0.75),
                "max": Series.max}
        names = [n for n, v in self._data.items() if str(_kind(v)) in ("int64", "float64")]
        return DataFrame({n: [float(f(self[n])) for f in rows.values()] for n in names}, index=list(rows))

    def to_dict(self, orient="dict"):
        names = list(self._data)
        if orient == "records":
            return [dict(zip(names, row)) for row in self._rows()]
        if orient == "list":
            return {n: list(v) for n, v in self._data.items()}
        if orient == "index":
            return {label: dict(zip(names, row)) for label, row in zip(self._index, self._rows())}
        return {n: dict(zip(self._index, v)) for n, v in self._data.items()}

    def _labels(self):
        """The column of labels, with a heading, and a second one where they have a name."""
        head = ["" if self._index.name is None else str(self._index.name)]
        return _ljust(([""] if self._index.name is not None else []) + head + [str(label) for label in self._index])

    def _strings(self, index=True, header=True, float_format=None):
        columns = []
        for name, values in self._data.items():
            cells, sign = _format_cells(values, float_format)
            if not index:
                cells = [c.strip() for c in cells]
            head = [(" " if sign else "") + str(name)] + ([""] if index and self._index.name is not None else [])
            columns.append((head if header else []) + cells)
        labels = self._labels()
        return ([labels if header else labels[-len(self):]] if index else []) + columns

    def _no_rows(self):
        return f"Empty DataFrame\nColumns: [{', '.join(map(str, self._data))}]\nIndex: []"

    def to_string(self, buf=None, index=True, header=True, float_format=None, **layout):
        return _adjoin(self._strings(index, header, float_format)) if self.size else self._no_rows()

    def __repr__(self):
        if not self.size:
            return self._no_rows()
        cut, shown = False, self
        if len(self) > _MAX_ROWS:
            cut, shown = True, self._take([*range(_EDGE_ROWS), *range(len(self) - _EDGE_ROWS, len(self))])
        columns = shown._strings()
        if cut:
            middle = len(columns[0]) - _EDGE_ROWS
            for i, column in enumerate(columns):
                width = builtins.max(map(len, column))
                dots = "..." if width > 3 and i else ".."
                column.insert(middle, dots.ljust(width) if i == 0 else dots)
        widths = [builtins.max(map(len, c)) for c in columns]
        over, left = sum(w + 1 for w in widths) - _WIDTH, list(widths)
        while over > 0 and len(left) > 1:
            over -= left.pop(builtins.round(len(left) / 2)) + 1
        if len(left) < len(widths):
            half = builtins.max((len(left) - 1), 2) // 2
            cut = True
            columns = [columns[0], *columns[1:half + 1], [" ..."] * len(columns[0]), *columns[-half:]]
        text = _adjoin(columns)
        return text + f"\n\n[{len(self)} rows x {len(self._data)} columns]" if cut else text

    def to_html(self, index=True, **layout):
        cells = [[str(label)] * index + [c.strip() for c in row]
                 for label, row in zip(self._index, zip(*(_format_cells(v)[0] for v in self._data.values())))]
        heads = [""] * index + [str(n) for n in self._data]
        lines = ['<table border="1" class="dataframe">', "  <thead>", '    <tr style="text-align: right;">']
        lines += [f"      <th>{_escape(h)}</th>" for h in heads] + ["    </tr>", "  </thead>", "  <tbody>"]
        for row in cells:
            lines.append("    <tr>")
            for i, cell in enumerate(row):
                tag = "th" if index and i == 0 else "td"
                lines.append(f"      <{tag}>{_escape(cell)}</{tag}>")
            lines.append("    </tr>")
        return "\n".join(lines + ["  </tbody>", "</table>"])

    def _repr_html_(self):
        return self.to_html()

    def to_markdown(self, buf=None, index=True, floatfmt="g"):
        import tabulate
        rows = [([label] if index else []) + row for label, row in zip(self._index, self._rows())]
        return tabulate.tabulate(rows, ([""] if index else []) + list(self._data), tablefmt="pipe", floatfmt=floatfmt)

    def to_csv(self, path_or_buf=None, sep=",", index=True, header=True, float_format=None, na_rep=""):
        text = io.StringIO()
        writer = csv.writer(text, delimiter=sep, lineterminator="\n")
        if header:
            writer.writerow(([self._index.name or ""] if index else []) + list(self._data))
        for label, row in zip(self._index, self._rows()):
            cells = [na_rep if isna(v) else _with(float_format, v) if float_format and isinstance(v, float) else v
                     for v in row]
            writer.writerow(([label] if index else []) + cells)
        if path_or_buf is None:
            return text.getvalue()
        if hasattr(path_or_buf, "write"):
            path_or_buf.write(text.getvalue())
            return None
        with open(path_or_buf, "w") as file:
            file.write(text.getvalue())


def _escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class _Groups:
    """What groupby gives: the frames of the rows that are alike in some columns."""

    def __init__(self, frame, by, sort, selected=None):
        self._frame, self._by, self._sort, self._selected = frame, by, sort, selected
        names = [by] if isinstance(by, str) else list(by)
        groups = {}
        for i, key in enumerate(zip(*(frame._data[n] for n in names))):
            groups.setdefault(key if not isinstance(by, str) else key[0], []).append(i)
        self._groups = {k: groups[k] for k in (sorted(groups) if sort else groups)}

    def __iter__(self):
        return ((key, self._frame._take(rows)) for key, rows in self._groups.items())

    def __len__(self):
        return len(self._groups)

    def __getitem__(self, names):
        return _Groups(self._frame, self._by, self._sort, names)

    def size(self):
        return self._labelled(Series([len(rows) for rows in self._groups.values()], list(self._groups)))

    def _labelled(self, out):
        out.index.name = self._by if isinstance(self._by, str) else None
        return out

    def agg(self, reduction):
        function = getattr(Series, reduction) if isinstance(reduction, str) else reduction
        one = isinstance(self._selected, str)
        by = [self._by] if isinstance(self._by, str) else list(self._by)
        names = [self._selected] if one else self._selected or [n for n in self._frame._data if n not in by]
        columns = {n: [function(self._frame[n]._take(rows)) for rows in self._groups.values()] for n in names}
        if one:
            return self._labelled(Series(columns[names[0]], list(self._groups), names[0]))
        return self._labelled(DataFrame(columns, index=list(self._groups)))

    aggregate = agg
    def mean(self): return self.agg("mean")
    def median(self): return self.agg("median")
    def sum(self): return self.agg("sum")
    def min(self): return self.agg("min")
    def max(self): return self.agg("max")
    def std(self): return self.agg("std")
    def count(self): return self.agg("count")
    def first(self): return self.agg(lambda s: s._values[0])


class _Plot:
    """What DataFrame.plot is: lines or bars of some columns over another, drawn with matplotlib."""

    def __init__(self, frame):
        self._frame = frame

    def __call__(self, x=None, y=None, kind="line", ax=None, title=None, xlabel=None, ylabel=None, figsize=None,
                 legend=True, logx=False, logy=False, grid=None, marker=None, **options):
        import matplotlib.pyplot as plt
        frame = self._frame
        if ax is None:
            _, ax = plt.subplots(figsize=figsize)
        numbers = [n for n, v in frame._data.items() if n != x and str(_kind(v)) != "object"]
        names = [y] if isinstance(y, str) else y or numbers
        at = frame._data[x] if x is not None else list(frame._index)
        for i, name in enumerate(names):
            if kind == "line":
                ax.plot(at, frame._data[name], label=name, marker=marker)
            elif kind == "bar":
                ax.bar([k + (i - (len(names) - 1) / 2) * 0.5 / len(names) for k in range(len(at))], frame._data[name],
                       width=0.5 / len(names), label=name)
            elif kind == "scatter":
                ax.scatter(at, frame._data[name], label=name)
            else:
                raise NotImplementedError(f"newt's pandas draws lines, bars and points, no {kind!r}")
        if kind == "bar":
            ax.set_xticks(range(len(at)), [str(v) for v in at])
        ax.set_xlabel(xlabel or x or "")
        for text, set_text in ((title, ax.set_title), (ylabel, ax.set_ylabel)):
            if text:
                set_text(text)
        if logx:
            ax.set_xscale("log")
        if logy:
            ax.set_yscale("log")
        if grid:
            ax.grid(True)
        if legend:
            ax.legend()
        return ax

    def line(self, x=None, y=None, **options): return self(x, y, "line", **options)
    def bar(self, x=None, y=None, **options): return self(x, y, "bar", **options)
    def scatter(self, x=None, y=None, **options): return self(x, y, "scatter", **options)


def concat(objs, ignore_index=False, axis=0):
    frames = list(objs)
    if not frames:
        raise ValueError("No objects to concatenate")
    if axis in (1, "columns"):
        return DataFrame({n: f._data[n] for f in frames for n in f._data}, index=frames[0].index)
    labels = None if ignore_index else [label for f in frames for label in f.index]
    if isinstance(frames[0], Series):
        return Series([v for s in frames for v in s], labels, frames[0].name)
    return DataFrame([row for f in frames for row in f.to_dict("records")], labels,
                     list(dict.fromkeys(n for f in frames for n in f._data)))


def _cell(text):
    if text == "" or text in ("NaN", "nan", "NA"):
        return None
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return {"True": True, "False": False}.get(text, text)


def read_csv(filepath_or_buffer, sep=",", index_col=None):
    if hasattr(filepath_or_buffer, "read"):
        text = filepath_or_buffer.read()
    else:
        with open(filepath_or_buffer) as file:
            text = file.read()
    head, *rows = list(csv.reader(io.StringIO(text), delimiter=sep))
    names = [h or f"Unnamed: {i}" for i, h in enumerate(head)]
    columns = {n: [_cell(row[i]) if i < len(row) else None for row in rows] for i, n in enumerate(names)}
    for name, values in columns.items():  # a column with a text in it is all texts
        if any(isinstance(v, str) for v in values):
            columns[name] = [math.nan if v is None else row[names.index(name)] for v, row in zip(values, rows)]
    frame = DataFrame(columns)
    if index_col is None:
        return frame
    return frame.set_index(names[index_col] if isinstance(index_col, int) else index_col)


def to_numeric(arg, errors="raise"):
    def number(value):
        try:
            return value if _number(value) else int(value) if str(value).lstrip("-").isdigit() else float(value)
        except ValueError:
            if errors == "raise":
                raise ValueError(f'Unable to parse string "{value}"') from None
            return math.nan if errors == "coerce" else value
    return arg.map(number) if isinstance(arg, Series) else number(arg)


def set_option(*options):
    """The options say how pandas prints, which newt does in one way."""

"""Figures as data, which the page or the command line draws.

A figure, its axes and their marks each hold a dict with the fields that package figure's JSON has.
"""
import math
import os
from bisect import bisect_right as _bisect_right

import torch
from matplotlib import rcParams

_MAX_AXES = 100  # of a figure
_range = range  # which hist has a parameter named after
_MARKERS = ".,ov^<>12348spP*hH+xXDd|_"
_STYLES = {"solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":", "None": "", "none": "", " ": "", "": "",
           "-": "-", "--": "--", "-.": "-.", ":": ":"}
_SHORT = {"c": "color", "facecolor": "color", "ls": "linestyle", "lw": "linewidth"}
# Keywords that only say how a mark looks, in ways that whoever draws it decides.
_LOOKS = frozenset("""markersize ms zorder markeredgecolor mec markerfacecolor mfc markeredgewidth mew edgecolor ec
    edgecolors linewidths rotation fontsize fontweight fontfamily ha va horizontalalignment verticalalignment clip_on
    antialiased drawstyle where hatch capsize capthick elinewidth ecolor fontdict family size weight bbox arrowprops
    xycoords textcoords pad loc interpolation aspect align rasterized interpolate fontstyle style log visible
    markevery dashes solid_capstyle fillstyle labelpad backgroundcolor tick_label xerr yerr norm""".split())


def _ignore(*args, **kwargs):
    pass


def _array(v):
    "A tensor or an array as an array of NumPy, None of what is neither."
    v = v.numpy() if isinstance(v, torch.Tensor) else v
    return v if hasattr(v, "tolist") and hasattr(v, "ndim") else None


def _numbers(v, axis=None):
    "The floats of an array, a sequence or one number. Texts are the categories of an axis, in the order they come in."
    array = _array(v)
    if array is not None:
        return array.astype(float).reshape(-1).tolist()
    if isinstance(v, str) or not hasattr(v, "__iter__"):
        v = [v]
    return [_category(item, axis) if isinstance(item, str) else math.nan if item is None else float(item) for item in v]


def _category(name, axis):
    if axis is None:
        raise ValueError(f"could not convert string to float: {name!r}")
    names = axis.setdefault("names", [])
    if name not in names:
        names.append(name)
    return float(names.index(name))


def _columns(v, axis):
    "The lines of an array: its columns if it has two dimensions. None has none."
    array = _array(v)
    if array is not None and array.ndim > 2:
        raise ValueError(f"x and y can be no greater than 2D, but have shapes {array.shape}")
    if array is not None and array.ndim == 2:
        return [_numbers(array[:, i]) for i in range(array.shape[1])]
    return [] if v is None else [_numbers(v, axis)]


def _repeated(numbers, n):
    "One number for each of n."
    return numbers * n if len(numbers) == 1 else numbers


def _bounds(values):
    "The least and the greatest of the numbers that are finite, 0 and 1 where there are none."
    t = torch.as_tensor(values, dtype=torch.float64)
    t = t[torch.isfinite(t)]
    return (t.min().item(), t.max().item()) if t.numel() else (0.0, 1.0)


def _colors(v):
    "The fields of a color, or of the colors of points: a name, three or four numbers, or a sequence of these."
    if isinstance(v, str):
        if not _color(v):
            raise ValueError(f"{v!r} is not a valid value for color")
        return {"color": _color(v)}
    v = list(v if _array(v) is None else _array(v).tolist())
    if len(v) in (3, 4) and all(isinstance(x, (int, float)) for x in v):
        return {"color": "#%02x%02x%02x" % tuple(round(255 * min(max(x, 0), 1)) for x in v[:3])}
    return {"colors": [_colors(x)["color"] for x in v]}


def _style(name):
    if name not in _STYLES:
        raise ValueError(f"{name!r} is not a valid value for ls; supported values are '-', '--', '-.', ':', 'None', ' ', "
                         "'', 'solid', 'dashed', 'dashdot', 'dotted'")
    return {"style": _STYLES[name]}


_READ = {"label": lambda v: {"label": str(v).removeprefix("_nolegend_")}, "color": _colors, "linestyle": _style,
         "linewidth": lambda v: {"width": float(v)}, "marker": lambda v: {"marker": str(v).removeprefix("None")},
         "alpha": lambda v: {"alpha": float(v)}, "transform": lambda v: {"inAxes": v == "axes"}}


def _format(text):
    'The fields of a format such as "r--o": a color, a line style and a marker, in any order.'
    mark, rest = {"style": "", "marker": ""}, text
    while rest:
        field, size = "style", 2
        if rest[:2] in ("--", "-."):
            pass
        elif rest[0] in "-:":
            size = 1
        elif rest[0] in _MARKERS:
            field, size = "marker", 1
        else:
            field = "color"
            sizes = [n for n in (2, 1, len(rest)) if _color(rest[:n]) and (n != 2 or rest[0] == "C")]
            if not sizes:
                raise ValueError(f"{text!r} is not a valid format string (unrecognized character {rest[0]!r})")
            size = sizes[0]
        mark[field] = _color(rest[:size]) if field == "color" else rest[:size]
        rest = rest[size:]
    if not mark["style"] and not mark["marker"]:
        mark["style"] = "-"
    return mark


def _scaled(image, cmap, vmin, vmax):
    "Sets the colormap of an image and the values at its ends."
    image["colormap"] = cmap or "viridis"
    if not _known(image["colormap"]):
        raise ValueError(f"{cmap!r} is not a known colormap name")
    low, high = _bounds(image["values"])
    image["low"] = low if vmin is None else float(vmin)
    image["high"] = high if vmax is None else float(vmax)
    return image


def _mark(kind, looks, fields):
    mark = {"kind": kind, "alpha": 1.0, "color": "", **fields}
    for name, v in looks.items():
        read = _READ.get(_SHORT.get(name, name))
        if read is None and name not in _LOOKS:
            raise AttributeError(f"Artist.set() got an unexpected keyword argument {name!r}")
        if read is not None and v is not None:
            mark.update(read(v))
    return mark


class Artist:
    "A mark of some axes, as what drew it returns it."

    __module__ = "matplotlib.artist"

    def __init__(self, mark):
        self._mark = mark

    def set_label(self, s):
        self._mark["label"] = str(s)

    def get_label(self):
        return self._mark.get("label", "")

    def get_color(self):
        return self._mark["color"]

    def get_xdata(self):
        return list(self._mark["x"])

    def get_ydata(self):
        return list(self._mark["y"])

    def set_clim(self, vmin, vmax):
        self._mark["image"].update(low=float(vmin), high=float(vmax))


def _lines(log):
    "plot, which sets a logarithmic scale along the axes that log names: groups of [x], y and [format]."
    def plot(self, *args, base=10, **looks):
        for axis in log:
            self._data[axis]["base"] = float(base)
        args, lines = list(args), []
        while args:
            x, y = None, args.pop(0)
            if args and not isinstance(args[0], str):
                x, y = y, args.pop(0)
            mark = {"style": "-", "width": 1.5}
            if args and isinstance(args[0], str):
                mark.update(_format(args.pop(0)))
            xs = _columns(x, self._data["x"])
            for i, column in enumerate(_columns(y, self._data["y"])):
                across = xs[min(i, len(xs) - 1)] if xs else [float(k) for k in range(len(column))]
                if len(across) != len(column):
                    raise ValueError("x and y must have same first dimension, but have shapes "
                                     f"({len(across)},) and ({len(column)},)")
                lines.append(self._draw("line", looks, x=across, y=column, **mark))
        return lines

    return plot


class Patch(Artist):
    "A shape of no plot, for a legend."

    __module__ = "matplotlib.patches"

    def __init__(self, **looks):
        super().__init__(_mark("bars", looks, {}))


class Line2D(Artist):
    "A line of no plot, for a legend."

    __module__ = "matplotlib.lines"

    def __init__(self, xdata, ydata, **looks):
        super().__init__(_mark("line", looks, {"x": _numbers(xdata), "y": _numbers(ydata), "style": "-", "width": 1.5}))


class Axes:
    __module__ = "matplotlib.axes"
    transAxes, transData = "axes", "data"

    def __init__(self, figure, row, column):
        self.figure, self._row, self._column = figure, row, column
        self.clear()

    def clear(self):
        self._data = {"row": self._row, "column": self._column, "x": {}, "y": {}, "marks": []}
        self._cycle = 0  # counts the marks without a color of their own

    cla = clear

    def _draw(self, kind, looks, **mark):
        "Adds a mark, with what the keywords of a call say of it."
        mark = _mark(kind, looks, mark)
        if not mark["color"] and not mark.get("colors") and kind not in ("text", "picture"):
            mark["cycle"] = self._cycle
            self._cycle += 1
        self._data["marks"].append(mark)
        return Artist(mark)

    def _points(self, x, y):
        x, y = _numbers(x, self._data["x"]), _numbers(y, self._data["y"])
        y = _repeated(y, len(x))
        if len(x) != len(y):
            raise ValueError("x and y must be the same size")
        return x, y

    plot, step, loglog, semilogx, semilogy = _lines(""), _lines(""), _lines("xy"), _lines("x"), _lines("y")

    def scatter(self, x, y, s=None, c=None, *, cmap=None, vmin=None, vmax=None, **looks):
        x, y = self._points(x, y)
        mark = {"marker": "o", "sizes": [] if s is None else _numbers(s)}
        if c is not None:
            numeric = _array(c) is not None or not isinstance(c, str) and len(c) == len(x) and all(
                isinstance(v, (int, float)) for v in c)
            mark.update({"colors": _mapped(_scaled({"values": _numbers(c)}, cmap, vmin, vmax))} if numeric else _colors(c))
        return self._draw("scatter", looks, x=x, y=y, **mark)

    def _bars(self, kind, axis, at, lengths, thickness, base, looks):
        at = _numbers(at, self._data[axis])
        lengths, base = _repeated(_numbers(lengths), len(at)), _repeated(_numbers(0 if base is None else base), len(at))
        if len(at) != len(lengths):
            raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 "
                             f"with shape ({len(at)},) and arg 1 with shape ({len(lengths)},).")
        looks = {name: v for name, v in looks.items() if name not in ("linewidth", "lw")}  # of the edges
        return self._draw(kind, looks, x=at, y=lengths, base=base, width=float(thickness))

    def bar(self, x, height, width=0.8, bottom=None, **looks):
        return self._bars("bars", "x", x, height, width, bottom, looks)

    def barh(self, y, width, height=0.8, left=None, **looks):
        return self._bars("sidebars", "y", y, width, height, left, looks)

    def bar_label(self, container, labels=None, **looks):
        mark = getattr(container, "_mark", {})
        if "base" not in mark:
            raise TypeError("bar_label() takes what bar() returned")
        for i, (at, length, base) in enumerate(zip(mark["x"], mark["y"], mark["base"])):
            place = (at, base + length) if mark["kind"] == "bars" else (base + length, at)
            self.text(*place, labels[i] if labels is not None and i < len(labels) else f"{length:g}", **looks)

    def hist(self, x, bins=10, range=None, density=False, **looks):
        values = _numbers(x)
        low, high = range or _bounds(values)
        if isinstance(bins, int):
            if not 1 <= bins <= 100_000:
                _limit(f"a histogram has 1 to 100000 bins, not {bins}")
            if low == high:
                low, high = low - 0.5, high + 0.5
            bins = [low + (high - low) * i / bins for i in _range(bins + 1)]
        edges = _numbers(bins)
        counts = [0.0] * (len(edges) - 1)
        for v in values:
            if edges[0] <= v <= edges[-1]:  # the last bin has its upper edge
                counts[min(_bisect_right(edges, v), len(counts)) - 1] += 1
        if density:
            total = sum(counts)
            counts = [n / total / (b - a) for n, a, b in zip(counts, edges, edges[1:])]
        bars = self._draw("bars", looks, x=[(a + b) / 2 for a, b in zip(edges, edges[1:])], y=counts,
                          base=[0.0] * len(counts), width=edges[-1] - edges[-2])
        return counts, edges, bars

    def errorbar(self, x, y, yerr=None, xerr=None, fmt="", **looks):
        x, y = self._points(x, y)
        line = self._draw("line", looks, x=x, y=y, **{"style": "-", "width": 1.5, **(_format(fmt) if fmt else {})})
        if yerr is not None:
            errors = _repeated(_numbers(yerr), len(y))
            self._band(line, [v - e for v, e in zip(y, errors)], [v + e for v, e in zip(y, errors)], 0.2)
        return line

    def _band(self, line, low, high, alpha):
        "A band around the last line, beneath it and in its color."
        same = {name: line._mark[name] for name in ("x", "color", "cycle") if name in line._mark}
        self._data["marks"].insert(-1, {"kind": "band", "y": high, "base": low, "alpha": alpha, **same})

    def fill_between(self, x, y1, y2=0, **looks):
        x, y1 = self._points(x, y1)
        return self._draw("band", looks, x=x, y=y1, base=_repeated(_numbers(y2), len(x)))

    def axhline(self, y=0, xmin=0, xmax=1, **looks):
        return self._draw("horizontal", looks, y=[float(y)], style="-", width=1.5)

    def axvline(self, x=0, ymin=0, ymax=1, **looks):
        return self._draw("vertical", looks, x=[float(x)], style="-", width=1.5)

    def text(self, x, y, s, **looks):
        return self._draw("text", looks, x=[float(x)], y=[float(y)], text=str(s))

    def annotate(self, text, xy, xytext=None, **looks):
        x, y = xy if xytext is None else xytext
        return self.text(x, y, text, **looks)

    def imshow(self, X, cmap=None, norm=None, *, aspect="equal", vmin=None, vmax=None, origin=None, extent=None, **looks):
        array = _array(torch.tensor(X) if _array(X) is None else X)
        shape = array.shape
        if not (len(shape) == 2 or len(shape) == 3 and shape[2] in (1, 3, 4)):
            raise TypeError(f"Invalid shape {shape} for image data")
        image = {"rows": shape[0], "columns": shape[1], "channels": shape[2] if len(shape) == 3 else 1, "values": array,
                 "fromLow": origin == "lower"}
        _scaled(image, cmap, vmin, vmax)
        if image["channels"] > 1:  # what lies outside is clipped
            image.update(colormap="", low=0, high=1 if array.dtype.kind == "f" else 255)
        if extent is not None:
            image["extent"] = _numbers(extent)
            if len(image["extent"]) != 4:
                raise ValueError("extent must have four numbers: left, right, bottom and top")
        self._data["equal"] = aspect != "auto"
        return self._draw("picture", looks, image=image)

    matshow = imshow

    def legend(self, *args, handles=None, labels=None, **looks):
        self._data["legend"] = True
        handles, labels = (handles, labels) if not args else (handles, *args) if len(args) == 1 else args
        drawn = self._data["marks"]
        marks = [h._mark for h in handles] if handles else [
            mark for mark in drawn if mark["kind"] not in ("text", "picture")]
        # A handle of another plot, or of none, stands in this legend alone.
        drawn += [{**mark, "x": [], "y": [], "base": []} for mark in marks if all(mark is not m for m in drawn)]
        for mark, label in zip(marks, labels or []):
            mark["label"] = str(label)

    def grid(self, visible=None, which="major", axis="both", **looks):
        self._data["grid"] = bool(looks) or not self._data.get("grid") if visible is None else bool(visible)

    def axis(self, arg=None, **limits):
        if arg in ("on", "off", True, False):
            self._data["hidden"] = arg in ("off", False)
        elif arg in ("equal", "scaled", "square", "image", "auto", "tight"):
            self._data["equal"] = arg not in ("auto", "tight")
        elif isinstance(arg, str):
            raise ValueError(f"Unrecognized string {arg!r} to axis; try 'on' or 'off'")
        elif arg is not None:
            if len(arg) != 4:
                raise TypeError("the first argument to axis() must be an iterable of the form [xmin, xmax, ymin, ymax]")
            self.set_xlim(*arg[:2])
            self.set_ylim(*arg[2:])
        self.set_xlim(**limits)
        self.set_ylim(**limits)
        return *self.get_xlim(), *self.get_ylim()

    def set_axis_on(self):
        self._data["hidden"] = False

    def set_axis_off(self):
        self._data["hidden"] = True

    def set_aspect(self, aspect, **looks):
        self._data["equal"] = aspect != "auto"

    def set_title(self, label, **looks):
        self._data["title"] = str(label)

    def get_title(self):
        return self._data.get("title", "")

    def get_figure(self):
        return self.figure

    def set(self, **properties):
        for name, v in properties.items():
            if not hasattr(self, "set_" + name):
                raise AttributeError(f"Axes.set() got an unexpected keyword argument {name!r}")
            getattr(self, "set_" + name)(v)

    tick_params = margins = minorticks_on = set_facecolor = ticklabel_format = set_axisbelow = autoscale = _ignore


def _of_axis(name, low, high):
    "The methods of Axes about one axis."
    def set_label(self, label, **looks):
        self._data[name]["label"] = str(label)

    def set_scale(self, value, base=10, **looks):
        if value in ("symlog", "logit", "asinh"):
            _lack("scale " + value, "log", "linear")
        if value not in ("log", "linear"):
            raise ValueError(f"{value!r} is not a valid value for scale; supported values are 'linear', 'log', 'symlog', "
                             "'asinh', 'logit'")
        self._data[name]["base"] = float(base) if value == "log" else 0

    def set_lim(self, first=None, second=None, **ends):
        if isinstance(first, (tuple, list)):
            first, second = first
        for end, v, long in (("low", first, low), ("high", second, high)):
            short = name + ("min" if end == "low" else "max")
            v = ends.get(long, ends.get(short, v))
            if v is not None:
                self._data[name][end] = float(v)
        return get_lim(self)

    def get_lim(self):
        axis = self._data[name]
        low, high = _bounds([v for mark in self._data["marks"] for v in mark.get(name, ())])
        return axis.get("low", low), axis.get("high", high)

    def invert(self):
        low, high = get_lim(self)
        self._data[name].update(low=high, high=low)

    def set_ticks(self, ticks=None, labels=None, **looks):
        if ticks is not None:
            self._data[name].update(ticks=_numbers(ticks), names=[])
        if labels is not None:
            set_ticklabels(self, labels)

    def set_ticklabels(self, labels, **looks):
        self._data[name]["names"] = [str(label) for label in labels]

    for method, f in {"set_{}label": set_label, "set_{}scale": set_scale, "set_{}lim": set_lim, "get_{}lim": get_lim,
                      "invert_{}axis": invert, "set_{}ticks": set_ticks, "set_{}ticklabels": set_ticklabels}.items():
        setattr(Axes, method.format(name), f)


_of_axis("x", "left", "right")
_of_axis("y", "bottom", "top")


class _Grid:
    "An array of axes."

    def __init__(self, items, shape):
        self._items, self.shape = items, shape

    size = property(lambda self: len(self._items))
    flat = property(lambda self: _Grid(self._items, (len(self._items),)))

    def ravel(self):
        return self.flat

    flatten = ravel

    def tolist(self):
        if len(self.shape) == 1:
            return list(self._items)
        width = self.shape[1]
        return [_Grid(self._items[i:i + width], (width,)) for i in range(0, self.size, width)]

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, index):
        places = index if isinstance(index, tuple) else (index,)
        if len(places) > len(self.shape):
            raise IndexError(f"too many indices for array: array is {len(self.shape)}-dimensional, but {len(places)} were "
                             "indexed")
        v = self.tolist()[places[0]]
        if isinstance(v, list) and places[1:]:
            return [row[places[1]] for row in v]
        return v[places[1]] if places[1:] else v


class Figure:
    __module__ = "matplotlib.figure"

    def __init__(self, figsize=None, **looks):
        width, height = (6.4, 4.8) if figsize is None else figsize
        self._data = {"width": float(width), "height": float(height)}
        self.clear()
        self._names = []  # of the files that it was saved as, and not shown since

    def clear(self):
        self._data.update(title="", rows=1, columns=1)
        self.axes, self._current = [], None

    def __repr__(self):
        width, height = (round(100 * self._data[side]) for side in ("width", "height"))
        return f"<Figure size {width}x{height} with {len(self.axes)} Axes>"

    def _place(self, row, column):
        if len(self.axes) >= _MAX_AXES:
            _limit(f"a figure has at most {_MAX_AXES} plots")
        self._current = Axes(self, row, column)
        self.axes.append(self._current)
        return self._current

    def gca(self):
        return self._current or self._place(0, 0)

    def add_subplot(self, *place, **looks):
        if len(place) not in (0, 1, 3):
            raise TypeError(f"add_subplot() takes 1 or 3 positional arguments but {len(place)} were given")
        if len(place) == 1:  # three digits
            place = place[0] // 100, place[0] // 10 % 10, place[0] % 10
        rows, columns, index = place or (1, 1, 1)
        if rows < 1 or columns < 1 or rows * columns > _MAX_AXES or not 1 <= index <= rows * columns:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {index}")
        self._data.update(rows=rows, columns=columns)
        row, column = divmod(index - 1, columns)
        for ax in self.axes:
            if (ax._row, ax._column) == (row, column):
                self._current = ax
                return ax
        return self._place(row, column)

    def subplots(self, nrows=1, ncols=1, *, squeeze=True, **looks):
        if nrows < 1 or ncols < 1 or nrows * ncols > _MAX_AXES:
            _limit(f"a figure has 1 to {_MAX_AXES} plots, not {nrows} by {ncols}")
        self._data.update(rows=nrows, columns=ncols)
        items = [self._place(i // ncols, i % ncols) for i in range(nrows * ncols)]
        self._current = items[0]
        if squeeze and len(items) == 1:
            return items[0]
        return _Grid(items, (len(items),) if squeeze and 1 in (nrows, ncols) else (nrows, ncols))

    def savefig(self, fname, **looks):
        name = os.fspath(fname)
        if not os.path.splitext(name)[1]:
            name += ".png"
        _save(self._drawn(), name)
        self._names.append(os.path.basename(name))

    def _drawn(self, name=""):
        return {**self._data, "name": name, "axes": [ax._data for ax in self.axes]}

    def show(self):
        for name in self._names or [""]:
            _show(self._drawn(name))
        self._names = []

    def suptitle(self, t, **looks):
        self._data["title"] = str(t)

    def colorbar(self, mappable=None, **looks):
        for ax in self.axes:
            for mark in ax._data["marks"]:
                if "image" in mark:
                    mark["image"]["colorbar"] = mark["image"]["channels"] == 1

    def legend(self, *args, **looks):
        for ax in self.axes:
            ax._data["legend"] = True

    def set_size_inches(self, *size):
        size = size[0] if len(size) == 1 else size
        if len(size) != 2:
            raise TypeError("set_size_inches() takes a width and a height")
        self._data.update(width=float(size[0]), height=float(size[1]))

    tight_layout = subplots_adjust = autofmt_xdate = set_tight_layout = _ignore


_figures = []  # those that are open, the current one last
_newest = 0


def figure(num=None, figsize=None, **looks):
    global _newest
    for f in _figures:
        if num == f.number:
            _figures.remove(f)
            _figures.append(f)
            return f
    f = Figure(figsize)
    _newest += 1
    f.number = _newest
    _figures.append(f)
    return f


def gcf():
    return _figures[-1] if _figures else figure()


def gca():
    return gcf().gca()


def sca(ax):
    ax.figure._current = ax


def get_fignums():
    return sorted(f.number for f in _figures)


def subplots(nrows=1, ncols=1, *, squeeze=True, figsize=None, **looks):
    f = figure(figsize=figsize)
    return f, f.subplots(nrows, ncols, squeeze=squeeze)


def show(*args, **kwargs):
    for f in _figures:
        f.show()
    _figures.clear()


def close(fig=None):
    for f in _figures[-1:] if fig is None else list(_figures):
        if fig is None or fig == "all" or fig is f or fig == f.number:
            _figures.remove(f)
            if f._names:  # a figure that was saved is shown first
                f.show()


def _end(notebook):
    "A notebook shows the open figures at the end of a cell; a script shows those that it has saved."
    for f in _figures:
        if notebook or f._names:
            f.show()
    if notebook:
        _figures.clear()


_at_end(_end)


class style:
    use = staticmethod(_ignore)


ion = ioff = pause = draw = switch_backend = _ignore


def _forward(target, method, name):
    "Adds a function that calls a method of the current axes or figure."
    def function(*args, **kwargs):
        return getattr(target(), method)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    globals()[name] = function


for _name in """plot loglog semilogx semilogy scatter bar barh hist imshow matshow step fill_between axhline axvline text
        annotate errorbar legend grid axis cla tick_params margins minorticks_on bar_label""".split():
    _forward(gca, _name, _name)
for _name in "title xlabel ylabel xlim ylim xscale yscale xticks yticks".split():
    _forward(gca, "set_" + _name, _name)
for _name in "savefig suptitle tight_layout colorbar subplots_adjust".split():
    _forward(gcf, _name, _name)
_forward(gcf, "clear", "clf")
_forward(gcf, "add_subplot", "subplot")

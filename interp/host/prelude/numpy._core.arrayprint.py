"""How arrays print: with eight digits at most, in lines of 75 characters, and of more than a thousand elements with the
first and last three of each dimension."""
import torch


def _parts(v, scientific):
    """The digits of a number before and behind the point: its shortest ones, eight at most behind it."""
    if scientific:
        places = next(n for n in range(17) if n == 16 or float(f"{v:.{n}e}") == v)
        text = f"{v:.{places}e}" if places <= 8 else f"{v:.8e}"
        whole, _, fraction = text.partition("e")[0].partition(".")
        return whole, fraction if places <= 8 else fraction.rstrip("0")
    whole, _, fraction = repr(v).partition(".")
    if len(fraction) > 8:
        whole, _, fraction = f"{v:.8f}".partition(".")
        fraction = fraction.rstrip("0")
    return whole, "" if fraction == "0" else fraction


def _words(t, shape):
    """The texts of some elements, all as wide."""
    values = t.tolist()
    if not t.is_floating_point():
        words = [str(v) for v in values]
        # numpy writes " True" in every array with dimensions
        width = 5 if t.dtype == torch.bool and shape else max(map(len, words))
        return [word.rjust(width) for word in words]
    sizes = [abs(v) for v in values if v and v - v == 0]
    low, high = min(sizes, default=1.0), max(sizes, default=0.0)
    # A narrow dtype has less digits than numbers of nine places.
    limit = {torch.float16: 1e3, torch.float32: 1e6}.get(t.dtype, 1e8)
    scientific = high >= limit or high > 0 and (low < 1e-4 or high / low > 1000)
    parts = [_parts(v, scientific) if v - v == 0 else str(v) for v in _shortest(t)]
    right = max((len(p[1]) for p in parts if type(p) is tuple), default=0)
    left = max(len(p[0]) if type(p) is tuple else len(p) - right - 1 for p in parts)
    words = []
    for v, p in zip(values, parts):
        if type(p) is str:
            words.append(p.rjust(left + right + 1))
        elif scientific:  # all have as many digits, those of the value itself behind the shortest
            mantissa, _, exponent = f"{v:.{right}e}".partition("e")
            whole, _, fraction = mantissa.partition(".")
            words.append(f"{whole.rjust(left)}.{fraction}e{exponent}")
        else:
            words.append(p[0].rjust(left) + "." + p[1].ljust(right))
    return words


def _body(t, separator, indent, width):
    shape, short = tuple(t.shape), t.numel() > 1000
    for axis, n in enumerate(shape):
        if short and n > 6:
            t = torch.cat((t.narrow(axis, 0, 3), t.narrow(axis, n - 3, 3)), axis)
    words = iter(_words(t.reshape(-1), shape))

    def layout(axis, indent, width):
        if axis == len(shape):
            return next(words)
        items = [layout(axis + 1, indent + " ", width - 1) for i in range(t.shape[axis])]
        if short and shape[axis] > 6:
            items.insert(3, "...")
        if axis < len(shape) - 1:
            return "[" + (separator.rstrip() + "\n" * (len(shape) - axis - 1) + indent).join(items) + "]"
        lines, line = [], indent
        for i, item in enumerate(items):
            if len(line) + len(item) > width - 1 and line != indent:
                lines.append(line.rstrip())
                line = indent
            line += item + (separator if i < len(items) - 1 else "")
        return "[" + "\n".join(lines + [line])[len(indent):] + "]"

    return layout(0, indent, width)


def array_repr(t):
    """Continued lines are aligned behind "array([", with a column for the closing parenthesis."""
    text, extras = "array(" + (_body(t, ", ", " " * 7, 74) if t.numel() else "[]"), []
    # The text does not show the shape in these cases (array_repr of numpy).
    if not t.numel() and t.ndim != 1 or t.numel() > 1000:
        extras.append(f"shape={tuple(t.shape)}")
    # The dtypes that numpy makes of Python's own numbers are left out.
    if not t.numel() or t.dtype not in (torch.float64, torch.int64, torch.bool):
        extras.append("dtype=" + str(t.dtype)[6:])
    if not extras:
        return text + ")"
    extra = ", ".join(extras) + ")"
    wide = len(text) - text.rfind("\n") - 1 + len(extra) + 2 > 75
    return text + (",\n" + " " * 6 if wide else ", ") + extra


def array_str(t):
    if not t.ndim:
        return number(t)
    return _body(t, " ", " ", 75) if t.numel() else "[]"


def number(t):
    """str of a scalar: the shortest digits of its dtype."""
    return repr(_shortest(t)[0]) if t.is_floating_point() else str(t.item())

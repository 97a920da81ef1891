import collections

Line = collections.namedtuple("Line", "begin hline sep end")
DataRow = collections.namedtuple("DataRow", "begin sep end")
TableFormat = collections.namedtuple(
    "TableFormat", "lineabove linebelowheader linebetweenrows linebelow headerrow datarow padding with_header_hide"
)

MIN_PADDING = 2


def _box(begin, hline, sep, end):
    return Line(begin, hline, sep, end)


def _boxed(top, header, between, bottom, bar, hide=None):
    row = DataRow(*bar)
    return TableFormat(top, header, between, bottom, row, row, 1, hide)


_plus = _box("+", "-", "+", "+")
_double = _box("+", "=", "+", "+")
_pipes = ("|", "|", "|")
_bars = ("│", "│", "│")


def _pipe_line(widths, aligns):
    segments = []
    for width, align in zip(widths, aligns):
        if align in ("right", "decimal"):
            segments.append("-" * (width - 1) + ":")
        elif align == "center":
            segments.append(":" + "-" * (width - 2) + ":")
        elif align == "left":
            segments.append(":" + "-" * (width - 1))
        else:
            segments.append("-" * width)
    return "|" + "|".join(segments) + "|"


def _html_row(tag):
    def write(cells, widths, aligns):
        styles = {"right": ' style="text-align: right;"', "center": ' style="text-align: center;"',
                  "decimal": ' style="text-align: right;"'}
        body = "".join(f"<{tag}{styles.get(a, '')}>{_escape(c)}</{tag}>" for c, a in zip(cells, aligns))
        row = "<tr>" + body + "</tr>"
        return "<table>\n<thead>\n" + row + "\n</thead>\n<tbody>" if tag == "th" else row
    return write


def _escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _latex_row(cells, widths, aligns):
    return " & ".join(cells) + " \\\\"


_spaces = DataRow("", "  ", "")
_tabs = DataRow("", "\t", "")
_table_formats = {
    "simple": TableFormat(_box("", "-", "  ", ""), _box("", "-", "  ", ""), None, _box("", "-", "  ", ""), _spaces, _spaces,
                          0, ["lineabove", "linebelow"]),
    "plain": TableFormat(None, None, None, None, _spaces, _spaces, 0, None),
    "grid": _boxed(_plus, _double, _plus, _plus, _pipes),
    "outline": _boxed(_plus, _double, None, _plus, _pipes),
    "simple_grid": _boxed(_box("┌", "─", "┬", "┐"), _box("├", "─", "┼", "┤"), _box("├", "─", "┼", "┤"),
                          _box("└", "─", "┴", "┘"), _bars),
    "simple_outline": _boxed(_box("┌", "─", "┬", "┐"), _box("├", "─", "┼", "┤"), None, _box("└", "─", "┴", "┘"), _bars),
    "rounded_grid": _boxed(_box("╭", "─", "┬", "╮"), _box("├", "─", "┼", "┤"), _box("├", "─", "┼", "┤"),
                           _box("╰", "─", "┴", "╯"), _bars),
    "rounded_outline": _boxed(_box("╭", "─", "┬", "╮"), _box("├", "─", "┼", "┤"), None, _box("╰", "─", "┴", "╯"), _bars),
    "heavy_grid": _boxed(_box("┏", "━", "┳", "┓"), _box("┣", "━", "╋", "┫"), _box("┣", "━", "╋", "┫"),
                         _box("┗", "━", "┻", "┛"), ("┃", "┃", "┃")),
    "heavy_outline": _boxed(_box("┏", "━", "┳", "┓"), _box("┣", "━", "╋", "┫"), None, _box("┗", "━", "┻", "┛"),
                            ("┃", "┃", "┃")),
    "double_grid": _boxed(_box("╔", "═", "╦", "╗"), _box("╠", "═", "╬", "╣"), _box("╠", "═", "╬", "╣"),
                          _box("╚", "═", "╩", "╝"), ("║", "║", "║")),
    "double_outline": _boxed(_box("╔", "═", "╦", "╗"), _box("╠", "═", "╬", "╣"), None, _box("╚", "═", "╩", "╝"),
                             ("║", "║", "║")),
    "fancy_grid": _boxed(_box("╒", "═", "╤", "╕"), _box("╞", "═", "╪", "╡"), _box("├", "─", "┼", "┤"),
                         _box("╘", "═", "╧", "╛"), _bars),
    "fancy_outline": _boxed(_box("╒", "═", "╤", "╕"), _box("╞", "═", "╪", "╡"), None, _box("╘", "═", "╧", "╛"), _bars),
    "github": TableFormat(_box("|", "-", "|", "|"), _box("|", "-", "|", "|"), None, None, DataRow(*_pipes), DataRow(*_pipes),
                          1, ["lineabove"]),
    "pipe": TableFormat(_pipe_line, _pipe_line, None, None, DataRow(*_pipes), DataRow(*_pipes), 1, ["lineabove"]),
    "orgtbl": TableFormat(None, _box("|", "-", "+", "|"), None, None, DataRow(*_pipes), DataRow(*_pipes), 1, None),
    "presto": TableFormat(None, _box("", "-", "+", ""), None, None, DataRow("", "|", ""), DataRow("", "|", ""), 1, None),
    "pretty": _boxed(_plus, _plus, None, _plus, _pipes),
    "psql": _boxed(_plus, _box("|", "-", "+", "|"), None, _plus, _pipes),
    "rst": TableFormat(_box("", "=", "  ", ""), _box("", "=", "  ", ""), None, _box("", "=", "  ", ""), _spaces, _spaces, 0, None),
    "tsv": TableFormat(None, None, None, None, _tabs, _tabs, 0, None),
    "jira": TableFormat(None, None, None, None, DataRow("||", "||", "||"), DataRow(*_pipes), 1, None),
    "html": TableFormat(lambda w, a: "<table>\n<tbody>", lambda w, a: "", None, lambda w, a: "</tbody>\n</table>",
                        _html_row("th"), _html_row("td"), 0, ["lineabove"]),
    "latex": TableFormat(lambda w, a: "\\begin{tabular}{" + "".join({"left": "l", "center": "c"}.get(x, "r") for x in a) + "}\n\\hline",
                         _box("\\hline", "", "", ""), None, _box("\\hline\n\\end{tabular}", "", "", ""), _latex_row, _latex_row, 1, None),
}
tabulate_formats = sorted(_table_formats)

_ORDER = [type(None), bool, int, float, bytes, str]


def _is_number(text):
    try:
        float(text)
        return True
    except (ValueError, TypeError):
        return False


def _is_int(text):
    try:
        int(text)
        return True
    except (ValueError, TypeError):
        return False


def _type(value, numparse):
    if value is None:
        return type(None)
    if isinstance(value, bool) or value in ("True", "False") and isinstance(value, str):
        return bool
    if isinstance(value, bytes):
        return bytes
    if isinstance(value, str):
        if numparse and _is_int(value):
            return int
        return float if numparse and _is_number(value) else str
    if isinstance(value, int):
        return int
    if isinstance(value, float) or hasattr(value, "__float__") and not hasattr(value, "__len__"):
        return float
    return str


def _column_type(values, numparse):
    kinds = [_type(v, numparse) for v in values]
    return _ORDER[max([_ORDER.index(k) for k in kinds] + [0 if kinds else 5])] if kinds else str


def _format(value, kind, floatfmt, intfmt, missing):
    if value is None:
        return missing
    if kind is str:
        return f"{value}"
    if kind is int:
        return format(int(value) if isinstance(value, str) and intfmt else value, intfmt)
    if kind is bytes:
        return value.decode("ascii") if isinstance(value, bytes) else str(value)
    if kind is float:
        return format(float(value), floatfmt)
    return f"{value}"


def _after_point(text):
    if not _is_number(text) or _is_int(text):
        return -1
    at = text.rfind(".")
    if at < 0:
        at = text.lower().rfind("e")
    return len(text) - at - 1 if at >= 0 else -1


def _pad(text, width, align):
    lines = text.split("\n")
    if align in ("right", "decimal"):
        lines = [line.rjust(width) for line in lines]
    elif align == "center":
        lines = [f"{line:^{width}}" for line in lines]
    elif align == "left":
        lines = [line.ljust(width) for line in lines]
    return "\n".join(lines)


def _width(text):
    return max((len(line) for line in text.split("\n")), default=0)


def _align_column(strings, align, least):
    if align == "decimal":
        decimals = [_after_point(s) for s in strings]
        most = max(decimals, default=0)
        strings = [s + (most - d) * " " for s, d in zip(strings, decimals)]
    elif align in ("left", "center", "right"):
        strings = ["\n".join(line.strip() for line in s.split("\n")) for s in strings]
    width = max([_width(s) for s in strings] + [least])
    return [_pad(s, width, align) for s in strings] if align else strings


def _rows_and_headers(data, headers):
    if hasattr(data, "keys") and hasattr(data, "values") and hasattr(data, "index") and hasattr(data, "columns"):
        raise NotImplementedError("tabulate of a DataFrame: give df.values.tolist() and headers=list(df.columns)")
    if hasattr(data, "keys"):
        columns = [list(c) for c in data.values()]
        longest = max((len(c) for c in columns), default=0)
        rows = [[c[i] if i < len(c) else None for c in columns] for i in range(longest)]
        if headers == "keys":
            headers = [str(k) for k in data.keys()]
    else:
        rows = data.tolist() if hasattr(data, "tolist") else list(data)
        first = rows[0] if rows else None
        if headers == "keys" and hasattr(first, "_fields"):
            headers = list(first._fields)
        elif hasattr(first, "keys"):
            keys = []
            for row in rows:
                keys += [k for k in row.keys() if k not in keys]
            if headers == "firstrow":
                headers = [first.get(k, k) for k in keys]
                rows = rows[1:]
            elif headers == "keys":
                headers = keys
            elif hasattr(headers, "keys"):
                headers = [headers.get(k, k) for k in keys]
            rows = [[row.get(k) for k in keys] for row in rows]
            headers = [str(h) for h in headers]
        elif headers == "keys" and rows:
            headers = [str(i) for i in range(len(first))]
        elif headers == "keys":
            headers = []
    rows = [list(r) for r in rows]
    if headers == "firstrow":
        headers, rows = (([str(h) for h in rows[0]], rows[1:]) if rows else ([], []))
    return rows, [str(h) for h in headers]


def _with_index(rows, headers, index):
    if index in (None, False, "never", "default"):
        return rows, headers, 0
    names = list(range(len(rows))) if index is True or index == "always" else list(index)
    if len(names) != len(rows):
        raise ValueError("index must be as long as the number of data rows: " +
                         f"len(index)={len(names)} len(rows)={len(rows)}")
    return [[n] + r for n, r in zip(names, rows)], ([""] + headers if headers else headers), 1


def _line(fmt, widths, aligns):
    if fmt is None:
        return None
    if callable(fmt):
        return fmt(widths, aligns)
    return (fmt.begin + fmt.sep.join(fmt.hline * w for w in widths) + fmt.end).rstrip()


def _row(fmt, cells, widths, aligns, padding):
    if callable(fmt):
        return fmt([" " * padding + c + " " * padding for c in cells], widths, aligns)
    height = max([c.count("\n") + 1 for c in cells] + [1])
    columns = [(c.split("\n") + [""] * height)[:height] for c in cells]
    pad = " " * padding
    out = []
    for i in range(height):
        line = [pad + c[i].ljust(w - 2 * padding) + pad for c, w in zip(columns, widths)]
        out.append((fmt.begin + fmt.sep.join(line) + fmt.end).rstrip())
    return "\n".join(out)


def tabulate(tabular_data, headers=(), tablefmt="simple", floatfmt="g", intfmt="", numalign="default", stralign="default",
             missingval="", showindex="default", disable_numparse=False, colglobalalign=None, colalign=None,
             maxcolwidths=None, headersglobalalign=None, headersalign=None, rowalign=None, maxheadercolwidths=None):
    if maxcolwidths is not None or maxheadercolwidths is not None:
        raise NotImplementedError("tabulate(…, maxcolwidths=): newt does not wrap cells")
    rows, headers = _rows_and_headers(tabular_data if tabular_data is not None else [], headers)
    rows, headers, indexed = _with_index(rows, headers, showindex)
    least = MIN_PADDING
    if tablefmt == "pretty":
        least, disable_numparse = 0, True
        numalign = "center" if numalign == "default" else numalign
        stralign = "center" if stralign == "default" else stralign
    if tablefmt in ("html", "tsv", "latex"):
        least = 0
    numalign = "decimal" if numalign == "default" else numalign
    stralign = "left" if stralign == "default" else stralign
    count = max([len(r) for r in rows] + [len(headers)])
    headers = [""] * (count - len(headers)) + headers if headers else headers
    rows = [r + [None] * (count - len(r)) for r in rows]
    columns = [list(c) for c in zip(*rows)]

    def parses(i):
        return i not in disable_numparse if isinstance(disable_numparse, (list, tuple)) else not disable_numparse

    def each(setting, default):
        values = [setting] * count if isinstance(setting, str) else list(setting) + [default] * count
        return [missingval if v is None else v for v in values[:count]] if default == "" and setting is missingval else values

    kinds = [_column_type(c, parses(i)) for i, c in enumerate(columns)]
    texts = [[_format(v, k, ff, nf, mv) for v in c]
             for c, k, ff, nf, mv in zip(columns, kinds, each(floatfmt, "g"), each(intfmt, ""), each(missingval, ""))]
    aligns = [numalign if k in (int, float) else stralign for k in kinds]
    if colglobalalign:
        aligns = [colglobalalign] * count
    for i, align in enumerate(colalign or ()):
        if i < len(aligns) and align != "global":
            aligns[i] = align
    widths = [_width(h) + least for h in headers] if headers else [0] * len(columns)
    texts = [_align_column(c, a, w) for c, a, w in zip(texts, aligns, widths)]
    if headers:
        header_aligns = (aligns or [stralign] * len(headers))[:len(headers)]
        widths = [max([w] + [_width(s) for s in c]) for w, c in zip(widths, texts or [[""]] * len(headers))]
        if headersglobalalign:
            header_aligns = [headersglobalalign] * len(headers)
        for i, align in enumerate(headersalign or ()):
            header_aligns[i] = aligns[i] if align == "same" else header_aligns[i] if align == "global" else align
        headers = [_pad(h, w, "right" if a == "decimal" else a) for h, w, a in zip(headers, widths, header_aligns)]
    else:
        widths = [max([_width(s) for s in c] + [0]) for c in texts]
    fmt = tablefmt if isinstance(tablefmt, TableFormat) else _table_formats.get(tablefmt, _table_formats["simple"])
    return _table(fmt, headers, [list(r) for r in zip(*texts)], widths, aligns)


def _table(fmt, headers, rows, widths, aligns):
    hidden = fmt.with_header_hide if headers and fmt.with_header_hide else []
    widths = [w + 2 * fmt.padding for w in widths]
    aligns = aligns or ["left"] * len(widths)
    lines = []
    if fmt.lineabove and "lineabove" not in hidden:
        lines.append(_line(fmt.lineabove, widths, aligns))
    if headers:
        lines.append(_row(fmt.headerrow, headers, widths, aligns, fmt.padding))
        if fmt.linebelowheader and "linebelowheader" not in hidden:
            lines.append(_line(fmt.linebelowheader, widths, aligns))
    for i, row in enumerate(rows):
        if i and fmt.linebetweenrows and "linebetweenrows" not in hidden:
            lines.append(_line(fmt.linebetweenrows, widths, aligns))
        lines.append(_row(fmt.datarow, row, widths, aligns, fmt.padding))
    if fmt.linebelow and "linebelow" not in hidden:
        lines.append(_line(fmt.linebelow, widths, aligns))
    return "\n".join(line for line in lines if line)

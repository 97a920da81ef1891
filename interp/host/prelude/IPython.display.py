class DisplayObject:
    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if url is not None:
            raise OSError("newt runs documents without network: give the file with the document")
        if filename is not None:
            with open(filename) as f:
                data = f.read()
        self.data = data

    def __repr__(self):
        return f"<IPython.core.display.{type(self).__name__} object>"


class HTML(DisplayObject):
    def _repr_html_(self):
        return self.data


class Markdown(DisplayObject):
    def _repr_markdown_(self):
        return self.data


class Pretty(DisplayObject):
    def __repr__(self):
        return self.data


class Latex(DisplayObject):
    def _repr_markdown_(self):
        return self.data


Math = TextDisplayObject = Latex


class Code(DisplayObject):
    def __repr__(self):
        return self.data


class JSON(DisplayObject):
    def __repr__(self):
        return repr(self.data)


class SVG(DisplayObject):
    def _repr_html_(self):
        return self.data


class Image(DisplayObject):
    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None, **options):
        if url is not None:
            raise OSError("newt runs documents without network: give the file with the document")
        if filename is None and isinstance(data, str):
            filename, data = data, None
        if filename is not None:
            with open(filename, "rb") as f:
                data = f.read()
        self.data, self.filename, self.width, self.height = data, filename, width, height
        self.format = format or ("jpeg" if data[:2] == b"\xff\xd8" else "gif" if data[:3] == b"GIF" else "png")

    def _repr_png_(self):
        return self.data if self.format == "png" else None

    def _repr_jpeg_(self):
        return self.data if self.format in ("jpeg", "jpg") else None


class ProgressBar:
    def __init__(self, total):
        self.total, self.progress = total, 0

    def __iter__(self):
        for self.progress in range(self.total):
            yield self.progress


class _Handle:
    display_id = "display"

    def update(self, obj, **kwargs):
        display(obj)

    def display(self, obj, **kwargs):
        display(obj)


def update_display(obj, *, display_id, **kwargs):
    display(obj)


def clear_output(wait=False):
    pass


def set_matplotlib_formats(*formats, **kwargs):
    pass


def display_html(*objs, raw=False):
    display(*[HTML(o) if raw else o for o in objs])


def display_markdown(*objs, raw=False):
    display(*[Markdown(o) if raw else o for o in objs])

"Alphabets, and texts with places for others."
import re as _re

ascii_lowercase, ascii_uppercase = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits, octdigits, hexdigits = "0123456789", "01234567", "0123456789abcdefABCDEF"
punctuation, whitespace = r'''!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~''', " \t\n\r\v\f"
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join([word.capitalize() for word in s.split(sep)])


class Template:
    delimiter, idpattern = "$", "[_a-zA-Z][_a-zA-Z0-9]*"

    def __init__(self, template):
        self.template = template

    def _filled(self, mapping, safe):
        def fill(found):
            name = found["named"] or found["braced"]
            if found["escaped"]:
                return self.delimiter
            if name is not None and not (safe and name not in mapping):
                return str(mapping[name])
            if not safe:
                lines = self.template[:found.start("invalid")].splitlines(keepends=True) or [""]
                raise ValueError(f"Invalid placeholder in string: line {len(lines)}, col {len(lines[-1]) or 1}")
            return found[0]

        mark = _re.escape(self.delimiter)
        return _re.sub(f"{mark}(?:(?P<escaped>{mark})|(?P<named>{self.idpattern})|{{(?P<braced>{self.idpattern})}}|"
                       "(?P<invalid>))", fill, self.template)

    def substitute(self, mapping={}, /, **kws):
        return self._filled({**mapping, **kws}, False)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._filled({**mapping, **kws}, True)

"The escapes of HTML."
import re


def escape(s, quote=True):
    for character, entity in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")] + [('"', "&quot;"), ("'", "&#x27;")] * quote:
        s = s.replace(character, entity)
    return s


def _character(match):
    name = match[1]
    if name[0] == "#":
        number = int(name[2:].rstrip(";"), 16) if name[1] in "xX" else int(name[1:].rstrip(";"))
        return "\uFFFD" if number == 0 or 0xD800 <= number <= 0xDFFF or number > 0x10FFFF else chr(number)
    if name in _names:
        return _names[name]
    from html.entities import html5
    for end in range(len(name), 1, -1):
        if name[:end] in html5:
            return html5[name[:end]] + name[end:]
    return "&" + name


_names = {"amp;": "&", "lt;": "<", "gt;": ">", "quot;": '"', "apos;": "'", "nbsp;": "\xa0"}


def unescape(s):
    "Puts characters in place of references; the names of most are in html.entities, which newt does not have itself."
    return re.sub(r"&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)", _character, s) if "&" in s else s

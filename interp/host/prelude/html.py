"The escapes of HTML's own characters."


def escape(s, quote=True):
    for character, entity in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")] + [('"', "&quot;"), ("'", "&#x27;")] * quote:
        s = s.replace(character, entity)
    return s

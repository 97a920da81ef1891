"Messages in the language that they are written in: there are no catalogues of translations."


def gettext(message):
    return message


def ngettext(singular, plural, n):
    return singular if n == 1 else plural


def pgettext(context, message):
    return message


def npgettext(context, singular, plural, n):
    return ngettext(singular, plural, n)


def dgettext(domain, message):
    return message


def dngettext(domain, singular, plural, n):
    return ngettext(singular, plural, n)


def textdomain(domain=None):
    return domain or "messages"


def bindtextdomain(domain, localedir=None):
    return localedir


class NullTranslations:
    def __init__(self, fp=None):
        pass

    def gettext(self, message):
        return message

    def ngettext(self, singular, plural, n):
        return ngettext(singular, plural, n)


def translation(domain, localedir=None, languages=None, class_=None, fallback=False):
    if not fallback:
        raise FileNotFoundError(2, "No translation file found for domain", domain)
    return NullTranslations()

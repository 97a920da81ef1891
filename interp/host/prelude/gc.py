"gc: newt's memory is Go's to collect, and what enable and disable say is only remembered."
_enabled = True


def collect(generation=2):
    return 0


def enable():
    global _enabled
    _enabled = True


def disable():
    global _enabled
    _enabled = False


def isenabled():
    return _enabled

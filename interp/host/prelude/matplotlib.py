rcParams = {}
__version__ = "3.10.7"


def use(*args, **kwargs):
    pass

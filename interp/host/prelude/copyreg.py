"How objects of a class are copied: what __reduce__ would say of them."
dispatch_table = {}


def constructor(object):
    if not callable(object):
        raise TypeError("constructors must be callable")


def pickle(ob_type, pickle_function, constructor_ob=None):
    if not callable(pickle_function):
        raise TypeError("reduction functions must be callable")
    dispatch_table[ob_type] = pickle_function

"What says how the plots of matplotlib look, which their drawer decides."


def _ignore(*args, **kwargs):
    pass


set = set_theme = set_style = set_context = set_palette = despine = reset_defaults = reset_orig = _ignore

"platform: what every script may expect of a Linux machine."


def _constantly(text):
    return lambda *args, **kwargs: text


system, machine, python_version, node = map(_constantly, ("Linux", "x86_64", "3.12.0", "newt"))
release, processor, python_implementation, platform = map(_constantly, ("", "", "newt", "Linux-x86_64"))

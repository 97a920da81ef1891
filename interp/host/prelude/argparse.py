import os
import sys

SUPPRESS = "==SUPPRESS=="
REMAINDER = "..."


class Namespace:
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __eq__(self, other):
        return isinstance(other, Namespace) and vars(self) == vars(other)

    def __contains__(self, key):
        return key in self.__dict__

    def __repr__(self):
        return "Namespace(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"


class ArgumentTypeError(Exception):
    pass


class ArgumentError(Exception):
    pass


class HelpFormatter:
    pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(HelpFormatter):
    pass


class _Argument:
    def __init__(self, names, action, nargs, const, default, type, choices, required, help, metavar, dest, version):
        self.option_strings = [n for n in names if n.startswith("-")]
        long = [n for n in self.option_strings if n.startswith("--")]
        if dest is None:
            dest = (long + self.option_strings + list(names))[0].lstrip("-") if names else None
            if self.option_strings:
                dest = dest.replace("-", "_")
        self.dest, self.action, self.nargs, self.const, self.type = dest, action, nargs, const, type
        self.choices, self.help, self.metavar, self.version = choices, help, metavar, version
        if action == "store_true":
            self.const, default = True, False if default is None else default
        elif action == "store_false":
            self.const, default = False, True if default is None else default
        self.default = default
        self.positional = not self.option_strings
        self.required = required or self.positional and nargs != "?" and (nargs != "*" or default is None)
        self.takes = action in ("store", "append", "extend")

    def name(self):
        return "/".join(self.option_strings) if self.option_strings else self.metavar or self.dest

    def placeholder(self):
        if self.metavar is not None:
            return self.metavar
        if self.choices is not None:
            return "{" + ",".join(str(c) for c in self.choices) + "}"
        return self.dest if self.positional else self.dest.upper()

    def values(self):
        name = self.placeholder()
        if not self.takes:
            return ""
        if self.nargs is None:
            return name
        if self.nargs == "?":
            return f"[{name}]"
        if self.nargs == "*":
            return f"[{name} ...]"
        if self.nargs == "+":
            return f"{name} [{name} ...]"
        return " ".join([name] * self.nargs)

    def usage(self):
        if self.positional:
            return self.values()
        text = (self.option_strings[0] + " " + self.values()).strip()
        if self.action == "boolean":
            text = " | ".join(self.option_strings)
        return text if self.required else f"[{text}]"

    def invocation(self):
        if self.positional:
            return self.placeholder()
        values = self.values()
        return ", ".join((name + " " + values).strip() for name in self.option_strings)


class BooleanOptionalAction:
    pass


class _Group:
    def __init__(self, parser, title=None, description=None, required=False, exclusive=False):
        self.parser, self.title, self.description, self.required = parser, title, description, required
        self.exclusive, self.arguments = exclusive, []

    def add_argument(self, *names, **kwargs):
        argument = self.parser.add_argument(*names, **kwargs)
        self.arguments.append(argument)
        return argument


class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=HelpFormatter,
                 prefix_chars="-", add_help=True, allow_abbrev=True, exit_on_error=True, **kwargs):
        self.prog = prog or os.path.basename(sys.argv[0] if sys.argv else "script.py")
        self.usage_text, self.description, self.epilog, self.formatter = usage, description, epilog, formatter_class
        self._arguments, self._groups, self._defaults = [], [], {}
        if add_help:
            self.add_argument("-h", "--help", action="help", help="show this help message and exit")

    def add_argument(self, *names, action="store", nargs=None, const=None, default=None, type=None, choices=None,
                     required=False, help=None, metavar=None, dest=None, version=None):
        if action is BooleanOptionalAction:
            action = "boolean"
            names = names + tuple("--no-" + n[2:] for n in names if n.startswith("--"))
        if not isinstance(action, str) or action not in ("store", "store_const", "store_true", "store_false", "append",
                                                         "append_const", "count", "help", "version", "extend",
                                                         "boolean"):
            raise ValueError(f"unknown action {action!r}")
        argument = _Argument(names, action, nargs, const, default, type, choices, required, help, metavar, dest, version)
        self._arguments.append(argument)
        return argument

    def add_argument_group(self, title=None, description=None):
        group = _Group(self, title, description)
        self._groups.append(group)
        return group

    def add_mutually_exclusive_group(self, required=False):
        group = _Group(self, required=required, exclusive=True)
        self._groups.append(group)
        return group

    def add_subparsers(self, **kwargs):
        raise NotImplementedError("newt has no argparse subparsers")

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)

    def get_default(self, dest):
        for argument in self._arguments:
            if argument.dest == dest and argument.default is not None:
                return argument.default
        return self._defaults.get(dest)

    def format_usage(self):
        if self.usage_text:
            return f"usage: {self.usage_text}\n"
        options = [a.usage() for a in self._arguments if not a.positional and a.help != SUPPRESS]
        positionals = [a.usage() for a in self._arguments if a.positional and a.help != SUPPRESS]
        head = f"usage: {self.prog} "
        text = head + " ".join(options + positionals)
        if len(text.rstrip()) <= 78:
            return text.rstrip() + "\n"
        indent = " " * len(head)
        lines = []
        for part in (options, positionals):
            line = ""
            for word in part:
                if line and len(indent) + len(line) + 1 + len(word) > 78:
                    lines.append(line)
                    line = ""
                line = (line + " " + word).strip()
            if line:
                lines.append(line)
        return head + ("\n" + indent).join(lines) + "\n"

    def _help_of(self, argument):
        text = argument.help or ""
        default = argument.default if argument.default is not None else self._defaults.get(argument.dest)
        if self.formatter is ArgumentDefaultsHelpFormatter and text and "%(default)" not in text \
                and not argument.required and argument.action not in ("help", "version"):
            text += " (default: %(default)s)"
        text = text.replace("%(default)s", str(default)).replace("%(prog)s", self.prog).replace("%%", "%")
        return text.replace("%(type)s", getattr(argument.type, "__name__", str(argument.type)))

    def _section(self, title, arguments, width):
        lines = []
        for argument in arguments:
            if argument.help == SUPPRESS:
                continue
            head = "  " + argument.invocation()
            words = _wrap(self._help_of(argument), 78 - width)
            if words and len(head) + 2 <= width:
                lines.append(head.ljust(width) + words[0])
                words = words[1:]
            else:
                lines.append(head)
            lines.extend(" " * width + line for line in words)
        return [f"{title}:"] + lines + [""] if lines else []

    def format_help(self):
        grouped = [a for g in self._groups if not g.exclusive for a in g.arguments]
        free = [a for a in self._arguments if a not in grouped]
        longest = max([len(a.invocation()) + 4 for a in self._arguments if a.help != SUPPRESS], default=0)
        width = min(longest, 24)
        lines = [self.format_usage()]
        if self.description:
            lines.extend(_wrap(self.description, 78) + [""])
        lines.extend(self._section("positional arguments", [a for a in free if a.positional], width))
        lines.extend(self._section("options", [a for a in free if not a.positional], width))
        for group in self._groups:
            if not group.exclusive:
                lines.extend(self._section(group.title, group.arguments, width))
        if self.epilog:
            lines.extend(_wrap(self.epilog, 78) + [""])
        return "\n".join(lines).rstrip("\n") + "\n"

    def print_help(self, file=None):
        print(self.format_help(), end="", file=file)

    def print_usage(self, file=None):
        print(self.format_usage(), end="", file=file)

    def exit(self, status=0, message=None):
        if message:
            sys.stderr.write(message)
        sys.exit(status)

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")

    def _convert(self, argument, text):
        value = text
        if argument.type is not None:
            try:
                value = argument.type(text)
            except ArgumentTypeError as e:
                self.error(f"argument {argument.name()}: {e}")
            except (TypeError, ValueError):
                kind = getattr(argument.type, "__name__", repr(argument.type))
                self.error(f"argument {argument.name()}: invalid {kind} value: {text!r}")
        if argument.choices is not None and value not in argument.choices:
            options = ", ".join(repr(c) for c in argument.choices)
            self.error(f"argument {argument.name()}: invalid choice: {value!r} (choose from {options})")
        return value

    def _store(self, space, argument, words):
        if argument.action == "help":
            self.print_help()
            self.exit()
        elif argument.action == "version":
            print(argument.version.replace("%(prog)s", self.prog))
            self.exit()
        elif argument.action == "count":
            setattr(space, argument.dest, (getattr(space, argument.dest) or 0) + 1)
        elif argument.action in ("store_const", "store_true", "store_false"):
            setattr(space, argument.dest, argument.const)
        elif argument.action == "append_const":
            setattr(space, argument.dest, list(getattr(space, argument.dest) or []) + [argument.const])
        else:
            values = [self._convert(argument, w) for w in words]
            if argument.nargs is None:
                value = values[0]
            elif argument.nargs == "?":
                value = values[0] if values else (argument.default if argument.positional else argument.const)
            elif argument.nargs == "*" and argument.positional and not values and argument.default is not None:
                value = argument.default
            else:
                value = values
            if argument.action == "append":
                value = list(getattr(space, argument.dest) or []) + [value]
            elif argument.action == "extend":
                value = list(getattr(space, argument.dest) or []) + list(value)
            setattr(space, argument.dest, value)

    def _find(self, word):
        options = [a for a in self._arguments if not a.positional]
        for argument in options:
            if word in argument.option_strings:
                return argument
        if word.startswith("--"):
            near = [(n, a) for a in options for n in a.option_strings if n.startswith(word)]
            if len(near) == 1:
                return near[0][1]
            if near:
                names = ", ".join(n for n, _ in near)
                self.error(f"ambiguous option: {word} could match {names}")
        return None

    def _is_option(self, word):
        if len(word) < 2 or word[0] != "-":
            return False
        return self._find(word.split("=")[0]) is not None or not _negative_number(word) and " " not in word

    def parse_known_args(self, args=None, namespace=None):
        words = list(sys.argv[1:] if args is None else args)
        space = Namespace() if namespace is None else namespace
        for argument in self._arguments:
            if argument.dest is not None and argument.action not in ("help", "version") \
                    and argument.default is not SUPPRESS and not hasattr(space, argument.dest):
                default = argument.default
                if isinstance(default, str) and argument.type is not None and argument.nargs is None:
                    default = self._convert(argument, default)
                setattr(space, argument.dest, default)
        for name, value in self._defaults.items():
            if not hasattr(space, name) or getattr(space, name) is None:
                setattr(space, name, value)
        seen, free, extra, i, only = [], [], [], 0, False
        while i < len(words):
            word = words[i]
            i += 1
            if word == "--" and not only:
                only = True
                continue
            if only or not self._is_option(word):
                free.append(word)
                continue
            name, *rest = word.split("=", 1)
            equals, inline = "=" if rest else "", rest[0] if rest else ""
            argument = self._find(name)
            if argument is None and len(word) > 2 and word[1] != "-" and self._find(word[:2]) is not None:
                argument, equals, inline = self._find(word[:2]), "=", word[2:]
                if not argument.takes:
                    words.insert(i, "-" + inline)
                    equals = ""
            if argument is None:
                extra.append(word)
                continue
            seen.append(argument)
            if argument.action == "boolean":
                setattr(space, argument.dest, not name.startswith("--no-"))
                continue
            if not argument.takes:
                if equals:
                    self.error(f"argument {argument.name()}: ignored explicit argument {inline!r}")
                self._store(space, argument, [])
                continue
            taken = [inline] if equals else []
            most = {None: 1, "?": 1, "*": 10**9, "+": 10**9}.get(argument.nargs, argument.nargs)
            while not equals and i < len(words) and len(taken) < most and words[i] != "--" \
                    and not self._is_option(words[i]):
                taken.append(words[i])
                i += 1
            if argument.nargs is None and not taken:
                self.error(f"argument {argument.name()}: expected one argument")
            if argument.nargs == "+" and not taken:
                self.error(f"argument {argument.name()}: expected at least one argument")
            if isinstance(argument.nargs, int) and len(taken) != argument.nargs:
                self.error(f"argument {argument.name()}: expected {argument.nargs} argument" +
                           ("s" if argument.nargs != 1 else ""))
            self._store(space, argument, taken)
        positionals = [a for a in self._arguments if a.positional]
        for k, argument in enumerate(positionals):
            later = sum({None: 1, "?": 0, "*": 0, "+": 1}.get(a.nargs, a.nargs) for a in positionals[k + 1:])
            most = {None: 1, "?": 1}.get(argument.nargs, argument.nargs if isinstance(argument.nargs, int) else 10**9)
            n = max(min(len(free) - later, most), 0)
            least = {None: 1, "?": 0, "*": 0, "+": 1}.get(argument.nargs, argument.nargs)
            if n < least:
                break
            if n or argument.nargs in ("*", "?"):
                self._store(space, argument, free[:n])
            seen.append(argument)
            free = free[n:]
        missing = [a.name() for a in self._arguments if a.required and a not in seen]
        if missing:
            self.error("the following arguments are required: " + ", ".join(missing))
        for group in self._groups:
            used = [a for a in group.arguments if a in seen]
            if group.exclusive and len(used) > 1:
                self.error(f"argument {used[1].name()}: not allowed with argument {used[0].name()}")
            if group.exclusive and group.required and not used:
                names = " ".join(a.name() for a in group.arguments)
                self.error(f"one of the arguments {names} is required")
        return space, extra + free

    def parse_args(self, args=None, namespace=None):
        space, extra = self.parse_known_args(args, namespace)
        if extra:
            self.error("unrecognized arguments: " + " ".join(extra))
        return space


def _negative_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def _wrap(text, width):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line = (line + " " + word).strip()
    return lines + [line] if line else lines

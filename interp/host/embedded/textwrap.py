def indent(text, prefix, predicate=None):
    keep = predicate or (lambda line: line.strip())
    return "\n".join([prefix + line if keep(line) else line for line in text.split("\n")])


def dedent(text):
    lines = [line if line.strip() else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if line:
            lead = line[:len(line) - len(line.lstrip(" \t"))]
            if margin is None:
                margin = lead
            while not lead.startswith(margin):
                margin = margin[:-1]
    n = len(margin or "")
    return "\n".join(line[n:] for line in lines)

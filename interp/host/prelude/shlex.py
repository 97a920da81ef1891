"Words of a command line, by the rules of a POSIX shell."


def split(s, comments=False, posix=True):
    words, word, mark, i = [], None, "", 0
    while i < len(s):
        c = s[i]
        if mark:
            if c == mark:
                mark = ""
            elif c == "\\" and mark == '"' and s[i + 1:i + 2] in ('"', "\\"):
                i += 1
                word += s[i]
            else:
                word += c
        elif c in "'\"":
            mark, word = c, word or ""
        elif c == "\\":
            i += 1
            if i == len(s):
                raise ValueError("No escaped character")
            word = (word or "") + s[i]
        elif comments and c == "#":
            i = s.find("\n", i)
            if i < 0:
                break
        elif c in " \t\r\n":
            if word is not None:
                words.append(word)
            word = None
        else:
            word = (word or "") + c
        i += 1
    if mark:
        raise ValueError("No closing quotation")
    return words + ([word] if word is not None else [])


def quote(s):
    safe = s and all(c.isascii() and (c.isalnum() or c in "@%_-+=:,./") for c in s)
    return s if safe else "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join(quote(word) for word in split_command)

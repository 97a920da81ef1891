QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3


class Error(Exception):
    pass


def _rows(lines, delimiter, quotechar, skipinitialspace):
    row, field, quoted = [], "", False
    was_quoted = False
    for line in lines:
        i, n = 0, len(line)
        while i < n:
            c = line[i]
            if quoted:
                if c == quotechar and i + 1 < n and line[i + 1] == quotechar:
                    field += c
                    i += 1
                elif c == quotechar:
                    quoted = False
                else:
                    field += c
            elif c == quotechar and not field:
                quoted = was_quoted = True
            elif c == delimiter:
                row.append(field)
                field, was_quoted = "", False
            elif c in "\r\n":
                break
            elif not (skipinitialspace and c == " " and not field):
                field += c
            i += 1
        if not quoted:
            if row or field or was_quoted:
                row.append(field)
            yield row
            row, field, was_quoted = [], "", False


def reader(csvfile, dialect="excel", *, delimiter=",", quotechar='"', skipinitialspace=False, **options):
    if dialect == "excel-tab":
        delimiter = "\t"
    return _rows(csvfile, delimiter, quotechar, skipinitialspace)


class _Writer:
    def __init__(self, file, delimiter, quotechar, quoting, end):
        self.file, self.delimiter, self.quotechar, self.quoting, self.end = file, delimiter, quotechar, quoting, end

    def _field(self, v):
        text = "" if v is None else repr(v) if isinstance(v, float) else str(v)
        special = any(c in text for c in (self.delimiter, self.quotechar, "\r", "\n"))
        if self.quoting == QUOTE_ALL or self.quoting == QUOTE_NONNUMERIC and not isinstance(v, (int, float)) \
                or special and self.quoting != QUOTE_NONE:
            return self.quotechar + text.replace(self.quotechar, self.quotechar * 2) + self.quotechar
        return text

    def writerow(self, row):
        fields = [self._field(v) for v in row]
        if fields == [""]:
            fields = [self.quotechar * 2]
        return self.file.write(self.delimiter.join(fields) + self.end)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def writer(csvfile, dialect="excel", *, delimiter=",", quotechar='"', quoting=QUOTE_MINIMAL, lineterminator="\r\n", **options):
    if dialect == "excel-tab":
        delimiter = "\t"
    return _Writer(csvfile, delimiter, quotechar, quoting, lineterminator)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", **options):
        self.reader, self._names, self.restkey, self.restval = reader(f, dialect, **options), fieldnames, restkey, restval

    @property
    def fieldnames(self):
        if self._names is None:
            self._names = next(self.reader, None)
        return self._names

    def __iter__(self):
        return self

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while row == []:
            row = next(self.reader)
        d = dict(zip(names, row))
        if len(row) > len(names):
            d[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            d[name] = self.restval
        return d


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", **options):
        self.fieldnames, self.restval, self.extrasaction = fieldnames, restval, extrasaction
        self.writer = writer(f, dialect, **options)

    def writeheader(self):
        return self.writer.writerow(self.fieldnames)

    def writerow(self, row):
        extra = [k for k in row if k not in self.fieldnames]
        if extra and self.extrasaction == "raise":
            raise ValueError("dict contains fields not in fieldnames: " + ", ".join([repr(x) for x in extra]))
        return self.writer.writerow([row.get(k, self.restval) for k in self.fieldnames])

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)

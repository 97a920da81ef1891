class tqdm:
    "An iterable as it is: a document shows its progress itself."

    def __init__(self, iterable=None, desc=None, total=None, **options):
        self.iterable, self.desc, self.total, self.n = iterable, desc, total, 0

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return self.total if self.total is not None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        return False

    def update(self, n=1):
        self.n += n

    def set_description(self, desc=None, refresh=True):
        self.desc = desc

    def set_postfix(self, *args, **kwargs):
        pass

    def close(self):
        pass

    @staticmethod
    def write(text, **options):
        print(text)


def trange(*args, **options):
    return tqdm(range(*args), **options)

"Reading values that are written in a text."
from _imp import literal as literal_eval

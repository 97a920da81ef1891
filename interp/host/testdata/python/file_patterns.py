import fnmatch
import glob
import os
from pathlib import Path

names = ["made_tree/a.py", "made_tree/.hidden/b.py", "made_tree/one/b.py", "made_tree/one/.c.py", "made_tree/one/two/a.txt"]
for name in names:
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w") as f:
        f.write("12345")
for pattern in ("made_tree/**", "made_tree/**/*.py", "made_tree/*/", "made_tree/o*/*", "made_tree/.*", "made_tree/**/", "made_tree/",
                "made_tree/a.py", "made_tree/a.py/", "made_tree/[!a]*", "made_tree/none/*"):
    print(pattern, sorted(glob.glob(pattern, recursive=True)), len(glob.glob(pattern, recursive=True, include_hidden=True)))
for pattern in ("*", "**", "**/*.py", "o*/*", ".*"):
    print(pattern, sorted(map(str, Path("made_tree").glob(pattern))), sorted(map(str, Path("made_tree").rglob(pattern))))
print(sorted((top, sorted(folders), sorted(files)) for top, folders, files in os.walk("made_tree")))
print(os.path.getsize(names[0]), os.path.isfile(names[0]), os.path.isdir(names[0]), os.path.isdir("made_tree"), os.path.isfile("made_tree"),
      os.path.exists("made_tree/one"), os.path.exists("made_tree/none"), os.path.exists(names[0] + "/x"))
print(fnmatch.translate("a*[!b]?.c"), fnmatch.filter(["ab\n", "a", "b"], "a*"), fnmatch.fnmatch("a.b", "a.[a-c]"))
for name in names:
    os.remove(name)
for folder, *_ in sorted(os.walk("made_tree"), reverse=True):
    os.rmdir(folder)
print(os.path.exists("made_tree"))

# packaging.version orders versions as PEP 440 does.
from packaging import version
from packaging.version import InvalidVersion, Version, parse

ordered = ["1.dev0", "1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12", "1.0b1.dev456", "1.0b2", "1.0rc1", "1.0", "1.0+abc",
           "1.0+abc.7", "1.0+5", "1.0.post456.dev34", "1.0.post456", "1.1.dev1", "1!0.1"]
print(sorted(map(parse, reversed(ordered))) == [parse(v) for v in ordered])
for text in ["3.6.0", "v2.9.1+cu128", "1.0-ALPHA.2", "1.0.preview", "1.0-3", "1.2.r4", "2!1.0.DEV", "1.0+ubuntu-1", " 3.0 "]:
    v = Version(text)
    print(v, repr(v), v.base_version, v.public, v.local, v.release, v.pre, v.post, v.dev, v.epoch)
    print(v.major, v.minor, v.micro, v.is_prerelease, v.is_postrelease, v.is_devrelease)
print(version.parse("3.2") >= version.parse("3.1.9"), parse("2.10") > parse("2.9"), parse("1.0") == parse("1"))
print(parse("2.6.0+cu124") >= parse("2.6.0"), parse("2.6.0.dev20250101") < parse("2.6"), hash(parse("1.0")) == hash(parse("1")))
print(parse("1") == "1", parse("1") != "1")
try:
    parse("main")
except InvalidVersion as e:
    print(e)
try:
    parse("1") < "1"
except TypeError as e:
    print(e)

import inspect
import io
import os
import re
import shutil
import tempfile
import unittest
import warnings


class Numbers(unittest.TestCase):
    ended = []

    @classmethod
    def setUpClass(cls):
        cls.shared = 3

    @classmethod
    def tearDownClass(cls):
        cls.ended.append("class")

    def setUp(self):
        self.addCleanup(self.ended.append, "cleanup")

    def tearDown(self):
        self.ended.append("down")

    def test_passes(self):
        self.assertEqual(1 + 1, 2)
        self.assertNotEqual(1, 2)
        self.assertTrue([0])
        self.assertFalse("")
        self.assertIs(None, None)
        self.assertIsNot([], [])
        self.assertIsNone(None)
        self.assertIsNotNone(0)
        self.assertIn(1, [1])
        self.assertNotIn(2, [1])
        self.assertIsInstance(True, int)
        self.assertNotIsInstance("", int)
        self.assertGreater(2, 1)
        self.assertGreaterEqual(2, 2)
        self.assertLess(1, 2)
        self.assertLessEqual(1, 1)
        self.assertAlmostEqual(1.0, 1.00000001)
        self.assertAlmostEqual(1.0, 1.4, delta=0.5)
        self.assertNotAlmostEqual(1.0, 1.1)
        self.assertRegex("abc", "b+")
        self.assertNotRegex("abc", "x")
        self.assertCountEqual([1, 2, 2], [2, 1, 2])
        self.assertListEqual([1], [1])
        self.assertDictEqual({1: 2}, {1: 2})
        self.assertSequenceEqual([1], (1,))
        with self.assertRaises(ZeroDivisionError) as caught:
            1 / 0
        self.assertEqual(str(caught.exception), "division by zero")
        self.assertRaises(KeyError, {}.__getitem__, 1)
        with self.assertRaisesRegex(ValueError, "in.alid"):
            int("x")
        with self.assertWarns(UserWarning):
            warnings.warn("careful")
        self.assertEqual(self.shared, 3)

    def test_skipped(self):
        self.skipTest("not today")

    @unittest.skip("never")
    def test_left_out(self):
        1 / 0

    @unittest.expectedFailure
    def test_expected(self):
        self.fail("as expected")

    @unittest.expectedFailure
    def test_surprise(self):
        pass


class Messages(unittest.TestCase):
    def runTest(self):
        pass


case = Messages()
for attempt in [
    lambda: case.assertEqual(1, 2), lambda: case.assertEqual(1, 2, "why"), lambda: case.assertTrue(0), lambda: case.assertFalse([1]),
    lambda: case.assertIn(1, []), lambda: case.assertNotIn(1, [1]), lambda: case.assertIs(1, 2), lambda: case.assertIsNone(3),
    lambda: case.assertIsNotNone(None), lambda: case.assertIsInstance(1, str), lambda: case.assertGreater(1, 2),
    lambda: case.assertLessEqual(2, 1), lambda: case.assertAlmostEqual(1.0, 2.0), lambda: case.assertAlmostEqual(1, 3, delta=1),
    lambda: case.assertAlmostEqual(1.0, 1.2, places=1, msg="near"), lambda: case.assertNotAlmostEqual(1.0, 1.0),
    lambda: case.assertRegex("abc", "x+"), lambda: case.assertNotRegex("abc", "b"), lambda: case.assertNotEqual(1, 1),
    lambda: case.assertRaises(KeyError, int, 3), lambda: case.assertRaisesRegex(ValueError, "other", int, "x"), lambda: case.fail("no"),
    lambda: case.assertIsNot(None, None), lambda: case.assertLess(2, 1), lambda: case.assertNotIsInstance(1, int),
]:
    try:
        attempt()
        print("nothing raised")
    except AssertionError as e:
        print(str(e))


class Failing(unittest.TestCase):
    def test_error(self):
        raise KeyError("k")

    def test_fails(self):
        "Says what it does."
        self.assertEqual([1, 2], [1, 2], "alike")
        self.assertGreater(1, 2)

    def test_parts(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)


def report(case, verbosity):
    stream = io.StringIO()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TextTestRunner(stream=stream, verbosity=verbosity).run(suite)
    text = re.sub(r"in \d+\.\d+s", "in 0.000s", stream.getvalue())
    print(re.sub(r'(Traceback[^\n]*\n)(  .*\n)+', r"\1", text))
    print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), result.wasSuccessful())


report(Numbers, 1)
report(Numbers, 2)
report(Failing, 1)
print(Numbers.ended)
print(unittest.defaultTestLoader.getTestCaseNames(Failing), Failing("test_fails").id(), Failing("test_fails").shortDescription())

# inspect
def f(a, /, b: int, c=3, *args, d, e=5, **kwargs) -> str:
    """First.

        Second.
          Third.
    """


print(inspect.getfullargspec(f))
print(repr(inspect.cleandoc(f.__doc__)), inspect.unwrap(f) is f, inspect.isroutine(len), inspect.iscoroutinefunction(f))
print([n for n, _ in inspect.getmembers(Failing) if n.startswith("test")], inspect.getmro(Failing)[1].__name__)
print(inspect.getattr_static(Failing(), "test_error") is Failing.test_error, inspect.getattr_static(f, "none", 3))

# shutil
folder = tempfile.mkdtemp()
a, b = os.path.join(folder, "a.txt"), os.path.join(folder, "b.txt")
with open(a, "w") as out:
    out.write("text")
print(shutil.copyfile(a, b) == b, open(b).read(), os.path.basename(shutil.copy(a, folder + "/c.txt")))
shutil.move(b, folder + "/d.txt")
print(sorted(os.listdir(folder)), shutil.which("no-such-program"), shutil.get_terminal_size((7, 3)).columns > 0)
shutil.copytree(folder, folder + "-copy", ignore=shutil.ignore_patterns("c.*"))
print(sorted(os.listdir(folder + "-copy")))
shutil.rmtree(folder + "-copy")
print(os.path.exists(folder + "-copy"), os.path.relpath("/a/b/c", "/a/d"), os.path.commonpath(["/a/b/c", "/a/b/d"]), os.path.commonprefix(["abc", "abd"]))
try:
    shutil.rmtree(folder + "-copy")
except FileNotFoundError as e:
    print(type(e).__name__)

# os
import pathlib
import stat
os.makedirs(folder + "/deep/er")
for name in ("deep/x.txt", "deep/er/y.txt"):
    with open(os.path.join(folder, name), "w") as out:
        out.write(name)
for top, folders, files in os.walk(folder + "/deep"):
    print(os.path.relpath(top, folder), sorted(folders), sorted(files))
print([os.path.relpath(top, folder) for top, _, _ in os.walk(folder + "/deep", topdown=False)], list(os.walk(folder + "/none")))
s = os.stat(folder + "/deep/x.txt")
print(s.st_size, stat.S_ISREG(s.st_mode), stat.S_ISDIR(os.stat(folder).st_mode), stat.filemode(0o100644), stat.S_IRWXU)
try:
    os.stat("/no/such/file")
except FileNotFoundError as e:
    print(e.errno, e.strerror, e.filename)
os.rename(folder + "/deep/x.txt", folder + "/deep/z.txt")
with os.scandir(folder + "/deep") as entries:
    print(sorted((e.name, e.is_file(), e.is_dir()) for e in entries))
print(os.access(folder, os.R_OK), os.access("/no/such/file", os.F_OK), os.fsencode("a"), os.fsdecode(b"b"), os.strerror(2))
print(isinstance(pathlib.PurePosixPath("a"), os.PathLike), isinstance("a", os.PathLike), os.fspath(pathlib.PurePosixPath("a/b")))
try:
    os.rmdir(folder + "/deep")
except OSError as e:
    print(e.strerror)

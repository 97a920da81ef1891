"Tests as classes, and their report, as Python's unittest prints it."
import re
import sys
import time
import traceback
import warnings


class SkipTest(Exception):
    pass


class _Stop(Exception):
    "A failure inside subTest, which has been noted."


def skip(reason=""):
    def mark(item):
        item.__unittest_skip__, item.__unittest_skip_why__ = True, reason
        return item
    if callable(reason):
        item, reason = reason, ""
        return mark(item)
    return mark


def skipIf(condition, reason):
    return skip(reason) if condition else lambda item: item


def skipUnless(condition, reason):
    return skip(reason) if not condition else lambda item: item


def expectedFailure(item):
    item.__unittest_expecting_failure__ = True
    return item


class _Raises:
    def __init__(self, case, expected, pattern, msg=None):
        self._case, self.expected, self._pattern, self._msg, self.exception = case, expected, pattern, msg, None
        self.by = ""  # the function that was called

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        names = self.expected if isinstance(self.expected, tuple) else (self.expected,)
        if kind is None:
            self._case._fail(self._msg, f"{' or '.join(n.__name__ for n in names)} not raised{self.by}")
        if not issubclass(kind, self.expected):
            return False
        self.exception = value
        if self._pattern is not None and not re.search(self._pattern, str(value)):
            text = getattr(self._pattern, "pattern", self._pattern)
            self._case._fail(self._msg, f'"{text}" does not match "{value}"')
        return True


class _Warns:
    def __init__(self, case, expected, pattern, msg=None):
        self._case, self._expected, self._pattern, self._msg = case, expected, pattern, msg
        self._catcher = warnings.catch_warnings(record=True)

    def __enter__(self):
        self.warnings = self._catcher.__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, kind, value, trace):
        self._catcher.__exit__(kind, value, trace)
        if kind is not None:
            return False
        for w in self.warnings:
            if issubclass(w.category, self._expected) and (self._pattern is None or re.search(self._pattern, str(w.message))):
                self.warning = w.message
                return
        self._case._fail(self._msg, f"{self._expected.__name__} not triggered")


class _SubTest:
    def __init__(self, case, msg, params):
        self._case, self._of = case, (f" [{msg}]" if msg is not None else "")
        if params:
            self._of += " (" + ", ".join(f"{k}={v!r}" for k, v in params.items()) + ")"

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None or self._case._result is None or not issubclass(kind, Exception) or issubclass(kind, SkipTest):
            return False
        self._case._result._note(self._case, value, self._of or " (<subtest>)")
        self._case._failed = True
        return True


class TestCase:
    failureException, longMessage, maxDiff = AssertionError, True, 640

    def __init__(self, methodName="runTest"):
        self._testMethodName, self._result, self._cleanups, self._failed = methodName, None, [], False

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def id(self):
        return f"{type(self).__module__}.{type(self).__qualname__}.{self._testMethodName}"

    def shortDescription(self):
        doc = getattr(self, self._testMethodName).__doc__
        return doc.strip().split("\n")[0].strip() if doc else None

    def countTestCases(self):
        return 1

    def __str__(self):
        return f"{self._testMethodName} ({self.id()})"

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def enterContext(self, cm):
        value = cm.__enter__()
        self.addCleanup(cm.__exit__, None, None, None)
        return value

    def skipTest(self, reason):
        raise SkipTest(reason)

    def subTest(self, msg=None, **params):
        return _SubTest(self, msg, params)

    def run(self, result=None):
        result = TestResult() if result is None else result
        self._result, self._failed = result, False
        method = getattr(self, self._testMethodName)
        result.startTest(self)
        for item in (type(self), method):
            if getattr(item, "__unittest_skip__", False):
                result.addSkip(self, item.__unittest_skip_why__)
                return result
        try:
            error = self._attempt(self._body)
            error = self._attempt(self.doCleanups) or error
        finally:
            self._result = None
        expected = getattr(method, "__unittest_expecting_failure__", False)
        if isinstance(error, SkipTest):
            result.addSkip(self, str(error))
        elif expected and error is not None:
            result.addExpectedFailure(self, error)
        elif expected:
            result.addUnexpectedSuccess(self)
        elif error is not None:
            result._note(self, error)
        elif not self._failed:
            result.addSuccess(self)
        return result

    __call__ = run

    def debug(self):
        self._body()
        self.doCleanups()

    def _body(self):
        self.setUp()
        try:
            getattr(self, self._testMethodName)()
        finally:
            self.tearDown()

    def _attempt(self, f):
        try:
            f()
        except Exception as e:
            return e

    def doCleanups(self):
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            function(*args, **kwargs)

    # Assertions

    def _fail(self, msg, text):
        if msg is not None:
            text = f"{text} : {msg}" if self.longMessage else msg
        raise self.failureException(text)

    def _check(self, holds, msg, text):
        if not holds:
            self._fail(msg, text() if callable(text) else text)

    def fail(self, msg=None):
        raise self.failureException(msg)

    def assertTrue(self, expr, msg=None):
        self._check(expr, msg, lambda: f"{expr!r} is not true")

    def assertFalse(self, expr, msg=None):
        self._check(not expr, msg, lambda: f"{expr!r} is not false")

    def assertEqual(self, first, second, msg=None):
        self._check(first == second, msg, lambda: _unequal(first, second))

    def assertNotEqual(self, first, second, msg=None):
        self._check(first != second, msg, lambda: f"{first!r} == {second!r}")

    def assertIs(self, first, second, msg=None):
        self._check(first is second, msg, lambda: f"{first!r} is not {second!r}")

    def assertIsNot(self, first, second, msg=None):
        self._check(first is not second, msg, lambda: f"unexpectedly identical: {first!r}")

    def assertIsNone(self, obj, msg=None):
        self._check(obj is None, msg, lambda: f"{obj!r} is not None")

    def assertIsNotNone(self, obj, msg=None):
        self._check(obj is not None, msg, "unexpectedly None")

    def assertIn(self, member, container, msg=None):
        self._check(member in container, msg, lambda: f"{member!r} not found in {container!r}")

    def assertNotIn(self, member, container, msg=None):
        self._check(member not in container, msg, lambda: f"{member!r} unexpectedly found in {container!r}")

    def assertIsInstance(self, obj, cls, msg=None):
        self._check(isinstance(obj, cls), msg, lambda: f"{obj!r} is not an instance of {cls!r}")

    def assertNotIsInstance(self, obj, cls, msg=None):
        self._check(not isinstance(obj, cls), msg, lambda: f"{obj!r} is an instance of {cls!r}")

    def assertGreater(self, a, b, msg=None):
        self._check(a > b, msg, lambda: f"{a!r} not greater than {b!r}")

    def assertGreaterEqual(self, a, b, msg=None):
        self._check(a >= b, msg, lambda: f"{a!r} not greater than or equal to {b!r}")

    def assertLess(self, a, b, msg=None):
        self._check(a < b, msg, lambda: f"{a!r} not less than {b!r}")

    def assertLessEqual(self, a, b, msg=None):
        self._check(a <= b, msg, lambda: f"{a!r} not less than or equal to {b!r}")

    def _near(self, first, second, places, delta):
        if first == second:
            return True
        difference = abs(first - second)
        return difference <= delta if delta is not None else round(difference, 7 if places is None else places) == 0

    def _within(self, places, delta):
        return f"{delta!r} delta" if delta is not None else f"{7 if places is None else places!r} places"

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if not self._near(first, second, places, delta):
            self._fail(msg, f"{first!r} != {second!r} within {self._within(places, delta)} ({abs(first - second)!r} difference)")

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if self._near(first, second, places, delta):
            self._fail(msg, f"{first!r} == {second!r} within {self._within(places, delta)}"
                       + (f" ({abs(first - second)!r} difference)" if delta is not None else ""))

    def assertRegex(self, text, expected_regex, msg=None):
        pattern = getattr(expected_regex, "pattern", expected_regex)
        self._check(re.search(expected_regex, text), msg, lambda: f"Regex didn't match: {pattern!r} not found in {text!r}")

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        found = re.search(unexpected_regex, text)
        pattern = getattr(unexpected_regex, "pattern", unexpected_regex)
        self._check(not found, msg, lambda: f"Regex matched: {found[0]!r} matches {pattern!r} in {text!r}")

    def assertCountEqual(self, first, second, msg=None):
        rest, missing = list(second), []
        for v in first:
            if v in rest:
                rest.remove(v)
            else:
                missing.append(v)
        self._check(not rest and not missing, msg,
                    lambda: f"Element counts were not equal:\nFirst has more of {missing!r}, second of {rest!r}")

    assertListEqual = assertTupleEqual = assertDictEqual = assertSetEqual = assertMultiLineEqual = assertEqual

    def assertSequenceEqual(self, first, second, msg=None, seq_type=None):
        self._check(list(first) == list(second), msg, lambda: _unequal(first, second))

    def assertRaises(self, expected_exception, *args, **kwargs):
        return self._expect(_Raises(self, expected_exception, None, kwargs.pop("msg", None) if not args else None), args, kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        return self._expect(_Raises(self, expected_exception, expected_regex), args, kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        return self._expect(_Warns(self, expected_warning, None), args, kwargs)

    def assertWarnsRegex(self, expected_warning, expected_regex, *args, **kwargs):
        return self._expect(_Warns(self, expected_warning, expected_regex), args, kwargs)

    def _expect(self, context, args, kwargs):
        if not args:
            return context
        context.by = f" by {getattr(args[0], '__name__', args[0])}"
        with context:
            args[0](*args[1:], **kwargs)


def _unequal(first, second):
    for kind, name in ((list, "Lists"), (tuple, "Tuples")):
        if isinstance(first, kind) and isinstance(second, kind):
            lines = [f"{name} differ: {first!r} != {second!r}", ""]
            for i, (a, b) in enumerate(zip(first, second)):
                if a != b:
                    lines += [f"First differing element {i}:", repr(a), repr(b), ""]
                    break
            return "\n".join(lines + [f"- {first!r}", f"+ {second!r}"])
    return f"{first!r} != {second!r}"


def _described(test, of=""):
    about = test.shortDescription()
    return f"{test}{of}\n{about}" if about else f"{test}{of}"


class TestResult:
    "What has come of tests so far."
    def __init__(self, stream=None, descriptions=None, verbosity=1):
        self.failures, self.errors, self.skipped, self.expectedFailures, self.unexpectedSuccesses = [], [], [], [], []
        self.testsRun, self.stream, self._verbose = 0, stream, verbosity

    def _say(self, letter, word):
        if self.stream is not None and self._verbose:
            self.stream.write(word + "\n" if self._verbose > 1 else letter)

    def startTest(self, test):
        self.testsRun += 1
        if self.stream is not None and self._verbose > 1:
            self.stream.write(f"{_described(test)} ... ")

    def _note(self, test, error, of=""):
        failed = isinstance(error, test.failureException)
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        frames = [line for line in lines[1:-1] if not line.startswith('  File "<frozen')]
        text = "".join(lines[:1] + frames + lines[-1:])
        (self.failures if failed else self.errors).append((_described(test, of), text))
        self._say("F" if failed else "E", "FAIL" if failed else "ERROR")

    def addSuccess(self, test):
        self._say(".", "ok")

    def addSkip(self, test, reason):
        self.skipped.append((test, reason))
        self._say("s", f"skipped {reason!r}")

    def addExpectedFailure(self, test, error):
        self.expectedFailures.append((test, error))
        self._say("x", "expected failure")

    def addUnexpectedSuccess(self, test):
        self.unexpectedSuccesses.append(test)
        self._say("u", "unexpected success")

    def wasSuccessful(self):
        return not (self.failures or self.errors or self.unexpectedSuccesses)


class TestSuite:
    def __init__(self, tests=()):
        self._tests = list(tests)

    def addTest(self, test):
        self._tests.append(test)

    def addTests(self, tests):
        self._tests.extend(tests)

    def __iter__(self):
        return iter(self._tests)

    def countTestCases(self):
        return sum(test.countTestCases() for test in self)

    def run(self, result):
        cls = None
        for test in self:
            if isinstance(test, TestCase) and type(test) is not cls:
                if cls is not None:
                    cls.tearDownClass()
                cls = type(test)
                if not getattr(cls, "__unittest_skip__", False):
                    cls.setUpClass()
            test.run(result)
        if cls is not None:
            cls.tearDownClass()
        return result

    __call__ = run


class TestLoader:
    testMethodPrefix = "test"

    def getTestCaseNames(self, testCaseClass):
        return sorted(name for name in dir(testCaseClass) if name.startswith(self.testMethodPrefix)
                      and callable(getattr(testCaseClass, name)))

    def loadTestsFromTestCase(self, testCaseClass):
        return TestSuite(testCaseClass(name) for name in self.getTestCaseNames(testCaseClass))

    def loadTestsFromModule(self, module, *, pattern=None):
        return TestSuite(self.loadTestsFromTestCase(v) for name, v in sorted(vars(module).items())
                         if isinstance(v, type) and issubclass(v, TestCase) and v is not TestCase)

    def loadTestsFromName(self, name, module=None):
        if module is None:
            import pkgutil
            found = pkgutil.resolve_name(name)
        else:
            parts = name.split(".")
            found = getattr(module, parts[0])
            if len(parts) > 1:
                return TestSuite([found(parts[1])])
        return self.loadTestsFromTestCase(found) if isinstance(found, type) else self.loadTestsFromModule(found)

    def loadTestsFromNames(self, names, module=None):
        return TestSuite(self.loadTestsFromName(name, module) for name in names)


defaultTestLoader = TestLoader()


class TextTestRunner:
    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, resultclass=None,
                 warnings=None, **options):
        self.stream, self.verbosity = sys.stderr if stream is None else stream, verbosity

    def run(self, test):
        result, start, write = TestResult(self.stream, True, self.verbosity), time.time(), self.stream.write
        test.run(result)
        took = time.time() - start
        write("\n" if result._verbose else "")
        for word, noted in [("ERROR", result.errors), ("FAIL", result.failures)]:
            for name, text in noted:
                write(f"{'=' * 70}\n{word}: {name}\n{'-' * 70}\n{text}\n")
        if result.unexpectedSuccesses:
            write("=" * 70 + "\n")
            for test in result.unexpectedSuccesses:
                write(f"UNEXPECTED SUCCESS: {_described(test)}\n")
        write(f"{'-' * 70}\nRan {result.testsRun} test{'s' * (result.testsRun != 1)} in {took:.3f}s\n\n")
        counts = [("failures", result.failures), ("errors", result.errors), ("skipped", result.skipped),
                  ("expected failures", result.expectedFailures), ("unexpected successes", result.unexpectedSuccesses)]
        words = ", ".join(f"{name}={len(noted)}" for name, noted in counts if noted)
        word = "OK" if result.wasSuccessful() else "FAILED"
        if not result.testsRun and not result.skipped:
            word = "NO TESTS RAN" if sys.version_info >= (3, 12) else "OK"
        write(word + (f" ({words})" if words else "") + "\n")
        return result


def main(module="__main__", defaultTest=None, argv=None, testRunner=None, testLoader=defaultTestLoader, exit=True,
         verbosity=1, failfast=None, catchbreak=None, buffer=None, warnings=None):
    "Runs the tests of a module: all of them, or those that the words of argv name."
    if isinstance(module, str):
        __import__(module)
        module = sys.modules[module]
    names = []
    for word in (sys.argv if argv is None else argv)[1:]:
        if word in ("-v", "--verbose"):
            verbosity = 2
        elif word in ("-q", "--quiet"):
            verbosity = 0
        elif not word.startswith("-"):
            names.append(word)
    if not names and defaultTest is not None:
        names = [defaultTest] if isinstance(defaultTest, str) else list(defaultTest)
    suite = testLoader.loadTestsFromNames(names, module) if names else testLoader.loadTestsFromModule(module)
    runner = TextTestRunner(verbosity=verbosity) if testRunner is None else testRunner
    result = (runner() if isinstance(runner, type) else runner).run(suite)
    if exit:
        sys.exit(0 if result.wasSuccessful() else 5 if not result.testsRun and not result.skipped else 1)
    return result

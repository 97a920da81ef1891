package cli

import (
	"regexp"
	"strings"
	"testing"
)

// TestSuite: newt test collects files and folders as pytest does. What is wanted was compared with pytest 7.2,
// which has the files in another order.
func TestSuite(t *testing.T) {
	tree(t, map[string]string{
		"conftest.py": "import pytest\nmade = []\n\n\ndef pytest_addoption(parser):\n" +
			"    parser.addoption('--size', type=int, default=3)\n\n\n" +
			"@pytest.fixture(scope='session')\ndef store():\n    made.append('store')\n    yield made\n    print('ended')\n\n\n" +
			"@pytest.fixture\ndef size(request):\n    return request.config.getoption('--size')\n\n\n" +
			"@pytest.fixture(params=[1, 2])\ndef both(request):\n    return request.param\n",
		"tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef size(size):\n    return size * 10\n\n\n" +
			"@pytest.fixture(autouse=True)\ndef around(store):\n    store.append('a')\n",
		"tests/helper.py": "def double(x):\n    assert x > 0\n    return 2 * x\n",
		"tests/test_one.py": "import pytest\nfrom helper import double\n\n\n" +
			"def test_double(size):\n    assert double(2) == 4\n    assert size in (30, 50)\n\n\n" +
			"@pytest.mark.parametrize('x,y', [(1, 2), pytest.param(2, 5, id='bad'), pytest.param(3, 6, marks=pytest.mark.skip)])\n" +
			"def test_pairs(x, y):\n    assert double(x) == y\n\n\n" +
			"@pytest.mark.slow\ndef test_slow(both):\n    assert both < 2\n\n\n@pytest.mark.xfail\ndef test_known():\n    assert 0\n",
		"tests/unit/test_two.py": "import unittest\n\n\ndef setup_module(module):\n    module.ready = True\n\n\n" +
			"class TestThings:\n    def test_ready(self, store):\n        assert ready and store.count('store') == 1\n\n" +
			"    def test_helper(self):\n        import helper\n        helper.double(-1)\n\n\n" +
			"class Case(unittest.TestCase):\n    def setUp(self):\n        self.x = 3\n\n    def test_x(self):\n" +
			"        self.assertEqual(self.x, 3)\n\n    def test_y(self):\n        self.assertEqual(self.x, 4)\n\n" +
			"    @unittest.skip('no')\n    def test_z(self):\n        pass\n",
		"tests/pkg/__init__.py":   "",
		"tests/pkg/common.py":     "K = 7\n",
		"tests/pkg/test_three.py": "from .common import K\n\n\ndef test_k(size):\n    assert K == 7 and __package__ == 'pkg'\n",
		".hidden/test_h.py":       "1 / 0\n",
		"build/test_b.py":         "1 / 0\n",
		"other.py":                "def test_not():\n    1 / 0\n",
		"broken/test_bad.py":      "import nothing_here\n",
		"broken/test_set.py":      "def setup_module():\n    1 / 0\n\n\ndef test_a():\n    pass\n",
		"left/test_out.py":        "import pytest\npytest.skip('no', allow_module_level=True)\n",
		"main.py":                 "import pytest\nprint(int(pytest.main(['tests', '-q', '-k', 'test_k and not known'])))\n",
	})
	took := regexp.MustCompile(` in \d+\.\d+s\n`)
	for _, c := range []struct {
		args   []string
		stdout string // its end
		status int
	}{
		{[]string{"test", "tests"}, "tests/unit/test_two.py:25: AssertionError\n" +
			"=========================== short test summary info ============================\n" +
			"FAILED tests/test_one.py::test_pairs[bad] - assert 4 == 5\nFAILED tests/test_one.py::test_slow[2] - assert 2 < 2\n" +
			"FAILED tests/unit/test_two.py::TestThings::test_helper - AssertionError\n" +
			"FAILED tests/unit/test_two.py::Case::test_y - AssertionError: 3 != 4\n" +
			"4 failed, 6 passed, 2 skipped, 1 xfailed\n", exitFail},
		{[]string{"test", "tests", "-k", "double or (k and not helper)"},
			"2 failed, 4 passed, 2 skipped, 4 deselected, 1 xfailed\n", exitFail},
		{[]string{"test", "-m", "slow", "tests"}, "1 failed, 1 passed, 11 deselected\n", exitFail},
		{[]string{"test", "-x", "tests"}, "stopping after 1 failures !!!!!!!!!!!!!!!!!!!!!!!!!!!\n1 failed, 3 passed\n", exitFail},
		{[]string{"test", "tests/test_one.py::test_double", "--size=5"}, "1 passed\n", exitOK},
		{[]string{"test", "tests/test_one.py::test_double", "--size=6"}, "1 failed\n", exitFail},
		{[]string{"test", "tests/test_one.py::test_pairs[bad]", "tests/unit/test_two.py::TestThings::test_ready"},
			"1 failed, 1 passed\n", exitFail},
		{[]string{"test", "tests/unit/../pkg"}, "1 passed\n", exitOK},
		{[]string{"test", "left"}, "1 skipped\n", 5},
		{[]string{"test", "other.py::test_none"}, "no tests ran\n", 5},
		{[]string{"test", "nowhere"}, "no tests ran\nERROR: file or directory not found: nowhere\n\n", 4},
		{[]string{"test", "broken/test_bad.py"}, "E   ModuleNotFoundError: No module named 'nothing_here'\n" +
			"=========================== short test summary info ============================\nERROR broken/test_bad.py\n" +
			"!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!\n1 error\n", 2},
		{[]string{"test", "broken/test_set.py"}, "ERROR broken/test_set.py::test_a - ZeroDivisionError: division by zero\n1 error\n",
			exitFail},
		{[]string{"run", "main.py"}, "1 passed, 12 deselected\n0\n", exitOK},
	} {
		stdout, stderr, status := newt(t, c.args...)
		if got := took.ReplaceAllString(stdout, "\n"); !strings.HasSuffix(got, c.stdout) || status != c.status || stderr != "" {
			t.Errorf("%v: status %d, want %d\n%s%s", c.args, status, c.status, stdout, stderr)
		}
	}
}

// TestSuiteSettings: newt test reads what configures pytest. What is wanted was compared with pytest's documentation.
func TestSuiteSettings(t *testing.T) {
	tree(t, map[string]string{
		"pyproject.toml": "[project]\nname = \"x\"\n\n[tool.pytest.ini_options]\n" +
			"testpaths = [\n    \"checks\",  # where they are\n    \"absent\",\n]\n" +
			"addopts = \"-v --tb=short -m 'not slow'\"\npythonpath = ['lib']\n" +
			"python_files = \"check_*.py\"\npython_functions = [\"check\", \"*_ok\"]\nmarkers = [\n    \"slow: takes long\",\n]\n\n" +
			"[tool.other]\ntestpaths = [\"elsewhere\"]\n",
		"lib/helper.py": "K = 1\n",
		"checks/check_a.py": "import pytest\nfrom helper import K\n\n\ndef check_k():\n    assert K == 1\n\n\n" +
			"def all_ok():\n    pass\n\n\ndef test_not():\n    1 / 0\n\n\n@pytest.mark.slow\ndef check_slow():\n    1 / 0\n",
		"checks/test_b.py":     "1 / 0\n",
		"elsewhere/check_c.py": "1 / 0\n",
		"ini/pytest.ini":       "[pytest]\n# of this folder\npython_classes = Suite*\n  Case\naddopts =\n    -k 'not second'\n",
		"ini/test_d.py": "class SuiteA:\n    def test_first(self):\n        pass\n\n    def test_second(self):\n        1 / 0\n\n\n" +
			"class Case:\n    def test_third(self):\n        pass\n\n\nclass TestNot:\n    def test_x(self):\n        1 / 0\n",
	})
	took := regexp.MustCompile(` in \d+\.\d+s\n`)
	for _, c := range []struct {
		args []string
		end  string
	}{
		{[]string{"test"}, "2 passed, 1 deselected\n"},
		{[]string{"test", "-k", "ok"}, "1 passed, 2 deselected\n"},
		{[]string{"test", "ini"}, "2 passed, 1 deselected\n"},
	} {
		stdout, stderr, status := newt(t, c.args...)
		if got := took.ReplaceAllString(stdout, "\n"); !strings.HasSuffix(got, c.end) || status != exitOK || stderr != "" {
			t.Errorf("%v: status %d\n%s%s", c.args, status, stdout, stderr)
		}
	}
}

// TestTritonTests: what Triton's own tests need is there, such as triton._internal_testing, and a launch with more threads
// than a GPU has fails on the CPU, too.
func TestTritonTests(t *testing.T) {
	for file, want := range map[string]string{"test_internal_testing.py": "9 passed", "test_out_of_resources.py": "2 passed"} {
		stdout, stderr, status := newt(t, "test", "testdata/"+file, "--device", "cpu")
		if status != exitOK || !strings.Contains(stdout, want) {
			t.Errorf("status %d\n%s%s", status, stdout, stderr)
		}
	}
}

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFigures: each figure that a script shows is a picture in a folder, under the name that it was saved as, and a table
// beside it. What savefig writes is a file of the session; the script itself prints nothing more.
func TestFigures(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `import matplotlib.pyplot as plt
plt.plot([1, 2], [3, 4.5], label="speed")
plt.savefig("speed.png")
print(open("speed.png", "rb").read(8))
plt.close()
plt.bar(["p", "q"], [1, 2])
plt.show()
try:
    plt.savefig("speed.pdf")
except ValueError as e:
    print(e)
`
	if err := os.WriteFile("plot.py", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := newt(t, "run", "--device", "cpu", "--figures", "out", "plot.py")
	want := `b'\x89PNG\r\n\x1a\n'` + "\npictures of type \".pdf\" are not supported (supported formats: png, svg)\n"
	if status != exitOK || stdout != want {
		t.Errorf("status %d, prints %q, %s", status, stdout, stderr)
	}
	for name, start := range map[string]string{"speed.png": "\x89PNG", "speed.csv": "x,speed\n1,3\n2,4.5\n",
		"figure-1.svg": "<?xml", "figure-1.csv": "x,y\np,1\nq,2\n"} {
		data, err := os.ReadFile(filepath.Join("out", name))
		if err != nil || !bytes.HasPrefix(data, []byte(start)) {
			t.Errorf("%s: %v, begins with %q", name, err, strings.ToValidUTF8(string(data[:min(40, len(data))]), "?"))
		}
	}
}

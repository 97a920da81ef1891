package host

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPictures checks torchvision's functions on files of the session.
func TestPictures(t *testing.T) {
	_, printed, outcomes := cells(withLibraries(Options{Files: fstest.MapFS{"text.png": {Data: []byte("no picture")}}}), `
import torch
from torchvision import io, transforms
import torchvision.transforms.functional as F
x = torch.arange(24, dtype=torch.uint8).view(3, 2, 4) * 10
io.write_png(x, "x.png")
print((io.read_image("x.png") == x).all(), io.read_image("x.png", "GRAY").shape)
io.write_jpeg(x, "x.jpg", quality=100)
print(io.read_image("x.jpg").shape)
print(F.resize(torch.arange(8.).view(1, 1, 8), [1, 4]), F.resize(torch.arange(2.).view(1, 1, 2), [1, 4], antialias=False))
print(transforms.Compose([transforms.Resize(1)])(x).shape, F.resize(x, 4).shape, F.resize(x, (2, 2))[0])
for f in (lambda: io.read_image("text.png"), lambda: io.read_image("none.png"), lambda: io.read_image("https://a/b.png"),
          lambda: io.write_png(x.float(), "y.png"), lambda: io.write_png(x[0], "y.png")):
    try: f()
    except Exception as e: print(type(e).__name__, e)
`)
	want := `tensor(True) torch.Size([1, 2, 4])
torch.Size([3, 2, 4])
tensor([[[0.7143, 2.5000, 4.5000, 6.2857]]]) tensor([[[0.0000, 0.2500, 0.7500, 1.0000]]])
torch.Size([3, 1, 2]) torch.Size([3, 4, 8]) tensor([[ 7, 23],
        [47, 63]], dtype=torch.uint8)
RuntimeError Unsupported image file. Only jpeg, png are currently supported.
RuntimeError [Errno 2] No such file or directory: 'none.png'
OSError newt does not download ` + "`https://a/b.png`" + `
RuntimeError Input tensor dtype should be uint8
RuntimeError Input data should be a 3-dimensional tensor with 1 or 3 channels
`
	if outcomes[0].Diagnostics.HasErrors() || printed[0] != want {
		t.Errorf("prints\n%s\nwant\n%s%s", printed[0], want, words(outcomes[0].Diagnostics))
	}
	_, _, outcomes = cells(withLibraries(Options{}), "from urllib.request import urlretrieve\nurlretrieve('https://a/b', 'b')")
	if !strings.Contains(outcomes[0].Traceback, "OSError: newt does not download `https://a/b`") {
		t.Error(outcomes[0].Traceback)
	}
}

// TestUpsample checks libjpeg's interpolation of halved chroma planes: quarters of the two nearest samples.
func TestUpsample(t *testing.T) {
	plane := []uint8{0, 100, 200, 60} // two by two
	for _, c := range []struct {
		name             string
		w, h, wide, high int
		want             []uint8
	}{
		{"4:4:4", 2, 2, 1, 1, plane},
		{"4:2:2", 4, 1, 2, 1, []uint8{0, 25, 75, 100}},
		{"4:4:0", 1, 4, 1, 2, []uint8{0, 50, 150, 200}},
		{"4:2:0", 2, 2, 2, 2, []uint8{0, 0, 0, 0}},
		{"4:1:1", 4, 1, 4, 1, []uint8{0, 0, 0, 0}},
	} {
		if got := upsample(plane, 2, c.w, c.h, c.wide, c.high); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	// The pixel at 1, 1: nine parts 0, three each 100 and 200, one 60, of sixteen.
	both := upsample(plane, 2, 4, 4, 2, 2)
	if want := []uint8{0, 25, 75, 100}; !slices.Equal(both[:4], want) || both[5] != (300+600+60+7)/16 {
		t.Errorf("4:2:0: %v", both)
	}
}

// TestColorConversion checks pixels of a JPEG against libjpeg's, whose blue and red differ from Go's by rounding.
func TestColorConversion(t *testing.T) {
	p := image.NewYCbCr(image.Rect(0, 0, 3, 1), image.YCbCrSubsampleRatio444)
	copy(p.Y, []uint8{5, 5, 6})
	copy(p.Cb, []uint8{148, 148, 147})
	copy(p.Cr, []uint8{124, 125, 125})
	at := pixelsOf(p)
	for x, want := range []color.NRGBA{{0, 1, 40, 255}, {1, 0, 40, 255}, {2, 2, 40, 255}} {
		if got := at(x, 0); got != want {
			t.Errorf("pixel %d is %v, want %v", x, got, want)
		}
	}
}

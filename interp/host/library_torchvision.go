package host

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"io"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
)

// torchvisionModules are what scripts use of torchvision, pictures of local files, and of urllib, which newt refuses.
func torchvisionModules() map[string]maker {
	return map[string]maker{
		"torchvision":                       fixed(func() map[string]Value { return map[string]Value{"__version__": python.Str("0.26.0")} }),
		"torchvision.io":                    functionsOf(pictureFiles),
		"torchvision.transforms.functional": functionsOf(pictureFunctions),
		"urllib.request":                    functionsOf(downloads),
	}
}

func downloads() map[string]method {
	return map[string]method{"urlretrieve(url, filename=None, reporthook=None, data=None)": download,
		"urlopen(url, data=None, timeout=None, *, context=None)": download}
}

// download refuses to load a URL.
func download(m *machine, a arguments) Value {
	throwOwn("OSError", diag.New("no-download", source.Span{}, m.strOf(a.positional[0])))
	return nil
}

// pictureFiles are the functions of torchvision.io.
func pictureFiles() map[string]method {
	return map[string]method{
		"read_image(path, mode='UNCHANGED', apply_exif_orientation=False)": func(m *machine, a arguments) Value {
			name := pathText(m, a.positional[0])
			if strings.Contains(name, "://") {
				throwOwn("OSError", diag.New("no-download", source.Span{}, name))
			}
			text, ok := m.files.readText(name)
			if !ok {
				raise("RuntimeError", "[Errno 2] No such file or directory: %s", python.Repr(python.Str(name)))
			}
			return pictureTensor(m, text, m.strOf(a.positional[1]))
		},
		"write_png(input, filename, compression_level=6)": func(m *machine, a arguments) Value {
			return writePicture(m, a, m.options.Codecs.EncodePNG)
		},
		"write_jpeg(input, filename, quality=75)": func(m *machine, a arguments) Value {
			quality := int(asIndex(a.positional[2]))
			return writePicture(m, a, func(w io.Writer, p image.Image) error {
				return m.options.Codecs.EncodeJPEG(w, p, quality)
			})
		},
	}
}

// maxPixels bounds the pictures that are read.
const maxPixels = 1 << 25

// pictureTensor decodes a PNG or a JPEG: uint8[channels, height, width].
func pictureTensor(m *machine, data, mode string) Value {
	header, format, err := image.DecodeConfig(strings.NewReader(data))
	if err != nil {
		raise("RuntimeError", "Unsupported image file. Only jpeg, png are currently supported.")
	}
	if header.Width*header.Height > maxPixels {
		limit("RuntimeError", "pictures have at most %d pixels, not %d × %d", maxPixels, header.Width, header.Height)
	}
	m.budget.chargeItems(4 * header.Width * header.Height)
	p, _, err := image.Decode(strings.NewReader(data))
	if err != nil {
		raise("RuntimeError", "%s", err)
	}
	channels := channelsOf(p, mode)
	plane := header.Width * header.Height
	out := make([]byte, channels*plane)
	at := pixelsOf(p)
	for y := range header.Height {
		for x := range header.Width {
			c, i := at(x, y), y*header.Width+x
			parts := [4]uint8{c.R, c.G, c.B, c.A}
			if channels < 3 {
				parts = [4]uint8{grayOf(p, x, y, format), c.A}
			}
			for k := range channels {
				out[k*plane+i] = parts[k]
			}
		}
	}
	t, err := m.tensors.FromBytes(num.Uint8, []int{channels, header.Height, header.Width}, out)
	check(err)
	return Tensor{t}
}

// channelsOf is how many channels a picture has in one of torchvision's ImageReadModes.
func channelsOf(p image.Image, mode string) int {
	modes := map[string]int{"GRAY": 1, "GRAY_ALPHA": 2, "RGB": 3, "RGB_ALPHA": 4}
	channels, known := modes[strings.TrimPrefix(mode, "ImageReadMode.")]
	if known {
		return channels
	}
	switch p.ColorModel() {
	case color.GrayModel, color.Gray16Model:
		return 1
	case color.NRGBAModel, color.NRGBA64Model:
		return 4
	}
	return 3
}

// grayOf is a pixel's brightness: the Y of a JPEG, which libjpeg gives as it is.
func grayOf(p image.Image, x, y int, format string) uint8 {
	if ycc, ok := p.(*image.YCbCr); ok && format == "jpeg" {
		return ycc.Y[ycc.YOffset(x, y)]
	}
	return color.GrayModel.Convert(p.At(x, y)).(color.Gray).Y
}

// pixelsOf gives the pixels of a picture, counted from its upper left corner.
func pixelsOf(p image.Image) func(x, y int) color.NRGBA {
	if ycc, ok := p.(*image.YCbCr); ok {
		return newJPEG(ycc).at
	}
	all := image.NewNRGBA(image.Rect(0, 0, p.Bounds().Dx(), p.Bounds().Dy()))
	draw.Draw(all, all.Rect, p, p.Bounds().Min, draw.Src)
	return all.NRGBAAt
}

// jpegPicture is a decoded JPEG with its chroma at full resolution.
type jpegPicture struct {
	*image.YCbCr
	cb, cr []uint8 // by row
	width  int
}

func newJPEG(p *image.YCbCr) *jpegPicture {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	wide, high := 1, 1 // pixels that share a chroma sample
	switch p.SubsampleRatio {
	case image.YCbCrSubsampleRatio422:
		wide = 2
	case image.YCbCrSubsampleRatio420:
		wide, high = 2, 2
	case image.YCbCrSubsampleRatio440:
		high = 2
	case image.YCbCrSubsampleRatio411:
		wide = 4
	case image.YCbCrSubsampleRatio410:
		wide, high = 4, 2
	}
	full := func(plane []uint8) []uint8 { return upsample(plane, p.CStride, w, h, wide, high) }
	return &jpegPicture{p, full(p.Cb), full(p.Cr), w}
}

// upsample makes a chroma plane as large as the picture. Halved planes are interpolated as libjpeg does by default
// (jdsample.c, "fancy upsampling"): a pixel is three quarters of the nearest sample and one quarter of the next.
func upsample(plane []uint8, stride, w, h, wide, high int) []uint8 {
	rows, columns := (h+high-1)/high, (w+wide-1)/wide
	// neighbor is the sample that output i lies in, of the two to a sample, and the sample on its other side.
	neighbor := func(i, n int) (near, next int) {
		near, next = i/2, i/2-1+2*(i%2)
		return near, min(max(next, 0), n-1)
	}
	out := make([]uint8, w*h)
	for y := range h {
		above, below := y/high, y/high
		if high == 2 && wide <= 2 {
			above, below = neighbor(y, rows)
		}
		column := func(c int) int { return 3*int(plane[above*stride+c]) + int(plane[below*stride+c]) }
		for x := range w {
			switch {
			case wide == 2 && high == 2:
				near, next := neighbor(x, columns)
				// In sixteenths; rounding alternates between 8 and 7 so that it is no bias.
				out[y*w+x] = uint8((3*column(near) + column(next) + 8 - x%2) >> 4)
			case wide == 2:
				near, next := neighbor(x, columns)
				out[y*w+x] = uint8((3*int(plane[above*stride+near]) + int(plane[above*stride+next]) + 1 + x%2) >> 2)
			case high == 2 && wide == 1:
				out[y*w+x] = uint8((column(x) + 1 + y%2) >> 2)
			default:
				out[y*w+x] = plane[above*stride+x/wide]
			}
		}
	}
	return out
}

// at converts a pixel to RGB with libjpeg's 16-bit fixed-point coefficients (jdcolor.c).
func (p *jpegPicture) at(x, y int) color.NRGBA {
	const half = 1 << 15
	fix := func(f float64) int { return int(f*65536 + 0.5) }
	luma := int(p.Y[p.YOffset(x+p.Rect.Min.X, y+p.Rect.Min.Y)])
	cb, cr := int(p.cb[y*p.width+x])-128, int(p.cr[y*p.width+x])-128
	clip := func(n int) uint8 { return uint8(min(max(n, 0), 255)) }
	return color.NRGBA{
		R: clip(luma + (fix(1.402)*cr+half)>>16),
		G: clip(luma + (-fix(0.34414)*cb-fix(0.71414)*cr+half)>>16),
		B: clip(luma + (fix(1.772)*cb+half)>>16),
		A: 255,
	}
}

// writePicture is write_png(input, filename) and its like: the file is the session's.
func writePicture(m *machine, a arguments, encode func(io.Writer, image.Image) error) Value {
	t, ok := a.positional[0].(Tensor)
	name := pathText(m, a.positional[1])
	switch {
	case !ok || t.DType() != num.Uint8:
		raise("RuntimeError", "Input tensor dtype should be uint8")
	case t.Dim() != 3 || t.Shape()[0] != 1 && t.Shape()[0] != 3:
		raise("RuntimeError", "Input data should be a 3-dimensional tensor with 1 or 3 channels")
	}
	shape := t.Shape()
	data := m.tensorMethod(t, "contiguous").(Tensor).Bytes()
	plane := shape[1] * shape[2]
	p := image.NewNRGBA(image.Rect(0, 0, shape[2], shape[1]))
	for i := range plane {
		for k := range 3 {
			p.Pix[4*i+k] = data[min(k, shape[0]-1)*plane+i]
		}
		p.Pix[4*i+3] = 255
	}
	var b bytes.Buffer
	if err := encode(&b, p); err != nil {
		raise("RuntimeError", "%s", err)
	}
	m.budget.chargeItems(b.Len())
	m.files.writeText(name, b.String())
	return none
}

// pictureFunctions are the functions of torchvision.transforms.functional.
func pictureFunctions() map[string]method {
	return map[string]method{
		"to_tensor(pic)": func(*machine, arguments) Value {
			lack("TypeError", "torchvision.transforms.functional.to_tensor", []string{"torchvision.io.read_image"})
			return nil
		},
	}
}

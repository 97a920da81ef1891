package document

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strings"
)

// Notebooks keep pictures within their prose as "data:" URIs: one line of half a megabyte in an editor, a draft or a
// link. Text names each by a hash instead, and Update puts the picture back.
var (
	dataURI     = pattern{text: `data:(image/[a-z.+-]+);base64,([A-Za-z0-9+/=]{200,})`}
	pictureName = pattern{text: `picture:[0-9a-f]{16}`}
)

// Picture is a picture within prose.
type Picture struct {
	Name string // as Text has it: "picture:" and 16 hexadecimal digits
	MIME string // "image/png"
	Data string // base64
}

// Pictures are those within the document's prose.
func (d *Document) Pictures() (list []Picture) {
	seen := map[string]bool{}
	for _, c := range d.Cells {
		if c.Kind != Prose {
			continue
		}
		for _, m := range dataURI.re().FindAllStringSubmatch(c.Source, -1) {
			p := Picture{nameOf(m[0]), m[1], m[2]}
			if !seen[p.Name] {
				seen[p.Name], list = true, append(list, p)
			}
		}
	}
	return list
}

// nameOf is the name of the picture that a URI holds.
func nameOf(uri string) string {
	h := fnv.New64a()
	h.Write([]byte(uri))
	return fmt.Sprintf("picture:%016x", h.Sum64())
}

// named is prose with names for its pictures.
func named(prose string) string {
	if !strings.Contains(prose, "data:image/") {
		return prose
	}
	return dataURI.re().ReplaceAllStringFunc(prose, nameOf)
}

// Restored is a text in the percent format with the document's pictures in the place of their names.
func (d *Document) Restored(text string) string {
	if !strings.Contains(text, "picture:") {
		return text
	}
	known := map[string]string{}
	for _, p := range d.Pictures() {
		known[p.Name] = "data:" + p.MIME + ";base64," + p.Data
	}
	return pictureName.re().ReplaceAllStringFunc(text, func(name string) string { return cmp.Or(known[name], name) })
}

package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/newtlab/newt/interp/figure"
	"github.com/newtlab/newt/interp/host"
)

// plotOf is a figure's JSON with what the page shows of it besides; nil where the JSON is not a figure's.
func plotOf(text string, codecs host.Codecs) *Plot {
	var f figure.Figure
	if json.Unmarshal([]byte(text), &f) != nil || !sound(&f) {
		return nil
	}
	p := &Plot{JSON: text}
	for _, t := range f.Tables() {
		p.Tables = append(p.Tables, beginning(Table{Title: t.Title, Columns: t.Columns, Rows: t.Rows}))
	}
	for _, a := range f.Axes {
		for _, m := range a.Marks {
			if m.Kind != figure.Picture {
				continue
			}
			bar := ""
			if m.Image.Colorbar && m.Image.Channels == 1 {
				bar = pngOf(m.Image.Bar(), codecs)
			}
			p.Pixels, p.Colorbars = append(p.Pixels, pngOf(m.Image, codecs)), append(p.Colorbars, bar)
		}
	}
	return p
}

// pngOf is an image as PNG, in base64.
func pngOf(i *figure.Image, codecs host.Codecs) string {
	var out bytes.Buffer
	_ = codecs.EncodePNG(&out, i.Pixels()) // a Buffer takes everything
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// sound reports whether a figure's parts fit together, which those of a notebook by a stranger need not.
func sound(f *figure.Figure) bool {
	for _, a := range f.Axes {
		if a == nil {
			return false
		}
		for _, m := range a.Marks {
			points := m.Kind != figure.Horizontal && m.Kind != figure.Vertical && m.Kind != figure.Picture
			if points && len(m.X) != len(m.Y) || m.Kind == figure.Picture && !isImage(m.Image) {
				return false
			}
		}
	}
	return len(f.Axes) > 0
}

func isImage(i *figure.Image) bool {
	const most = 4096 // on each side
	return i != nil && i.Rows > 0 && i.Columns > 0 && i.Rows <= most && i.Columns <= most &&
		(i.Channels == 1 || i.Channels == 3 || i.Channels == 4) && len(i.Values) == i.Rows*i.Columns*i.Channels
}

// beginning is as much of a table as a page can show.
func beginning(t Table) Table {
	const rows, columns = 200, 40
	t.Cut = len(t.Rows) > rows || len(t.Columns) > columns
	t.Columns, t.Rows = t.Columns[:min(columns, len(t.Columns))], t.Rows[:min(rows, len(t.Rows))]
	for i, r := range t.Rows {
		t.Rows[i] = r[:min(columns, len(r))]
	}
	return t
}

// json is the figure's JSON, "" for none.
func (p *Plot) json() string {
	if p == nil {
		return ""
	}
	return p.JSON
}

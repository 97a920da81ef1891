//go:build !js

package fast

import (
	"embed"
	"io/fs"
)

//go:embed [0-9]*_*/text.json [0-9]*_*/statement.*.md [0-9]*_*/starter.py [0-9]*_*/solution*.py
var text embed.FS

// words are what people read of the course; the page fetches it as plain files, so WASM does without.
var words fs.FS = text

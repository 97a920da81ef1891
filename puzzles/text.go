//go:build !js

package puzzles

import "embed"

//go:embed [0-9]*_*/text.json [0-9]*_*/statement.*.md [0-9]*_*/picture.svg
//go:embed [0-9]*_*/starter.py [0-9]*_*/solution*.py
var words embed.FS

// ownText reads what people read of newt's own puzzles; the page fetches it as plain files, so WASM does without.
var ownText = textOf(words, nil)

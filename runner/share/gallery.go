package share

import "sync"

// gallery keeps cards that were drawn lately: a link that goes round is previewed by everyone who
// meets it, within the same hour.
type gallery struct {
	mu       sync.Mutex
	pictures map[string][]byte
}

// maxPictures bounds a gallery to a few megabytes.
const maxPictures = 256

// get returns the picture of an id, and draws it where it is not there.
func (g *gallery) get(id string, draw func() ([]byte, error)) ([]byte, error) {
	g.mu.Lock()
	picture := g.pictures[id]
	g.mu.Unlock()
	if picture != nil {
		return picture, nil
	}
	picture, err := draw()
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pictures == nil || len(g.pictures) >= maxPictures {
		g.pictures = map[string][]byte{}
	}
	g.pictures[id] = picture
	return picture, nil
}

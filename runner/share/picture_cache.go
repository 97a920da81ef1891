package share

import "sync"

// pictureCache keeps cards that were drawn lately: when a link is shared, many chat programs fetch its preview within
// the same hour.
type pictureCache struct {
	mu       sync.Mutex
	pictures map[string][]byte
}

// maxPictures bounds the cache to a few megabytes.
const maxPictures = 256

// get returns the picture of an id, and draws it on a miss. Two requests may both draw it: no lock is held meanwhile.
func (g *pictureCache) get(id string, draw func() ([]byte, error)) ([]byte, error) {
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
		g.pictures = map[string][]byte{} // a full cache starts over
	}
	g.pictures[id] = picture
	return picture, nil
}

package share

import (
	"errors"
	"fmt"
	"testing"
)

func TestGallery(t *testing.T) {
	var g pictureCache
	drawn := 0
	draw := func() ([]byte, error) { drawn++; return []byte{1}, nil }
	for range 3 {
		if picture, err := g.get("a", draw); len(picture) != 1 || err != nil {
			t.Error(picture, err)
		}
	}
	if drawn != 1 {
		t.Errorf("one card was drawn %d times", drawn)
	}
	if _, err := g.get("b", func() ([]byte, error) { return nil, errors.New("no") }); err == nil {
		t.Error("a card that could not be drawn is there")
	}
	for i := range 10 * maxPictures {
		g.get(fmt.Sprint(i), draw)
	}
	if len(g.pictures) > maxPictures {
		t.Errorf("%d cards are kept", len(g.pictures))
	}
}

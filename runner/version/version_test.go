package version

import (
	"runtime/debug"
	"testing"
	"time"
)

func TestFrom(t *testing.T) {
	platform := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	vcs := append([]debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-03-04T05:06:07Z"}, {Key: "vcs.modified", Value: "true"},
	}, platform...)
	for _, c := range []struct {
		name string
		info debug.BuildInfo
		want Info
		text string
	}{
		{"tagged", debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.3"}, Settings: vcs},
			Info{"v1.2.3", "0123456789abcdef0123", time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), true, "go1.26.0", "linux/arm64"},
			"newt v1.2.3 (commit 0123456789ab of 2026-03-04) go1.26.0 linux/arm64"},
		{"no repository", debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "(devel)"}, Settings: platform},
			Info{Version: "devel", Go: "go1.26.0", Platform: "linux/arm64"}, "newt devel go1.26.0 linux/arm64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := From(&c.info)
			if got != c.want || got.String() != c.text {
				t.Errorf("got %+v\n%s\nwant %+v\n%s", got, got, c.want, c.text)
			}
		})
	}
}

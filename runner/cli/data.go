package cli

import (
	"path/filepath"
	"runtime"
	"strings"
)

// defaultAddr is where newt listens unless told otherwise: on this machine alone.
const defaultAddr = "127.0.0.1:8080"

// dataDir is where newt keeps its data unless told otherwise: the folder that systemd made for the
// service, else the user's own place for programs' data. It is "" where the user has none.
func dataDir(getenv func(string) string) string {
	if service, _, _ := strings.Cut(getenv("STATE_DIRECTORY"), ":"); service != "" {
		return service
	}
	for _, place := range dataPlaces[runtime.GOOS] {
		if base := getenv(place.variable); base != "" {
			return filepath.Join(base, place.below, "newt")
		}
	}
	return ""
}

// dataPlaces are, for each system, the variables that may name a base and what lies below it. The
// XDG Base Directory Specification gives Linux's.
var dataPlaces = map[string][]struct{ variable, below string }{
	"linux":   {{"XDG_DATA_HOME", ""}, {"HOME", ".local/share"}},
	"darwin":  {{"HOME", "Library/Application Support"}},
	"windows": {{"LOCALAPPDATA", ""}},
}

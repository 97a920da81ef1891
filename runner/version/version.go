// Package version says which newt a program is, from what the Go linker wrote into it.
package version

import (
	"fmt"
	"runtime/debug"
	"time"
)

// Info names a build. What the build did not record is empty.
type Info struct {
	Version  string    `json:"version"`          // the tag, or a pseudo-version; "devel" outside a repository
	Commit   string    `json:"commit,omitempty"` // the full hash
	Time     time.Time `json:"time,omitzero"`    // the commit's
	Modified bool      `json:"modified"`         // whether the working tree differed from the commit
	Go       string    `json:"go"`               // the toolchain
	Platform string    `json:"platform"`         // GOOS/GOARCH
}

// Read is the Info of this program.
func Read() Info {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: "devel"}
	}
	return From(info)
}

// From is the Info that a program's build information holds.
func From(b *debug.BuildInfo) Info {
	i := Info{Version: b.Main.Version, Go: b.GoVersion}
	settings := map[string]string{}
	for _, s := range b.Settings {
		settings[s.Key] = s.Value
	}
	if i.Version == "" || i.Version == "(devel)" {
		i.Version = "devel"
	}
	i.Commit = settings["vcs.revision"]
	i.Modified = settings["vcs.modified"] == "true"
	i.Platform = settings["GOOS"] + "/" + settings["GOARCH"]
	// A build that recorded no time leaves the zero time.
	i.Time, _ = time.Parse(time.RFC3339, settings["vcs.time"])
	return i
}

// String is the line that `newt version` prints.
func (i Info) String() string {
	text := "newt " + i.Version
	if i.Commit != "" {
		text += fmt.Sprintf(" (commit %.12s of %s)", i.Commit, i.Time.UTC().Format(time.DateOnly))
	}
	return text + " " + i.Go + " " + i.Platform
}

package findings

import (
	"net/url"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/version"
)

// The parts of SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format") that are written. Names are the
// standard's.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
		Invocations []sarifInvocation `json:"invocations"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		Help             sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		RuleIndex        int             `json:"ruleIndex"`
		Level            string          `json:"level"`
		HostedViewerURI  string          `json:"hostedViewerUri,omitempty"`
		Message          sarifText       `json:"message"`
		Locations        []sarifLocation `json:"locations"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes            []sarifFix      `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPlace `json:"physicalLocation"`
		Message          *sarifText `json:"message,omitempty"`
	}
	sarifPlace struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description     sarifText     `json:"description"`
		ArtifactChanges []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		ArtifactLocation sarifArtifact      `json:"artifactLocation"`
		Replacements     []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion `json:"deletedRegion"`
		InsertedContent sarifText   `json:"insertedContent"`
	}
)

// levels are SARIF's names of severities.
var levels = map[string]string{"error": "error", "warning": "warning", "hint": "note"}

// sarifOf makes a log of one run.
func sarifOf(list []diag.JSON, failure string, links *linker) sarifLog {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Invocations: []sarifInvocation{{ExecutionSuccessful: failure == ""}},
		Tool:        sarifTool{sarifDriver{"newt", version.Read().Version, []sarifRule{}}}}
	if failure != "" {
		run.Invocations[0].ToolExecutionNotifications = []sarifNotification{{"error", sarifText{failure}}}
	}
	rules := &run.Tool.Driver.Rules
	for i := range list {
		d := &list[i]
		at := slices.IndexFunc(*rules, func(r sarifRule) bool { return r.ID == d.Code })
		if at < 0 {
			at = len(*rules)
			*rules = append(*rules, ruleOf(d))
		}
		file, cell := fileAndCell(d.File)
		result := sarifResult{RuleID: d.Code, RuleIndex: at, Level: levels[d.Severity],
			Message: sarifText{message(d, cell)}, Locations: []sarifLocation{{locationOf(d.File, d.Place), nil}}}
		if result.HostedViewerURI = links.link(file); result.HostedViewerURI != "" {
			result.Message.Text += "\n[Open in newt](" + result.HostedViewerURI + ")"
		}
		for _, r := range d.Related {
			file := d.File
			if r.File != "" {
				file = r.File
			}
			result.RelatedLocations = append(result.RelatedLocations,
				sarifLocation{locationOf(file, r.Place), &sarifText{r.Text}})
		}
		if cell == "" {
			result.Fixes = fixesOf(d)
		}
		run.Results = append(run.Results, result)
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

// ruleOf describes what a code is about in general. What the catalogue does not have is described by what d says.
func ruleOf(d *diag.JSON) sarifRule {
	r := sarifRule{ID: d.Code, ShortDescription: sarifText{d.Headline}, Help: sarifText{d.Headline}}
	if _, ok := diag.Lookup(d.Code); ok {
		general := diag.Unplaced(d.Code).In(diag.English)
		r.ShortDescription.Text = general.Headline
		r.Help.Text = strings.TrimSpace(general.Why + "\n" + general.Help)
	}
	return r
}

// locationOf is a place in a file, its beginning where the line in it is not known: GitHub takes no result without a
// region. A relative name is relative to the root of the source tree.
func locationOf(name string, p diag.JSONPlace) sarifPlace {
	if _, cell := fileAndCell(name); cell != "" || p.Line == 0 {
		p = diag.JSONPlace{Line: 1, Column: 1, EndLine: 1, EndColumn: 1}
	}
	return sarifPlace{artifactOf(name), regionOf(p)}
}

func artifactOf(name string) sarifArtifact {
	file, _ := fileAndCell(name)
	if strings.HasPrefix(file, "/") {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: file}).String(), URIBaseID: "%SRCROOT%"}
}

func regionOf(p diag.JSONPlace) sarifRegion {
	return sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn}
}

// fixesOf are the changes that mend what was found.
func fixesOf(d *diag.JSON) (list []sarifFix) {
	for _, f := range d.Fixes {
		change := sarifChange{ArtifactLocation: artifactOf(d.File)}
		for _, e := range f.Edits {
			change.Replacements = append(change.Replacements, sarifReplacement{regionOf(e.Place), sarifText{e.New}})
		}
		if len(change.Replacements) > 0 {
			list = append(list, sarifFix{sarifText{f.Title}, []sarifChange{change}})
		}
	}
	return list
}

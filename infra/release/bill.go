package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/url"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// bill is the SBOM of a program in CycloneDX's JSON form: the program, and what is inside it.
func bill(p *program, t target, parts []component) ([]byte, error) {
	sum := sha256.Sum256(p.data)
	newt := cdx.Component{
		BOMRef: "newt", Type: cdx.ComponentTypeApplication, Name: "newt", Version: p.version.Version,
		PackageURL: "pkg:golang/" + p.info.Main.Path + "@" + url.QueryEscape(p.version.Version) +
			"?goarch=" + t.arch + "&goos=" + t.os,
		Licenses:   &cdx.Licenses{{Expression: "Apache-2.0"}},
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sum)}},
		Properties: &[]cdx.Property{{Name: "newt:commit", Value: p.version.Commit}},
	}
	inside, refs := make([]cdx.Component, 0, len(parts)), make([]string, 0, len(parts))
	for _, c := range parts {
		inside = append(inside, c.cyclone())
		refs = append(refs, c.purl)
	}
	bom := cdx.NewBOM()
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, sum[:]).URN()
	bom.Metadata = &cdx.Metadata{Timestamp: p.version.Time.Format(time.RFC3339), Component: &newt}
	bom.Components = &inside
	bom.Dependencies = &[]cdx.Dependency{{Ref: newt.BOMRef, Dependencies: &refs}}
	var out bytes.Buffer
	err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
	return out.Bytes(), err
}

func (c component) cyclone() cdx.Component {
	out := cdx.Component{
		BOMRef: c.purl, Type: cdx.ComponentTypeLibrary,
		Name: c.name, Version: c.version, PackageURL: c.purl,
	}
	if c.license != "" {
		out.Licenses = &cdx.Licenses{{Expression: c.license}}
	}
	if c.hash != "" {
		out.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgorithm(c.algorithm), Value: c.hash}}
	}
	return out
}

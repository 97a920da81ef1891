package operation

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/newtlab/newt/runner/share/link"
)

// Links store what a link to the page opens.
type Links interface {
	// Store gives a link, which is kept for a number of days, 0 for ever. The document is what the share service
	// answers; the error is an *Error.
	Store(ctx context.Context, payload string, days int) (document json.RawMessage, err error)
}

type linksKey struct{}

// WithLinks says where the operation share stores links.
func WithLinks(ctx context.Context, l Links) context.Context {
	return context.WithValue(ctx, linksKey{}, l)
}

// Link is what the operation share gives.
type Link struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Key     string `json:"key,omitempty"`     // deletes the link; only its first author gets one
	Expires string `json:"expires,omitempty"` // RFC 3339
}

type shareInput struct {
	program
	Days int `json:"days,omitempty"`
}

// store stores a link that opens a document.
func (i shareInput) store(ctx context.Context) (*Result, error) {
	files, name, err := i.given()
	if err != nil {
		return nil, err
	}
	document := &link.Document{Name: name, Format: "python"}
	for other, text := range files {
		if other != name {
			document.Files = append(document.Files, link.NamedData{Name: other, Data: []byte(text)})
		}
	}
	payload, err := link.Encode(link.State{Source: files[name], View: "document", Document: document})
	var unfit *link.Error
	switch {
	case errors.As(err, &unfit):
		return nil, invalid(unfit.Code, unfit.Args...)
	case err != nil:
		return nil, newError(Internal, "operation-failed")
	}
	stored, err := ctx.Value(linksKey{}).(Links).Store(ctx, payload, i.Days)
	if err != nil {
		return nil, err
	}
	return &Result{Version: Version, Document: stored}, nil
}

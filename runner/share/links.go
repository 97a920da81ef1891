package share

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/newtlab/newt/runner/share/link"
)

// ContentType is the media type of a payload. A page of another origin cannot post it without a CORS preflight.
const ContentType = "application/x-newt-link"

// MaxDays bounds the lifetime of a link that expires.
const MaxDays = 365

// expiredTTL is how long a store keeps expired links, so that their readers see that they have expired.
const expiredTTL = 30 * 24 * time.Hour

// maxAge is how long responses may be cached: a deletion or an expiry takes effect after that.
const maxAge = time.Minute

// Created is the response to a post.
type Created struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Key     string `json:"key,omitempty"`     // deletes the link; only its first author gets one
	Expires string `json:"expires,omitempty"` // RFC 3339
}

func (s *service) create(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkClient(r); err != nil {
		return err
	}
	days, err := expiry(r)
	if err != nil {
		return err
	}
	text, err := body(r)
	if err != nil {
		return err
	}
	// Only what decodes is kept: the service is no store for anything else.
	if _, err := s.decodeLink(r, text); err != nil {
		return err
	}
	record := Record{Link: text}
	if days > 0 {
		record.Expires = endOfDay(s.Now(), days)
	}
	key, created, err := s.storeRecord(r, &record)
	if err != nil {
		return err
	}
	reply := Created{ID: record.ID(), URL: s.baseURL(r) + "/s/" + record.ID()}
	if record.Expires != 0 {
		reply.Expires = time.Unix(record.Expires, 0).UTC().Format(time.RFC3339)
	}
	w.Header().Set("Cache-Control", "no-store")
	if !created {
		writeJSON(w, http.StatusOK, reply)
		return nil
	}
	reply.Key = key
	w.Header().Set("Location", "/s/"+reply.ID)
	writeJSON(w, http.StatusCreated, reply)
	return nil
}

// checkClient refuses requests from pages of other sites, and of clients above the rate limit.
func (s *service) checkClient(r *http.Request) error {
	if err := s.origins.Check(r); err != nil {
		return &problem{status: http.StatusForbidden, code: "share-origin"}
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	wait, err := s.Limiter.Wait(ctx, s.Client(r))
	if err != nil {
		return err
	}
	if wait > 0 {
		seconds := int((wait + time.Second - 1) / time.Second)
		return &problem{status: http.StatusTooManyRequests, code: "share-rate", args: []any{seconds}, retry: wait}
	}
	return nil
}

// expiry returns the lifetime that a request asks for, in days; 0 is unlimited.
func expiry(r *http.Request) (int, error) {
	text := r.URL.Query().Get("days")
	if text == "" {
		return 0, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > MaxDays {
		shown := text[:min(len(text), 16)]
		return 0, &problem{status: http.StatusBadRequest, code: "share-days", args: []any{shown, MaxDays}}
	}
	return days, nil
}

// MaxUnread is how much of a request's body is read and thrown away beyond what a link may have: an answer that comes
// before the body breaks the connection of a client that still sends, and is lost.
const MaxUnread = 1 << 20

// body reads a posted payload, at most link.MaxEncoded bytes of it.
func body(r *http.Request) (string, error) {
	sent := r.Header.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(sent); err != nil || kind != ContentType {
		shown := sent[:min(len(sent), 64)]
		return "", &problem{
			status: http.StatusUnsupportedMediaType, code: "share-type", args: []any{shown, ContentType},
		}
	}
	long := &http.MaxBytesError{Limit: link.MaxEncoded}
	// Refused before a byte is read, if the client says that it is beyond all measure.
	if r.ContentLength > link.MaxEncoded+MaxUnread {
		return "", long
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, link.MaxEncoded+1))
	switch {
	case err != nil:
		return "", &problem{status: http.StatusBadRequest, code: "share-request"}
	case len(text) > link.MaxEncoded:
		io.CopyN(io.Discard, r.Body, MaxUnread)
		return "", long
	}
	return string(text), nil
}

// storeRecord stores a record under its id and returns its delete key. If the same link is stored already, created is
// false and there is no key: only its first author may delete it.
func (s *service) storeRecord(r *http.Request, record *Record) (key string, created bool, err error) {
	key, record.Key = newDeleteKey()
	value, err := record.Encode()
	if err != nil {
		return "", false, err
	}
	until := time.Time{}
	if record.Expires != 0 {
		until = time.Unix(record.Expires, 0).Add(expiredTTL)
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	id := record.ID()
	created, err = s.Store.Put(ctx, id, value, until)
	if err != nil || created {
		return key, created, err
	}
	there, err := s.Store.Get(ctx, id)
	if err != nil {
		return "", false, err
	}
	old, err := decodeRecord(there)
	// An id is a hash of both: they collide, or the store is broken.
	if err == nil && (old.Link != record.Link || old.Expires != record.Expires) {
		err = fmt.Errorf("the id %s belongs to another text", id)
	}
	return "", false, err
}

// findRecord returns the record that the request names; the error says if it has expired.
func (s *service) findRecord(r *http.Request) (Record, error) {
	id := r.PathValue("id")
	if !isID(id) {
		return Record{}, ErrNotFound
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	value, err := s.Store.Get(ctx, id)
	if err != nil {
		return Record{}, err
	}
	record, err := decodeRecord(value)
	if err != nil {
		return Record{}, fmt.Errorf("the record %s cannot be read: %w", id, err)
	}
	if record.Expired(s.Now()) {
		return Record{}, &problem{status: http.StatusGone, code: "share-expired"}
	}
	return record, nil
}

func (s *service) open(w http.ResponseWriter, r *http.Request) error {
	record, err := s.findRecord(r)
	if err != nil {
		return err
	}
	if s.checkNotModified(w, r, record) {
		return nil
	}
	w.Header().Set("Content-Type", ContentType)
	io.WriteString(w, record.Link)
	return nil
}

// checkNotModified sets the validators of a response made from a record, and responds with 304 if the client has it
// already. Such a response depends only on the record and the address.
func (s *service) checkNotModified(w http.ResponseWriter, r *http.Request, record Record) bool {
	keep := maxAge
	if record.Expires != 0 {
		keep = min(keep, time.Unix(record.Expires, 0).Sub(s.Now()))
	}
	tag := `"` + record.ID() + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keep.Seconds())))
	// The header may be repeated; on Workers each value is one header.
	for sent := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		if strings.TrimPrefix(strings.TrimSpace(sent), "W/") == tag {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

func (s *service) remove(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkClient(r); err != nil {
		return err
	}
	record, err := s.findRecord(r)
	if err != nil {
		return err
	}
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer || !record.acceptsKey(key) {
		return &problem{status: http.StatusForbidden, code: "share-key"}
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	if err := s.Store.Delete(ctx, r.PathValue("id")); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
	return nil
}

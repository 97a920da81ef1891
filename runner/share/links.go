package share

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/newtlab/newt/runner/share/link"
)

// ContentType is what a payload is posted and served as. A page of another origin cannot post it
// without asking first.
const ContentType = "application/x-newt-link"

// MaxDays bounds how far ahead a link's last day may lie.
const MaxDays = 365

// grace is how long a store keeps what has expired, so that its readers are told so.
const grace = 30 * 24 * time.Hour

// cacheTime is how long an answer may be shown again without asking: a deletion or an expiry shows
// after that long.
const cacheTime = time.Minute

// Created answers a post.
type Created struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Key     string `json:"key,omitempty"`     // deletes the link; only its first author gets one
	Expires string `json:"expires,omitempty"` // RFC 3339
}

func (s *service) create(w http.ResponseWriter, r *http.Request) error {
	if err := s.admit(r); err != nil {
		return err
	}
	days, err := expiry(r)
	if err != nil {
		return err
	}
	text, err := body(w, r)
	if err != nil {
		return err
	}
	if _, err := s.unpack(r, text); err != nil {
		return err
	}
	record := Record{Link: text}
	if days > 0 {
		record.Expires = lastMoment(s.Now(), days)
	}
	key, created, err := s.keep(r, &record)
	if err != nil {
		return err
	}
	reply := Created{ID: record.ID(), URL: s.base(r) + "/s/" + record.ID()}
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

// admit refuses what other sites send, and clients that send too much.
func (s *service) admit(r *http.Request) error {
	if err := s.origins.Check(r); err != nil {
		return &problem{status: http.StatusForbidden, code: "share-origin"}
	}
	ctx, cancel := s.storing(r)
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

// expiry is the number of days asked for; 0 means no end.
func expiry(r *http.Request) (int, error) {
	text := r.URL.Query().Get("days")
	if text == "" {
		return 0, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > MaxDays {
		return 0, &problem{status: http.StatusBadRequest, code: "share-days", args: []any{text[:min(len(text), 16)], MaxDays}}
	}
	return days, nil
}

// body reads a posted payload, and no more than a payload may have.
func body(w http.ResponseWriter, r *http.Request) (string, error) {
	sent := r.Header.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(sent); err != nil || kind != ContentType {
		return "", &problem{status: http.StatusUnsupportedMediaType, code: "share-type", args: []any{sent[:min(len(sent), 64)], ContentType}}
	}
	if r.ContentLength > link.MaxEncoded {
		return "", &http.MaxBytesError{Limit: link.MaxEncoded}
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, link.MaxEncoded))
	var long *http.MaxBytesError
	if err != nil && !errors.As(err, &long) {
		return "", &problem{status: http.StatusBadRequest, code: "share-request"}
	}
	return string(text), err
}

// keep puts the record under its id. The key is its author's alone: whoever posts the same again
// is told so and gets none.
func (s *service) keep(r *http.Request, record *Record) (key string, created bool, err error) {
	key, record.Key = newKey()
	value, err := record.Encode()
	if err != nil {
		return "", false, err
	}
	until := time.Time{}
	if record.Expires != 0 {
		until = time.Unix(record.Expires, 0).Add(grace)
	}
	ctx, cancel := s.storing(r)
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
	if err == nil && (old.Link != record.Link || old.Expires != record.Expires) {
		err = fmt.Errorf("the id %s belongs to another text", id)
	}
	return "", false, err
}

// find returns the record that the request names, and its state of life.
func (s *service) find(r *http.Request) (Record, error) {
	id := r.PathValue("id")
	if !isID(id) {
		return Record{}, ErrNotFound
	}
	ctx, cancel := s.storing(r)
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
	record, err := s.find(r)
	if err != nil {
		return err
	}
	if s.unchanged(w, r, record) {
		return nil
	}
	w.Header().Set("Content-Type", ContentType)
	io.WriteString(w, record.Link)
	return nil
}

// unchanged sets the validators of an answer made from a record, and answers 304 where the client
// has it already. What is made from a record depends on nothing but the record and the address.
func (s *service) unchanged(w http.ResponseWriter, r *http.Request, record Record) bool {
	keep := cacheTime
	if record.Expires != 0 {
		keep = min(keep, time.Unix(record.Expires, 0).Sub(s.Now()))
	}
	tag := `"` + record.ID() + `"`
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keep.Seconds())))
	// A header may come on several lines, and on Workers each value does.
	for sent := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		if strings.TrimPrefix(strings.TrimSpace(sent), "W/") == tag {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

func (s *service) remove(w http.ResponseWriter, r *http.Request) error {
	if err := s.admit(r); err != nil {
		return err
	}
	record, err := s.find(r)
	if err != nil {
		return err
	}
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer || !record.opens(key) {
		return &problem{status: http.StatusForbidden, code: "share-key"}
	}
	ctx, cancel := s.storing(r)
	defer cancel()
	if err := s.Store.Delete(ctx, r.PathValue("id")); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
	return nil
}

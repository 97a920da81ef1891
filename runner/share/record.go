package share

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Record is what a Store keeps for one short link.
type Record struct {
	Link    string `json:"link"`              // the payload, as package link writes it
	Key     string `json:"key"`               // SHA-256 of the delete key, in hex
	Expires int64  `json:"expires,omitempty"` // seconds since 1970; 0 means never
}

// Expired reports whether the record's last day has passed.
func (r Record) Expired(now time.Time) bool { return r.Expires != 0 && now.Unix() >= r.Expires }

// Encode is the value that a Store keeps.
func (r Record) Encode() ([]byte, error) { return json.Marshal(r) }

func decodeRecord(value []byte) (Record, error) {
	var r Record
	err := json.Unmarshal(value, &r)
	return r, err
}

// idLength is 80 bits in base32: no one finds a second text for an id.
const idLength = 16

// idLetters are Crockford's alphabet, lower case: no letter looks like another, and no word comes of it.
const idLetters = "0123456789abcdefghjkmnpqrstvwxyz"

var idEncoding = base32.NewEncoding(idLetters).WithPadding(base32.NoPadding)

// ID is the address of a link: a hash of it and of its last moment. Whoever shares the same text
// until the same day gets the same id; a text that is to live longer gets another, so that no
// author's choice touches another's link.
func (r Record) ID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "newt share %d %s", r.Expires, r.Link))
	return idEncoding.EncodeToString(sum[:])[:idLength]
}

func isID(id string) bool { return len(id) == idLength && strings.Trim(id, idLetters) == "" }

// newKey makes a delete key of 128 bits and the hash that is stored.
func newKey() (key, hash string) {
	key = rand.Text()
	return key, hashKey(key)
}

func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// opens reports whether key is the record's, in a time that tells nothing about it.
func (r Record) opens(key string) bool {
	return subtle.ConstantTimeCompare([]byte(hashKey(key)), []byte(r.Key)) == 1
}

// lastMoment is the end of the UTC day that lies days ahead of now.
func lastMoment(now time.Time, days int) int64 {
	const day = 24 * time.Hour
	return now.UTC().Truncate(day).Add(time.Duration(days+1) * day).Unix()
}

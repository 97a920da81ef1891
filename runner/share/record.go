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

// Record is the stored form of a short link.
type Record struct {
	Link    string `json:"link"`              // the payload, as package link writes it
	Key     string `json:"key"`               // SHA-256 of the delete key, in hex
	Expires int64  `json:"expires,omitempty"` // seconds since 1970; 0 means never
}

// Expired reports whether the record's last day has passed.
func (r Record) Expired(now time.Time) bool { return r.Expires != 0 && now.Unix() >= r.Expires }

// Encode returns the value for a Store.
func (r Record) Encode() ([]byte, error) { return json.Marshal(r) }

func decodeRecord(value []byte) (Record, error) {
	var r Record
	err := json.Unmarshal(value, &r)
	return r, err
}

// idLength is 80 bits in base32: nobody can find a second text with the same id.
const idLength = 16

// idAlphabet is Crockford's base32 alphabet in lower case: no letter looks like another, and ids rarely form words.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var idEncoding = base32.NewEncoding(idAlphabet).WithPadding(base32.NoPadding)

// ID returns the id of a link: a hash of its text and expiry. The same text with the same expiry has the same id; with
// another expiry it has another, so that no author changes the lifetime of another's link.
func (r Record) ID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "newt share %d %s", r.Expires, r.Link))
	return idEncoding.EncodeToString(sum[:])[:idLength]
}

func isID(id string) bool { return len(id) == idLength && strings.Trim(id, idAlphabet) == "" }

// newDeleteKey returns a random delete key of 128 bits, and its hash, which is stored.
func newDeleteKey() (key, hash string) {
	key = rand.Text()
	return key, hashKey(key)
}

func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// acceptsKey reports whether key is the record's delete key, in constant time.
func (r Record) acceptsKey(key string) bool {
	return subtle.ConstantTimeCompare([]byte(hashKey(key)), []byte(r.Key)) == 1
}

// endOfDay returns the end of the UTC day that is days after now, in Unix time.
func endOfDay(now time.Time, days int) int64 {
	const day = 24 * time.Hour
	return now.UTC().Truncate(day).Add(time.Duration(days+1) * day).Unix()
}

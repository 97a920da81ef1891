// Package link packs what the page holds into one short text, for the fragment of a URL or for the
// share service, and unpacks such texts from strangers. It runs nothing and keeps nothing.
//
// A text is base64url without padding over: the version (1 byte), the CRC-32 of the body (IEEE,
// 4 bytes, big endian), the body in DEFLATE. Every version keeps this frame; the body of a version
// is described by the code that reads and writes it, and testdata has texts of each, for ever.
package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
)

// Limits of a text, in bytes. What a fleet stores fits into one message of NATS, a mebibyte.
const (
	MaxAddress = 256 << 10 // a text in an address, which browsers and chats cut
	MaxEncoded = 768 << 10 // a text
	MaxDecoded = 4 << 20   // the body before compression
)

// Version is the newest version of the format. Encode writes the oldest one that holds a state, so that older pages can
// open it; Decode reads all.
const Version = 4

// headSize is the bytes before the body: one of version, four of checksum (CRC-32).
const headSize = 1 + 4

// encoding refuses spare bits that are not zero, so that two texts never mean the same bytes.
var encoding = base64.RawURLEncoding.Strict()

// Error says why a state cannot become a link, or a link a state. Code is a row of the catalogue
// of diagnostics, and Args are its arguments.
type Error struct {
	Code string
	Args []any
}

func (e *Error) Error() string { return e.Code }

func corrupt() error       { return &Error{Code: "link-corrupt"} }
func truncated() error     { return &Error{Code: "link-truncated"} }
func newer(v byte) error   { return &Error{"link-newer", []any{v, Version}} }
func unfit(f string) error { return &Error{"link-unfit", []any{f}} }
func tooLarge() error {
	return &Error{"link-too-large", []any{MaxDecoded >> 10, MaxEncoded >> 10}}
}

// Encode packs a state. The error is an *Error: link-too-large, or link-unfit with the name of the
// field that no link can hold.
func Encode(s State) (string, error) {
	body, err := marshal(s)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	out.WriteByte(s.version())
	out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return "", err
	}
	// A bytes.Buffer takes every write.
	w.Write(body)
	w.Close()
	if encoding.EncodedLen(out.Len()) > MaxEncoded {
		return "", tooLarge()
	}
	return encoding.EncodeToString(out.Bytes()), nil
}

// Decode unpacks a text that may come from anyone. The error is an *Error: link-corrupt,
// link-truncated, link-too-large or link-newer.
func Decode(text string) (State, error) {
	if len(text) > MaxEncoded {
		return State{}, tooLarge()
	}
	// The decoder would skip line ends.
	if strings.ContainsAny(text, "\r\n") {
		return State{}, corrupt()
	}
	data, err := encoding.DecodeString(text)
	switch {
	case err != nil && !alphabetOnly(text):
		return State{}, corrupt()
	case err != nil || len(data) < headSize:
		// Nothing but a cut leaves spare bits, or a lone letter, at the end of a good alphabet.
		return State{}, truncated()
	}
	body, err := inflate(data[headSize:])
	if err != nil {
		return State{}, err
	}
	// Only a whole text is believed about its version.
	version := data[0]
	switch {
	case crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(data[1:]) || version == 0:
		return State{}, corrupt()
	case version > Version:
		return State{}, newer(version)
	}
	return unmarshal(version, body)
}

// alphabetOnly reports whether every byte of text is a letter of base64url.
func alphabetOnly(text string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return strings.Trim(text, letters) == ""
}

// inflate decompresses all of data and no more than MaxDecoded bytes of it.
func inflate(data []byte) ([]byte, error) {
	rest := bytes.NewReader(data)
	body, err := io.ReadAll(io.LimitReader(flate.NewReader(rest), MaxDecoded+1))
	switch {
	case len(body) > MaxDecoded:
		return nil, tooLarge()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, truncated()
	case err != nil || rest.Len() > 0:
		return nil, corrupt()
	}
	return body, nil
}

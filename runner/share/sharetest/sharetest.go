// Package sharetest is the table that every home of the share service passes: `newt serve` over
// SQLite, a Worker over KV, and tests over memory.
package sharetest

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/share"
	"github.com/newtlab/newt/runner/share/link"
)

// clientHeaders name the client in requests of the table, so that each case has an allowance of its
// own: what Cloudflare tells a Worker, and what a proxy tells a server beside it.
var clientHeaders = []string{"CF-Connecting-IP", "X-Forwarded-For"}

// Home is the service at one of its homes.
type Home struct {
	URL   string                                  // without a slash at the end
	Burst int                                     // posts that a client may make at once
	Put   func(t *testing.T, id string, v []byte) // puts a value straight into the store
}

// Options are those of a home in this process; Put goes to its Store.
func Options(s share.Store) share.Options {
	return share.Options{
		Store: s,
		Title: func(n int) (string, string, bool) { return "Constant add", "加常数", n == 1 },
	}
}

// DefaultBurst is the allowance of a home that sets no Limiter.
const DefaultBurst = 20

// Run holds a home to the table.
func Run(t *testing.T, h Home) {
	for i, c := range []struct {
		name string
		test func(*visitor)
	}{
		{"life of a link", (*visitor).life},
		{"refusals", (*visitor).refusals},
		{"addresses", (*visitor).addresses},
		{"validators", (*visitor).validators},
		{"expiry", (*visitor).expiry},
		{"another site", (*visitor).otherSite},
		{"a stranger's text", (*visitor).strangersText},
		{"languages", (*visitor).languages},
		{"rate", (*visitor).rate},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.test(&visitor{T: t, home: h, client: fmt.Sprintf("192.0.2.%d", i+1)})
		})
	}
}

func (v *visitor) life() {
	payload := v.payload(link.State{Source: "@triton.jit\ndef add(x):\n    pass\n", Puzzle: 1})
	first := v.created(v.post("", payload), http.StatusCreated)
	if len(first.ID) < 10 || first.URL != v.home.URL+"/s/"+first.ID || len(first.Key) < 20 || first.Expires != "" {
		v.Errorf("created %+v", first)
	}
	if again := v.created(v.post("", payload), http.StatusOK); again.ID != first.ID || again.Key != "" {
		v.Errorf("the same text again: %+v after %+v", again, first)
	}
	if a := v.get("/api/share/" + first.ID); a.status != 200 || a.body != payload || a.kind() != share.ContentType {
		v.Errorf("opened as %d %q %q", a.status, a.kind(), a.body)
	}
	page := v.get("/s/" + first.ID)
	for _, want := range []string{
		`<meta property="og:title" content="Puzzle 1: `,
		`<meta property="og:image" content="` + first.URL + `/card.png">`,
		`<meta http-equiv="refresh" content="0; url=/#s=` + first.ID + `">`,
		`<a href="/#s=` + first.ID + `">Open in newt</a>`,
	} {
		if page.status != 200 || !strings.Contains(page.body, want) {
			v.Errorf("%d: the page lacks %s:\n%s", page.status, want, page.body)
		}
	}
	card := v.get("/s/" + first.ID + "/card.png")
	picture, err := png.Decode(strings.NewReader(card.body))
	if err != nil || picture.Bounds().Dx() != 1200 || card.kind() != "image/png" {
		v.Errorf("the card: %d %q %v", card.status, card.kind(), err)
	}
	v.deletion(first, payload)
}

func (v *visitor) deletion(first share.Created, payload string) {
	remove := func(header map[string]string) answer {
		return v.send(request{method: "DELETE", path: "/api/share/" + first.ID, header: header})
	}
	v.want(remove(nil), http.StatusForbidden, "share-key")
	v.want(remove(map[string]string{"Authorization": "Bearer " + first.Key + "x"}), http.StatusForbidden, "share-key")
	v.want(remove(map[string]string{"Authorization": first.Key}), http.StatusForbidden, "share-key")
	if a := v.get("/api/share/" + first.ID); a.status != 200 {
		v.Fatalf("a wrong key deleted the link: %d", a.status)
	}
	bearer := map[string]string{"Authorization": "Bearer " + first.Key}
	v.want(remove(bearer), http.StatusNoContent, "")
	v.want(remove(bearer), http.StatusNotFound, "share-not-found")
	v.want(v.get("/api/share/"+first.ID), http.StatusNotFound, "share-not-found")
	if a := v.get("/s/" + first.ID); a.status != http.StatusNotFound || !strings.Contains(a.kind(), "text/html") {
		v.Errorf("the page of a deleted link: %d %s", a.status, a.kind())
	}
	again := v.created(v.post("", payload), http.StatusCreated)
	if again.ID != first.ID || again.Key == first.Key || again.Key == "" {
		v.Errorf("shared again after deletion: %+v after %+v", again, first)
	}
}

// Bomb is a payload within the limit that grows to more than a link may hold.
func Bomb() string {
	out := bytes.NewBuffer([]byte{link.Version, 0, 0, 0, 0})
	w, err := flate.NewWriter(out, flate.DefaultCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	w.Write(make([]byte, 16<<20))
	w.Close()
	return base64.RawURLEncoding.EncodeToString(out.Bytes())
}

func (v *visitor) refusals() {
	good := v.payload(link.State{})
	kind := map[string]string{"Content-Type": share.ContentType}
	for _, c := range []struct {
		name   string
		send   request
		status int
		code   string
	}{
		{"nothing", request{"POST", "/api/share", strings.NewReader(""), kind}, 400, "link-truncated"},
		{"text", request{"POST", "/api/share", strings.NewReader("<script>alert(1)</script>"), kind}, 400, "link-corrupt"},
		{"cut", request{"POST", "/api/share", strings.NewReader(good[:len(good)-8]), kind}, 400, "link-truncated"},
		{"bomb", request{"POST", "/api/share", strings.NewReader(Bomb()), kind}, 413, "link-too-large"},
		{"long", request{"POST", "/api/share", strings.NewReader(strings.Repeat("A", link.MaxEncoded+1)), kind}, 413, "link-too-large"},
		{"long, of no stated length", request{"POST", "/api/share", unsized{strings.NewReader(strings.Repeat("A", link.MaxEncoded+100))}, kind}, 413, "link-too-large"},
		{"no type", request{"POST", "/api/share", strings.NewReader(good), nil}, 415, "share-type"},
		{"a form", request{"POST", "/api/share", strings.NewReader(good), map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, 415, "share-type"},
		{"days 0", request{"POST", "/api/share?days=0", strings.NewReader(good), kind}, 400, "share-days"},
		{"days 366", request{"POST", "/api/share?days=366", strings.NewReader(good), kind}, 400, "share-days"},
		{"days <b>", request{"POST", "/api/share?days=%3Cb%3E", strings.NewReader(good), kind}, 400, "share-days"},
	} {
		v.Run(c.name, func(t *testing.T) {
			one := visitor{t, v.home, v.client}
			one.want(one.send(c.send), c.status, c.code)
		})
	}
}

// unsized is a body whose length a client does not state.
type unsized struct{ io.ReadSeeker }

func (v *visitor) addresses() {
	for _, c := range []struct {
		method, path string
		status       int
		code         string
	}{
		{"GET", "/api/share", 405, "share-method"},
		{"PUT", "/api/share", 405, "share-method"},
		{"POST", "/api/share/0123456789abcdef", 405, "share-method"},
		{"PATCH", "/api/share/0123456789abcdef", 405, "share-method"},
		{"GET", "/api/share/0123456789abcdef", 404, "share-not-found"},
		{"GET", "/api/share/0123456789ABCDEF", 404, "share-not-found"},
		{"GET", "/api/share/short", 404, "share-not-found"},
		{"GET", "/api/share/0123456789abcdef/x", 404, "share-not-found"},
		{"GET", "/api/share/" + strings.Repeat("0", 4000), 404, "share-not-found"},
		{"GET", "/api/share/%00%ff", 404, "share-not-found"},
		{"DELETE", "/api/share/0123456789abcdef", 404, "share-not-found"},
		{"GET", "/s/0123456789abcdef", 404, ""},
		{"GET", "/s/0123456789abcdef/card.png", 404, ""},
		{"GET", "/s/%3Cscript%3E", 404, ""},
		{"GET", "/s/", 404, ""},
		{"POST", "/s/0123456789abcdef", 405, ""},
	} {
		a := v.send(request{method: c.method, path: c.path})
		v.want(a, c.status, c.code)
		if a.status == 405 && a.header.Get("Allow") == "" {
			v.Errorf("%s %s: no Allow", c.method, c.path)
		}
		if strings.Contains(a.body, "<script") {
			v.Errorf("%s %s: %s", c.method, c.path, a.body)
		}
	}
}

func (v *visitor) validators() {
	c := v.created(v.post("", v.payload(link.State{})), http.StatusCreated)
	for _, path := range []string{"/api/share/" + c.ID, "/s/" + c.ID, "/s/" + c.ID + "/card.png"} {
		a := v.get(path)
		tag := a.header.Get("ETag")
		if tag == "" || !strings.Contains(a.header.Get("Cache-Control"), "max-age=") {
			v.Errorf("%s: ETag %q, Cache-Control %q", path, tag, a.header.Get("Cache-Control"))
		}
		known := map[string]string{"If-None-Match": `"x", ` + tag}
		again := v.send(request{method: "GET", path: path, header: known})
		if again.status != http.StatusNotModified || again.body != "" {
			v.Errorf("%s: asked again: %d with %d bytes", path, again.status, len(again.body))
		}
		head := v.send(request{method: "HEAD", path: path})
		if head.status != 200 || head.body != "" || head.kind() != a.kind() {
			v.Errorf("%s: HEAD: %d %q", path, head.status, head.kind())
		}
	}
}

func (v *visitor) expiry() {
	payload := v.payload(link.State{})
	c := v.created(v.post("?days=7", payload), http.StatusCreated)
	end, err := time.Parse(time.RFC3339, c.Expires)
	if left := time.Until(end); err != nil || left < 7*24*time.Hour || left > 8*24*time.Hour+time.Minute {
		v.Errorf("7 days end at %q", c.Expires)
	}
	if longer := v.created(v.post("", payload), http.StatusCreated); longer.ID == c.ID || longer.Expires != "" {
		v.Errorf("a link without an end took the place of one with: %+v, %+v", longer, c)
	}
	past := share.Record{Link: payload, Expires: time.Now().Add(-time.Hour).Unix()}
	value, err := past.Encode()
	if err != nil {
		v.Fatal(err)
	}
	v.home.Put(v.T, past.ID(), value)
	v.want(v.get("/api/share/"+past.ID()), http.StatusGone, "share-expired")
	v.want(v.get("/s/"+past.ID()), http.StatusGone, "")
	v.want(v.get("/s/"+past.ID()+"/card.png"), http.StatusGone, "")
}

func (v *visitor) otherSite() {
	payload := v.payload(link.State{})
	for _, c := range []struct {
		header map[string]string
		status int
	}{
		{map[string]string{"Origin": "https://elsewhere.example"}, 403},
		{map[string]string{"Origin": "null"}, 403},
		{map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{map[string]string{"Origin": v.home.URL, "Sec-Fetch-Site": "same-origin"}, 201},
		{map[string]string{"Origin": v.home.URL}, 200},
	} {
		c.header["Content-Type"] = share.ContentType
		a := v.send(request{"POST", "/api/share", strings.NewReader(payload), c.header})
		code := map[int]string{403: "share-origin"}[c.status]
		if v.want(a, c.status, code); a.header.Get("Access-Control-Allow-Origin") != "" {
			v.Errorf("%v: other sites may read the answer", c.header)
		}
		if c.status == 403 {
			foreign := request{method: "DELETE", path: "/api/share/0123456789abcdef", header: c.header}
			v.want(v.send(foreign), 403, "share-origin")
		}
	}
}

func (v *visitor) strangersText() {
	const html = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
	for _, s := range []link.State{
		{Source: "@triton.jit\ndef " + html + "(x):\n    pass\n"},
		{Source: html, Lang: html, View: html},
		{Free: &link.Free{Kernel: html, Grid: html}},
		{Puzzle: 1 << 20, Source: html},
		{Custom: &link.Custom{Folder: "01_my_own", Files: []link.File{{Name: "statement.en.md", Text: html}}}},
	} {
		c := v.created(v.post("", v.payload(s)), http.StatusCreated)
		page := v.get("/s/" + c.ID)
		if page.status != 200 || strings.Contains(page.body, "<script") || strings.Contains(page.body, "<img") {
			v.Errorf("%+v: %d\n%s", s, page.status, page.body)
		}
		if card := v.get("/s/" + c.ID + "/card.png"); card.status != 200 {
			v.Errorf("%+v: the card is %d", s, card.status)
		}
	}
}

func (v *visitor) languages() {
	c := v.created(v.post("", v.payload(link.State{Lang: "zh", Puzzle: 1})), http.StatusCreated)
	page := v.get("/s/" + c.ID).body
	if !strings.Contains(page, `<html lang="zh">`) || !strings.Contains(page, "第 1 题：") {
		v.Errorf("the page of a link in Chinese:\n%s", page)
	}
	chinese := map[string]string{"Accept-Language": "zh-CN,zh;q=0.9"}
	a := v.send(request{method: "GET", path: "/api/share/nothing", header: chinese})
	if v.want(a, 404, "share-not-found"); !strings.Contains(a.body, "短链接") {
		v.Errorf("a refusal in Chinese: %s", a.body)
	}
}

func (v *visitor) rate() {
	payload := v.payload(link.State{})
	refused := 0
	for range 2*v.home.Burst + 2 {
		a := v.post("", payload)
		if a.status != http.StatusTooManyRequests {
			continue
		}
		refused++
		v.want(a, http.StatusTooManyRequests, "share-rate")
		if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 {
			v.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
		}
	}
	if refused == 0 {
		v.Errorf("%d posts in a row were all taken", 2*v.home.Burst+2)
	}
	other := visitor{v.T, v.home, "198.51.100.1"}
	other.created(other.post("", other.payload(link.State{View: "other"})), http.StatusCreated)
}

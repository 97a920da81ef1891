package share

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/runner/share/link"
)

// Fragment is the beginning of the playground's address for a short link; the page at "/" fetches the payload.
const Fragment = "/#s="

// maxName bounds the characters of untrusted text in a title.
const maxName = 60

// page serves a short link's address: metadata for programs that show previews, and a link to the playground that works
// without scripts.
func (s *service) page(w http.ResponseWriter, r *http.Request) error {
	record, err := s.findRecord(r)
	if err != nil {
		return err
	}
	// Before decoding, which is what a page costs.
	if s.checkNotModified(w, r, record) {
		return nil
	}
	state, err := s.decodeLink(r, record.Link)
	if err != nil {
		return err
	}
	lang := diag.ParseLang(state.Lang)
	address := s.baseURL(r) + "/s/" + record.ID()
	p := preview{
		lang: lang, title: s.title(state, lang), description: phrase("share.description", lang),
		address: address, picture: address + "/card.png", target: Fragment + record.ID(),
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, p.html())
	return nil
}

// page serves a problem as a page in both languages, with a link to the playground.
func (p *problem) page(w http.ResponseWriter, r *http.Request) {
	p.setHeaders(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(p.status)
	fmt.Fprintf(w, document, "en", "newt", `<meta name="robots" content="noindex">`,
		fmt.Sprintf(`<h1>newt</h1><p>%s</p><p lang="zh">%s</p><p><a href="/">newt</a></p>`,
			html.EscapeString(p.text(diag.English)), html.EscapeString(p.text(diag.Chinese))))
}

// document is a page without styles or scripts: language, title, head, body.
const document = "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n" +
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n" +
	"<title>%s</title>\n%s\n</head>\n<body>\n%s\n</body>\n</html>\n"

type preview struct {
	lang                                         diag.Lang
	title, description, address, picture, target string
}

func (p preview) html() string {
	var head strings.Builder
	meta := func(kind, name, content string) {
		fmt.Fprintf(&head, "<meta %s=\"%s\" content=\"%s\">\n", kind, name, html.EscapeString(content))
	}
	meta("name", "robots", "noindex")
	meta("name", "description", p.description)
	meta("property", "og:type", "website")
	meta("property", "og:site_name", "newt")
	meta("property", "og:title", p.title)
	meta("property", "og:description", p.description)
	meta("property", "og:url", p.address)
	meta("property", "og:image", p.picture)
	meta("property", "og:image:width", fmt.Sprint(cardWidth))
	meta("property", "og:image:height", fmt.Sprint(cardHeight))
	meta("name", "twitter:card", "summary_large_image")
	// No script may run here (headers), so the browser is sent on by a refresh; programs that show previews stay.
	meta("http-equiv", "refresh", "0; url="+p.target)
	title := html.EscapeString(p.title)
	body := fmt.Sprintf(`<h1>%s</h1><p><a href="%s">%s</a></p>`,
		title, html.EscapeString(p.target), phrase("share.open", p.lang))
	return fmt.Sprintf(document, p.lang, title, head.String(), body)
}

func phrase(key string, lang diag.Lang, args ...any) string {
	return diag.Text{Key: key, Args: args}.In(lang)
}

// title is the title of a link: the name of its puzzle, or of its kernel.
func (s *service) title(state link.State, lang diag.Lang) string {
	if state.Custom != nil {
		_, name, _ := strings.Cut(state.Custom.Folder, "_")
		return phrase("share.puzzle", lang, puzzles.Label(state.Puzzle), strings.ReplaceAll(name, "_", " "))
	}
	if en, zh, ok := s.Title(state.Puzzle); state.Puzzle > 0 && ok {
		name := en
		if lang == diag.Chinese {
			name = zh
		}
		return phrase("share.puzzle", lang, puzzles.Label(state.Puzzle), name)
	}
	if name := kernelName(state); name != "" {
		return name
	}
	return phrase("share.kernel", lang)
}

// kernelName returns the kernel that the free page would run: the chosen one, or the last one.
func kernelName(state link.State) string {
	if state.Free != nil && state.Free.Kernel != "" {
		return identifier(state.Free.Kernel)
	}
	// Text is enough for a title: the service does not link the compiler's parser, which strangers' text would reach.
	at := strings.LastIndex(state.Source, "@triton.jit")
	if at < 0 {
		return ""
	}
	_, after, _ := strings.Cut(state.Source[at:], "\ndef ")
	return identifier(strings.TrimLeft(after, " "))
}

// identifier returns the identifier at the beginning of text.
func identifier(text string) string {
	end := 0
	for end < len(text) && end < maxName && isWord(text[end]) {
		end++
	}
	return text[:end]
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/host"
)

// progress keeps one line of a terminal about work that goes on. The zero value writes nothing.
type progress struct {
	w      io.Writer // nil where nobody watches
	lang   diag.Lang
	began  time.Time // of the work that the line is about
	latest time.Time // when the line was written
	shown  bool
}

const (
	progressDelay    = 300 * time.Millisecond // work that is shorter needs no line
	progressInterval = 100 * time.Millisecond
)

// progressOn is the progress line of a stream, where that is a terminal.
func progressOn(w io.Writer, lang diag.Lang) *progress {
	if !isTerminal(w) {
		w = nil
	}
	return &progress{w: w, lang: lang}
}

// launch says how much of a launch is done.
func (p *progress) launch(done, total int64) {
	if total <= 0 {
		return
	}
	if done == 0 || p.began.IsZero() {
		p.began = time.Now()
	}
	if done < total && time.Since(p.began) >= progressDelay {
		p.write(fmt.Sprintf(map[diag.Lang]string{diag.English: "running a kernel: %d %%",
			diag.Chinese: "正在运行 kernel：%d %%"}[p.lang], 100*done/total))
	}
}

// sweep says which point of a sweep is measured, and how long the rest may take if it goes on like this.
func (p *progress) sweep(at host.SweepPoint) {
	text := map[diag.Lang]string{diag.English: "%s: point %d of %d", diag.Chinese: "%s：第 %d 个点，共 %d 个"}[p.lang]
	text = fmt.Sprintf(text, at.Name, at.Number, at.Total)
	if left := at.Left(); left > 0 {
		text += fmt.Sprintf(map[diag.Lang]string{diag.English: ", about %v left", diag.Chinese: "，大约还要 %v"}[p.lang],
			left.Round(time.Second))
	}
	p.write(text)
}

// write replaces the line, unless that was done just now.
func (p *progress) write(text string) {
	if p.w == nil || time.Since(p.latest) < progressInterval {
		return
	}
	p.latest, p.shown = time.Now(), true
	io.WriteString(p.w, "\r\x1b[K"+text) // CSI K erases to the end of the line
}

// clear removes the line before something else is written.
func (p *progress) clear() {
	if p.shown {
		p.shown = false
		io.WriteString(p.w, "\r\x1b[K")
	}
}

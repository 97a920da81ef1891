package e2e

import (
	"strings"
	"testing"
)

// TestProof: what is proved is one line until it is opened; the smallest sizes at which an access leaves its tensor are said
// at once, and are a launch that opens, follows the text, and closes.
func TestProof(t *testing.T) {
	t.Parallel()
	slip := strings.Replace(addBlock(), "    tl.store(", "    if pid == 0:\n        x = tl.load(x_ptr + i)\n    tl.store(", 1)
	p := open(t, "en", "#/puzzle/2")
	p.choose(`{"lang":"en","sanitize":true}`)
	p.pictured(slip)
	p.wait("the proofs", `document.querySelectorAll(".checks .proof").length === 3 && document.querySelector(".checks summary").textContent === "Checks 3"`)
	p.click(`document.querySelector(".checks summary")`)
	if got := p.text(".checks li.proof-size"); !strings.HasPrefix(got, "Line 11: load x_ptr in bounds: proved for any size") {
		t.Errorf("the proof is %q", got)
	}
	if got := p.text(".findings > .proofs .proof-refuted"); !strings.Contains(got, "at N0 = 1, grid (1, 1, 1), lane 1 of program (0, 0, 0) accesses index 1,") {
		t.Errorf("the counterexample is %q", got)
	}
	p.picture("proof")
	p.click(`document.querySelector(".proof-refuted button")`)
	p.wait("its launch", `document.querySelector("[data-tensor=x] .memory-name").textContent.includes("[1]") && document.querySelector("[data-program='0'][aria-checked=true]")`)
	p.wait("its finding", captionOf("x")+`.includes("31 lanes") && `+findingsCount+` === "1 finding"`)
	p.pictured(addBlock())
	p.wait("the mended launch, proved", `document.querySelector("[data-tensor=x] .memory-name").textContent.includes("[1]") && `+findingsCount+` === "No findings" && document.querySelectorAll(".proof").length > 2 && !document.querySelector(".proof-no, .proof-refuted")`)
	p.click(`document.querySelector("#close-launch")`)
	p.wait("the test's own launch", `document.querySelector("[data-tensor=x] .memory-name").textContent.includes("[200]") && document.querySelector("#memory-test")`)
}

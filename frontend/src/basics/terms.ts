import { concepts, type ConceptID } from "./concepts";
import { openConcept } from "./open";
import type { Lang } from "../settings/settings";

/** patterns find the words for a concept in running text. */
const patterns: Record<Lang, Partial<Record<ConceptID, RegExp>>> = {
  en: {
    program: /\bprograms?\b/i, offset: /\boffsets?\b/i, block: /\bblocks?\b/i, mask: /\bmask(?:s|ed)?\b/i,
    broadcast: /\bbroadcast(?:s|ing)?\b/i, reduction: /\breductions?\b/i, stride: /\bstrides?\b/i,
    accumulator: /\baccumulators?\b/i, softmax: /\bonline softmax\b/i,
  },
  zh: {
    program: /程序/, offset: /偏移/, block: /(?<![分模一每])块/, mask: /掩码/, broadcast: /广播/, reduction: /归约/,
    stride: /步长|步幅/, accumulator: /累加器/, softmax: /在线 ?softmax/i,
  },
};

/** elsewhere are the elements whose text is left alone: code, formulas, headings and what can be pressed. */
const elsewhere = "code, pre, a, button, h1, h2, h3, h4, svg, math, .katex";

/** markTerms makes the first word for each concept in a text a button that opens its card. */
export function markTerms(root: HTMLElement, lang: Lang): void {
  const left = new Map(Object.entries(patterns[lang]).filter((entry): entry is [ConceptID, RegExp] => entry[0] in concepts));
  for (const text of textsOf(root)) {
    for (const [id, pattern] of left) {
      const found = pattern.exec(text.data);
      if (!found || !text.parentElement) continue;
      left.delete(id);
      const word = text.splitText(found.index);
      word.splitText(found[0].length);
      word.replaceWith(termButton(id, found[0]));
    }
  }
}

/** textsOf gives the texts of an element in their order. One that is split while they are walked goes on with its rest. */
function* textsOf(root: HTMLElement): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !node.parentElement?.closest(elsewhere)) yield node;
  }
}

function termButton(id: ConceptID, word: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "term";
  button.dataset["term"] = id;
  button.textContent = word;
  button.addEventListener("click", () => openConcept(id));
  return button;
}

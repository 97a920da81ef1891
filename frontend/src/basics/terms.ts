import type { Idea } from "../content/course";
import { concepts, type ConceptID } from "./concepts";
import { openIdea } from "./open";
import { patternOf } from "./words";
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

/** markTerms makes the first word for each concept in a text, and for each idea of its course, a button that opens the card. */
export function markTerms(root: HTMLElement, lang: Lang, ideas: readonly Idea[] = []): void {
  const own = ideas.filter(({ title }) => title);
  const newts = Object.entries(patterns[lang]).filter(([id]) => id in concepts && !own.some((idea) => idea.id === id));
  const left = new Map<Idea, RegExp>([
    ...own.flatMap((idea): [Idea, RegExp][] => (idea.words?.length ? [[idea, patternOf(idea.words)]] : [])),
    ...newts.map(([id, pattern]): [Idea, RegExp] => [{ id, puzzle: 0 }, pattern]),
  ]);
  for (const text of textsOf(root)) {
    for (const [idea, pattern] of left) {
      const found = pattern.exec(text.data);
      if (!found || !text.parentElement) continue;
      left.delete(idea);
      const word = text.splitText(found.index);
      word.splitText(found[0].length);
      word.replaceWith(termButton(idea, found[0]));
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

function termButton(idea: Idea, word: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "term";
  button.dataset["term"] = idea.id;
  button.textContent = word;
  button.addEventListener("click", () => openIdea(idea));
  return button;
}

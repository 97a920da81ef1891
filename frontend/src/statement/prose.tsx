import { useLayoutEffect, useRef } from "preact/hooks";
import type { Puzzle } from "../content/content";
import { Markdown } from "./markdown";

/** PuzzleText shows a text of a puzzle: HTML of newt's own, or Markdown of a stranger's. */
export function PuzzleText({ puzzle, text }: { puzzle: Puzzle; text: string }) {
  return puzzle.own ? <Markdown source={text} /> : <Prose html={text} />;
}

/** Prose shows HTML that the build rendered; its formulas are typeset once KaTeX is there. */
function Prose({ html, class: className = "prose" }: { html: string; class?: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const root = element.current;
    if (!root) return;
    root.innerHTML = html;
    void typeset(root);
  }, [html]);
  return <div class={className} ref={element} />;
}

/** typeset replaces <code class="math"> by KaTeX's nodes, which also carry MathML for screen readers. */
async function typeset(root: HTMLElement): Promise<void> {
  const formulas = root.querySelectorAll<HTMLElement>("code.math");
  if (!formulas.length) return;
  const { default: katex } = await import("katex");
  for (const code of formulas) {
    const displayMode = code.classList.contains("display");
    const place = document.createElement(displayMode ? "div" : "span");
    katex.render(code.textContent ?? "", place, { displayMode, throwOnError: false });
    code.replaceWith(place);
  }
}

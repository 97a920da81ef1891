import { useLayoutEffect, useRef } from "preact/hooks";
import type { Puzzle } from "../content/content";
import { courseOfOwn } from "../content/own";
import { partFailed } from "../i18n/table";
import { lazy } from "../ui/lazy";
import { lang } from "../settings/settings";
import { typeset } from "./formulas";

const Rendered = lazy(() => import("./safe-html"), partFailed);

/** PuzzleText shows a text of a puzzle: HTML of newt's own, or Markdown of a stranger's. */
export function PuzzleText({ puzzle: { own }, text }: { puzzle: Pick<Puzzle, "own">; text: string }) {
  return own ? <Rendered wanted plain source={text} ideas={courseOfOwn(own.id)?.ideas} /> : <Prose html={text} />;
}

/** Prose shows HTML that the build rendered; its formulas are typeset once KaTeX is there. */
function Prose({ html, class: className = "prose" }: { html: string; class?: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const root = element.current;
    if (!root) return;
    root.innerHTML = html;
    void typeset(root);
    void import("../basics/terms").then(({ markTerms }) => markTerms(root, lang.peek()), () => undefined);
  }, [html]);
  return <div class={className} ref={element} />;
}

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { markTerms } from "../basics/terms";
import type { Idea } from "../content/course";
import { helper } from "../engine/engines";
import { d } from "../i18n/document";
import { lang } from "../settings/settings";
import { typeset } from "./formulas";
import { pictures } from "./pictures";

interface SafeHTMLProps {
  html: string;
  otherwise?: string; // where what is safe of it leaves nothing to see
  terms?: boolean; // whether words for concepts, and for ideas of a course, open cards
  ideas?: readonly Idea[] | undefined;
}

/** SafeHTML shows a stranger's HTML without what is not safe in it. */
export function SafeHTML({ html, otherwise = "", terms = false, ideas }: SafeHTMLProps) {
  const element = useRef<HTMLDivElement>(null);
  const named = pictures.value;
  const lost = d.value.pictureLost;
  useLayoutEffect(() => {
    void import("./sanitize").then(({ sanitize }) => {
      const root = element.current;
      if (!root) return;
      root.replaceChildren(sanitize(html, named, lost));
      if (!root.textContent?.trim() && !root.querySelector("img")) root.textContent = otherwise;
      void typeset(root);
      if (terms) markTerms(root, lang.peek(), ideas);
    });
  }, [html, named, lost, otherwise, ideas]);
  return <div class="prose" ref={element} />;
}

interface RenderedProps {
  source: string;
  plain?: boolean; // a text of a puzzle: HTML in it is text, and words for ideas open cards
  ideas?: readonly Idea[] | undefined;
}

/** Rendered shows Markdown by a stranger. */
export default function Rendered({ source, plain = false, ideas }: RenderedProps) {
  const [html, setHTML] = useState<string | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    void render([source], plain).then(([made]) => wanted && setHTML(made ?? ""), () => undefined);
    return () => void (wanted = false);
  }, [source, plain]);
  return html === undefined ? <pre class="display">{source}</pre> : <SafeHTML html={html} otherwise={source} terms={plain} ideas={ideas} />;
}

/** render gives the HTML of Markdown texts, which is not safe to show as it is. */
export async function render(sources: readonly string[], plain = false): Promise<readonly string[]> {
  const { prose } = await helper.call({ lang: "en", prose: { sources: [...sources], plain } });
  return prose?.html ?? [];
}

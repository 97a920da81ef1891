import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { helper } from "../engine/engines";
import { d } from "../i18n/document";
import { typeset } from "./formulas";
import { pictures } from "./pictures";

/** SafeHTML shows a stranger's HTML without what is not safe in it, and otherwise where that leaves nothing to see. */
export function SafeHTML({ html, otherwise = "" }: { html: string; otherwise?: string }) {
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
    });
  }, [html, named, lost, otherwise]);
  return <div class="prose" ref={element} />;
}

/** Rendered shows Markdown by a stranger; where it is plain, HTML in it is text. */
export default function Rendered({ source, plain = false }: { source: string; plain?: boolean }) {
  const [html, setHTML] = useState<string | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    void render([source], plain).then(([made]) => wanted && setHTML(made ?? ""), () => undefined);
    return () => void (wanted = false);
  }, [source, plain]);
  return html === undefined ? <pre class="display">{source}</pre> : <SafeHTML html={html} otherwise={source} />;
}

/** render gives the HTML of Markdown texts, which is not safe to show as it is. */
export async function render(sources: readonly string[], plain = false): Promise<readonly string[]> {
  const { prose } = await helper.call({ lang: "en", prose: { sources: [...sources], plain } });
  return prose?.html ?? [];
}

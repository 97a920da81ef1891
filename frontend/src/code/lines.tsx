import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { cursorLine, editor } from "../state/view";
import type { Line } from "../gen/code";
import { d } from "../i18n/device";
import { pointedLine, pointNowhere, pointRow } from "./pointing";

interface LinesProps {
  lines: Line[];
  label: string;
  view?: (text: string) => ComponentChildren; // of a line's text
  onShow?: (line: number) => void; // a line was chosen
  kindOf?: (line: number) => LineKind | undefined; // in a difference
  jump?: { to: number }; // a line to go to, as often as this is another object
}

/** LineKind is what a line is to a difference of two texts. */
export type LineKind = "same" | "added" | "removed" | "skipped";

const signs = { same: "  ", added: "+ ", removed: "− ", skipped: "⋯ " } as const;

const plain = (text: string) => text;

/**
 * CodeLines shows lines of code that are linked with the editor's: a line here marks its place there, the cursor there marks its
 * lines here, and what the mouse is over is marked in both.
 */
export function CodeLines({ lines, label, view = plain, onShow, kindOf, jump }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  // A choice belongs to the lines that it was made in: others have none, from their first frame on.
  const [chosen, setChosen] = useState({ of: lines, at: -1 });
  const at = chosen.of === lines ? chosen.at : -1;
  const here = cursorLine.value;
  const over = pointedLine();
  const rows = useMemo(
    () => lines.map((l, i) => {
      const kind = kindOf?.(i);
      return (
        <div key={i} role="option" id={`code-${i}`} data-line={l.line || undefined} data-kind={kind} aria-selected={false}>
          {kind && signs[kind]}{l.text ? (kind === "skipped" ? l.text : view(l.text)) : "\u00a0"}
        </div>
      );
    }),
    [lines, view],
  );

  useEffect(() => () => editor.peek()?.point(undefined), []);

  // Thousands of lines are made once; what is marked among them changes often.
  useEffect(() => {
    [...(box.current?.children ?? [])].forEach((row, i) => {
      const line = lines[i]?.line ?? 0;
      row.classList.toggle("linked", line > 0 && (line === here || line === over));
    });
  }, [here, over, lines]);

  useEffect(() => {
    const first = here > 0 ? lines.findIndex(({ line }) => line === here) : -1;
    if (first >= 0 && document.activeElement !== box.current) box.current?.children[first]?.scrollIntoView({ block: "nearest" });
  }, [here, lines]);

  useEffect(() => {
    [...(box.current?.children ?? [])].forEach((row, i) => row.setAttribute("aria-selected", String(i === at)));
    if (at >= 0) box.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at, lines]);

  useEffect(() => {
    if (jump && jump.to >= 0) show(jump.to);
  }, [jump]);

  const show = (i: number) => {
    setChosen({ of: lines, at: i });
    onShow?.(i);
    const line = lines[i];
    editor.peek()?.point(line && line.line > 0 ? line : undefined);
  };
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -lines.length, End: lines.length };
    const step = steps[event.key];
    if (step === undefined) {
      if (event.key === "Enter" && at >= 0) editor.peek()?.goToLine(lines[at]?.line || 1);
      return;
    }
    event.preventDefault();
    show(Math.max(0, Math.min(lines.length - 1, at + step)));
  };
  const pick = (event: MouseEvent) => {
    const row = (event.target as HTMLElement).closest("[role=option]");
    if (row) show([...(box.current?.children ?? [])].indexOf(row));
  };

  const line = lines[at]?.line;
  return (
    <>
      <p class="unseen" aria-live="polite">{line ? d.value.codeLine(line) : ""}</p>
      <div
        class="code-lines" ref={box} role="listbox" tabIndex={0} aria-label={`${label}. ${d.value.codeKeys}`}
        aria-activedescendant={at >= 0 ? `code-${at}` : undefined} onKeyDown={move} onClick={pick}
        onPointerOver={pointRow} onPointerLeave={pointNowhere}
      >
        {rows}
      </div>
    </>
  );
}

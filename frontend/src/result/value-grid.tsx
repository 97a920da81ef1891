import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TensorView } from "../gen/api";
import { t } from "../i18n/table";
import { shapeText, short } from "../lib/format";
import { type Range, gridOf, indexOf } from "../lib/tensor";
import { shownTheme } from "../state/settings";
import { cellFor, draw } from "./grid-draw";

interface Props {
  view: TensorView;
  label: string;
  range?: Range; // the colour scale; the view's own where absent
  judged?: boolean; // whether the view says which elements are wrong
}

/** ValueGrid is a tensor as a heat map with a sentence; the pointer or the arrow keys read single elements. */
export function ValueGrid({ view, label, range, judged = false }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const grid = useMemo(() => gridOf(view), [view]);
  const scale = range ?? grid.range;
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState<number | undefined>(undefined);
  const cell = cellFor(grid.columns, grid.rows, width);
  const theme = shownTheme.value;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (canvas.current && width) draw(canvas.current, grid, scale, cell);
  }, [grid, scale.low, scale.high, width, theme]);

  const point = (event: PointerEvent) => {
    const column = Math.floor(event.offsetX / cell.width);
    const position = Math.floor(event.offsetY / cell.height) * grid.columns + column;
    setAt(column < grid.columns && position < grid.values.length ? position : undefined);
  };

  const step = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const next = at === undefined ? 0 : at + move;
    if (next >= 0 && next < grid.values.length) setAt(next);
  };

  const words = t.value;
  const shape = `${view.dtype} ${shapeText(view.shape)}`;
  const sentence = judged ? words.gridWrong(shape, view.wrong.length) : words.gridRange(shape, short(grid.range.low), short(grid.range.high));
  return (
    <figure class="grid">
      <figcaption><b>{label}</b> <span>{sentence}</span></figcaption>
      <div
        class="grid-box" ref={box} tabIndex={0} role="img" aria-label={`${label}: ${sentence} ${words.gridKeys}`}
        onKeyDown={step} onBlur={() => setAt(undefined)}
      >
        <canvas ref={canvas} onPointerMove={point} onPointerDown={point} onPointerLeave={() => setAt(undefined)} />
      </div>
      <p class="grid-at" aria-live="polite">
        {at === undefined ? (view.truncated ? words.gridTruncated(view.values.length) : "\u00a0") : <Reading view={view} at={at} wrong={grid.wrong.has(at)} />}
      </p>
    </figure>
  );
}

function Reading({ view, at, wrong }: { view: TensorView; at: number; wrong: boolean }) {
  return (
    <>
      <code>{view.name}{shapeText(indexOf(at, view.shape))}</code> = <code class={wrong ? "bad" : ""}>{view.values[at]}</code>
      {wrong && " ×"}
    </>
  );
}

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { TensorView } from "../gen/api";
import { t } from "../i18n/table";
import { shapeText, short } from "../lib/format";
import { elementOf, type Grid, type Range, seenOf, valueText } from "../lib/tensor";
import { shownTheme } from "../settings/settings";
import { CellCursor, type Size, useCellCursor } from "../ui/cell-cursor";
import { useWidth } from "../ui/use-width";
import { cellFor, draw } from "./grid-draw";
import { RowTable } from "./row-table";

/** Picture is one of the pictures of a tensor's cells: its values, those expected, their difference. */
export interface Picture {
  label: string;
  grid: Grid;
  range: Range; // of the colours
}

/** Question is what one can ask about a cell. */
export interface Question {
  label: string;
  keys: string; // how to ask without a pointer
  ask: (cell: number) => void;
}

interface Props {
  view: TensorView; // that names the cells
  sentence: string;
  pictures: Picture[]; // of the same cells
  question?: Question;
}

/** ValueGrid shows pictures side by side with one cursor over all of them, which the pointer or the arrow keys move. It stays where it was left. */
export function ValueGrid({ view, sentence, pictures, question }: Props) {
  const words = t.value;
  const { columns = 1, values = [] } = pictures[0]?.grid ?? {};
  const { at: cursor, point, key } = useCellCursor({ columns, count: values.length }, question?.ask);
  const at = cursor !== undefined && cursor < values.length ? cursor : undefined; // it may have been left in a larger tensor

  const text = (p: Picture, cell: number) => cellText(p.grid, cell, view.dtype);
  const [rowStep, columnStep] = view.step ?? [];
  return (
    <figure class="values">
      <figcaption>{sentence} {rowStep && columnStep && words.gridSampled(rowStep, columnStep)}</figcaption>
      <div
        class="grid-row" tabIndex={0} role="application" aria-roledescription={words.gridRole}
        aria-label={`${sentence} ${words.gridKeys} ${question?.keys ?? ""}`} onKeyDown={key}
      >
        {pictures.map((p) => <PictureView key={p.label} picture={p} at={at} point={point} />)}
      </div>
      <p class="grid-at" aria-live="polite">
        {at !== undefined && <><code>{view.name}{shapeText(elementOf(view, at))}</code> {pictures.map((p) => <Reading key={p.label} label={p.label} text={text(p, at)} wrong={p.grid.wrong.has(at)} />)}</>}
      </p>
      {question && at !== undefined && <button type="button" class="link" onClick={() => question.ask(at)}>{question.label}</button>}
      <RowTable view={view} columns={columns} count={values.length} at={at ?? 0} readings={pictures.map((p) => ({ label: p.label, text: (cell) => text(p, cell) }))} />
    </figure>
  );
}

function cellText({ unwritten, values }: Grid, cell: number, dtype: string): string {
  return unwritten.has(cell) ? t.value.unwritten : valueText(values[cell] ?? NaN, dtype);
}

function Reading({ label, text, wrong }: { label: string; text: string; wrong: boolean }) {
  return <span>{label} <code class={wrong ? "bad" : ""}>{text}</code></span>;
}

/** seenText tells of the values of a picture, whatever its colours span. */
function seenText(grid: Grid): string {
  const seen = seenOf(grid);
  if (seen === undefined) return t.value.unwritten;
  return typeof seen === "number" ? valueText(Number(seen.toPrecision(3)), "float64") : `${short(seen.low)} … ${short(seen.high)}`;
}

interface PictureProps {
  picture: Picture;
  at: number | undefined;
  point: (event: PointerEvent, size: Size) => void;
}

function PictureView({ picture: { label, grid, range }, at, point }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [box, width] = useWidth();
  const cell = useMemo(() => cellFor(grid.columns, grid.rows, width), [grid, width]);
  const theme = shownTheme.value;

  // Before the browser paints: a canvas that nothing has drawn yet is 150 px high, and what is below it would move.
  useLayoutEffect(() => {
    if (canvas.current && width) draw(canvas.current, grid, range, cell);
  }, [grid, range.low, range.high, cell, theme]);

  const pointed = (event: PointerEvent) => point(event, cell);

  return (
    <div class="grid">
      <p class="grid-label"><b>{label}</b> <span>{seenText(grid)}</span></p>
      <div class="grid-box" ref={box}>
        <canvas ref={canvas} onPointerMove={pointed} onPointerDown={pointed} />
        {at !== undefined && <CellCursor at={at} columns={grid.columns} size={cell} />}
      </div>
    </div>
  );
}

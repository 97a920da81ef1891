import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { b } from "../i18n/block";
import { shapeText } from "../lib/format";
import { type Grid, gridOf } from "../lib/tensor";
import { cellFor, draw } from "../result/grid-draw";
import { ValueGrid } from "../result/value-grid";
import { shownTheme } from "../settings/settings";
import { useWidth } from "../ui/use-width";
import type { Area, Matrix, Part, Sweep as Of } from "./sweep";

/** Sweep goes through a matrix product along K, or through a reduction's lanes, with the result so far. */
export function Sweep({ sweep }: { sweep: Of }) {
  const words = b.value;
  const [chosen, choose] = useState(sweep.length);
  const done = Math.min(chosen, sweep.length);
  const parts = sweep.parts(done);
  const result = useMemo(() => sweep.result(done), [sweep, done]);
  const ends = useMemo(() => [sweep.result(1), sweep.result(sweep.length)].map((of) => viewed(of).grid.range), [sweep]);
  const { view, grid } = viewed(result);
  const ranges = [...ends, grid.range]; // so that colours stay as the sweep goes on
  const range = { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) };
  const names = parts.map(({ matrix }) => matrix.name);
  const said = sweep.kind === "product"
    ? words.product(done, sweep.length, names[0] ?? "", names[1] ?? "") : words.fold(done, sweep.length, sweep.axis, names[0] ?? "");
  const text = words.sweepOf(done, sweep.length);
  return (
    <section class="sweep" aria-label={words.sweep}>
      <label class="slider">
        <span>{sweep.kind === "product" ? words.alongK : words.alongAxis(sweep.axis)}</span>
        <input
          type="range" id="sweep" min={sweep.kind === "fold" ? 1 : 0} max={sweep.length} value={done} aria-valuetext={text}
          onInput={(e) => choose(e.currentTarget.valueAsNumber)}
        />
        <code>{done} / {sweep.length}</code>
      </label>
      <div class="grid-row">{parts.map((part, i) => <Tile key={i} part={part} />)}</div>
      <ValueGrid view={view} sentence={said} pictures={[{ label: words.sofar, grid, range }]} />
    </section>
  );
}

/** viewed is a matrix as its own rows and columns of cells: a vector is not wrapped. */
function viewed({ name, dtype, shape, rows, columns, values }: Matrix) {
  const view = { name, dtype, shape, values: "", wrong: [], unwritten: [] };
  const grid: Grid = { ...gridOf(view, values), rows, columns };
  return { view, grid };
}

/** Tile is a matrix with an outline around what is taken of it. */
function Tile({ part: { matrix, taken } }: { part: Part }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [box, width] = useWidth();
  const { grid } = useMemo(() => viewed(matrix), [matrix]);
  const cell = cellFor(grid.columns, grid.rows, width);
  const theme = shownTheme.value;
  useLayoutEffect(() => {
    if (canvas.current && width) draw(canvas.current, grid, grid.range, cell);
  }, [grid, width, theme]);
  return (
    <div class="grid">
      <p class="grid-label"><b>{matrix.name}</b> <span>{matrix.dtype} {shapeText(matrix.shape)}</span></p>
      <div class="grid-box" ref={box} role="img" aria-label={`${matrix.name}${sliceText(matrix, taken)}`}>
        <canvas ref={canvas} />
        {taken.rows > 0 && taken.columns > 0 && (
          <span
            class="grid-cursor" style={{
              left: `${taken.column * cell.width}px`, top: `${taken.row * cell.height}px`,
              width: `${taken.columns * cell.width}px`, height: `${taken.rows * cell.height}px`,
            }}
          />
        )}
      </div>
    </div>
  );
}

/** sliceText writes an area as Python does: [0:16, 3:4]. */
function sliceText({ shape }: Matrix, { row, rows, column, columns }: Area): string {
  const parts = [[row, rows], [column, columns]].map(([from = 0, count = 0]) => `${from}:${from + count}`);
  return `[${parts.slice(-shape.length).join(", ")}]`;
}

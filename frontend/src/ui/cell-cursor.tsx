import { useState } from "preact/hooks";

/** Size is that of a cell in CSS pixels. Matrices of so many rows are apart, where there are several. */
export interface Size {
  width: number;
  height: number;
  rows?: number;
}

/** pitchOf is how far it is from one of several matrices to the next: a gap is of whole rows, and at least 8 pixels. */
function pitchOf({ height, rows = Infinity }: Size): number {
  return (rows + Math.ceil(8 / height)) * height;
}

/** topOf is where a row begins, in CSS pixels. */
export function topOf(row: number, size: Size): number {
  const { height, rows } = size;
  return rows ? Math.floor(row / rows) * pitchOf(size) + (row % rows) * height : row * height;
}

/** rowAt is the row at a height in CSS pixels; undefined between matrices. */
function rowAt(y: number, size: Size): number | undefined {
  const { height, rows } = size;
  if (!rows) return Math.floor(y / height);
  const [matrix, rest] = [Math.floor(y / pitchOf(size)), Math.floor((y % pitchOf(size)) / height)];
  return rest < rows ? matrix * rows + rest : undefined;
}

/** Cells are laid out row by row. */
interface Cells {
  columns: number;
  count: number;
  step?: readonly [across: number, down: number] | undefined; // of the arrow keys; one cell otherwise
}

type Cell = number | undefined;

/** CellCursors is a cursor over cells, and what moves it. */
interface CellCursors {
  at: Cell;
  point: (event: PointerEvent, size: Size) => void;
  key: (event: KeyboardEvent) => void;
}

/**
 * useCellCursor is a cursor that the arrow keys and the pointer move. A press holds it where it is, so that the pointer can
 * leave the picture. Enter and w ask about its cell.
 */
export function useCellCursor(cells: Cells, ask?: (cell: number) => void): CellCursors {
  const [at, setAt] = useState<Cell>(undefined);
  const [held, setHeld] = useState(false);
  const point = (event: PointerEvent, size: Size) => {
    const next = cellUnder(event, size, cells);
    if (next === undefined || held && event.type === "pointermove") return;
    setAt(next);
    if (event.type === "pointerdown") setHeld(!held || next !== at);
  };
  const key = (event: KeyboardEvent) => {
    const asks = event.key === "Enter" || event.key === "w" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!asks || !ask || at === undefined) return moveByArrow(event, cells, setAt);
    event.preventDefault();
    ask(at);
  };
  return { at, point, key };
}

/** moveByArrow moves a cursor by an arrow key, and to the first cell where it is at none of them. */
function moveByArrow(event: KeyboardEvent, { columns, count, step: [across, down] = [1, 1] }: Cells, set: (change: (from: Cell) => Cell) => void): void {
  const moves: Record<string, number> = { ArrowLeft: -across, ArrowRight: across, ArrowUp: -down * columns, ArrowDown: down * columns };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  set((from) => {
    const next = from === undefined || from >= count ? 0 : from + move;
    return next >= 0 && next < count ? next : from;
  });
}

/** cellUnder is the cell under the pointer. */
export function cellUnder({ offsetX, offsetY }: MouseEvent, size: Size, { columns, count }: Cells): Cell {
  const column = Math.floor(offsetX / size.width);
  const cell = (rowAt(offsetY, size) ?? NaN) * columns + column;
  return column < columns && cell >= 0 && cell < count ? cell : undefined;
}

/** CellCursor outlines a cell of a canvas. */
export function CellCursor({ at, columns, size }: { at: number; columns: number; size: Size }) {
  const { width, height } = size;
  const [left, top] = [(at % columns) * width, topOf(Math.floor(at / columns), size)];
  return <span class="grid-cursor" style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }} />;
}

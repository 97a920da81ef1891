/** Size is that of a cell in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Cells are laid out row by row. */
interface Cells {
  columns: number;
  count: number;
}

type Cell = number | undefined;

/** moveByArrow moves a cursor by an arrow key, and to the first cell where it is at none of them. */
export function moveByArrow(event: KeyboardEvent, { columns, count }: Cells, set: (change: (from: Cell) => Cell) => void): void {
  const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  set((from) => {
    const next = from === undefined || from >= count ? 0 : from + move;
    return next >= 0 && next < count ? next : from;
  });
}

/** cellUnder is the cell under the pointer. */
export function cellUnder({ offsetX, offsetY }: PointerEvent, size: Size, { columns, count }: Cells): Cell {
  const column = Math.floor(offsetX / size.width);
  const cell = Math.floor(offsetY / size.height) * columns + column;
  return column < columns && cell >= 0 && cell < count ? cell : undefined;
}

/** CellCursor outlines a cell of a canvas. */
export function CellCursor({ at, columns, size: { width, height } }: { at: number; columns: number; size: Size }) {
  const [left, top] = [(at % columns) * width, Math.floor(at / columns) * height];
  return <span class="grid-cursor" style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }} />;
}

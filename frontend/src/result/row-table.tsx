import { useState } from "preact/hooks";
import type { TensorView } from "../gen/api";
import { t } from "../i18n/table";
import { shapeText } from "../lib/format";
import { elementOf } from "../lib/tensor";

interface Props {
  view: TensorView;
  columns: number;
  count: number; // of cells
  at: number; // a cell of the row
  readings: { label: string; text: (cell: number) => string }[];
}

/** RowTable is one row of a picture as a table: that of the cursor. Its rows are made once it is opened. */
export function RowTable({ view, columns, count, at, readings }: Props) {
  const words = t.value;
  const [open, setOpen] = useState(false);
  if (count === 0) return null;
  const first = at - (at % columns);
  const cells = Array.from({ length: Math.min(columns, count - first) }, (_, i) => first + i);
  const name = (cell: number) => `${view.name}${shapeText(elementOf(view, cell))}`;
  const title = words.rowTable(name(first), name(cells.at(-1) ?? first));
  return (
    <details class="inputs" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{title}</summary>
      {open && (
        <div class="table-box" tabIndex={0} role="region" aria-label={title}>
          <table class="elements">
            <thead><tr><th scope="col">{words.colIndex}</th>{readings.map((r) => <th key={r.label} scope="col">{r.label}</th>)}</tr></thead>
            <tbody>
              {cells.map((cell) => (
                <tr key={cell}><th scope="row">{shapeText(elementOf(view, cell))}</th>{readings.map((r) => <td key={r.label}>{r.text(cell)}</td>)}</tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

import { m } from "../i18n/memory";
import { programColours, sizeFor } from "./draw";
import { type Inspected, numberOf, type Tensor } from "./inspected";
import { heldOf } from "./iteration";
import { type Placing, scoresIn } from "./place";
import { accessesOf, type Box, sliceText, touchedBy } from "./touched";

interface PlaneProps {
  inspected: Inspected;
  at: number; // the step in the window
  parts: Placing["parts"];
}

/**
 * Plane is what a program computes of two vectors, between their pictures: a row for each element of one and a column for each of
 * the other. It has what is computed by a step, and outlined what the step's iteration computes; nothing of it is in memory.
 */
export default function Plane({ inspected, at, parts }: PlaneProps) {
  const { steps, tensors, program, grid } = inspected;
  const words = m.value;
  const [query, key] = (["query", "key"] as const).map((part) => parts.indexOf(part)) as [number, number];
  const [down, across] = [tensors[query] as Tensor, tensors[key] as Tensor];
  const { name, op = "", type } = scoresIn(inspected, [query, key]) ?? {};
  const reached = (index: number, of: Tensor) => touchedBy(accessesOf(steps.slice(0, at + 1), index), of)[0]?.box;
  const rows = reached(query, down), done = reached(key, across);
  const held = heldOf(inspected, across, key, at);
  const now = held?.boxes[0];
  const slice = (of: Tensor, box: Box | undefined) => of.name + (box ? sliceText(box) : "");
  return (
    <figure class={`memory-tensor program-${numberOf(program, grid) % programColours}`} data-part="plane">
      <div class="memory-drawn">
        <p class="memory-name"><code>{name ?? op}</code> <span>{type}</span></p>
        <div class="memory-plane" aria-hidden="true" style={{ width: `${(100 * across.before.length) / across.extent}%`, height: `${down.before.length * sizeFor({ ...down, wrap: 1 }, 1).height}px` }}>
          {rows && done && <i class="key-read" style={within(rows, down, done, across)} />}
          {rows && now && <i class="memory-frame" data-ahead={held.ahead} style={within(rows, down, now, across)} />}
        </div>
      </div>
      <figcaption>{words.plane(name ?? op, slice(down, rows), slice(across, now ?? done))}{words.stop}</figcaption>
    </figure>
  );
}

/** within is where some rows and columns are in a plane. */
function within(rows: Box, down: Tensor, columns: Box, across: Tensor): Record<string, string> {
  const span = ({ from, to }: Box, { before, covers: [, cells = 1] }: Tensor) =>
    [from[0] ?? 0, (to[0] ?? 0) - (from[0] ?? 0)].map((elements) => `${(100 * elements) / (before.length * cells)}%`);
  const [top = "", height = ""] = span(rows, down), [left = "", width = ""] = span(columns, across);
  return { top, height, left, width };
}

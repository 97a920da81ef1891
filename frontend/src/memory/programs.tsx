import { useMemo, useRef } from "preact/hooks";
import { m } from "../i18n/memory";
import { pick } from "../run/choice";
import { programColours } from "./draw";
import { type Inspected, numberOf, programAt, programCount } from "./inspected";
import { programName, programText } from "./words";

/** Grids of more programs are chosen from by numbers. */
const mostChips = 256;

/** Programs chooses one of a grid's programs, or all of them: chips on one axis, a map on two and three. */
export function Programs({ inspected, all }: { inspected: Inspected; all: boolean }) {
  const { grid, program } = inspected;
  const words = m.value;
  const count = programCount(grid);
  return (
    <div class="memory-programs">
      <span class="memory-label" id="programs-label">{words.program}</span>
      {count <= mostChips ? <Chips grid={grid} at={all ? undefined : numberOf(program, grid)} count={count} /> : <Axes grid={grid} program={program} />}
      <button type="button" class="chip" id="all-programs" aria-pressed={all} onClick={() => pick({ all: !all })}>{words.all}</button>
    </div>
  );
}

/** Place is where a program lies on the map of a grid. */
interface Place {
  column: number;
  row: number;
}

/** placeOf lays a grid out: the first of its axes runs across, the others down; a grid of one axis has one row. */
function placeOf(program: readonly number[], grid: readonly number[]): Place {
  const axes = grid.flatMap((size, axis) => (size > 1 ? [axis] : []));
  const [first = 0, ...others] = axes;
  return { column: program[first] ?? 0, row: others.reduce((row, axis) => row * (grid[axis] ?? 1) + (program[axis] ?? 0), 0) };
}

function Chips({ grid, at, count }: { grid: number[]; at: number | undefined; count: number }) {
  const box = useRef<HTMLDivElement>(null);
  const places = useMemo(() => Array.from({ length: count }, (_, number) => placeOf(programAt(number, grid), grid)), [grid, count]);
  const map = places.some(({ row }) => row > 0);
  const choose = (number: number) => pick({ all: false, program: programAt(number, grid), step: "last" });
  const move = (event: KeyboardEvent) => {
    const step = moves[event.key];
    if (!step) return;
    event.preventDefault();
    const from = places[at ?? 0] ?? { column: 0, row: 0 };
    const next = places.findIndex(({ column, row }) => column === from.column + step.column && row === from.row + step.row);
    if (next < 0) return;
    choose(next);
    box.current?.querySelector<HTMLElement>(`[data-program="${next}"]`)?.focus();
  };
  return (
    <div class={map ? "memory-map" : "memory-chips"} ref={box} role="radiogroup" aria-label={m.value.programs} onKeyDown={move}>
      {places.map(({ column, row }, number) => (
        <button
          type="button" role="radio" key={number} class={`memory-chip program-${number % programColours}`} data-program={number}
          aria-checked={number === at} aria-label={programName(number, grid)} tabIndex={number === (at ?? 0) ? 0 : -1}
          style={map ? { gridArea: `${row + 1} / ${column + 1}` } : {}} onClick={() => choose(number)}
        >
          {programText(programAt(number, grid), grid).replace(/[() ]/g, "")}
        </button>
      ))}
    </div>
  );
}

const moves: Readonly<Record<string, Place>> = {
  ArrowLeft: { column: -1, row: 0 }, ArrowRight: { column: 1, row: 0 }, ArrowUp: { column: 0, row: -1 }, ArrowDown: { column: 0, row: 1 },
};

/** Axes chooses a program of a large grid by its number on each axis. */
function Axes({ grid, program }: { grid: number[]; program: number[] }) {
  return (
    <>
      {grid.map((size, axis) => size > 1 && (
        <input
          key={axis} type="number" min={0} max={size - 1} value={program[axis] ?? 0} aria-label={m.value.programAxis(axis, size)}
          onChange={(e) => {
            const to = Math.max(0, Math.min(size - 1, Math.trunc(e.currentTarget.valueAsNumber) || 0));
            pick({ all: false, program: grid.map((_, i) => (i === axis ? to : (program[i] ?? 0))), step: "last" });
          }}
        />
      ))}
    </>
  );
}

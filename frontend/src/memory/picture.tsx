import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { m } from "../i18n/memory";
import { sentence as capital, shapeText } from "../lib/format";
import { indexOf, valueText } from "../lib/tensor";
import { answering, concealed } from "../questions/answering";
import { shownTheme } from "../settings/settings";
import { CellCursor, cellUnder, type Size, topOf, useCellCursor } from "../ui/cell-cursor";
import { useWidth } from "../ui/use-width";
import { draw, type Scene, sizeFor } from "./draw";
import { FoundCells } from "./found-cells";
import { chosen } from "./findings";
import { elementAt, type Inspected, mark, marksOf, numberOf, type Tensor } from "./inspected";
import { type Area, heldOf } from "./iteration";
import type { Part } from "./place";
import { axesOf, edgesOf, type Tick } from "./ticks";
import { askWhy, WhyElement } from "./why";
import { accessesOf, sliceText, touchedBy, volumeOf } from "./touched";
import { programName } from "./words";

interface PictureProps {
  inspected: Inspected;
  index: number; // of the tensor
  at: number; // the step in the window
  all: boolean; // all programs at once
  part: Part | undefined; // of the formula as which tensors are placed
  gutter: number; // left of the cells, in CSS pixels
}

/** Picture is a tensor in memory: its cells with what programs do to them, a sentence, and a cursor that reads single cells. */
export function Picture({ inspected, index, at, all, part, gutter }: PictureProps) {
  const given = inspected.tensors[index] as Tensor;
  const tensor = useMemo(() => (part && given.shape.length === 1 ? { ...given, wrap: isColumn(part) ? 1 : given.extent } : given), [given, part]);
  const words = m.value;
  const found = chosen.value;
  const [box, width] = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const question = answering.value?.tensor === index ? answering.value : undefined;
  const asked = question !== undefined;
  const marks = useMemo(() => (asked ? new Uint8Array(tensor.extent) : all ? undefined : marksOf(inspected, index, at)), [inspected, index, at, all, asked]);
  const hidden = concealed.value;
  const drawn = useMemo(() => (hidden ? unowned(tensor) : tensor), [tensor, hidden]);
  const size = useMemo(() => sizeFor(tensor, width - gutter), [tensor, width, gutter]);
  const held = useMemo(() => (asked || all ? undefined : heldOf(inspected, tensor, index, at)), [inspected, tensor, index, at, all, asked]);
  const edges = useMemo(() => (hidden ? [] : edgesOf(inspected, index)), [inspected, index, hidden]);
  const axes = axesOf(tensor, size, edges, held && tensor.shape.map((_, axis) => held.boxes.flatMap(({ from, to }) => [from[axis] ?? 0, to[axis] ?? 0])));
  const sentence = question?.sentence ?? (found?.tensor === index ? capital(found.where) : marks ? sentenceOf(inspected, index, at) : allSentence(tensor));
  const isElement = (cell: number) => cell < tensor.before.length;
  const ask = (cell: number) => {
    if (question) question.press(cell);
    else if (isElement(cell)) void askWhy({ tensor: index }, elementAt(tensor, cell));
  };
  const cells = { columns: tensor.wrap, count: tensor.extent, step: question?.step };
  const { at: cursor, point, key } = useCellCursor(cells, ask);
  const clicked = (event: MouseEvent) => {
    const cell = cellUnder(event, size, cells);
    if (cell !== undefined) question?.press(cell);
  };
  const pointed = (event: PointerEvent) => point(event, size);
  const theme = shownTheme.value;
  useEffect(() => {
    if (asked) box.current?.focus();
  }, [asked]);

  // Before the browser paints, so that picture and sentence are of the same step.
  useLayoutEffect(() => {
    const scene: Scene = { tensor: drawn, size, marks, program: numberOf(inspected.program, inspected.grid) };
    if (canvas.current && width) draw(canvas.current, scene);
  }, [inspected, drawn, size, marks, theme]);

  useLayoutEffect(() => {
    if (box.current && marks) reveal(box.current, marks, tensor.wrap, size);
  }, [marks, size]);

  const [rows = 1, columns = 1] = tensor.covers;
  const name = `${tensor.name}: ${tensor.dtype} ${shapeText(tensor.shape)}`;
  const here = cursor !== undefined && cursor < tensor.extent ? cursor : undefined;
  return (
    <figure class="memory-tensor" data-tensor={tensor.name} data-part={part}>
      <div class="memory-drawn">
        <p class="memory-name"><code>{tensor.name}</code> <span>{tensor.dtype} {shapeText(tensor.shape)}</span></p>
        {axes.over.length > 0 && <Over ticks={axes.over} gutter={gutter} />}
        <div
          class="memory-picture" ref={box} tabIndex={0} role="application" aria-roledescription={words.pictureRole}
          style={part && size.rows !== undefined ? { maxHeight: `min(46dvh, ${size.rows * size.height}px)` } : undefined}
          aria-label={`${name}. ${sentence}${words.stop} ${words.pictureKeys}`} onKeyDown={key}
        >
          <div class="memory-cells" style={{ marginInlineStart: `${gutter}px` }}>
            {gutter > 0 && <Left ticks={axes.left} />}
            <canvas ref={canvas} data-cells={tensor.extent} onPointerMove={pointed} onPointerDown={pointed} onClick={clicked} />
            {held?.cells.map((area) => <Frame key={`${area.row} ${area.column}`} area={area} size={size} ahead={held.ahead} />)}
            <FoundCells tensor={tensor} index={index} size={size} />
            {here !== undefined && <CellCursor at={here} columns={tensor.wrap} size={size} />}
          </div>
        </div>
      </div>
      <figcaption>{sentence}{words.stop} {(rows > 1 || columns > 1) && words.allSampled(rows, columns)}</figcaption>
      {here !== undefined && (
        <div class="memory-reading">
          <p class="memory-cell" aria-live="polite"><Reading tensor={tensor} cell={here} grid={inspected.grid} asked={asked} /></p>
          {isElement(here) && !asked && <button type="button" class="link" onClick={() => ask(here)}>{words.why}</button>}
        </div>
      )}
      <WhyElement tensor={index} last={index === inspected.tensors.length - 1} />
    </figure>
  );
}

/** isColumn tells whether a vector is a column in a formula. */
function isColumn(part: Part): boolean {
  return part === "query" || part === "result";
}

/** Over are the numbers over a picture's columns. */
function Over({ ticks, gutter }: { ticks: readonly Tick[]; gutter: number }) {
  return (
    <div class="memory-over" aria-hidden="true" style={{ marginInlineStart: `${gutter}px` }}>
      {ticks.map(({ text, at, edge }) => <Fragment key={text}><span style={{ left: `${at}px` }}>{text}</span>{edge !== undefined && <i style={{ left: `${edge}px` }} />}</Fragment>)}
    </div>
  );
}

/** Left are the numbers left of a picture's rows. */
function Left({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <div class="memory-left" aria-hidden="true">
      {ticks.map(({ text, at, edge }) => <Fragment key={`${text} ${at}`}><span style={{ top: `${at}px` }}>{text}</span>{edge !== undefined && <i style={{ top: `${edge}px` }} />}</Fragment>)}
    </div>
  );
}

/** Frame outlines what the iteration does to a tensor; it is dashed as long as that is ahead. */
function Frame({ area: { row, column, rows, columns }, size, ahead }: { area: Area; size: Size; ahead: boolean }) {
  const [left, top, width, height] = [column * size.width, topOf(row, size), columns * size.width, rows * size.height].map((pixels) => `${pixels}px`);
  return <span class="memory-frame" data-ahead={ahead} style={{ left, top, width, height }} />;
}

/** reveal scrolls a picture that is taller than its box to what a step touches, or else to what the program has touched. */
function reveal(box: HTMLElement, marks: Uint8Array, wrap: number, size: Size): void {
  const now = marks.findIndex((m) => (m & mark.now) !== 0);
  const cell = now < 0 ? marks.findIndex((m) => m !== 0) : now;
  if (cell < 0) return;
  const row = Math.floor(cell / wrap), top = topOf(row, size);
  const isSeen = (from: number) => top >= from && top + size.height <= from + box.clientHeight;
  const matrix = size.rows ? topOf(row - (row % size.rows), size) : box.scrollTop;
  box.scrollTop = isSeen(matrix) ? matrix : top - 2 * size.height;
}

/** unowned is a tensor that no program is known to read or write. */
function unowned(tensor: Tensor): Tensor {
  const none = new Int32Array(tensor.writers.length).fill(-1);
  return { ...tensor, readers: none, writers: none };
}

/** Reading is what a cell holds, and who reads and writes it; while that is asked, which cell it is. */
function Reading({ tensor, cell, grid, asked }: { tensor: Tensor; cell: number; grid: number[]; asked: boolean }) {
  const words = m.value;
  const element = elementAt(tensor, cell);
  if (cell >= tensor.before.length) return <><code>{tensor.name}[{element}]</code> <span>{words.past}</span></>;
  if (asked) return <code>{tensor.name}{shapeText(indexOf(element, tensor.shape))}</code>;
  const value = (of: Float64Array) => valueText(of[cell] ?? NaN, tensor.dtype);
  const [before, after] = [value(tensor.before), value(tensor.after)];
  const who = (programs: Int32Array) => programName(programs[cell] ?? -1, grid);
  return (
    <>
      <code>{tensor.name}{shapeText(indexOf(element, tensor.shape))}</code>
      {before === after ? <span>{words.valueBoth} <code>{before}</code></span> : (
        <><span>{words.valueBefore} <code>{before}</code></span> <span>{words.valueAfter} <code>{after}</code></span></>
      )}
      <span>{words.readBy(who(tensor.readers))}</span>
      <span>{words.writtenBy(who(tensor.writers))}</span>
    </>
  );
}

/** sentenceOf says what the chosen program has done to a tensor by a step: all that the picture shows. */
function sentenceOf({ steps, from, tensors, program, grid }: Inspected, index: number, at: number): string {
  const words = m.value;
  const tensor = tensors[index] as Tensor;
  const who = programName(numberOf(program, grid), grid);
  const accesses = accessesOf(steps.slice(0, at + 1), index);
  const last = accesses.at(-1);
  if (!last) return capital(words.touchedBy(tensor.name, who, from + 1));
  if (accesses.length < 2 && from === 0) return capital(last.sentence);
  const did = touchedBy(accesses, tensor).map(({ kind, box, elements, accesses }) => ({
    kind, accesses, what: tensor.name + (box ? sliceText(box) : ""), elements: box && volumeOf(box) === elements ? undefined : elements,
  }));
  const outside = accesses.reduce((lanes, access) => lanes + access.outside, 0);
  return capital(words.inAll(who, did, { from: from + 1, masked: last.masked, outside }));
}

function allSentence({ name, covers, writers, readers }: Tensor): string {
  const count = (of: Int32Array, counts: (program: number) => boolean) => of.reduce((n, program) => n + Number(counts(program)), 0);
  const drawn = covers.some((elements) => elements > 1) ? writers.length : undefined;
  return m.value.allSentence(name, drawn, count(writers, (p) => p !== -1), count(writers, (p) => p === -2), count(readers, (p) => p !== -1));
}

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Plot as PlotOutput, Table } from "../gen/api";
import type { Axes, Figure as FigureData, Image, Mark } from "../gen/figure";
import { d } from "../i18n/document";
import { titled } from "../ui/plot";
import { useWidth } from "../ui/use-width";
import { barWidth, colorOf, draw, drawBar, rangeOf } from "./draw";

/** narrowest is the least width of a plot; what does not fit scrolls. */
const narrowest = 190;

/** maxNames is how many categories of an axis a sentence names. */
const maxNames = 8;

/** Figure draws a figure of matplotlib's, with a sentence and its numbers for who cannot see it. */
export default function Figure({ plot }: { plot: PlotOutput }) {
  const figure = useMemo(() => figureOf(plot.json), [plot.json]);
  const [box, width] = useWidth();
  let image = 0;
  const columns = Math.max(1, figure.columns);
  const each = Math.max(narrowest, Math.min(width / columns, (figure.width * 96) / columns) - 10);
  const said = figure.axes.map(sentence).join(" ");
  return (
    <figure class="figure">
      {figure.title && <h4>{figure.title}</h4>}
      {/* Plots next to each other may be wider than the pane: then the keyboard scrolls them. */}
      <div class="figure-grid" ref={box} tabIndex={0} role="group" aria-label={said}>
        {width > 0 && figure.axes.map((axes, i) => {
          const pictures = axes.marks.filter((m) => m.kind === "picture").map(({ image: of }) => ({ of, pixels: plot.pixels[image] ?? "", bar: plot.colorbars?.[image++] ?? "" }));
          return <Drawn key={i} axes={axes} pictures={pictures} width={each} height={(each * figure.height * columns) / (Math.max(1, figure.rows) * figure.width)} place={columns} />;
        })}
      </div>
      <figcaption>{said}</figcaption>
      {plot.tables.length > 0 && <details><summary>{d.value.plotNumbers}</summary>{plot.tables.map((t, i) => <Numbers key={i} table={t} />)}</details>}
    </figure>
  );
}

/** figureOf reads a figure's JSON, where null is a number that is not finite, a plot without marks, or what is left out. */
function figureOf(json: string): FigureData {
  return JSON.parse(json, function (this: unknown, key, value: unknown) {
    return value ?? (Array.isArray(this) ? NaN : key === "marks" ? [] : undefined);
  }) as FigureData;
}

/** Picture is an image with its PNG and that of its colorbar, if it has one. */
interface Picture {
  of: Image | undefined;
  pixels: string;
  bar: string;
}

interface DrawnProps {
  axes: Axes;
  pictures: readonly Picture[];
  width: number;
  height: number;
  place: number; // columns of the grid
}

function Drawn({ axes, pictures, width, height, place }: DrawnProps) {
  const box = useRef<HTMLDivElement>(null);
  const [under, setUnder] = useState("");
  const images = pictures.map(({ pixels }) => pixels);
  useLayoutEffect(() => {
    const bars = pictures.flatMap(({ of, bar }) => (of && bar ? [titled(drawBar(of, bar, axes, height), `${short(of.low)} – ${short(of.high)}`)] : []));
    const svg = draw(axes, images, width - bars.length * barWidth, height, (at) => setUnder(at ? d.peek().plotAt(at.row, at.column, at.value) : ""));
    box.current?.replaceChildren(titled(svg, sentence(axes)), ...bars);
    if (box.current && place > 1) box.current.parentElement?.parentElement?.style.setProperty("grid-template-columns", `repeat(${place}, minmax(${narrowest}px, max-content))`);
  }, [axes, images.join(), width, height, place]);
  const named = axes.legend ? axes.marks.filter((m) => m.label) : [];
  return (
    <div>
      {axes.title && <h4>{axes.title}</h4>}
      {named.length > 0 && <ul class="legend">{named.map((m, i) => <li key={i}><Swatch mark={m} />{m.label}</li>)}</ul>}
      <div class="plot" ref={box} />
      {images.length > 0 && <p class="under" aria-hidden="true">{under}</p>}
    </div>
  );
}

function Swatch({ mark }: { mark: Mark }) {
  const solid = mark.kind !== "line" || !mark.style;
  return (
    <svg viewBox="0 0 18 10" aria-hidden="true">
      {solid ? <rect x="4" y="0" width="10" height="10" fill={colorOf(mark)} /> : <path d="M0 5H18" stroke={colorOf(mark)} stroke-width="2" />}
    </svg>
  );
}

/** sentence describes what a plot shows. */
function sentence(axes: Axes): string {
  const words = d.value;
  const kinds = [...new Set(axes.marks.map((m) => m.kind))];
  const marks = words.and(kinds.map((k) => words.plotMarks(axes.marks.filter((m) => m.kind === k).length, words.plotKinds[k] ?? k)));
  const ranges = (["x", "y"] as const).flatMap((name) => {
    const { label, names } = axes[name];
    const range = rangeOf(axes, name);
    if (names?.length) return [words.plotNames(label || name, names.slice(0, maxNames), names.length)];
    return range ? [words.plotRange(label || name, short(range[0]), short(range[1]))] : [];
  });
  return words.plotSentence(words.and([words.plotOf([axes.title, marks].filter(Boolean).join(": "), axes.y.label ?? "", axes.x.label ?? ""), ...ranges]));
}

const short = (value: number) => String(Number(value.toPrecision(4)));

function Numbers({ table }: { table: Table }) {
  return (
    <>
      <div class="numbers" tabIndex={0} role="group" aria-label={table.title || d.value.plotNumbers}>
        <table>
          <thead><tr>{table.columns.map((c, i) => <th key={i} scope="col">{c}</th>)}</tr></thead>
          <tbody>{table.rows.map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j}>{cell}</td>)}</tr>)}</tbody>
        </table>
      </div>
      {table.cut && <p class="fine">{d.value.plotCut}</p>}
    </>
  );
}

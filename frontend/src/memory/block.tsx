import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { b } from "../i18n/block";
import { m } from "../i18n/memory";
import { short } from "../lib/format";
import { gridOf, indexOf, valueText } from "../lib/tensor";
import { ValueGrid } from "../result/value-grid";
import { choice, pick } from "../run/choice";
import { Icon } from "../ui/icons";
import { type Distribution, distributionOf } from "./distribution";
import { Histogram } from "./histogram";
import { type Inspected, numberOf, type Operation } from "./inspected";
import { sweepOf } from "./sweep";
import { Sweep } from "./sweep-view";
import { blockOf, planeOf, planesOf } from "./values";
import { askWhy, WhyValue } from "./why";
import { programName } from "./words";

interface Props {
  inspected: Inspected;
  at: number; // the step in the window
}

/** Block is the whole value of a step: its lanes, a matrix at a time, how they are distributed, and both in words. */
export default function Block({ inspected, at }: Props) {
  const words = b.value;
  const step = inspected.steps[at] as Operation;
  const { grid, program, from: first } = inspected;
  const box = useRef<HTMLElement>(null);
  const [chosen, setPlane] = useState(0);
  const { from, to, values, type = "", iterations = [] } = step;
  const made = useMemo(() => {
    const view = blockOf(step);
    const whole = !/^b?float/.test(view?.dtype ?? "");
    return view && values && { view, values, distribution: distributionOf(values, whole), range: gridOf(view, values).range };
  }, [step]);
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [from, to]);
  if (!made) return null;
  const { view, distribution, range } = made;
  const sweep = sweepOf(step);
  const planes = planesOf(view);
  const shown = Math.min(chosen, planes - 1);
  const plane = planeOf(view, made.values, shown);
  const number = (value: number) => (/^b?float/.test(view.dtype) ? short(value) : valueText(value, view.dtype));
  const said = words.title(view.name, type, programName(numberOf(program, grid), grid)) + (iterations.length ? ` ${words.iteration(iterations.join("."))}` : "");
  const facts = factsOf(distribution, view.dtype === "int1", number);
  const ask = (cell: number) => {
    const { block } = choice.peek();
    if (block) void askWhy({ value: { program, step: first + at }, block }, shown * plane.values.length + cell);
  };
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    pick({ block: undefined });
  };
  return (
    <section class="memory-block" ref={box} onKeyDown={close}>
      <button type="button" class="tool" aria-label={words.close} title={words.close} onClick={() => pick({ block: undefined })}>
        <Icon name="close" />
      </button>
      <ValueGrid
        view={plane.view} sentence={`${said} ${facts}`}
        pictures={[{ label: words.value, grid: gridOf(plane.view, plane.values), range }]}
        question={{ label: m.value.why, keys: words.whyKeys, ask }}
      />
      <WhyValue />
      {planes > 1 && <Planes index={indexOf(shown, view.shape.slice(0, -2))} at={shown} count={planes} choose={setPlane} />}
      {sweep && <Sweep key={`${from} ${to}`} sweep={sweep} />}
      {distribution.bins.length > 1 && <Histogram bins={distribution.bins} facts={facts} number={number} />}
    </section>
  );
}

/** factsOf says in a few short sentences what a block's values are. */
function factsOf(of: Distribution, truth: boolean, number: (value: number) => string): string {
  const words = b.value;
  const { count, nan, positive, negative, zero, low, high, mean } = of;
  const odd = nan + positive + negative;
  if (truth) return words.truth(count - zero, count);
  return [
    odd < count && (low === high ? words.same(count - odd, number(low)) : words.range(count - odd, number(low), number(high), short(mean))),
    odd > 0 && words.odd(nan, positive, negative),
    zero > 0 && low !== high && words.zeros(zero),
  ].filter(Boolean).join(" ");
}

interface PlanesProps {
  index: number[]; // along the leading axes
  at: number;
  count: number;
  choose: (plane: number) => void;
}

/** Planes chooses one of the matrices of a block of three axes or more. */
function Planes({ index, at, count, choose }: PlanesProps) {
  const words = b.value;
  const text = words.planeOf(`[${index.join(", ")}, :, :]`, count);
  return (
    <label class="slider">
      <span>{words.plane}</span>
      <input
        type="range" id="block-plane" min={0} max={count - 1} value={at} aria-valuetext={text}
        onInput={(e) => choose(e.currentTarget.valueAsNumber)}
      />
      <code>{text}</code>
    </label>
  );
}

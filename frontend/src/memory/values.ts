import type { TensorView } from "../gen/api";
import type { Inspected, Operation } from "./inspected";

/** Span is a piece of the text. */
export interface Span {
  from: number;
  to: number;
}

/** Scope is the function of the text that a name is looked up in. */
export interface Scope extends Span {
  name: string;
}

/** Known is what a name or an expression of the text is at a step. */
export interface Known extends Span {
  name: string;
  type: string;
  text: string; // empty where it is not computed yet
  step: number; // in steps, that gave the value; -1 where none did
}

/** nameAt is what the name at a place of the text is by step at; undefined where it is no variable. */
export function nameAt({ steps, kernel, args }: Inspected, at: number, name: Span & { text: string }, scope: Scope): Known | undefined {
  const { from, to, text } = name;
  const gives = (step: Operation) => step.name === text && step.from >= scope.from && step.to <= scope.to;
  const step = steps.findLastIndex((step, i) => i <= at && gives(step));
  const found = steps[step];
  if (found) return { from, to, name: text, type: found.type ?? "", text: found.text ?? "", step };
  const given = scope.name === kernel ? args.find((arg) => arg.name === text) : undefined;
  if (given) return { from, to, name: text, type: given.type, text: given.text, step: -1 };
  const later = steps.find(gives);
  return later && { from, to, name: text, type: later.type ?? "", text: "", step: -1 };
}

/** expressionAt is the smallest expression around a place of the text that has a value by step at. */
export function expressionAt({ steps }: Inspected, at: number, place: number, source: string): Known | undefined {
  let step = -1;
  steps.forEach(({ from, to, text }, i) => {
    if (i > at || !text || from > place || to < place) return;
    const best = steps[step];
    if (!best || to - from <= best.to - best.from) step = i;
  });
  const found = steps[step];
  return found && { from: found.from, to: found.to, name: source.slice(found.from, found.to), type: found.type ?? "", text: found.text ?? "", step };
}

/** shapeOf splits the type of a value: float32[2, 3]. A scalar's shape is [1]. */
export function shapeOf(type: string): { dtype: string; shape: number[] } {
  const [, dtype = type, sizes = ""] = /^(.*?)(?:\[([\d, ]+)\])?$/.exec(type) ?? [];
  const shape = sizes.split(",").map(Number).filter((size) => size > 0);
  return { dtype, shape: shape.length ? shape : [1] };
}

/** blockOf is the value of a step as a tensor to show; undefined where it has no lanes. */
export function blockOf({ name, op, type = "", values }: Operation): TensorView | undefined {
  if (!values?.length) return undefined;
  return { name: name ?? op, ...shapeOf(type), values: "", wrong: [], unwritten: [] };
}

/** planesOf is how many matrices a block has: one of at most two axes has one. */
export function planesOf({ shape }: TensorView): number {
  return shape.slice(0, -2).reduce((count, size) => count * size, 1);
}

/** planeOf is one of the matrices of a block, with its values. */
export function planeOf(view: TensorView, values: Float64Array, plane: number): { view: TensorView; values: Float64Array } {
  const shape = view.shape.slice(-2);
  const size = shape.reduce((count, n) => count * n, 1);
  let rest = plane;
  const index = view.shape.slice(0, -2).toReversed().map((n) => {
    const at = rest % n;
    rest = Math.floor(rest / n);
    return at;
  }).reverse();
  const name = index.length ? `${view.name}[${index.join(", ")}]` : view.name;
  return { view: { ...view, name, shape }, values: values.subarray(plane * size, (plane + 1) * size) };
}

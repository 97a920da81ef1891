import { computed, signal } from "@preact/signals";
import { doc } from "../document/workspace";
import type { LinkLook } from "../gen/api";

/** Opened is an operation in the text, whose block of values is open. */
export interface Opened {
  from: number;
  to: number;
  name?: string | undefined; // the variable that it is assigned to
}

/** Choice is what is chosen of a document's launch in the memory view; it starts again with each document. */
export interface Choice {
  doc: string;
  test: number; // of a puzzle
  program: readonly number[] | undefined; // undefined: that of the first problem, or else the first
  all: boolean; // all programs at once
  step: number | "last" | "problem";
  block: Opened | undefined;
}

const unchosen = { test: 0, program: undefined, all: false, step: "last", block: undefined } as const;

const picked = signal<Choice>({ doc: "", ...unchosen });

/** choice is that for the current document. */
export const choice = computed<Choice>(() => (picked.value.doc === doc.value ? picked.value : { doc: doc.value, ...unchosen }));

/** pick changes the choice. */
export function pick(change: Partial<Choice>): void {
  picked.value = { ...choice.peek(), ...change };
}

/** pickFirstProblem chooses the program of the first problem, at that step; the engine knows which program that is. */
export function pickFirstProblem(): void {
  pick({ all: false, program: undefined, step: "problem" });
}

/** namedSteps are the numbers that links have for steps that are not chosen by number. */
const namedSteps = { last: -1, problem: -2 } as const;

/** lookOf is a choice as a link carries it; undefined where nothing is chosen. */
export function lookOf({ test, program, all, step }: Choice): LinkLook | undefined {
  if (test === 0 && !program && !all && step === "last") return undefined;
  return { test, all, step: typeof step === "number" ? step : namedSteps[step], ...(program && { program: [...program] }) };
}

/** choiceOf is what a link chooses; what its kernel does not have, the engine replaces by the last one there is. */
export function choiceOf(look: LinkLook | undefined): Omit<Choice, "doc"> {
  if (!look) return unchosen;
  const { test, all, program, step } = look;
  const named = { [namedSteps.last]: "last", [namedSteps.problem]: "problem" } as const;
  return { ...unchosen, test, all, program, step: step >= 0 ? step : (named[step as keyof typeof named] ?? "last") };
}

import type { ConceptID } from "../basics/concepts";

/** behind are the concepts that mistakes come from, by the concept; the other mistakes are slips. */
export const behind: Partial<Record<ConceptID, readonly string[]>> = {
  program: ["program", "block-number"],
  block: ["lanes", "partial-block", "size"],
  mask: ["mask", "mask-bound", "mask-index", "no-mask", "other", "no-other", "comparison", "inclusive", "any"],
  axes: ["grid-axis", "grid-axes", "mask-axis"],
  stride: ["stride", "index"],
  broadcast: ["expanded", "no-axes"],
  reduction: ["reduced-axis", "all-axes"],
  accumulator: ["reset", "replaced", "carried", "initial", "once", "loop-step"],
  softmax: ["rescale", "largest"],
};

/** conceptBehind is the concept that a mistake of this code comes from, if there is one. */
function conceptBehind(code: string): ConceptID | undefined {
  const kind = code.replace(/^mistake-/, "");
  return (Object.keys(behind) as ConceptID[]).find((concept) => behind[concept]?.includes(kind));
}

/** Streak is a row of different answers to a puzzle that failed for the same concept. */
export interface Streak {
  puzzle: string; // its document
  concept: ConceptID;
  answers: readonly string[];
}

/** enough is how many such answers there are before the concept's card is offered. */
export const enough = 3;

/** mayRepeat tells whether an answer may be the one after which the card is offered, before its mistake is known. */
export function mayRepeat(streak: Streak | undefined, puzzle: string, answer: string): boolean {
  return streak?.puzzle === puzzle && streak.answers.filter((other) => other !== answer).length >= enough - 1;
}

/** extend is the streak after one more answer whose mistake is known. */
export function extend(streak: Streak | undefined, puzzle: string, code: string, answer: string): Streak | undefined {
  const concept = conceptBehind(code);
  if (!concept) return undefined;
  if (streak?.puzzle !== puzzle || streak.concept !== concept) return { puzzle, concept, answers: [answer] };
  return streak.answers.includes(answer) ? streak : { ...streak, answers: [...streak.answers, answer] };
}

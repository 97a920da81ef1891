import type { ConceptID } from "./concepts";

/** lesson are the concepts of puzzle 0, in their order. */
export const lesson = ["program", "offset", "block", "mask", "broadcast", "axes", "reduction"] as const satisfies readonly ConceptID[];

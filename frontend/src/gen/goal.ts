// Code generated from puzzles/goal/goal.go. DO NOT EDIT.

/** Goal bounds one count. Exactly one of Most and Least is there; its limits are those of the levels, from bronze on, and each level asks for no less than the one before. */
export interface Goal {
  count: string; // a name of Counts
  most?: number[];
  least?: number[];
}

/** Ladder is how fast a right answer is: its level is the lowest of its rungs'. */
export interface Ladder {
  level: number; // 0 to Levels
  rungs: Rung[];
}

/** Rung is a goal with what was counted. */
export interface Rung {
  count: string;
  label: string; // the count's name in the language of the request
  value: number;
  least: boolean; // the limits are the least that levels ask for, and not the most that they allow
  limits: number[]; // of the levels, from bronze on
  level: number;
}

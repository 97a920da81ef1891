import type { ComponentChildren } from "preact";
import { q } from "../i18n/questions";
import { CellsAnswer } from "./cells-answer";
import { cellsQuestion } from "./cells";
import type { Seen } from "./cells-answer";

/** Said is what is said of an answer. A right one ends the question, as does its solution. */
export interface Said {
  kind: "right" | "wrong" | "shown" | "note";
  text: string;
}

/** AnswerProps are what every kind of answer gets; it is there until the question is over. */
export interface AnswerProps {
  open: boolean; // somebody answers
  said: Said | undefined;
  say: (said: Said) => void;
}

/** Question is one that applies: what it asks, and how it is answered. */
export interface Question {
  id: string; // it is remembered under, and asked once
  text: string;
  begin: string; // what leads to the answer
  answer: (props: AnswerProps) => ComponentChildren;
}

/** kinds are the kinds of questions: each makes one of what is known, where it applies. */
export const kinds = {
  /** cells asks before the first run of a puzzle which cells a program writes. */
  cells: (seen: Seen): Question | undefined => {
    const asked = cellsQuestion(seen);
    const of = asked && seen.tensors[asked.tensor];
    return of && {
      id: asked.id, text: q.value.cells.text(of.name, seen.nameOf(asked.program)), begin: q.value.cells.begin,
      answer: (props) => <CellsAnswer asked={asked} of={of} seen={seen} {...props} />,
    };
  },
};

/** Kind names one of them, Facts is what it has to know. */
export type Kind = keyof typeof kinds;
export type Facts<K extends Kind> = Parameters<(typeof kinds)[K]>[0];

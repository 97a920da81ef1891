import type { ComponentChildren } from "preact";
import type { Puzzle } from "../content/content";
import { q } from "../i18n/questions";
import { sentence } from "../lib/format";
import { cellsQuestion } from "./cells";
import { CellsAnswer, type Seen, truth } from "./cells-answer";
import { takeApart } from "./order";
import { OrderAnswer } from "./order-answer";
import { RefusedAnswer } from "./refused-answer";

/** Said is what is said of an answer. A right one ends the question, as does its solution. */
export interface Said {
  kind: "right" | "wrong" | "shown" | "note";
  text: string;
  code?: string; // shown below the text
  kernel?: string; // that answers the puzzle, which a person may want in the editor
}

/** AnswerProps are what every kind of answer gets. */
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
  solve?: () => Said; // what is right, for who has been wrong
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
      solve: () => {
        seen.show(asked.program);
        return { kind: "shown", text: sentence(truth(asked, of, seen)) };
      },
    };
  },

  /** order is a first step to a hard puzzle, unless it begins with a kernel that works: the lines of a solution are to be put in order. */
  order: ({ number, own, starter, solutions: [solution] }: Puzzle): Question | undefined => {
    const taken = solution && !starter.includes("tl.store") ? takeApart(solution.source) : undefined;
    return taken && {
      id: `order ${own?.id ?? number}`, text: q.value.order.text, begin: q.value.order.begin,
      answer: (props) => <OrderAnswer taken={taken} {...props} />,
    };
  },

  /** refused shows a program with a mistake that a puzzle invites. */
  refused: ({ refused: codes = [] }: Puzzle): Question | undefined => {
    return codes.length === 0 ? undefined : {
      id: `refused ${codes[0]}`, text: q.value.refused.text, begin: q.value.refused.begin,
      answer: (props) => <RefusedAnswer codes={codes} {...props} />,
    };
  },
};

/** Kind names one of them. */
export type Kind = keyof typeof kinds;

/** Asking is a kind with what it has to know. */
export type Asking = { [K in Kind]: { kind: K; facts: Parameters<(typeof kinds)[K]>[0] } }[Kind];

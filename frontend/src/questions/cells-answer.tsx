import { useLayoutEffect, useState } from "preact/hooks";
import { q } from "../i18n/questions";
import { answering, concealed } from "./answering";
import { cellName, cellsOf, type CellsAnswer as Judged, type CellsQuestion, hasRows, judgeCells, type Launch, rangeOf, stepOf, type Written } from "./cells";
import type { AnswerProps } from "./table";

/** Seen is a launch as the memory view shows it. */
export interface Seen extends Launch {
  nameOf: (program: number) => string;
  show: (program: number) => void; // shows what a program does
}

interface CellsAnswerProps extends AnswerProps {
  asked: CellsQuestion;
  of: Written;
  seen: Seen;
}

/**
 * CellsAnswer is answered in the picture itself: of a vector by the first and the last cell, of what has rows, whose cells may be
 * three pixels wide, by one cell for all that its program writes.
 */
export function CellsAnswer({ asked, of, seen, open, said, say }: CellsAnswerProps) {
  const words = q.value.cells;
  const rows = hasRows(of);
  const [end, setEnd] = useState<number | undefined>(undefined);
  const [cells, setCells] = useState<readonly number[]>([]);
  const press = (cell: number) => {
    if (!rows && end === undefined) {
      setCells([cell]);
      setEnd(cell);
      return say({ kind: "note", text: words.from(cellName(of, cell)) });
    }
    const chosen = rows ? cellsOf(of, of.writers[cell] ?? -1) : rangeOf(end ?? cell, cell);
    setCells(chosen);
    setEnd(undefined);
    const judged = judgeCells(of, asked, chosen);
    say({ kind: judged.right ? "right" : "wrong", text: textOf(judged, asked, of, seen) });
    if (judged.right) seen.show(asked.program);
  };
  const over = said?.kind === "right" || said?.kind === "shown";
  const choose = rows ? words.chooseOne(of.name) : words.chooseEnds(of.name);
  const sentence = said?.text.replace(/`|[.。]$/g, "") ?? choose; // below the picture too, where one looks
  useLayoutEffect(() => { // the next key may come before the next frame
    answering.value = open && !over ? { tensor: asked.tensor, sentence, cells, press, ...(rows && { step: stepOf(of) }) } : undefined;
    concealed.value = !over;
  });
  useLayoutEffect(() => () => {
    answering.value = undefined;
    concealed.value = false;
  }, []);
  return open && !said ? <p>{words.how(choose)}</p> : null;
}

/** truth says which cells a program writes. */
export function truth({ program, cells }: CellsQuestion, of: Written, { nameOf }: Seen): string {
  const [first = 0] = cells;
  const words = q.peek().cells;
  if (cells.length === 1) return words.truthOfOne(nameOf(program), cellName(of, first));
  return words.truth(nameOf(program), cellName(of, first), cellName(of, cells.at(-1) ?? first), cells.length);
}

function textOf(judged: Judged, asked: CellsQuestion, of: Written, seen: Seen): string {
  const words = q.peek().cells;
  if (judged.right) {
    const cut = judged.fewer === undefined ? "" : words.fewer(seen.nameOf(0), judged.fewer, of.name);
    return words.right(truth(asked, of, seen), cut);
  }
  if ("program" in judged) return words.other(seen.nameOf(judged.program));
  if (judged.misses && judged.exceeds) return words.differs;
  return judged.misses ? words.more : words.less;
}

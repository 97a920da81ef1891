import QuestionCard from "../questions/question";
import { pick } from "../run/choice";
import { type Inspected, programAt } from "./inspected";
import { programName } from "./words";

/** CellsQuestion asks about the cells of the launch that is shown. */
export default function CellsQuestion({ inspected: { grid, tensors } }: { inspected: Inspected }) {
  const nameOf = (program: number) => programName(program, grid);
  const show = (program: number) => pick({ all: false, program: programAt(program, grid), step: "last" });
  return <QuestionCard kind="cells" facts={{ grid, tensors, nameOf, show }} />;
}

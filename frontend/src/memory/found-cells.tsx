import { answering } from "../questions/answering";
import { type Size, topOf } from "../ui/cell-cursor";
import { chosen } from "./findings";
import { runsOf, type Tensor } from "./inspected";
import { differing } from "./why";

/**
 * FoundCells outlines the cells of the finding that is looked at, those that a question is answered by, or those that differ
 * in the answer to Why?, with elements: forced colours leave their outlines.
 */
export function FoundCells({ tensor, index, size }: { tensor: Tensor; index: number; size: Size }) {
  const { width, height } = size;
  const answer = answering.value;
  const picked = answer?.tensor === index;
  const found = picked ? answer.cells : chosen.value?.tensor === index ? chosen.value.elements : [];
  const differs = differing.value.find((mark) => mark.tensor === index);
  const outlined = [[picked ? "picked-cells" : "", found], ["", differs?.yours ?? []], ["expected", differs?.expected ?? []]] as const;
  return (
    <>
      {outlined.flatMap(([kind, elements], i) => runsOf(tensor, elements).map(({ from, count }) => {
        const [left, top] = [(from % tensor.wrap) * width, topOf(Math.floor(from / tensor.wrap), size)];
        const style = { left: `${left}px`, top: `${top}px`, width: `${count * width}px`, height: `${height}px` };
        return <span key={`${i} ${from}`} class={`found-cells ${kind}`} style={style} />;
      }))}
    </>
  );
}

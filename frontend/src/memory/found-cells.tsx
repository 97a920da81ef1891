import { type Size, topOf } from "../ui/cell-cursor";
import { answering } from "../questions/answering";
import { chosen } from "./findings";
import { runsOf, type Tensor } from "./inspected";

/** FoundCells outlines the cells of the finding that is looked at, or those that a question is answered by, with elements: forced colours leave their outlines. */
export function FoundCells({ tensor, index, size }: { tensor: Tensor; index: number; size: Size }) {
  const { width, height } = size;
  const answer = answering.value;
  const picked = answer?.tensor === index;
  const elements = picked ? answer.cells : chosen.value?.tensor === index ? chosen.value.elements : [];
  return (
    <>
      {runsOf(tensor, elements).map(({ from, count }) => {
        const [left, top] = [(from % tensor.wrap) * width, topOf(Math.floor(from / tensor.wrap), size)];
        const style = { left: `${left}px`, top: `${top}px`, width: `${count * width}px`, height: `${height}px` };
        return <span key={from} class={picked ? "found-cells picked-cells" : "found-cells"} style={style} />;
      })}
    </>
  );
}

import type { Size } from "../ui/cell-cursor";
import { chosen } from "./findings";
import { runsOf, type Tensor } from "./inspected";

/** FoundCells outlines the cells of the finding that is looked at, with elements: forced colours leave their outlines. */
export function FoundCells({ tensor, index, size: { width, height } }: { tensor: Tensor; index: number; size: Size }) {
  const of = chosen.value;
  if (of?.tensor !== index) return null;
  return (
    <>
      {runsOf(tensor, of.elements).map(({ from, count }) => {
        const [left, top] = [(from % tensor.wrap) * width, Math.floor(from / tensor.wrap) * height];
        const style = { left: `${left}px`, top: `${top}px`, width: `${count * width}px`, height: `${height}px` };
        return <span key={from} class="found-cells" style={style} />;
      })}
    </>
  );
}
